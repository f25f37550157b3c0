"""The fields of a result that only invariances have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from abalo.attacks.record import AttackRecord
from abalo.core.documents.found import Result, ResultFields, certain
from abalo.core.records.json_records import Count, JsonRecord, declared
from abalo.invariances.counterexamples import record_of
from abalo.invariances.trial import TriedInvariance


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSearch(JsonRecord):
    """The search for the smallest edit."""

    edits: Count
    stopped: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvarianceFacts(JsonRecord):
    """The facts about an invariance."""

    text: str = declared("The invariance in one sentence.")
    sentences: Count = declared("Number of distinct examples that were tried.")
    searched: EditSearch | None = declared(
        "Search for the smallest edit: number of `edits` tried and why it `stopped` early; null without a search."
    )
    broken: bool = declared("Whether an edit broke the invariance.")
    counterexample: AttackRecord | None = declared(
        "Smallest edit that breaks it, as in `counterexamples.jsonl`; null if none, and with `--abalo-no-text`.",
    )
    draws: bool = declared("Whether the model draws its outputs, so that one edit proves nothing.", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvarianceFields(ResultFields):
    """What invariances add to a result."""

    invariance: InvarianceFacts | None = declared(
        "The invariance, and an edit that breaks it.", default=None, required=True
    )


def facts_of(result: Result) -> InvarianceFacts:
    """The facts about the invariance of a result."""
    return certain(InvarianceFields.of(result).invariance)


def invariance_facts(invariant: TriedInvariance, *, with_text: bool, draws: bool = False) -> Mapping[str, object]:
    """The invariance, its number of sentences, and a counterexample, if any."""
    trial, hunted = invariant.trial, invariant.hunted
    smallest = None if hunted is None else hunted.smallest
    invariance, task = trial.invariance, trial.task
    text = invariance.said(task)
    return {
        "text": text,
        "sentences": len(trial.examples),
        "searched": None if hunted is None else {"edits": hunted.edits, "stopped": hunted.stopped or None},
        "broken": invariant.broken,
        **({"draws": True} if draws else {}),
        "counterexample": None
        if smallest is None or not with_text
        else record_of(invariance.name, text, smallest, task),
    }
