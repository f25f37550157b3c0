"""Settings for loading a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from abalo.core.protocols.options import Calling
from abalo.errors import AbaloError
from abalo.models.labelling.columns import Columns
from abalo.models.labelling.joining import join_spans
from abalo.models.labelling.labels import BIO, Labelling
from abalo.models.prompts.template import Prompting

Device = Literal["auto", "cpu", "cuda", "mps"]
Dtype = Literal["fp32", "bf16", "fp16"]
Aggregation = Literal["mean", "first"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How to load and run a model; raises `AbaloError` for a value out of range.

    * ``aggregation``: mean over a word's pieces, or the first piece.
    * ``max_length``, ``stride``: window and overlap, in pieces.
    * ``model_version``: distinguishes states of a black box.
    * ``label_map``: renames labels, as ``labelling`` defines.
    * ``join``: merges touching spans of one type (`abalo.models.labelling.joining`).
    * ``markers``: comma-separated marks of a relation.
    * ``truth``: labels for False and True.
    * ``prompting``: how to prompt, or None.

    Pickled weights and remote code can run anything, so both are off.
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
    markers: str | None = None
    truth: tuple[str, str] = ("false", "true")
    several: bool = False
    model_args: Mapping[str, object] = field(default_factory=dict)
    prompting: Prompting | None = None
    calling: Calling = field(default_factory=Calling)
    with_text: bool = True

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
        """Changed naming settings, for reports and fingerprints."""
        found: dict[str, str | bool] = {} if self.labelling.name == BIO.name else {"labelling": self.labelling.name}
        if self.label_map:
            found["label_map"] = self._label_map
        return found | ({"join": True} if self.join else {})

    def columns(self, labels: Sequence[str], model_name: str) -> Columns:
        """The corpus labels for own ``labels``, as in `Labelling.columns`."""
        return self.labelling.columns(labels, self.label_map, model_name, join=self.join)

    def renamed(self, tags: Sequence[str]) -> tuple[str, ...]:
        """Corpus labels of a sentence's tags; raises ValueError."""
        renaming = self.label_map or {}
        labels = {tag: self.labelling.label(tag, renaming) for tag in dict.fromkeys(tags)}
        renamed = tuple(map(labels.__getitem__, tags))
        return join_spans(renamed, list(map(self.labelling.own_kind, tags, renamed))) if self.join else renamed

    @property
    def _label_map(self) -> str:
        return ",".join(f"{own}={label}" for own, label in (self.label_map or {}).items())

    def refuse_version(self, kind: str) -> None:
        """Raises `AbaloError` for a version of a model that files identify."""
        if self.model_version is not None:
            raise AbaloError(
                f"model_version {self.model_version!r} has no meaning for {kind}, which is identified by its files: "
                "leave out --abalo-model-version"
            )

    def refuse_for(self, kind: str) -> None:
        """Raises `AbaloError` for a meaningless setting."""
        for name, value, allowed in (
            ("device", self.device, ("auto", "cpu")),
            ("dtype", self.dtype, ("fp32",)),
            ("aggregation", self.aggregation, ("mean",)),
        ):
            if value not in allowed:
                raise AbaloError(
                    f"{name} {value!r} has no meaning for {kind}, which decides that itself: leave out --abalo-{name}"
                )


_OF_A_TASK = ("labelling", "join", "truth", "several", "prompting")

OF_A_RUN = tuple(each.name for each in fields(ModelOptions) if each.name not in _OF_A_TASK)


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise AbaloError(f"{name} is {value!r}: expected one of {', '.join(allowed)}")
