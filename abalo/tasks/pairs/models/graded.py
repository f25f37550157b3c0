"""Models that score sentence pairs with numbers.

The spec ``module:factory`` returns a function from text pairs to numbers, or an object with such a ``predict``, as in
scikit-learn. Larger means more similar; only the order counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.errors import AbaloError
from abalo.models.classifiers.black_box import BlackBoxClassifier
from abalo.models.classifiers.protocol import Classifier
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.options import ModelOptions
from abalo.models.services.service import Service
from abalo.models.specs import Adapter
from abalo.models.user_code import draws_of, made_by, optional_text
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

    service = Service(model, code, options)

    def read(pairs: Sequence[TextInput]) -> list[Classified]:
        numbers = _numbers(spec, service.ask("comparing", function, list(pairs)), len(pairs))
        return [Classified((), np.array([number]), names=(SCORE,)) for number in numbers]

    draws = draws_of(model, code)
    name = optional_text(model, "name", code) or spec
    return BlackBoxClassifier(name, service.fingerprint, (), read, {"interface": SCORE}, service=service, draws=draws)


def _numbers(spec: str, given: object, wanted: int) -> Sequence[float]:
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


GRADED: Adapter[Classifier] = Adapter(lambda _: True, _load, takes_args=True)
