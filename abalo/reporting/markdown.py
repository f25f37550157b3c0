"""robustness.md: the run on one page, for a pull request or a job summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from abalo.errors import visible
from abalo.reporting import adaptive, phrases, promises, questions, slices
from abalo.reporting.attacks import (
    ATTACK_COLUMNS,
    ATTACKS_TITLE,
    DROPS_NOTE,
    STRUCTURE_COLUMNS,
    STRUCTURE_NOTES,
    STRUCTURE_TITLE,
    AttackRow,
    MetricColumn,
    attack_rows,
    structure_rows,
)
from abalo.reporting.selection import (
    Json,
    by_case,
    cases,
    entity_types,
    has_f1,
    is_about_questions,
    is_baseline,
    is_search,
    is_slice,
    measured_value,
    most_telling,
    needing_attention,
    views_differ,
)

SIZE_LIMIT = 60_000
"""Bytes. GitHub refuses comments above 65,536 characters; what is left is room for the comment around the page."""

_ROWS = (400, 200, 100, 60, 40, 25, 15, 8, 4, 1)
"""How many rows a table may have: the first that keeps the page within its limit is used."""

_COLUMNS = 20
_NAME = 80
_SENTENCE = 400
_COMMAND = 1000
_FLIPS = 20

_BASELINE = "Baseline"

_WIDE = "f1_drop"
"""The one metric that has its interval beside it in the tables of attacks, to keep them narrow."""


def markdown(document: Json) -> str:
    """The page in GitHub Markdown, at most `SIZE_LIMIT` bytes of UTF-8; where rows were left out, it says how many."""
    pages = (_page(document, rows) for rows in _ROWS)
    return next(page for page in pages if len(page.encode("utf-8")) <= SIZE_LIMIT)


def _page(document: Json, rows: int) -> str:
    blocks = [
        _notice(document),
        _headline(document),
        _findings(document, rows),
        _remarks(document, rows),
        _scenarios(document, rows),
        _views(document, rows),
        _adaptive(document, rows),
        _promises(document, rows),
        _slices(document, rows),
        _questions(document, rows),
        _attacks(document, rows),
        _types(document, "f1", rows),
        _types(document, "success_rate", rows),
        _attention(document, rows),
        _regressions(document, rows),
        _unfinished(document, rows),
        _facts(document),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _notice(document: Json) -> str:
    return "\n\n".join(f"> **{escaped(notice, _SENTENCE)}**" for notice in phrases.notices(document))


def _headline(document: Json) -> str:
    headline = phrases.headline(document)
    return f"# {headline.sign} {headline.verdict.upper()}: {escaped(headline.text, _SENTENCE)}"


def _findings(document: Json, rows: int) -> str:
    found = phrases.findings(document)
    lines = [
        f"{phrases.scenario(result)}: {phrases.verdict(result)}, {phrases.judgement(judged)}"
        for result, judged in found[: min(rows, 20)]
    ]
    return _bullets([escaped(line, _SENTENCE) for line in lines], len(found), "finding")


def _remarks(document: Json, rows: int) -> str:
    found = phrases.remarks(document)
    return _bullets([f"Note: {escaped(remark, _SENTENCE)}" for remark in found[:rows]], len(found), "note")


def _scenarios(document: Json, rows: int) -> str:
    shown = [result for result in cases(document) if not is_about_questions(result) and not is_slice(result)]
    kept = most_telling(shown, rows)
    body = [_scenario(result) for result in kept]
    if document.get("baseline") and not any(is_baseline(result) for result in shown):
        f1 = phrases.measured(document["baseline"]["f1"])
        body.insert(0, [_BASELINE, f1, phrases.NOTHING, phrases.NOTHING, phrases.NOTHING, "not judged"])
    if not body:
        return ""
    headline = "Drop or success" if any(map(is_search, shown)) else "Drop"
    header = ["Scenario", "F1", f"{headline} [{_interval(document)}]", "Bound", "Changed", "Verdict"]
    return "## Scenarios\n\n" + _table(header, body, "lrrlrl") + _left_out(len(shown) - len(kept), "scenario")


def _scenario(result: Json) -> list[str]:
    baseline = is_baseline(result)
    mark = phrases.SIGNS[result["verdict"]]
    verdict = phrases.verdict(result)
    f1 = result["metrics"]["f1"]
    shown = phrases.measured(f1) if baseline else phrases.number(measured_value(f1))
    return [
        escaped(phrases.scenario(result), _NAME),
        shown if has_f1(result) else phrases.NOTHING,
        phrases.NOTHING if baseline else phrases.outcome(result),
        escaped(phrases.bounds(result), _SENTENCE),
        phrases.changed(result),
        f"{mark} **{verdict}**" if result["verdict"] == "fail" else f"{mark} {verdict}",
    ]


def _views(document: Json, rows: int) -> str:
    """The three views side by side for the cases where they are not one."""
    differing = {
        id(group[0]): group for group in by_case(document) if has_f1(group[0]) and views_differ(group[0], group[1:])
    }
    if not differing:
        return ""
    kept = most_telling([group[0] for group in differing.values()], rows)
    views = list(phrases.VIEW_MEANINGS)
    body = []
    for result in kept:
        by_view = {other["view"]: other for other in differing[id(result)]}
        body.append([escaped(phrases.scenario(result), _NAME), *(_in_view(by_view.get(view)) for view in views)])
    return "\n\n".join(
        [
            "## F1 where the number of words changes, three ways to compare",
            _table(["Scenario", *views], body, "lrrr") + _left_out(len(differing) - len(kept), "scenario"),
            "\n".join(f"- {view}: {meaning}" for view, meaning in phrases.VIEW_MEANINGS.items()),
        ]
    )


def _adaptive(document: Json, rows: int) -> str:
    """The attacks that search, as in the table of the HTML report, and what its headings mean."""
    results = adaptive.searches(document)
    if not results:
        return ""
    kept = most_telling(results, rows)
    columns = adaptive.columns(results)
    body = [
        [escaped(phrases.scenario(result), _NAME), *(_cell(column, result) for column in columns)] for result in kept
    ]
    heads = [column.heading + f" [{_interval(document)}]" * column.wide for column in columns]
    table = _table(["Attack", *heads], body, "l" + "r" * len(columns))
    notes = _defined(adaptive.NOTES) + _defined(adaptive.sources(kept))
    lines = [escaped(note, _SENTENCE) for note in notes]
    return "\n\n".join(
        [
            f"## {adaptive.TITLE}",
            table + _left_out(len(results) - len(kept), "attack"),
            _bullets(lines, len(lines), ""),
        ]
    )


def _promises(document: Json, rows: int) -> str:
    """The promises about single edits, and the smallest edit that breaks each."""
    results = promises.promises(document)
    if not results:
        return ""
    kept = most_telling(results, rows)
    body = [
        [
            escaped(result["promise"]["text"], _SENTENCE),
            phrases.outcome(result),
            escaped(phrases.bounds(result), _SENTENCE),
            f"{result['promise']['sentences']:,}",
            escaped(promises.searched(result), _NAME),
            f"{phrases.SIGNS[result['verdict']]} {phrases.verdict(result)}",
        ]
        for result in kept
    ]
    heads = ["Promise", "Broken, in a thousand", "Bound", "Sentences", "Searched", "Verdict"]
    found = [result["promise"]["counterexample"] for result in kept if result["promise"]["counterexample"]]
    lines = [escaped(" → ".join(promises.shown(record)[:2]), _SENTENCE) for record in found]
    return "\n\n".join(
        block
        for block in (
            f"## {promises.TITLE}",
            _table(heads, body, "lrrrrl") + _left_out(len(results) - len(kept), "promise"),
            _bullets(lines, len(lines), ""),
        )
        if block
    )


def _slices(document: Json, rows: int) -> str:
    """Parts of the corpus by themselves, and how they compare to the rest of it."""
    results = slices.sliced(document)
    if not results:
        return ""
    kept = most_telling(results, rows)
    notes = [escaped(line, _SENTENCE) for line in _defined(slices.NOTES)]
    return "\n\n".join(
        [
            f"## {slices.TITLE}",
            _table(slices.COLUMNS, map(_slice, kept), "llrrrrrl") + _left_out(len(results) - len(kept), "slice"),
            _bullets(notes, len(notes), ""),
        ]
    )


def _slice(result: Json) -> list[str]:
    measured = (result["metrics"]["f1"], result["slice"]["rest"]["f1"], result["metrics"]["f1_gap"])
    return [
        escaped(phrases.scenario(result), _NAME),
        escaped(result["slice"]["text"], _SENTENCE),
        slices.size(result),
        *map(phrases.measured, measured),
        escaped(phrases.bounds(result), _SENTENCE),
        f"{phrases.SIGNS[result['verdict']]} {phrases.verdict(result)}",
    ]


def _questions(document: Json, rows: int) -> str:
    """Questions put in other ways: the measures of each case and each variant, and which answers changed."""
    results = questions.about_questions(document)
    if not results:
        return ""
    kept = most_telling(results, rows)
    heads = ["Asked", *questions.COLUMNS.values(), questions.TEST, "Bound", "Verdict"]
    variants = [(result, row) for result in kept for row in questions.varied(result)]
    flips = [result["questions"]["flips"] for result in results if result["questions"]["flips"]]
    most = max(1, min(rows, _FLIPS) // max(1, len(flips)))
    shown = [escaped(questions.flip(each), _SENTENCE) for of_case in flips for each in of_case[:most]]
    notes = [escaped(line, _SENTENCE) for line in _defined(questions.NOTES)]
    blocks = [
        f"## {questions.TITLE}",
        _table(heads, map(_asked, kept), "l" + "r" * (len(heads) - 2) + "l")
        + _left_out(len(results) - len(kept), "case"),
        _bullets(notes, len(notes), ""),
    ]
    if variants:
        body = [[escaped(phrases.scenario(result), _NAME), *_variant(row)] for result, row in variants]
        blocks.append(_table(["Asked", *questions.VARIANT_COLUMNS], body, "llrrrr"))
    if shown:
        blocks += ["Answers that changed:", _bullets(shown, sum(map(len, flips)), "answer")]
    return "\n\n".join(blocks)


def _asked(result: Json) -> list[str]:
    return [
        escaped(phrases.scenario(result), _NAME),
        *(phrases.measured(result["metrics"][name]) for name in questions.COLUMNS),
        questions.test(result),
        escaped(phrases.bounds(result), _SENTENCE),
        f"{phrases.SIGNS[result['verdict']]} {phrases.verdict(result)}",
    ]


def _variant(row: Json) -> list[str]:
    measured = [phrases.measured(row[name]) for name in ("accuracy", "flip_rate")]
    return [code(row["variant"]), f"{row['answers']:,}", *measured, f"{row['missing']:,}"]


def _cell(column: adaptive.AdaptiveColumn, result: Json) -> str:
    found = column.cell(result)
    if isinstance(found, adaptive.Said):
        return escaped(f"{found.main}, {found.more}" if found.more else found.main, _NAME)
    return phrases.measured(found) if column.wide else phrases.number(measured_value(found))


def _attacks(document: Json, rows: int) -> str:
    """The targeted attacks, and once more in the structural view those that move words."""
    notes = [*_defined(phrases.SOURCE_MEANINGS), DROPS_NOTE, phrases.in_sample(document)]
    structure_notes = _defined(STRUCTURE_NOTES)
    parts = [
        _attack_part(ATTACKS_TITLE, ATTACK_COLUMNS, attack_rows(document), document, rows, notes),
        _attack_part(STRUCTURE_TITLE, STRUCTURE_COLUMNS, structure_rows(document), document, rows, structure_notes),
    ]
    return "\n\n".join(part for part in parts if part)


def _defined(meanings: Mapping[str, str]) -> list[str]:
    return [f"{term}: {meaning}" for term, meaning in meanings.items()]


def _attack_part(
    title: str,
    columns: Sequence[MetricColumn],
    found: Sequence[AttackRow],
    document: Json,
    rows: int,
    notes: Sequence[str],
) -> str:
    """Heading, table and notes; the row of the clean corpus comes on top of ``rows``. Empty without rows."""
    if not found:
        return ""
    interval = _interval(document)
    heads = [f"{each.heading} [{interval}]" if each.metric == _WIDE else each.heading for each in columns]
    kept = found[: rows + 1]
    table = _table(["Attack", "Spans", *heads], [_attack(row, columns) for row in kept], "ll" + "r" * len(columns))
    lines = [escaped(note, _SENTENCE) for note in notes if note]
    return "\n\n".join(
        [f"## {title}", table + _left_out(len(found) - len(kept), "attack"), _bullets(lines, len(lines), "")]
    )


def _attack(row: AttackRow, columns: Sequence[MetricColumn]) -> list[str]:
    numbers = (
        phrases.measured(value) if column.metric == _WIDE else phrases.number(measured_value(value))
        for value, column in zip(row.values, columns, strict=True)
    )
    return [escaped(row.attack, _NAME), escaped(row.source, _NAME), *numbers]


def _in_view(result: Json | None) -> str:
    if result is None:
        return phrases.NOTHING
    value = phrases.number(measured_value(result["metrics"]["f1"]))
    return f"{value} (bound)" if result["bound"] is not None else value


def _types(document: Json, metric: str, rows: int) -> str:
    """F1 per entity type, or for attacks that search success; of many types, those with the most gold entities."""
    types, success = entity_types(document), metric == "success_rate"
    shown = [
        result
        for result in cases(document)
        if not is_baseline(result) and (is_search(result) if success else has_f1(result))
    ]
    if not types or (success and not shown):
        return ""
    entities = (document.get("corpus") or {}).get("entities", {})
    columns = sorted(sorted(types, key=lambda kind: -entities.get(kind, 0))[:_COLUMNS])
    kept = most_telling(shown, rows)
    named = [(escaped(phrases.scenario(result), _NAME), result) for result in kept]
    if document.get("baseline") and not success:
        named.insert(0, (_BASELINE, document["baseline"]))
    body = [[name, *(_of_type(kind, metric, result) for kind in columns)] for name, result in named]
    return "\n\n".join(
        [
            f"## {phrases.sentence_case(phrases.metric(metric))} per entity type",
            _table(["Scenario", *(escaped(kind, _NAME) for kind in columns)], body, "l" + "r" * len(columns))
            + _left_out(len(shown) - len(kept), "scenario")
            + _left_out(len(types) - len(columns), "entity type"),
        ]
    )


def _of_type(kind: str, metric: str, result: Json) -> str:
    row = result["per_type"].get(kind)
    return phrases.number(measured_value(row.get(metric))) if row else phrases.NOTHING


def _attention(document: Json, rows: int) -> str:
    """Each case that failed or was not decided, with its reason, what would settle it and how to run it again."""
    found = needing_attention(document)
    if not found:
        return ""
    kept = found[: min(rows, 40)]
    blocks = [block for result in kept for block in (_case(result, rows), _fenced(result["command"]))]
    left_out = _left_out(len(found) - len(kept), "case")
    return "\n\n".join(["## To look into", *blocks]) + left_out


def _case(result: Json, rows: int) -> str:
    deciding = phrases.deciding(result)
    lines = []
    for judged in deciding[: min(rows, 10)]:
        doubt = phrases.doubt(judged, result)
        lines.append(escaped(phrases.judgement(judged) + (f"; {doubt}" if doubt else ""), _SENTENCE))
    title = f"**{escaped(phrases.scenario(result), _NAME)}**: {phrases.verdict(result)}"
    return f"{title}\n\n{_bullets(lines, len(deciding), 'bound')}"


def _regressions(document: Json, rows: int) -> str:
    """What attacks once broke and is not fixed."""
    found = phrases.broken(document)
    lines = [f"{code(each['id'])}: {escaped(phrases.regression(each), _SENTENCE)}" for each in found[: min(rows, 40)]]
    return f"## Broken regressions\n\n{_bullets(lines, len(found), 'regression')}" if found else ""


def _unfinished(document: Json, rows: int) -> str:
    """Errors, and what was collected but has no result."""
    most = min(rows, 40)
    errors = [
        f"{code(error['id'])}: {escaped(phrases.error(error['message']), _SENTENCE)}"
        for error in document["errors"][:most]
    ]
    missing = [code(name) for name in document["missing"][:most]]
    blocks = []
    if errors:
        blocks += ["## Could not run", _bullets(errors, len(document["errors"]), "error")]
    if missing:
        blocks += ["## Without a result", _bullets(missing, len(document["missing"]), "case")]
    return "\n\n".join(blocks)


def _facts(document: Json) -> str:
    lines = [f"- {label}: {escaped(text, _SENTENCE)}" for label, text in phrases.facts(document)]
    return "\n".join(["---", "", *lines]) if lines else ""


def _interval(document: Json) -> str:
    return f"{phrases.confidence(document)} interval".strip()


def _table(header: Sequence[str], body: Iterable[Sequence[str]], alignment: str) -> str:
    rules = [{"l": "---", "r": "--:"}[side] for side in alignment]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rules, *body))


def _bullets(lines: Sequence[str], total: int, noun: str) -> str:
    """The ``lines`` that are shown of ``total``."""
    return "\n".join(f"- {line}" for line in lines) + _left_out(total - len(lines), noun)


def _left_out(number: int, noun: str) -> str:
    if not number:
        return ""
    return (
        f"\n\n*{phrases.count(number, f'more {noun}')} left out here; "
        f"robustness.json has {'it' if number == 1 else 'them'}.*"
    )


def _fenced(command: str) -> str:
    """The command in a block of its own, which GitHub gives a copy button."""
    line = visible(command)
    if len(line) > _COMMAND:
        return "The command is too long for this page; robustness.json has it."
    fence = "`" * max(3, _longest_run_of_backticks(line) + 1)
    return f"{fence}sh\n{line}\n{fence}"


def code(text: str) -> str:
    """The text, cut to a name's length, as inline code."""
    line = visible(phrases.shortened(text, 2 * _NAME))
    ticks = "`" * (_longest_run_of_backticks(line) + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{padding}{line}{padding}{ticks}"


def _longest_run_of_backticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


_ACTIVE = re.compile(
    r"[\\`*|~$]|<(?=[\w/!?])|&(?=[\w#])|\](?=[(\[:])|^[\[\-+=#>]"  # markup, HTML, links, what opens a block
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not the underscore inside a name
    r"|(?<=[@#])(?=\w)|(?<=://)|(?<=www)(?=\.)"  # mentions, issues, addresses
)
_AS_ENTITY = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_BREAK = "\u2060"
"""Word joiner, unseen: between ``@`` and a name it keeps GitHub from notifying a stranger."""


def escaped(text: object, length: int) -> str:
    """The first ``length`` characters on one line, meaning nothing but themselves in GitHub Markdown and its tables."""
    return _ACTIVE.sub(_inert, visible(phrases.shortened(str(text), length)))


def _inert(found: re.Match[str]) -> str:
    return _AS_ENTITY.get(found[0], f"\\{found[0]}" if found[0] else _BREAK)
