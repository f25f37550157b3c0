"""Questions put in other ways: how far answers hold, variant by variant, and which do not."""

from __future__ import annotations

from abalo.reporting import intervals, phrases
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import Column, badge, bullets, definitions, estimate, heading, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.questions import COLUMNS, NOTES, TEST, TITLE, about_questions, flip, test, varied
from abalo.reporting.selection import Json, is_about_questions

_SCALE = Scale(0.0, 1.0, *intervals.IN_CELL)

_OPEN, _SHOWN = 10, 100
"""How many answers that changed are shown at once, and how many at all."""


def render(document: Json) -> str:
    """A row per case, then one per variant with its flip rate drawn; empty for a run without questions."""
    results = about_questions(document)
    if not results:
        return ""
    heads = [Column("Asked")]
    heads += [Column(_headed(name), numeric=True) for name in (*COLUMNS.values(), TEST)]
    heads.append(Column("Verdict"))
    rows = [
        [
            text(phrases.scenario(result)),
            *(estimate(result["metrics"][name]) for name in COLUMNS),
            text(test(result)),
            badge(result["verdict"], phrases.verdict(result)),
        ]
        for result in results
    ]
    measures = f'<div class="abalo-dense">{table(heads, rows)}</div>'
    return section(TITLE, measures + "".join(map(_variants, results)) + definitions(NOTES))


def detail(case: Case) -> str:
    """The variants of a case about questions and the answers that changed; empty for any other case."""
    if not is_about_questions(case.result):
        return ""
    return section("By variant", _variants(case.result)) + section("Answers that changed", _flips(case.result))


def _headed(name: str) -> str:
    return heading(name, NOTES[name]) if name in NOTES else text(name)


def _variants(result: Json) -> str:
    """A row per variant, its flip rate as a bar from 0 to 1 with its interval and its bound."""
    limits = (result["bound"] or {}).get("max_fragility_score")
    limits = limits if isinstance(limits, dict) else {}
    columns = [
        Column(text(phrases.scenario(result))),
        Column("Questions", numeric=True),
        Column("Accuracy", numeric=True),
        Column(heading("Flipped", NOTES["Flipped"]), numeric=True),
        Column("From 0 to 1"),
        Column("Without an answer", numeric=True),
    ]
    rows = [
        [
            f"<code>{text(row['variant'])}</code>",
            f"{row['answers']:,}",
            phrases.measured(row["accuracy"]),
            phrases.measured(row["flip_rate"]),
            intervals.in_cell(row["flip_rate"], _SCALE, limits.get(row["variant"]), _label(row)),
            f"{row['missing']:,}",
        ]
        for row in varied(result)
    ]
    return table(columns, rows) if rows else ""


def _label(row: Json) -> str:
    return text(f"{row['variant']}: flipped {phrases.measured(row['flip_rate'])}")


def _flips(result: Json) -> str:
    """Each answer that changed, with the question as it was put then where text is not withheld."""
    flips = result["questions"]["flips"]
    if not flips:
        return "<p>None.</p>" if varied(result) else ""
    lines = [_flip(each) for each in flips[:_SHOWN]]
    more = len(flips) - len(lines)
    rest = lines[_OPEN:] + ([f"{phrases.count(more, 'more answer')} in robustness.json"] if more else [])
    folded = f"<details><summary>{len(flips) - _OPEN:,} more</summary>{bullets(rest)}</details>" if rest else ""
    return bullets(lines[:_OPEN]) + folded


def _flip(found: Json) -> str:
    line = f"<b>{text(flip(found))}</b>"
    return f"{line}. {text(found['question'])}" if "question" in found else line
