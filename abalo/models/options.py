"""The settings with which a model is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from abalo.errors import AbaloError
from abalo.models.columns import Columns
from abalo.models.joining import joined
from abalo.models.labels import BIO, Labelling

Device = Literal["auto", "cpu", "cuda", "mps"]
Dtype = Literal["fp32", "bf16", "fp16"]
Aggregation = Literal["mean", "first"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is to be loaded and run; raises `AbaloError` for a value out of range.

    ``aggregation`` is whether the scores of a word are the mean over its pieces or those of its first one.
    ``max_length`` is the longest window and ``stride`` what neighbouring windows share, both in pieces.
    ``model_version`` tells states of a black box from each other, which its code does not.
    ``label_map`` renames the model's labels; the ``labelling`` defines how, and which labels the corpus needs. Pickled
    weights and remote code can run anything, so both are off. With ``join``, touching spans whose labels the map
    sends to one type are one (`abalo.models.joining`). ``truth`` holds the labels that False and True stand for,
    ``several`` says that a text can have several labels. ``model_args`` are for models that Inspect asks.
    """

    device: str = "auto"
    dtype: str = "fp32"
    aggregation: str = "mean"
    label_map: Mapping[str, str] | None = None
    allow_pickle: bool = False
    trust_remote_code: bool = False
    max_length: int = 256
    stride: int = 64
    labelling: Labelling = BIO
    model_version: str | None = None
    join: bool = False
    truth: tuple[str, str] = ("false", "true")
    several: bool = False
    model_args: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_choice("device", self.device, get_args(Device))
        _check_choice("dtype", self.dtype, get_args(Dtype))
        _check_choice("aggregation", self.aggregation, get_args(Aggregation))
        if self.max_length < 1:
            raise AbaloError(f"max_length is {self.max_length}: expected a number of pieces from 1, such as 256")
        if not 0 <= self.stride < self.max_length:
            raise AbaloError(
                f"stride is {self.stride}: expected a number of pieces from 0 to below max_length ({self.max_length}), "
                "such as a quarter of it"
            )

    @property
    def renaming(self) -> dict[str, str | bool]:
        """The settings that change the names of labels, as reports and fingerprints have them; empty for the usual."""
        found: dict[str, str | bool] = {} if self.labelling.name == BIO.name else {"labelling": self.labelling.name}
        if self.label_map:
            found["label_map"] = self._label_map
        return found | ({"join": True} if self.join else {})

    def columns(self, labels: Sequence[str], model_name: str) -> Columns:
        """The labels of the corpus for a model's own ``labels``; raises `AbaloError` as `Labelling.columns` does."""
        return self.labelling.columns(labels, self.label_map, model_name, join=self.join)

    def renamed(self, tags: Sequence[str]) -> tuple[str, ...]:
        """The labels of the corpus for the tags of one sentence; raises ValueError for one that names nothing."""
        renaming = self.label_map or {}
        renamed = tuple(self.labelling.label(tag, renaming) for tag in tags)
        return joined(renamed, list(map(self.labelling.own_kind, tags, renamed))) if self.join else renamed

    @property
    def _label_map(self) -> str:
        return ",".join(f"{own}={label}" for own, label in (self.label_map or {}).items())

    def refuse_version(self, kind: str) -> None:
        """Raises `AbaloError` for a version of this ``kind`` of model, which its files identify."""
        if self.model_version is not None:
            raise AbaloError(
                f"model_version {self.model_version!r} has no meaning for {kind}, which is identified by its files: "
                "leave out --abalo-model-version"
            )

    def refuse_for(self, kind: str) -> None:
        """Raises `AbaloError` for a setting that has no meaning for this ``kind`` of model."""
        for name, value, allowed in (
            ("device", self.device, ("auto", "cpu")),
            ("dtype", self.dtype, ("fp32",)),
            ("aggregation", self.aggregation, ("mean",)),
        ):
            if value not in allowed:
                raise AbaloError(
                    f"{name} {value!r} has no meaning for {kind}, which decides that itself: leave out --abalo-{name}"
                )


_OF_A_TASK = ("labelling", "join", "truth", "several")

OF_A_RUN = tuple(each.name for each in fields(ModelOptions) if each.name not in _OF_A_TASK)
"""The settings that the options of a run have under the same names."""


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise AbaloError(f"{name} is {value!r}: expected one of {', '.join(allowed)}")
