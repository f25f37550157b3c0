"""Attacks on the tags of single words, by changes of the others."""

import pytest

from abalo.attacks import attacks
from abalo.attacks.campaign import campaign
from abalo.core.protocols.task import tasks
from abalo.core.statistics.search_metrics import has_succeeded
from abalo.corpora.examples import TEXT, example_of
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from abalo.tasks.pos.metrics.attack import METRICS, robust_counts, search_counts
from abalo.tasks.pos.targets import GoldWord, words
from perturbations import Edit, Sentence, apply
from tests.attacks.scripted import LABELS, Model, ended, greedy, options
from tests.scripted import ScriptedModel, corpus_of

POS = tasks()["pos"]

SCRIPT = {
    "a bear b": "O=9 B-P=5/B-L=1 O=9",
    "bear b": "B-P=4/B-L=1 O=9",
    "a bear": "O=9 B-P=2/B-L=3",
    "we bear b": "O=9 B-P=2/B-L=4 O=9",
    "to bear b": "O=9 B-P=2/I-L=3 O=9",
}
"""The tags of the scripted model serve as parts of speech: the word *bear* is a P as it stands."""


def bear() -> GoldWord:
    sentence = Sentence(("a", "bear", "b"), ("O", "B-P", "O"), policy="each")
    (_, own, _) = words(example_of(sentence), Model(SCRIPT).of("a bear b"), LABELS)
    return own


def text(end) -> str:
    return " ".join(end.found.perturbed.sentence.tokens)


def test_one_tag_is_broken_by_the_other_words():
    own, model = bear(), Model(SCRIPT)
    assert list(own.free) == [0, 2]
    assert text(ended(greedy(own, options(p0="we to"), order=[0]), model)) == "we bear b"
    assert text(ended(greedy(own.towards("I-L"), options(p0="we to"), order=[0]), model)) == "to bear b"


def test_a_word_matters_by_what_its_tag_loses_and_the_wrong_one_gains():
    own, model = bear(), Model(SCRIPT)
    first, last = (apply(own.sentence, [Edit(place, place + 1, ())]) for place in (0, 2))
    assert own.importance(model.of("bear b"), first) == 5 - 4
    assert own.importance(model.of("a bear"), last) == (5 - 2) + (3 - 1)
    assert own.towards("B-L").importance(model.of("a bear"), last) == (5 - 1) - (2 - 3)


def test_a_tag_that_the_model_lacks_is_told_and_its_own_is_no_goal():
    assert bear().towards("B-P") is None
    with pytest.raises(AbaloError, match=r"to = 'B-Q': the model has no such tag; expected B-L, .*; did you mean"):
        bear().towards("B-Q")


def test_without_scores_a_tag_is_right_or_wrong():
    own = GoldWord(bear().example, TEXT, Prediction(("O", "B-P", "O")), 1)
    assert own.read(own.clean).scores == (1.0,)
    assert own.read(Prediction(("O", "O", "O"))).broken


class Echo(ScriptedModel):
    """Tags a word with itself, but *x* with what stands before it."""

    labels = ("a", "b", "x", "a!", "b!")

    def predict(self, sentences):
        found = super().predict(sentences)
        return [
            Prediction(
                tuple(each.tags[k - 1] if tag == "x" and k else tag for k, tag in enumerate(each.tags)), inputs=1
            )
            for each in found
        ]


class Louder:
    """The word with an exclamation mark."""

    name = "louder"

    def of(self, sites):
        return [[Edit(place, place + 1, (target.sentence.tokens[place] + "!",))] for target, place in sites]


@pytest.mark.parametrize(("to", "broken"), [("", 1), ("b!", 0), ("a!", 1)])
def test_every_word_is_a_target_of_its_own(monkeypatch, to, broken):
    """In *a x* the x is an a, and an a! once the word before it is; in *b b* no word depends on another."""
    monkeypatch.setattr("abalo.attacks.recipes.pwws.load_synonyms", lambda spec, most: None)
    monkeypatch.setattr("abalo.attacks.recipes.pwws.SourceWords", lambda source: Louder())
    sentences = (Sentence(("a", "x"), ("a", "a"), policy="each"), Sentence(("b", "b"), ("b", "b"), policy="each"))
    corpus = type(corpus_of("a"))("small", sentences)
    attack = attacks()["pwws"]
    settings = attack.configured(to=to, stop_words="", ranking="deletion")
    predictor = TokenPredictor(Echo(lambda word: word), sentences, labelling=POS.models.labelling)
    found = campaign(attack, settings, POS, corpus, predictor, (1,)).outcomes
    assert [each.targets[0].start for each in found] == [0, 1, 0, 1]
    assert sum(has_succeeded(each, POS.targets.seen) for each in found) == broken


def test_rates_count_words(monkeypatch):
    monkeypatch.setattr("abalo.attacks.recipes.pwws.load_synonyms", lambda spec, most: None)
    monkeypatch.setattr("abalo.attacks.recipes.pwws.SourceWords", lambda source: Louder())
    sentences = (Sentence(("a", "x", "b"), ("a", "a", "x"), policy="each"),)
    attack = attacks()["pwws"]
    settings = attack.configured(stop_words="", ranking="deletion")
    predictor = TokenPredictor(Echo(lambda word: word), sentences, labelling=POS.models.labelling)
    run = campaign(attack, settings, POS, type(corpus_of("a"))("small", sentences), predictor, (1,))
    every = [*run.outcomes, *run.not_found]
    sums = search_counts(every, "structural", ["a", "x"]).sum(axis=(0, 1))
    values = {metric.name: float(metric.value(sums)) for metric in METRICS if metric.count is search_counts}
    assert values["success_rate"] == 1 / 2  # of the two words that are right
    assert values["words_perturbed"] == 1 / 2  # one of the two others
    assert robust_counts(every, "structural", ["a", "x"]).sum(axis=0).tolist() == [[2, 1], [1, 0]]


def test_recipes_of_whole_texts_and_of_entities_are_not_for_words():
    fitting = {name for name, attack in attacks().items() if attack.fits(POS)}
    assert {"deepwordbug", "textfooler", "bert_attack"} <= fitting
    assert not fitting & {"input_reduction", "word_attack", "viba", "context_attack", "entity_attack"}
