"""Repeats a random model, to separate changes from noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from abalo.core.statistics.evidence import Evidence, join_answers, overall_alone, spread, views_of
from abalo.core.statistics.metrics import Flags
from abalo.errors import AbaloError

USUAL = 3

TRIED = 300
"""If none differs, at most 1 % is chance (rule of three, 95 %)."""

ONCE = (
    "the model draws its outputs and was asked once, so nothing shows what is noise; ask it 2 or more times with "
    "--abalo-repeats"
)


def draws(model: object) -> bool | None:
    """Whether a model declares random outputs, if it says."""
    found = getattr(model, "draws", None)
    return found if isinstance(found, bool) else None


def add_repeats(repeats: Sequence[Evidence]) -> Evidence:
    """Sums the counts of repeats; raises `AbaloError` if units differ."""
    groups = tuple(sorted({group for each in repeats for group in each.groups}))
    views = views_of(repeats)
    parts = [spread(each, groups, views, overall_alone(repeats)) for each in repeats]
    first = parts[0]
    if not all(len(each) == len(first) and _same_units(first, each).all() for each in parts):
        raise AbaloError(
            "the repeats of a case are not about the same units; ask the model once, with --abalo-repeats 1"
        )
    tables = {
        view: {name: np.sum([each.tables[view][name] for each in parts], axis=0) for name in part}
        for view, part in first.tables.items()
    }
    changed = np.any([each.changed for each in parts], axis=0)
    return replace(first, tables=tables, changed=changed, answers=join_answers([each.answers for each in parts]))


def _same_units(first: Evidence, other: Evidence) -> Flags:
    same: Flags = (first.ids == other.ids) & (first.seeds == other.seeds) & (first.places == other.places)
    return same
