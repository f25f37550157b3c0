"""Records in the logs of attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Anything, JsonRecord, Share, declared
from abalo.core.records.values import Whole
from perturbations import Edit, Perturbed, Sentence, apply


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedLabels(JsonRecord):
    """Labels of a target."""

    clean: Sequence[str] = ()
    attacked: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSentence(JsonRecord):
    """A sentence without labels."""

    tokens: Sequence[str]
    spaces: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedExample(JsonRecord):
    """The other fields by name; the edited one is None."""

    fields: Mapping[str, RecordedSentence | None]
    anchors: Sequence[Sequence[Any]]
    policy: Any
    gold: Sequence[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTags(JsonRecord):
    """The predicted tags of the whole sentence."""

    clean: Sequence[str] = ()
    perturbed: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedConfidence(JsonRecord):
    """Confidence in the clean labels."""

    before: Share | None
    after: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRecord(JsonRecord):
    """A target in the log of an attack."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    attack: str
    task: str = ""
    invariance: str | None = None
    sentence_id: str = ""
    target: Sequence[Any] | None
    targets: Sequence[Sequence[Any] | None] = ()
    tokens: Sequence[str]
    spaces: Sequence[str]
    tags: Sequence[str] | None
    example: RecordedExample | None = None
    edits: Sequence[JsonObject]
    labels: RecordedLabels
    broken: bool
    similarity: Any = None
    queries: Whole = 0
    spent: bool = False
    tried: Mapping[str, int] = field(default_factory=dict)
    best: JsonObject | None = None
    predicted: RecordedTags | None = declared(default=None)
    confidence: RecordedConfidence | None = declared(default=None)

    def change(self, sentence: Sentence) -> Perturbed:
        """The edits made again in the edited field."""
        return apply(sentence, [Edit.from_json(edit) for edit in self.edits])
