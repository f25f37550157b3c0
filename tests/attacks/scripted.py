"""One search against a model whose scores are written out, and a similarity that is too."""

from collections.abc import Mapping, Sequence

import numpy as np

from abalo.attacks.search import Ended, Refusal, Search, lock_step
from abalo.core.example import Variant
from abalo.corpora.examples import example_of
from abalo.models.prediction import Prediction
from abalo.tasks.ner.targets import Entity, entities
from perturbations import parse

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


def target_of(notation: str, model: Model) -> Entity:
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
