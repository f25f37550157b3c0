"""One search against a model whose scores are written out, and a similarity that is too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from abalo.attacks.parts import EditOptions, Tuning, methods, rankings
from abalo.attacks.search import Ended, Refusal, Search, lock_step
from abalo.attacks.searches.greedy import in_order
from abalo.core.records.example import Variant
from abalo.core.records.targets import Target
from abalo.corpora.examples import TEXT, example_of
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.labels.targets import TextLabels
from abalo.tasks.ner.targets import GoldEntity, entities
from perturbations import Edit, Sentence, parse

LABELS = ("O", "B-P", "I-P", "B-L", "I-L")


class Model:
    """Scores by text: for each word its label and logit, then more of them behind slashes; all others are 0."""

    def __init__(self, script: Mapping[str, str]) -> None:
        self.script = script
        self.asked: list[str] = []
        self.calls = 0

    def __call__(self, variants: Sequence[Variant]) -> list[Prediction]:
        self.calls += 1
        asked = [" ".join(variant.example.sentence.tokens) for variant in variants]
        self.asked += asked
        return [self.of(text) for text in asked]

    def of(self, text: str) -> Prediction:
        scores = np.zeros((len(text.split()), len(LABELS)), dtype=np.float32)
        for row, said in zip(scores, self.script[text].split(), strict=True):
            for each in said.split("/"):
                label, _, logit = each.partition("=")
                row[LABELS.index(label)] = float(logit)
        return Prediction(tuple(LABELS[column] for column in scores.argmax(axis=1)), scores)


def target_of(notation: str, model: Model) -> GoldEntity:
    """The one entity of the sentence, which the model must find."""
    sentence = parse(notation)
    (target,) = entities(example_of(sentence), model.of(" ".join(sentence.tokens)), LABELS)
    assert target.right
    return target


def ended(search: Search, model: Model, similarity: Mapping[str, float] | None = None, budget: int = 100) -> Ended:
    """How the search ends where sentences have these similarities, others 1, and those below 0.8 are refused."""
    known = similarity or {}

    def sift(pairs):
        alike = [known.get(" ".join(made.sentence.tokens), 1.0) for _, made in pairs]
        return [value if value >= 0.8 else Refusal.SIMILARITY for value in alike]

    (end,) = lock_step([search], model, sift, budget)
    return end


def options(**words: str) -> dict[int, list[Edit]]:
    """Words by place, ``p1="saw greeted"``, each in the place of the one that stands there."""
    places = {int(place[1:]): given.split() for place, given in words.items()}
    return {place: [Edit(place, place + 1, (word,)) for word in given] for place, given in places.items()}


def greedy(target: Target, own: EditOptions, order: Sequence[int] | None = None) -> Search:
    """The greedy search, by importance or in the order given."""
    if order is not None:
        return in_order(target, {place: own[place] for place in order})
    return searched_by("greedy", target, own, "deletion")


def searched_by(name: str, target: Target, own: EditOptions, ranking: str = "deletion", **tuning: int) -> Search:
    """The search of that name."""
    return methods()[name].search(target, own, rankings()[ranking], Tuning(Random(0), unknown="?", **tuning))


class Texts:
    """Texts that are *good* with these probabilities, else *bad*; ``asked`` is every text it was shown."""

    def __init__(self, **good: float) -> None:
        self.good = {text.replace("_", " "): value for text, value in good.items()}
        self.asked: list[str] = []

    def __call__(self, variants: Sequence[Variant]) -> list[Classified]:
        asked = [" ".join(variant.example.sentence.tokens) for variant in variants]
        self.asked += asked
        return [self.of(text) for text in asked]

    def of(self, text: str) -> Classified:
        value = self.good[text]
        scores = np.array([1 - value, value], dtype=np.float32)
        return Classified((("bad", "good")[int(value > 0.5)],), scores, names=("bad", "good"))

    def target(self, text: str) -> TextLabels:
        """The label of the text, which is good."""
        example = replace(example_of(Sentence(tuple(text.split()))), gold=("good",))
        return TextLabels(example, TEXT, self.of(text))
