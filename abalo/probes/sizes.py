"""How much a case was about, as its result has it."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.example import Example
from abalo.core.outcome import Outcome


def sizes(examples: Sequence[Example], outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Examples, copies counted; distinct ones among the outcomes; examples that changed under any seed; variants."""
    changed = {outcome.example.id for outcome in outcomes if outcome.changed}
    return {
        "sentences": len(examples),
        "distinct": len({outcome.example.cluster for outcome in outcomes}),
        "changed": sum(example.id in changed for example in examples),
        "variants": sum(outcome.changed for outcome in outcomes),
    }
