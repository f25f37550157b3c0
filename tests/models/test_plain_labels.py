"""Models that give every token a label of its own, such as a part of speech."""

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.labelling.labels import BIO, CLASSES, PLAIN
from abalo.models.specs import Adapter
from abalo.models.tokens.loading import load, load_as_asked
from perturbations import Sentence
from tests.models.tiny_checkpoint import save_checkpoint

OPTIONS = RunOptions()


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(tuple(text.split())) for text in texts]


def refusal(spec, *texts, **settings) -> str:
    with pytest.raises(AbaloError) as caught:
        load(spec, labelling=PLAIN, **settings).predict(sentences(*texts))
    return str(caught.value)


# Names of labels ------------------------------------------------------------------------------------------------------


def test_labels_keep_their_names_whatever_these_look_like():
    assert PLAIN.columns(["NN", "O", "B-PER", "PRP$"], None, "m").labels == ("NN", "O", "B-PER", "PRP$")


def test_labels_renamed_to_one_are_merged_by_their_maximum():
    columns = PLAIN.columns(["NN", "NNS", "VB"], {"NN": "NOUN", "NNS": "NOUN", "VB": "VERB"}, "m")
    assert columns.labels == ("NOUN", "VERB")
    np.testing.assert_array_equal(columns.fold(np.array([[1, 3, 2]], dtype=np.float32)), [[3, 2]])


def test_a_map_renames_whole_labels_alone():
    with pytest.raises(AbaloError, match="label map PER=X: model m has no label 'PER'; did you mean 'I-PER'"):
        PLAIN.columns(["NOUN", "I-PER"], {"PER": "X"}, "m")


def test_a_label_without_a_name_is_an_error():
    with pytest.raises(AbaloError, match="label ' ' names nothing that can be seen; expected a label such as 'NOUN'"):
        PLAIN.columns(["NOUN", " "], None, "m")


def test_a_model_that_lacks_a_tag_of_the_corpus_is_refused_with_both_sets_and_a_map():
    PLAIN.check(["NOUN", "VERB"], ["NOUN"], "m")
    PLAIN.check([], ["NOUN"], "m")
    with pytest.raises(AbaloError) as caught:
        PLAIN.check(["NN", "VERB"], ["VERB", "NOUN"], "m")
    assert str(caught.value) == (
        "model m cannot be judged on this corpus: it has no label for NOUN\n"
        "  labels of the model:  NN, VERB\n"
        "  labels of the corpus: NOUN, VERB\n"
        "  If the model knows these labels under other names, say so, for example: --abalo-label-map NN=NOUN"
    )


def test_advice_for_labels_that_are_only_numbers_and_where_none_is_left():
    with pytest.raises(AbaloError, match=r"--abalo-label-map LABEL_0=CORPUS_LABEL,LABEL_1=CORPUS_LABEL$"):
        PLAIN.check(["LABEL_0", "LABEL_1"], ["VERB", "NOUN"], "m")
    with pytest.raises(AbaloError, match=r"Choose a model trained for these labels\."):
        PLAIN.check(["NOUN"], ["NOUN", "VERB"], "m")


def test_a_model_without_a_list_of_labels_is_refused_when_it_predicts_none_of_the_corpus():
    PLAIN.check_predicted(["NN", "VERB"], ["NOUN", "VERB"], "m")
    with pytest.raises(AbaloError, match="it has no label for NOUN, VERB"):
        PLAIN.check_predicted(["NN", "VB"], ["NOUN", "VERB"], "m")
    BIO.check_predicted(["O"], ["O", "B-PER"], "m")
    with pytest.raises(AbaloError, match="types of the model:  PER"):
        BIO.check_predicted(["O", "I-PER"], ["O", "B-LOC"], "m")


# Black boxes ----------------------------------------------------------------------------------------------------------


def test_a_function_from_token_lists_to_tag_lists(write_module):
    write_module("pos_tagger", "def make():\n    return lambda batch: [['NN' for t in tokens] for tokens in batch]\n")
    model = load("pos_tagger:make", labelling=PLAIN)
    assert model.predict(sentences("a b"))[0].tags == ("NN", "NN")
    assert (model.labels, model.settings) == ((), {"interface": "tags", "labelling": "plain"})
    renamed = load("pos_tagger:make", labelling=PLAIN, label_map={"NN": "NOUN"})
    assert renamed.predict(sentences("a"))[0].tags == ("NOUN",)
    assert len({model.fingerprint, renamed.fingerprint, load("pos_tagger:make").fingerprint}) == 3


def test_an_object_with_labels_and_scores(write_module):
    write_module(
        "pos_scorer",
        """
class Scorer:
    labels = ["NN", "NNS", "VB"]

    def scores(self, batch):
        return [[[0.0, 2.0, 1.0]] * len(tokens) for tokens in batch]
""",
    )
    model = load("pos_scorer:Scorer", labelling=PLAIN, label_map={"NN": "NOUN", "NNS": "NOUN"})
    [prediction] = model.predict(sentences("a b"))
    assert prediction.tags == ("NOUN", "NOUN")
    np.testing.assert_array_equal(prediction.scores, [[2, 1], [2, 1]])
    assert model.labels == ("NOUN", "VB")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def make():\n    return lambda batch: [[''] for t in batch]\n", "found tag ''; expected a label such as"),
        ("def make():\n    return lambda batch: [[3] for t in batch]\n", "found tag 3; expected a label such as"),
        (
            "def tag(batch):\n    return [['NN'] for t in batch]\ntag.labels = ['NOUN']\ndef make():\n    return tag\n",
            "found label 'NN', which is not among its labels: NOUN",
        ),
        ("class make:\n    labels = 'X'\n    scores = print\n", "expected a list such as ['NOUN', 'VERB', 'X']"),
        (
            "class make:\n    entities = print\n",
            "has entities(texts), which gives spans of text, but here every token has a label of its own; return a",
        ),
    ],
)
def test_answers_that_cannot_be_used_are_an_error(write_module, source, message):
    path = write_module("unusable", source)
    assert message in refusal(f"{path}:make", "a")


def test_entities_are_not_offered_where_they_are_refused(write_module):
    path = write_module("a_number", "def make():\n    return 3\n")
    assert refusal(f"{path}:make").endswith("or an object with labels and scores(batch)")


# Checkpoints ----------------------------------------------------------------------------------------------------------


def test_a_checkpoint_keeps_its_labels_or_has_them_renamed(tmp_path):
    folder = str(save_checkpoint(tmp_path / "pos", labels=("NN", "NNS", "VB")))
    model = load(folder, device="cpu", labelling=PLAIN)
    assert model.labels == ("NN", "NNS", "VB")
    assert model.settings["labelling"] == "plain"
    assert "labelling" not in load(folder, device="cpu").settings
    assert load(folder, device="cpu").fingerprint != model.fingerprint
    renamed = load(folder, device="cpu", labelling=PLAIN, label_map={"NN": "NOUN", "NNS": "NOUN"})
    [before], [after] = (each.predict(sentences("Ana left")) for each in (model, renamed))
    np.testing.assert_array_equal(after.scores[:, 0], before.scores[:, :2].max(axis=1))
    assert set(after.tags) <= {"NOUN", "VB"}


# Adapters of a task ---------------------------------------------------------------------------------------------------


class Shipped:
    """A model that ships inside a task, in a folder."""

    def __init__(self, spec, options):
        self.name = spec
        self.labels = ("NOUN",)
        self.labelling = options.labelling


def test_adapters_of_a_task_come_before_those_of_all(tmp_path):
    (tmp_path / "weights.tsv").touch()
    adapter = Adapter(lambda spec: (tmp_path / "weights.tsv").is_file() and spec == str(tmp_path), Shipped)
    model = load(str(tmp_path), labelling=PLAIN, adapters=[adapter])
    assert (type(model), model.labelling) == (Shipped, PLAIN)
    with pytest.raises(AbaloError, match=r"no config\.json"):
        load(str(tmp_path))


def test_settings_of_a_command_line_load_a_model_that_has_all_labels_of_the_corpus(tmp_path):
    adapters = [Adapter(lambda spec: True, Shipped)]
    assert load_as_asked("x", OPTIONS, ["NOUN"], PLAIN, adapters).name == "x"
    with pytest.raises(AbaloError, match="it has no label for VERB"):
        load_as_asked("x", OPTIONS, ["NOUN", "VERB"], PLAIN, adapters)


@pytest.mark.parametrize(
    ("labelling", "own", "other"), [(PLAIN, "NOUN", "GW"), (CLASSES, "no", "yes"), (BIO, "B-PER", "B-LAW")]
)
def test_labels_that_the_model_lacks_refuse_from_two_in_a_hundred_of_gold_on(labelling, own, other):
    for rare in (0, 1, 2):
        labelling.check([own], {own: 100 - rare, other: rare}, "mine")
    labelling.check([own], [own] * 49 + [other], "mine")
    for rare in (3, 50, 100):
        with pytest.raises(AbaloError, match="no label for"):
            labelling.check([own], {own: 100 - rare, other: rare}, "mine")
    with pytest.raises(AbaloError, match="no label for"):  # two kinds, each of them rare
        labelling.check([own], {own: 96, other: 2, f"{other}S": 2}, "mine")


def test_entities_are_counted_rather_than_their_tokens():
    BIO.check(["B-PER", "I-PER"], {"B-PER": 98, "B-LAW": 2, "I-LAW": 90, "O": 10}, "mine")
    with pytest.raises(AbaloError, match="no label for LAW"):
        BIO.check(["B-PER", "I-PER"], {"B-PER": 97, "I-PER": 900, "B-LAW": 3}, "mine")
