"""Models that give a number for two sentences, where a corpus has degrees of similarity and no labels.

``module:factory``, where ``factory()`` returns a function from a list of pairs of texts to a list of numbers, or an
object with such a function ``predict``, such as a fitted regressor of scikit-learn. Larger means more similar; only the
order of the numbers counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from abalo.errors import AbaloError
from abalo.models.classifiers.black_box import BlackBoxClassifier
from abalo.models.classifiers.protocol import Classified, Classifier, Input
from abalo.models.options import ModelOptions
from abalo.models.specs import Adapter
from abalo.models.user_code import identity, made_by, optional_text
from abalo.tasks.pairs.metrics.similarity import SCORE


def _load(spec: str, options: ModelOptions) -> Classifier:
    if ":" not in spec:
        raise AbaloError(
            f"model {spec}: the corpus has no labels, only degrees of similarity; expected module:factory, whose "
            "result gives a number for each pair, or name a column of labels: FILE?label=COLUMN"
        )
    options.refuse_for("a module:factory model")
    model, code = made_by(spec)
    plain = code.attribute(model, "predict")
    function = plain if callable(plain) else model
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(model).__name__}; expected a function from pairs to numbers"
        )

    def read(pairs: Sequence[Input]) -> list[Classified]:
        numbers = _numbers(spec, code.call("comparing", function, list(pairs)), len(pairs))
        return [Classified((), np.array([number]), names=(SCORE,)) for number in numbers]

    fingerprint, version = identity(model, code, options.model_version)
    name = optional_text(model, "name", code) or spec
    return BlackBoxClassifier(name, fingerprint, (), read, {"interface": SCORE}, version=version)


def _numbers(spec: str, given: Any, wanted: int) -> Sequence[float]:
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.zeros((0, 0))
    if found.shape != (wanted,) or not np.isfinite(found).all():
        raise AbaloError(
            f"model {spec}: gave {type(given).__name__} of shape {found.shape} for {wanted} pairs; expected a finite "
            "number for each"
        )
    numbers: list[float] = found.tolist()
    return numbers


GRADED: Adapter[Classifier] = Adapter(lambda _: True, _load)
"""Any model of a corpus without labels."""
