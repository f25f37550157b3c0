"""Models and vectors of perturbations, found by their names in thresholds.toml."""

import json

import numpy as np
import pytest

from abalo.config.thresholds import load
from abalo.core.protocols.probe import Case
from abalo.errors import AbaloError
from abalo.probes.perturbation import PROBE, PerturbationPlan
from abalo.sources import loading, model_backed
from abalo.sources.model_backed import Near, Suggested, Translated
from abalo.sources.resources import Resources, problem_with
from abalo.sources.vectors import VectorSynonyms, WordVectors
from perturbations import Sentence, find, parse, render
from perturbations.resources import Neighbours, Suggesting, Translating
from tests.conftest import ids, problems
from tests.models.tiny_translator import save_translator
from tests.scripted import Gazetteer, corpus_of, session_of
from tests.sources.conftest import save_bert

JUDGED = corpus_of("[Ana PESSOA] disse o juiz", "nada")

VECTORS = "juiz 3 4\nmagistrado 4 3\njulgador 0 1\nréu -3 -4\n"
"""The cosines with juiz are 0.96, 0.8 and -1."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def vectors(here):
    (here / "pt.vec").write_text(VECTORS, encoding="utf-8")
    return "pt.vec"


class Counting:
    """Answers like a model and counts."""

    def __init__(self):
        self.asked = []

    def proposals(self, sites, most):
        self.asked += sites
        return [[("magistrado", 0.5)] for _ in sites]

    def translations(self, texts):
        self.asked.append(texts)
        return [text.upper() for text in texts]


def test_the_model_that_ships_suggests_words_of_its_field():
    suggesting = Resources(JUDGED).configured(find("mlm_suggestion"), {"rate": 1, "most": 1, "least": 0.2})
    text = "O [Supremo Tribunal Federal ORG] negou seguimento ao pedido interposto ."
    perturbed = suggesting.sample(parse(text), seed=1)
    assert render(perturbed.sentence).startswith("O [Supremo Tribunal Federal ORG] negou ")
    assert "recurso interposto" in render(perturbed.sentence)
    assert suggesting.params["model"].name == "bundled"


def test_a_place_is_shown_to_the_model_once_whatever_the_seed():
    model = Counting()
    member = find("mlm_suggestion").configured(rate=1, model=Suggested("m", model))
    sentence = parse("disse o juiz")
    texts = {render(member.sample(sentence, seed=seed).sentence) for seed in (1, 2, 3)}
    assert texts == {"disse o magistrado"}
    assert sorted(place for _, place in model.asked) == [0, 2]


def test_white_space_is_part_of_what_a_model_is_shown():
    model = Counting()
    suggesting = Suggested("m", model)
    for spaces in ((" ", ""), ("", "")):
        suggesting.suggestions(Sentence(("o", "juiz"), None, spaces), 1)
    assert len(model.asked) == 2


def test_a_sentence_is_translated_once():
    model = Counting()
    translating = Translated("m", model)
    assert [translating.translations(["a b", "c"]) for _ in range(2)] == [["A B", "C"]] * 2
    assert translating.translations(["a b"]) == ["A B"]
    assert model.asked == [("a b", "c"), ("a b",)]


def test_memory_has_an_end(monkeypatch):
    monkeypatch.setattr(model_backed, "_REMEMBERED", 2)
    model = Counting()
    translating = Translated("m", model)
    for text in ("a", "b", "c", "a"):
        translating.translations([text])
    assert len(model.asked) == 4


@pytest.mark.slow
def test_there_and_back_with_a_model_of_ones_own(here):
    save_translator(here / "reversing", learned=True)
    there = {"forward": "reversing", "backward": "reversing"}
    resources = Resources(JUDGED)
    member = resources.configured(find("back_translation"), there)
    assert member.params["forward"] is member.params["backward"]
    sentence = parse("[Ana PER] o juiz disse que não")
    assert member.sample(sentence, seed=1) is None, "reversed twice it says the same again"
    once = type("Once", (), {"name": "x", "translations": lambda _self, texts: texts})()
    half = member.configured(backward=once)
    assert render(half.sample(sentence, seed=1).sentence) == "[Ana PER] não que disse juiz o"
    assert resources.named(find("back_translation"), there)["forward"] == "reversing"


def test_vectors_are_read_once_and_their_rows_counted(vectors):
    resources = Resources(JUDGED)
    member = resources.configured(find("synonym_embedding"), {"rate": 1, "vectors": vectors})
    (site,) = member.sites(parse("[Ana PESSOA] disse o Juiz"))
    assert [edit.tokens for edit in site] == [("Magistrado",), ("Julgador",)]
    again = resources.configured(find("synonym_embedding"), {"vectors": vectors, "least": 0.9})
    assert again.params["vectors"] is member.params["vectors"]
    fewer = resources.configured(find("synonym_embedding"), {"rate": 1, "vectors": f"{vectors}:2"})
    assert [[edit.tokens for edit in site] for site in fewer.sites(parse("o juiz"))] == [[("magistrado",)]]


def test_masked_language_models_and_vectors_are_those_of_attacks():
    assert model_backed.load_masked_lm is loading.load_masked_lm
    assert model_backed.read_vectors is loading.read_vectors
    unit = WordVectors("v", ("a", "b"), np.eye(2, dtype=np.float32))
    assert Near("v", VectorSynonyms(unit, 5, 0.0)).near(["a", "c"]) == [[], []]


def unread(name: str, params: dict[str, str]) -> Case:
    """A case whose values nobody has checked."""
    return Case("ner", name, PROBE, PerturbationPlan(find(name), params), "projected", "projected")


def test_what_cannot_be_loaded_is_told_with_its_case_and_place(here):
    save_bert(here / "headless", "BertModel")
    for name, params, message in (
        ("mlm_suggestion", {"model": "headless"}, r"model: masked-lm:headless: lacks cls\.predictions"),
        ("mlm_suggestion", {"model": "gone"}, r"model: 'gone'; there is none; expected \"bundled\" for"),
        ("back_translation", {}, "forward: missing; expected the folder of a translation model"),
        ("back_translation", {"forward": "headless"}, "forward: translation:headless: AutoModelForSeq2SeqLM cannot"),
        ("synonym_embedding", {}, "vectors: missing; expected a file of word vectors"),
    ):
        with pytest.raises(AbaloError, match=rf"ner/{name}.* {message}"):
            session_of(JUDGED, Gazetteer()).run(unread(name, params))


def test_a_tokenizer_without_a_mask_is_no_masked_language_model(here):
    folder = save_bert(here / "m", "BertForMaskedLM")
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    settings.pop("mask_token")
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    with pytest.raises(AbaloError, match="model: masked-lm:m: its tokenizer has no mask token"):
        Resources(JUDGED).configured(find("mlm_suggestion"), {"model": "m"})


@pytest.mark.parametrize(
    ("spec", "kind", "expected"),
    [
        (3, Suggesting, '3; expected "bundled" for the Portuguese one that ships, or the folder of a masked language'),
        ("bundeld", Suggesting, "'bundeld'; there is none; did you mean 'bundled'?; expected"),
        ("a/b/c", Translating, "'a/b/c'; there is none; expected the folder of a translation model"),
        ("", Translating, "missing; expected the folder of a translation model"),
        ("bundled", Translating, "'bundled'; there is none; expected"),
        ("pt.vce", Neighbours, "'pt.vce'; there is none; did you mean pt.vec?; expected a file of word vectors"),
        ("pt.vec:x", Neighbours, "'pt.vec:x'; there is none"),
    ],
)
def test_what_names_nothing_is_told_with_what_would(spec, kind, expected, vectors):
    assert problem_with(spec, kind).startswith(expected)


def test_what_may_name_one_is_no_problem(vectors):
    assert problem_with("bundled", Suggesting) is None
    assert problem_with("owner/name", Suggesting) is None
    assert problem_with(".", Translating) is None
    assert problem_with(vectors, Neighbours) is None
    assert problem_with(f"{vectors}:2", Neighbours) is None


def test_a_case_that_does_not_say_where_its_model_is_is_refused_at_once(write):
    """It would stand in the report as a case that passed, or be skipped unseen."""
    path = write(
        '[[ner.synonym_embedding]]\n[[ner.back_translation]]\nforward = "gone"\n[[ner.mlm_suggestion]]\n'
        '[[ner.pipeline]]\nsteps = ["accents", "synonym_embedding"]\n'
    )
    first, second, third, fourth = problems(path)
    assert first.startswith("thresholds.toml [[ner.synonym_embedding]] vectors: missing; expected a file of word")
    assert second.startswith("thresholds.toml [[ner.back_translation]] forward: 'gone'; there is none")
    assert third.startswith("thresholds.toml [[ner.back_translation]] backward: missing; expected the folder")
    assert fourth.startswith("thresholds.toml [[ner.pipeline]] steps number 2 vectors: missing")


def test_one_that_does_is_a_case_with_its_own_id(write, vectors):
    path = write(f'[[ner.synonym_embedding]]\nvectors = "{vectors}"\ndeep = true\n[[ner.mlm_suggestion]]\n')
    assert ids(load(path)) == ["ner/synonym_embedding[vectors-pt.vec]", "ner/mlm_suggestion"]
