"""The document of a hardening: what the page reads, declared once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from abalo.core.found import Interval
from abalo.core.losses import State
from abalo.core.records import Json, JsonRecord
from abalo.hardening.gains import GainRole


@dataclass(frozen=True, slots=True, kw_only=True)
class HardeningCorpus(JsonRecord):
    """The corpus that models were judged on, or trained on."""

    name: str
    examples: int
    left_out: int = 0
    taught: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings(JsonRecord):
    """Training settings; those of single trainers are under ``more``."""

    seed: int
    epochs: int
    letters: bool
    share: float
    rounds: int
    uses: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GainFacts(JsonRecord):
    """The change of one case, as `abalo.hardening.gains.Gain` has it."""

    case: str
    role: GainRole
    families: Sequence[str]
    metric: str
    before: float | None
    after: float | None
    change: Interval
    state: State
    cut: float | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardening(JsonRecord):
    """What hardening taught, gained and cost."""

    task: str
    models: Mapping[str, Json]
    corpus: HardeningCorpus
    train: HardeningCorpus
    training: TrainingSettings
    seeds: Json
    confidence: float
    max_loss: float
    taught: Sequence[Json]
    not_taught: Sequence[str]
    cases: Sequence[GainFacts]
    seconds: Mapping[str, Mapping[str, float]]
