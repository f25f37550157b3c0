"""The document of a hardening: what the page reads, declared once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from abalo.core.records.json_records import Json, JsonRecord
from abalo.hardening.gains import Gain


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
    cases: Sequence[Gain]
    seconds: Mapping[str, Mapping[str, float]]
