r"""robustness.tex: the tables of the run in LaTeX, for papers and reports to ``\input``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from abalo.errors import visible
from abalo.reporting import adaptive, phrases, questions, slices
from abalo.reporting.attacks import (
    ATTACK_COLUMNS,
    ATTACKS_TITLE,
    DROPS_NOTE,
    STRUCTURE_COLUMNS,
    STRUCTURE_TITLE,
    AttackRow,
    MetricColumn,
    attack_rows,
    structure_rows,
)
from abalo.reporting.selection import (
    Json,
    cases,
    entity_types,
    has_f1,
    is_about_questions,
    is_baseline,
    is_search,
    is_slice,
    measured_value,
)

PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{booktabs}\usepackage{longtable}"
"""What a document needs to take the tables up."""

_NUMBERS = 6
"""How many columns of numbers fit beside the name of an attack, on the page of an article on A4."""

_LETTERS = 36
"""How many letters the names of entity types may have beside each other there."""

_LINE = 7
"""How many letters a heading above numbers has on a line, if its words are not longer."""

_NAME = "p{2.4cm}"


@dataclass(frozen=True, slots=True)
class _Column:
    """A heading, and how the column is set: as LaTeX has it, ``l``, ``r`` or with a width."""

    heading: str
    set: str = "r"


def latex(document: Json) -> str:
    r"""The tables of scenarios, slices, attacks, questions and entity types, each a longtable, which may go over pages.

    Above them what must be known first, and the verdict. pdfLaTeX, XeLaTeX and LuaLaTeX take it. There is no text of
    the corpus in it. Whatever was given from outside stands for itself alone, and what the Latin letters of T1 lack is
    written as its code point, ``[U+4E2D]``.
    """
    parts = [f"% Made by Abalo; needs {PREAMBLE}", *_opening(document)]
    parts += [*_scenarios(document), *_slices(document), *_targeted(document), *_adaptive(document)]
    parts += [*_questions(document), *_types(document)]
    return "\n\n".join(parts) + "\n"


def _opening(document: Json) -> Iterator[str]:
    for notice in phrases.notices(document):
        yield rf"\noindent\textbf{{{escaped(notice)}}}"
    headline = phrases.headline(document)
    yield rf"\noindent\textbf{{{escaped(headline.verdict.upper())}}}: {escaped(headline.text)}."
    facts = [f"{escaped(label)}: {escaped(text)}." for label, text in phrases.facts(document)]
    if facts:
        yield "\n".join([r"\noindent{\footnotesize", *facts, r"\par}"])


def _scenarios(document: Json) -> Iterator[str]:
    shown = [result for result in cases(document) if not is_about_questions(result) and not is_slice(result)]
    rows = [_scenario(result) for result in shown]
    if document.get("baseline") and not any(map(is_baseline, shown)):
        f1 = escaped(phrases.number(measured_value(document["baseline"]["f1"])))
        rows.insert(0, ["Baseline", f1, *[escaped(phrases.NOTHING)] * 3, "not judged"])
    drop = "F1 drop, or success" if any(map(is_search, shown)) else "F1 drop"
    columns = [
        _Column("Scenario", _NAME),
        _Column("F1"),
        _Column(f"{drop} [{_interval(document)}]", "p{2.9cm}"),
        _Column("Bound", "p{1.9cm}"),
        _Column("Changed", "p{1.4cm}"),
        _Column("Verdict", "l"),
    ]
    yield from _table("scenarios", "Scenarios.", columns, rows)


def _scenario(result: Json) -> list[str]:
    f1, verdict = phrases.number(measured_value(result["metrics"]["f1"])), escaped(phrases.verdict(result))
    return [
        escaped(phrases.scenario(result)),
        escaped(f1 if has_f1(result) else phrases.NOTHING),
        escaped(phrases.NOTHING if is_baseline(result) else phrases.outcome(result)),
        escaped(phrases.bounds(result)).replace("$ ", "$~"),
        escaped(phrases.changed(result)),
        rf"\textbf{{{verdict}}}" if result["verdict"] == "fail" else verdict,
    ]


def _slices(document: Json) -> Iterator[str]:
    columns = [
        _Column("Slice", _NAME),
        _Column("What is in it", "p{2.3cm}"),
        _Column("Sentences"),
        _Column("F1"),
        _Column("F1 of the rest"),
        _Column(f"Gap [{_interval(document)}]", "p{1.7cm}"),
        _Column("Verdict", "l"),
    ]
    rows = [
        [
            escaped(phrases.scenario(result)),
            escaped(result["slice"]["text"]),
            escaped(slices.size(result)),
            escaped(phrases.number(measured_value(result["metrics"]["f1"]))),
            escaped(phrases.number(measured_value(result["slice"]["rest"]["f1"]))),
            escaped(phrases.measured(result["metrics"]["f1_gap"])),
            escaped(phrases.verdict(result)),
        ]
        for result in slices.sliced(document)
    ]
    yield from _table("slices", f"{slices.TITLE}. Gap: {slices.NOTES['Gap']}.", columns, rows)


def _targeted(document: Json) -> Iterator[str]:
    notes = f"{DROPS_NOTE} {phrases.in_sample(document)}".strip()
    yield from _attacks("attacks", ATTACKS_TITLE, notes, ATTACK_COLUMNS, attack_rows(document))
    yield from _attacks("structure", STRUCTURE_TITLE, "", STRUCTURE_COLUMNS, structure_rows(document))


def _attacks(
    name: str, title: str, note: str, metrics: Sequence[MetricColumn], rows: Sequence[AttackRow]
) -> Iterator[str]:
    for number, part in enumerate(_parts(len(metrics)), start=1):
        columns = [_Column("Attack", _NAME), _Column("Spans", "l")]
        columns += [_Column(metric.heading) for metric in metrics[part]]
        body = [
            [
                escaped(row.attack),
                escaped(row.source),
                *(escaped(phrases.number(measured_value(value))) for value in row.values[part]),
            ]
            for row in rows
        ]
        more = "" if number == 1 else ", continued"
        yield from _table(f"{name}-{number}", f"{title}{more}. {note}".strip(), columns, body)


def _adaptive(document: Json) -> Iterator[str]:
    results = adaptive.searches(document)
    named = adaptive.columns(results)
    for number, part in enumerate(_parts(len(named)), start=1):
        columns = [_Column("Attack", _NAME), *(_Column(column.heading) for column in named[part])]
        body = [
            [escaped(phrases.scenario(result)), *(_said(column.cell(result)) for column in named[part])]
            for result in results
        ]
        more = "" if number == 1 else ", continued"
        yield from _table(f"adaptive-{number}", f"{adaptive.TITLE}{more}.", columns, body)


def _questions(document: Json) -> Iterator[str]:
    results = questions.about_questions(document)
    columns = [_Column("Asked", _NAME), *map(_Column, questions.COLUMNS.values()), _Column("Verdict", "l")]
    rows = [
        [
            escaped(phrases.scenario(result)),
            *(escaped(phrases.number(measured_value(result["metrics"][name]))) for name in questions.COLUMNS),
            escaped(phrases.verdict(result)),
        ]
        for result in results
    ]
    yield from _table("questions", f"{questions.TITLE}.", columns, rows)


def _parts(columns: int) -> Iterator[slice]:
    """The columns in as many tables as they need, about equally many in each."""
    tables = -(-columns // _NUMBERS)
    stops = [columns * k // tables for k in range(tables + 1)]
    return (slice(*pair) for pair in pairwise(stops))


def _said(found: Json | adaptive.Said | None) -> str:
    if isinstance(found, adaptive.Said):
        return escaped(found.main)
    return escaped(phrases.number(measured_value(found)))


def _types(document: Json) -> Iterator[str]:
    """F1 per entity type, and for attacks that search their success, the types in as many tables as they need."""
    perturbed = [result for result in cases(document) if not is_baseline(result)]
    plain = [(phrases.scenario(result), result) for result in perturbed if has_f1(result)]
    if document.get("baseline"):
        plain.insert(0, ("Baseline", document["baseline"]))
    searches = [(phrases.scenario(result), result) for result in perturbed if is_search(result)]
    for metric, rows in (("f1", plain), ("success_rate", searches)):
        title = f"{phrases.sentence_case(phrases.metric(metric))} per entity type"
        for number, kinds in enumerate(_beside_each_other(entity_types(document)), start=1):
            columns = [_Column("Scenario", _NAME), *(_Column(kind) for kind in kinds)]
            body = [[escaped(name), *(_of_type(kind, metric, result) for kind in kinds)] for name, result in rows]
            more = "" if number == 1 else ", continued"
            yield from _table(f"types-{metric.replace('_', '-')}-{number}", f"{title}{more}.", columns, body)


def _beside_each_other(types: Sequence[str]) -> Iterator[list[str]]:
    """The types in groups whose headings fit a page."""
    group: list[str] = []
    for kind in types:
        if group and sum(map(len, [*group, kind])) + 2 * len(group) > _LETTERS:
            yield group
            group = []
        group.append(kind)
    if group:
        yield group


def _of_type(kind: str, metric: str, result: Json) -> str:
    row = result["per_type"].get(kind)
    return escaped(phrases.number(measured_value(row.get(metric))) if row else phrases.NOTHING)


def _interval(document: Json) -> str:
    return f"{phrases.confidence(document)} interval".strip()


def _table(name: str, caption: str, columns: Sequence[_Column], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    r"""A longtable whose heads come again on every page; none without rows. Cells are LaTeX already, headings not.

    Every cell with a width begins with ``\raggedright``, also so that no ``[`` or ``*`` follows the end of a row.
    """
    if not rows:
        return
    heads = " & ".join(_headed(column) for column in columns)
    lines = [" & ".join(_cell(*each) for each in zip(columns, row, strict=True)) + r" \\" for row in rows]
    yield "\n".join(
        [
            r"{\footnotesize\setlength{\tabcolsep}{3pt}\renewcommand{\arraystretch}{1.15}",
            rf"\begin{{longtable}}{{{''.join(column.set for column in columns)}}}",
            rf"\caption{{{escaped(caption)}}}\label{{tab:abalo-{name}}}\\",
            rf"\toprule {heads} \\ \midrule\endfirsthead",
            rf"\toprule {heads} \\ \midrule\endhead",
            r"\bottomrule\endfoot\bottomrule\endlastfoot",  # without a last foot, longtable may break without heads
            *lines,
            r"\end{longtable}}",
        ]
    )


def _headed(column: _Column) -> str:
    """The heading; above numbers in short lines."""
    if column.set != "r":
        return _cell(column, escaped(column.heading))
    lines: list[str] = []
    for word in column.heading.split():
        if lines and len(lines[-1]) + len(word) < _LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    stacked = r" \\ ".join(map(escaped, lines))
    return rf"\shortstack[r]{{{stacked}}}"


def _cell(column: _Column, content: str) -> str:
    return rf"\raggedright {content}" if column.set.startswith("p") else content


_SIGNS = {
    **{sign: rf"\{sign}" for sign in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"{\char96}",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "→": r"$\to$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "‰": r"\textperthousand{}",
    "ª": r"\textordfeminine{}",
    "º": r"\textordmasculine{}",
    "°": r"\textdegree{}",
    "§": r"\S{}",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "\u00a0": "~",
}

_LATIN = frozenset(map(chr, range(0xC0, 0x17F))) - frozenset("×÷ĦħĸĿŀŉŦŧ")
"""The letters that the T1 encoding has."""

_JOINED = frozenset("-',!?<>")
"""Signs that TeX may join with the next one to another sign."""


def escaped(text: object) -> str:
    """The text on one line, meaning nothing but itself in LaTeX."""
    line = visible(text)
    return "".join(
        _sign(char) + ("{}" if char in _JOINED and after in _JOINED | {"`"} else "")
        for char, after in pairwise(f"{line} ")
    )


def _sign(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    return char if (char.isascii() and char.isprintable()) or char in _LATIN else f"[U+{ord(char):04X}]"
