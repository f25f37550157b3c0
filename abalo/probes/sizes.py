"""The size of a case."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome


def sizes(examples: Sequence[Example], outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Numbers of examples with copies, distinct examples, changed examples, and variants."""
    changed = {outcome.example.id for outcome in outcomes if outcome.changed}
    return {
        "sentences": len(examples),
        "distinct": len({outcome.example.cluster for outcome in outcomes}),
        "changed": sum(example.id in changed for example in examples),
        "variants": sum(outcome.changed for outcome in outcomes),
    }
