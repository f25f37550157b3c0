"""The bounds of a case, and what was found against each."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import Column, badge, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json


def render(case: Case) -> str:
    """A row per bound: value, interval, verdict, p, and what would settle it; a line where the case has no bound."""
    title = f"{text(phrases.scenario(case.result))} {badge(case.result['verdict'], phrases.verdict(case.result))}"
    judged = case.result["judgements"]
    if not judged:
        return section(title, "<p>Not judged: thresholds.toml has no bound for this case.</p>")
    columns = [
        Column("Bound"),
        Column("Found", numeric=True),
        Column(f"{phrases.confidence(case.document)} interval".strip(), numeric=True),
        Column("p", numeric=True),
        Column("Verdict"),
        Column("Why, and what would settle it"),
    ]
    return section(title, table(columns, [_row(judgement, case.result) for judgement in judged]))


def _row(judged: Json, result: Json) -> list[str]:
    corrected = judged["verdict_uncorrected"] not in (None, judged["verdict"])
    uncorrected = f"({judged['verdict_uncorrected']} before correction)" if corrected else ""
    return [
        text(phrases.bound(judged["bound"], judged["limit"], judged["type"])),
        phrases.number(judged["value"]),
        phrases.interval(judged) or phrases.NOTHING,
        text(phrases.p_value(judged["p"])),
        f"{badge(judged['verdict'], judged['verdict'])} {text(uncorrected)}",
        text(phrases.doubt(judged, result) or phrases.NOTHING),
    ]
