"""What the case did to entities, words and confidence, beyond precision, recall and F1."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import Column, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import has_f1, is_slice, views_differ

_ELSEWHERE = ("precision", "recall", "f1", "f1_drop", "f1_changed", "f1_drop_changed")
"""Shown by other panels."""


def render(case: Case) -> str:
    """A row per metric that has a meaning in one of the views, from the first such; empty where nothing is perturbed.

    What looks at old places is left out where no word has moved, being the same there. Empty for attacks that
    search and for promises too: these metrics are over whole sentences, with one change in each.
    """
    if case.is_baseline or is_slice(case.result) or not has_f1(case.result):
        return ""
    found = {
        name: (measured, view["view"])
        for view in reversed(case.views)
        for name, measured in view["metrics"].items()
        if name not in _ELSEWHERE and measured is not None
    }
    moved = views_differ(case.result, case.siblings)
    names = [name for name in case.result["metrics"] if name in found and (moved or not name.endswith("_unshifted"))]
    columns = [Column("Metric"), Column("Found", numeric=True), Column("View"), Column("Meaning")]
    rows = [
        [
            text(phrases.sentence_case(phrases.metric(name))),
            phrases.measured(found[name][0]),
            text(found[name][1]),
            text(phrases.meaning(name)),
        ]
        for name in names
    ]
    note = text(phrases.in_sample(case.document)) if any(name.startswith("prob_") for name in names) else ""
    return section("Damage and confidence", table(columns, rows) + (f"<p>{note}</p>" if note else "") if rows else "")
