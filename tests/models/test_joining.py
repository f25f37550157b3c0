"""Touching spans whose types the label map makes one."""

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.labelling.joining import join_spans
from abalo.models.labelling.labels import BIO, PLAIN
from abalo.models.options import ModelOptions
from abalo.models.tokens.loading import load
from perturbations import Sentence, parse
from tests.models.tiny_checkpoint import save_checkpoint

PERSONS = {"GIVEN": "PER", "SURNAME": "PER"}
LABELS = ("O", "B-GIVEN", "I-GIVEN", "B-SURNAME", "I-SURNAME", "B-CITY", "I-CITY")


@pytest.mark.parametrize(
    ("model", "corpus"),
    [
        ("[Ana GIVEN] [Sá SURNAME] saiu", "[Ana Sá PER] saiu"),
        ("[Ana Rita GIVEN] [de Sá SURNAME] saiu", "[Ana Rita de Sá PER] saiu"),
        ("[Ana GIVEN] de [Sá SURNAME]", "[Ana PER] de [Sá PER]"),
        ("[Ana GIVEN] [Rui GIVEN] saíram", "[Ana PER] [Rui PER] saíram"),
        ("[Ana GIVEN] [Sá SURNAME] [Lima SURNAME]", "[Ana Sá PER] [Lima PER]"),
        ("[Ana GIVEN] [Sá SURNAME] [Rui GIVEN]", "[Ana Sá Rui PER]"),
        ("[Ana GIVEN] [Belém CITY] [Sá SURNAME]", "[Ana PER] [Belém CITY] [Sá PER]"),
        ("[Ana GIVEN] [Sá PER] saiu", "[Ana Sá PER] saiu"),
        ("nada aqui", "nada aqui"),
    ],
)
def test_spans_that_touch_are_one_if_the_model_gave_them_several_types(model, corpus):
    options = ModelOptions(label_map=PERSONS, join=True)
    assert options.renamed(parse(model).tags) == parse(corpus).tags


def test_without_joining_they_stay_apart():
    tags = parse("[Ana GIVEN] [Sá SURNAME]").tags
    assert ModelOptions(label_map=PERSONS).renamed(tags) == parse("[Ana PER] [Sá PER]").tags


def test_positions_of_other_schemes_join_as_well():
    options = ModelOptions(label_map=PERSONS, join=True)
    assert options.renamed(("U-GIVEN", "B-SURNAME", "L-SURNAME")) == ("B-PER", "I-PER", "I-PER")


def test_a_label_without_a_position_has_the_type_that_the_map_gives_it():
    label_map = {"LABEL_1": "B-PER", "LABEL_2": "I-PER", "LABEL_3": "B-PER"}
    options = ModelOptions(label_map=label_map, join=True)
    assert options.renamed(("LABEL_1", "LABEL_2", "LABEL_3")) == ("B-PER", "I-PER", "B-PER")


# Scores ---------------------------------------------------------------------------------------------------------------


def test_the_joined_token_has_the_score_of_the_beginning_for_the_inside():
    columns = BIO.columns(LABELS, PERSONS, "m", join=True)
    assert columns.labels == ("O", "B-PER", "I-PER", "B-CITY", "I-CITY")
    scores = np.array([[0, 9, 1, 2, 3, 4, 5], [0, 1, 2, 9, 8, 4, 5], [9, 1, 2, 3, 4, 5, 6]], dtype=np.float32)
    folded, tags = columns.read(scores)
    assert tags == ["B-PER", "I-PER", "O"]
    np.testing.assert_array_equal(folded, [[0, 9, 3, 4, 5], [0, 8, 9, 4, 5], [9, 3, 4, 5, 6]])


def test_scores_and_tags_agree_on_any_scores():
    columns = BIO.columns(LABELS, PERSONS, "m", join=True)
    scores = np.random.Generator(np.random.PCG64(1)).normal(size=(500, len(LABELS))).astype(np.float32)
    folded, tags = columns.read(scores, starts=range(0, 500, 7))
    assert [columns.labels[best] for best in folded.argmax(axis=1)] == tags
    own = [LABELS[best] for best in scores.argmax(axis=1)]
    options = ModelOptions(label_map=PERSONS, join=True)
    assert tags == [tag for start in range(0, 500, 7) for tag in options.renamed(own[start : start + 7])]
    apart = BIO.columns(LABELS, PERSONS, "m").fold(scores)
    np.testing.assert_array_equal(np.sort(folded, axis=1), np.sort(apart, axis=1))


def test_the_first_token_of_a_sentence_joins_nothing():
    columns = BIO.columns(LABELS, PERSONS, "m", join=True)
    scores = np.eye(7, dtype=np.float32)[[1, 3]]
    assert columns.read(scores, starts=(0, 1))[1] == ["B-PER", "B-PER"]
    assert columns.read(scores)[1] == ["B-PER", "I-PER"]


def test_labels_that_only_begin_entities_get_an_inside_with_the_lowest_score():
    columns = BIO.columns(["O", "B-GIVEN", "B-SURNAME"], PERSONS, "m", join=True)
    assert columns.labels == ("O", "B-PER", "I-PER")
    folded, tags = columns.read(np.array([[1, 5, 2], [3, 1, 4]], dtype=np.float32))
    assert tags == ["B-PER", "I-PER"]
    np.testing.assert_array_equal(folded, [[1, 5, 1], [3, 1, 4]])


def test_the_scores_of_the_model_are_left_as_they_are():
    columns = BIO.columns(LABELS, PERSONS, "m", join=True)
    scores = np.eye(7, dtype=np.float32)[[1, 3]]
    columns.read(scores)
    np.testing.assert_array_equal(scores, np.eye(7)[[1, 3]])


@pytest.mark.parametrize("label_map", [None, {"GIVEN": "PER"}, {"GIVEN": "O", "SURNAME": "O"}])
def test_there_has_to_be_something_to_join(label_map):
    with pytest.raises(AbaloError, match=r"--abalo-join: no two types of model m mean one.*give two of them one name"):
        BIO.columns(LABELS, label_map, "m", join=True)


# Adapters -------------------------------------------------------------------------------------------------------------

WORDS = {"Ana": "B-GIVEN", "Rui": "B-GIVEN", "Souza": "B-SURNAME", "Paulo": "B-CITY"}


@pytest.mark.parametrize(
    "source",
    [
        "def make():\n    return lambda batch: [[WORDS.get(w, 'O') for w in tokens] for tokens in batch]\n",
        (
            f"import numpy as np\n\nclass make:\n    labels = {LABELS}\n\n    def scores(self, batch):\n"
            "        return [np.array([[WORDS.get(w, 'O') == l for l in self.labels] for w in tokens], dtype=float)\n"
            "                for tokens in batch]\n"
        ),
        (
            "import re\n\nclass make:\n    def entities(self, texts):\n"
            "        return [[(m.start(), m.end(), WORDS[m[0]][2:]) for m in re.finditer('|'.join(WORDS), text)]\n"
            "                for text in texts]\n"
        ),
    ],
    ids=["tags", "scores", "entities"],
)
def test_all_that_code_can_return_is_joined(write_module, source):
    path = write_module("namer", f"WORDS = {WORDS}\n\n{source}")
    sentences = [Sentence(("Ana", "Souza", "em", "Paulo")), Sentence(("Souza",)), Sentence(("Ana", "Rui"))]
    model = load(f"{path}:make", label_map=PERSONS, join=True)
    found = [prediction.tags for prediction in model.predict(sentences)]
    assert found == [("B-PER", "I-PER", "O", "B-CITY"), ("B-PER",), ("B-PER", "B-PER")]
    assert model.settings["join"] is True
    assert model.fingerprint != load(f"{path}:make", label_map=PERSONS).fingerprint


def test_a_checkpoint_joins_within_sentences_by_both_ways_to_join_pieces(tmp_path):
    folder = str(save_checkpoint(tmp_path / "model", LABELS, seed=3))
    words = ["Ana", "Souza", "left", "Sao", "Paulo", "today", "abc", "xyz"]
    sentences = [Sentence(tuple(words[i:] + words[:i])) for i in range(8)]
    own = load(folder, device="cpu").predict(sentences)
    model = load(folder, device="cpu", label_map=PERSONS, join=True)
    options = ModelOptions(label_map=PERSONS, join=True)
    for was, now in zip(own, model.predict(sentences), strict=True):
        assert now.tags == options.renamed(was.tags)
        assert now.alternative == options.renamed(was.alternative)
        assert tuple(model.labels[best] for best in now.scores.argmax(axis=1)) == now.tags
    assert any(options.renamed(was.tags) != ModelOptions(label_map=PERSONS).renamed(was.tags) for was in own)


@pytest.mark.slow
def test_a_pipeline_joins(tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    nlp = spacy.blank("pt")
    patterns = [{"label": tag[2:], "pattern": word} for word, tag in WORDS.items()]
    nlp.add_pipe("entity_ruler").add_patterns(patterns)
    nlp.to_disk(tmp_path / "pipeline")
    spec = f"spacy:{tmp_path / 'pipeline'}"
    model = load(spec, label_map=PERSONS, join=True)
    assert model.predict([Sentence(("Ana", "Souza", "Rui"))])[0].tags == ("B-PER", "I-PER", "I-PER")
    assert model.fingerprint != load(spec, label_map=PERSONS).fingerprint


def test_labels_of_single_tokens_know_no_joining():
    assert PLAIN.columns(["NN", "VB"], None, "m").kinds is None
    assert join_spans((), ()) == ()
