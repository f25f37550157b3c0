"""Any Python object as a classifier: ``module:factory``, where ``factory()`` returns one of four things.

* A function from texts to answers: a label, several, or none (``[]``, which is wrong); a mapping from every label to
  its probability; output of a transformers pipeline, ``{"label": …, "score": …}``,
  or of one without shots, ``{"labels": […], "scores": […]}``; or a row of probabilities, if the
  function has ``labels`` or its object ``classes_``.
* An object with ``labels`` and ``scores(texts)``, which returns logits (texts × labels).
* A fitted scikit-learn estimator.
* An object with ``replies(prompts)`` (`abalo.models.prompts`).

A pair is a tuple of two texts. Optional attributes: ``labels``, ``mask_token``, ``name``, ``version``, ``fingerprint``.
True and False take their corpus names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from types import MethodType
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError, visible
from abalo.models.classifiers.protocol import Classifier
from abalo.models.classifiers.reading import ROUNDING, LabelReader
from abalo.models.generative.models import PromptedClassifier
from abalo.models.generative.opening import of_code
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.options import ModelOptions
from abalo.models.services.service import Served, Service
from abalo.models.user_code import UserCode, draws_of, made_by, mask_token_of, optional_text

BATCH = 64

_GIVE_LABELS = "give it labels, one for each column, or return the object with predict_proba and classes_ itself"

ReadAnswers = Callable[[Sequence[TextInput]], list[Classified]]


class BlackBoxClassifier(Served):
    """A `Classifier` around user code, called with fixed-size batches sorted by length."""

    device = "unknown"

    def __init__(
        self,
        name: str,
        fingerprint: str,
        labels: tuple[str, ...],
        read: ReadAnswers,
        settings: Mapping[str, str | bool],
        *,
        mask_token: str | None = None,
        service: Service | None = None,
        black_box: bool = True,
        draws: bool | None = None,
    ) -> None:
        self._read = read
        self.draws = draws
        self.name = name
        self.fingerprint = fingerprint
        self.service = service
        self.version = None if service is None else service.version
        self.labels = labels
        self.mask_token = mask_token
        self.black_box = black_box
        self.settings: dict[str, str | int | float | bool | None] = {**settings}

    def predict(self, texts: Sequence[TextInput]) -> list[Classified]:
        order = sorted(range(len(texts)), key=lambda i: len("".join(texts[i])))
        found = self.in_batches([texts[i] for i in order], BATCH, self._read)
        predictions = dict(zip(order, found, strict=True))
        return [predictions[i] for i in range(len(texts))]


def load(spec: str, options: ModelOptions, given: Callable[[TextInput], Any] | None = None) -> Classifier:
    """Loads a factory's result; ``given`` converts inputs for the code."""
    options.refuse_for("a module:factory model")
    model, code = made_by(spec.partition("?")[0])
    asked = of_code(spec, model, code, options)
    if asked is not None:
        return PromptedClassifier(asked, several=options.several)
    service = Service(model, code, options)
    of_inputs, labels, interface = reader(model, service, options)
    read = of_inputs if given is None else lambda texts: of_inputs([given(text) for text in texts])
    return BlackBoxClassifier(
        optional_text(model, "name", code) or spec,
        service.fingerprint + "".join(f"+{value}" for value in options.renaming.values()),
        labels,
        read,
        {"interface": interface, "several_labels": options.several, **options.renaming},
        mask_token=mask_token_of(model, code),
        service=service,
        draws=draws_of(model, code),
    )


def reader(model: object, service: Service, options: ModelOptions) -> tuple[ReadAnswers, tuple[str, ...], str]:
    """A labelling function, its labels, and the interface's name."""
    code = service.code
    classes, known = code.attribute(model, "classes_"), code.attribute(model, "labels")
    if classes is None and known is None and isinstance(model, MethodType):
        classes = code.attribute(model.__self__, "classes_")
    own = next((_names(each, code, options.truth) for each in (known, classes) if each is not None), None)
    columns = None if own is None else LabelReader.of(code.spec, own, options)
    labels = () if columns is None else columns.labels
    scores, likely = code.attribute(model, "scores"), code.attribute(model, "predict_proba")
    if callable(scores):
        if columns is None:
            raise AbaloError(f"model {code.spec}: has scores() but no labels; give it labels, one for each column")
        return lambda texts: columns.of_logits(_array(service, scores, texts)), labels, "scores"
    if callable(likely) and columns is not None:
        return lambda texts: columns.of_probabilities(_array(service, likely, texts)), labels, "predict_proba"
    plain = code.attribute(model, "predict")
    function, interface = (plain, "predict") if callable(plain) else (model, "labels")
    if callable(likely) and not callable(function):
        raise AbaloError(f"model {code.spec}: has predict_proba() but no classes_; {_GIVE_LABELS}")
    if not callable(function):
        raise AbaloError(
            f"model {code.spec}: the factory returned {type(model).__name__}; expected a function from texts to "
            "labels, an object with labels and scores(texts), or a fitted estimator of scikit-learn"
        )
    return _Given(service, function, columns, options).read, labels, interface


class _Given:
    def __init__(
        self, service: Service, function: Callable[..., object], columns: LabelReader | None, options: ModelOptions
    ) -> None:
        self._service, self._code = service, service.code
        self._function, self._columns, self._options = function, columns, options
        self._names: tuple[str, ...] = ()

    def read(self, texts: Sequence[TextInput]) -> list[Classified]:
        made = self._service.ask("labelling", self._function, list(texts))
        given = _as_list(made, self._code)
        if len(texts) == 1 and _is_ranking(given) and len(given) > 1:
            given = [given]
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != len(texts):
            listed = isinstance(given, Sequence) and not isinstance(given, str)
            size = f"{len(given)} values" if listed else type(given).__name__
            raise AbaloError(f"model {self._code.spec}: gave {size} for {len(texts)} texts; expected one for each")
        rows = [_as_list(each, self._code) for each in given]
        return self._probable(rows) if any(map(_is_row, rows)) else [self._one(each) for each in rows]

    def _probable(self, rows: Sequence[object]) -> list[Classified]:
        if self._columns is None:
            raise AbaloError(
                f"model {self._code.spec}: gave {visible(rows[0])} for a text; expected its label; {_GIVE_LABELS}"
            )
        return self._columns.of_probabilities(_as_array(rows, self._code))

    def _one(self, given: object) -> Classified:
        if isinstance(given, Mapping) and {"labels", "scores"} <= given.keys():  # of a pipeline without shots
            both = (_as_list(given[key], self._code) for key in ("labels", "scores"))
            given = [{"label": label, "score": score} for label, score in zip(*both, strict=False)]
        if _is_ranking(given) and len(given) == 1:
            given = given[0]
        if isinstance(given, Mapping) and {"label", "score"} == given.keys():
            given = given["label"]  # as a pipeline of transformers gives the best of all
        if _is_ranking(given):
            return self._ranked({_spell_label(each["label"], self._options.truth): each["score"] for each in given})
        if isinstance(given, Mapping):
            return self._likely({_spell_label(name, self._options.truth): value for name, value in given.items()})
        names = given if isinstance(given, list | tuple | set | frozenset) else [given]
        if isinstance(given, list | tuple | set | frozenset) and given and not self._options.several:
            raise AbaloError(
                f"model {self._code.spec}: gave {visible(given)} for a text; expected one label, as texts of this "
                "corpus have"
            )
        return Classified(tuple(sorted({self._label(name) for name in names})))

    def _ranked(self, given: Mapping[str, object]) -> Classified:
        sums = [each for each in given.values() if isinstance(each, Real)]
        if len(sums) == len(given) and not self._options.several and abs(float(sum(sums)) - 1) > ROUNDING:
            raise AbaloError(
                f"model {self._code.spec}: gave scores that sum to {float(sum(sums)):.3f}; expected those of all "
                "labels, which sum to 1: call the pipeline with top_k=None, or with top_k=1 for the best label alone"
            )
        return self._likely(given)

    def _likely(self, given: Mapping[str, object]) -> Classified:
        if not self._names:
            self._names = tuple(sorted(given))
        if given.keys() != {*self._names} or not all(isinstance(each, Real) for each in given.values()):
            raise AbaloError(
                f"model {self._code.spec}: gave {visible(dict(given))}; expected a number for each of the labels "
                f"{', '.join(self._names)}, which it gave first"
            )
        reader = LabelReader.of(self._code.spec, self._names, self._options)
        return reader.of_probabilities(np.array([[given[name] for name in self._names]], dtype=np.float64))[0]

    def _label(self, given: object) -> str:
        name = _spell_label(given, self._options.truth)
        if not isinstance(given, str | int | np.integer | np.bool_):
            raise AbaloError(f"model {self._code.spec}: gave the label {visible(given)}; expected text or a number")
        try:
            label = self._options.labelling.label(name, self._options.label_map or {})
        except ValueError as error:
            raise AbaloError(f"model {self._code.spec}: {error}") from None
        if self._columns is not None and label not in self._columns.labels:
            raise AbaloError(
                f"model {self._code.spec}: gave the label {visible(name)}, which is not among its labels "
                f"{', '.join(self._columns.labels)}"
            )
        return label


def _array(service: Service, function: Any, texts: Sequence[TextInput]) -> Any:
    code = service.code
    made = service.ask("scoring", function, list(texts))
    values = _as_array(made, code)
    if values.ndim != 2 or len(values) != len(texts):
        raise AbaloError(
            f"model {code.spec}: gave {type(made).__name__} of shape {values.shape} for {len(texts)} texts; expected "
            "a row of numbers for each, with a column for each label"
        )
    return values


def _as_list(given: object, code: UserCode) -> Any:
    listing = None if isinstance(given, str | list | tuple | Mapping) else code.attribute(given, "tolist")
    return code.call("labelling", listing) if callable(listing) else given


def _as_array(rows: object, code: UserCode) -> NDArray[Any]:
    try:
        return np.asarray(_as_list(rows, code))
    except ValueError:
        return np.zeros(0)


def _is_row(given: object) -> bool:
    if not isinstance(given, list | tuple) or not given or not all(isinstance(each, Real) for each in given):
        return False
    return any(isinstance(each, float | np.floating) for each in given)


def _is_ranking(given: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    if not isinstance(given, list | tuple) or not given:
        return False
    return all(isinstance(each, Mapping) and {"label", "score"} == each.keys() for each in given)


def _spell_label(label: object, truth: tuple[str, str]) -> str:
    return truth[bool(label)] if isinstance(label, bool | np.bool_) else str(label)


def _names(labels: object, code: UserCode, truth: tuple[str, str]) -> list[str]:
    given = _as_list(labels, code)
    listed = isinstance(given, Sequence) and not isinstance(given, str) and len(given) > 0
    if not listed or not all(isinstance(each, str | int | np.integer | np.bool_) for each in given):
        raise AbaloError(f"model {code.spec}: its labels are {visible(labels)}; expected names such as ['no', 'yes']")
    return [_spell_label(each, truth) for each in given]
