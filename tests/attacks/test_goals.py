"""Goals of recipes: a label that a text should get, a way in which an entity should be wrong."""

from dataclasses import replace

import numpy as np
import pytest

from abalo.attacks import attacks
from abalo.attacks.campaign import campaign
from abalo.core.protocols.task import tasks
from abalo.core.records.targets import Target
from abalo.core.statistics.search_metrics import has_succeeded
from abalo.corpora.examples import TEXT, example_of
from abalo.errors import AbaloError
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.labelling.classified import Classified
from abalo.tasks.labels.targets import TextLabels
from perturbations import Edit, Sentence, apply
from tests.attacks.scripted import Model, ended, greedy, options, target_of

CLASSIFICATION = tasks()["classification"]
NAMES = ("bad", "good", "so")
SCRIPT = {
    "x y": (0.1, 0.8, 0.1),
    "y": (0.1, 0.7, 0.2),
    "x": (0.2, 0.7, 0.1),
    "a y": (0.6, 0.3, 0.1),
    "b y": (0.1, 0.5, 0.4),
    "b c": (0.2, 0.3, 0.5),
    "x c": (0.1, 0.7, 0.2),
    "a c": (0.7, 0.2, 0.1),
}
"""The probabilities of bad, good and so by text."""


def said(text: str) -> Classified:
    found = np.array(SCRIPT[text], dtype=np.float32)
    return Classified((NAMES[int(found.argmax())],), found, names=NAMES)


def model(variants):
    return [said(" ".join(variant.example.sentence.tokens)) for variant in variants]


def labelled(text: str = "x y", gold: str = "good") -> TextLabels:
    return TextLabels(replace(example_of(Sentence(tuple(text.split()))), gold=(gold,)), TEXT, said(text))


def text(end) -> str:
    return " ".join(end.found.perturbed.sentence.tokens)


def test_any_wrong_label_will_do_unless_one_is_wanted():
    own = options(p0="a b", p1="c")
    assert text(ended(greedy(labelled(), own), model)) == "a y"  # bad
    assert text(ended(greedy(labelled().towards("so"), own), model)) == "b c"  # so
    assert text(ended(greedy(labelled().towards("bad"), own), model)) == "a y"


def test_a_word_matters_by_what_the_wanted_label_gains():
    own = labelled().towards("so")
    without = apply(own.sentence, [Edit(0, 1, ())])
    assert own.importance(said("y"), without) == pytest.approx(0.2 - 0.1)
    assert own.read(said("b y")).scores == (pytest.approx(0.6),)


def test_a_text_that_has_the_label_already_is_left_alone():
    assert labelled("a y", "bad").towards("bad") is None
    with pytest.raises(
        AbaloError, match="to = 'soo': the model has no such label; expected bad, good, so; did you mean"
    ):
        labelled().towards("soo")


class Keyed:
    """A classifier of texts for a campaign."""

    name, fingerprint, mask_token, device, labels = "keyed", "keyed-1", None, "cpu", NAMES

    def __init__(self) -> None:
        self.settings: dict = {}

    def predict(self, texts):
        return [said(each) for each in texts]


class Corpus:
    """Two texts that are labelled correctly."""

    name, sha256, parts_of_speech = "small", "0", None
    examples = tuple(labelled(text, gold).example for text, gold in (("x y", "good"), ("b c", "so")))


class Written:
    """The words of the script."""

    name = "written"

    def of(self, sites):
        known = {"x": "ab", "y": "c"}
        return [
            [Edit(place, place + 1, (word,)) for word in known.get(target.sentence.tokens[place], "")]
            for target, place in sites
        ]


@pytest.mark.parametrize(("to", "reached"), [("", [None, None]), ("so", [True]), ("bad", [True, False])])
def test_only_the_wanted_label_counts_as_a_success(monkeypatch, to, reached):
    attack = attacks()["pwws"]
    monkeypatch.setattr("abalo.attacks.recipes.pwws.load_synonyms", lambda spec, most: None)
    monkeypatch.setattr("abalo.attacks.recipes.pwws.SourceWords", lambda source: Written())
    predictor = ClassPredictor(Keyed(), ["x y", "b c"], [("good",), ("so",)])
    settings = attack.configured(to=to, stop_words="", ranking="deletion")
    found = campaign(attack, settings, CLASSIFICATION, Corpus(), predictor, (1,)).outcomes
    assert [outcome.searched.reached for outcome in found] == reached
    broken = [CLASSIFICATION.targets.seen(outcome).broken for outcome in found]
    expected = broken if not to else reached
    assert [has_succeeded(outcome, CLASSIFICATION.targets.seen) for outcome in found] == expected


WAYS = {
    "met Ana now": "O=9 B-P=5 O=9",
    "Ana now": "B-P=5 O=9",
    "met Ana": "O=9 B-P=4",
    "saw Ana now": "O=9 B-L=5/B-P=3 O=9",
    "hit Ana now": "O=9 O=5/B-P=4 O=9",
    "saw Ana then": "O=9 O=5/B-P=1 O=9",
    "met Ana then": "O=9 B-P=4 O=9",
    "hit Ana then": "O=9 B-L=5/B-P=1 O=9",
}


@pytest.mark.parametrize(("to", "found"), [("", "saw Ana now"), ("missed", "hit Ana now"), ("retyped", "saw Ana now")])
def test_an_entity_is_broken_in_the_way_that_is_wanted(to, found):
    scripted = Model(WAYS)
    own = target_of("met [Ana P] now", scripted)
    aimed = own.towards(to) if to else own
    assert text(ended(greedy(aimed, options(p0="saw hit", p1="", p2="then"), order=[0, 2]), scripted)) == found


def test_an_entity_with_other_boundaries_has_labels_of_its_type_alone():
    scripted = Model(
        {
            "met Ana Sá": "O=9 B-P=5 I-P=5",
            "saw Ana Sá": "O=9 O=5 O=5",
            "hit Ana Sá": "O=9 O=5 B-P=5",
            "got Ana Sá": "O=9 I-P=5 O=5",
        }
    )
    own = target_of("met [Ana Sá P]", scripted).towards("boundary")
    readings = {word: own.read(scripted.of(f"{word} Ana Sá")) for word in ("saw", "hit", "got")}
    assert {word: reading.broken for word, reading in readings.items()} == {"saw": False, "hit": False, "got": True}


def test_a_way_that_there_is_not_is_told():
    with pytest.raises(
        AbaloError, match="to = 'mised': expected missed, retyped, boundary, invented; did you mean 'missed'"
    ):
        target_of("met [Ana P] now", Model(WAYS)).towards("mised")

    class Plain(Target):
        holds = read = importance = labels_in = None

    with pytest.raises(AbaloError, match="can be wrong in one way only; leave it out"):
        Plain(example_of(Sentence(("x",))), TEXT, None).towards("any")


def test_what_is_reduced_stays_right():
    with pytest.raises(ValueError, match="to is 'bad'; what is reduced stays right, so leave it out"):
        attacks()["input_reduction"].configured(to="bad")
