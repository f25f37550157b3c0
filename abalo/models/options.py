"""The settings with which a model is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from abalo.errors import AbaloError
from abalo.models.labels import BIO, Labelling

Device = Literal["auto", "cpu", "cuda", "mps"]
Dtype = Literal["fp32", "bf16", "fp16"]
Aggregation = Literal["mean", "first"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is to be loaded and run; raises `AbaloError` for a value out of range.

    ``aggregation`` is whether the scores of a word are the mean over its pieces or those of its first one.
    ``max_length`` is the longest window and ``stride`` what neighbouring windows share, both in pieces.
    ``label_map`` renames the model's labels; the ``labelling`` defines how, and which labels the corpus needs. Pickled
    weights and remote code can run anything, so both are off.
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
    def renaming(self) -> dict[str, str]:
        """The settings that change the names of labels, as reports and fingerprints have them; empty for the usual."""
        labelling = {} if self.labelling.name == BIO.name else {"labelling": self.labelling.name}
        return labelling | ({"label_map": self._label_map} if self.label_map else {})

    @property
    def _label_map(self) -> str:
        return ",".join(f"{own}={label}" for own, label in (self.label_map or {}).items())

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


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise AbaloError(f"{name} is {value!r}: expected one of {', '.join(allowed)}")
