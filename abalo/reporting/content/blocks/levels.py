"""Charts of cases by linguistic level [TextFlint, section 3]; untested levels are marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from abalo.core.documents.blocks import Bar, Block, Chart, Column, Group, Line, Row, Table, define_terms
from abalo.core.documents.document import Document
from abalo.core.documents.found import PerturbationFields, Result
from abalo.core.protocols.results import cases, headline, metric_of, probe_of, scenario, task_of, verdict, weight
from abalo.core.records import words
from abalo.reporting.content.blocks import ReportBlock, nothing
from perturbations.perturbation import Kind

_MEANINGS: Mapping[str, str] = {
    "morphology": "the form of words, such as spelling, accents, letter case, inflection",
    "lexis": "the choice of a word, such as synonyms, opposites, other numbers",
    "syntax": "the parts of a sentence, such as other names or added adverbs",
    "pragmatics": "the text around the point, and its presentation, such as asides and punctuation",
}

_MOST = 12


def summary(document: Document) -> Sequence[Block]:
    """Draws a sector per level, with a bar per case."""
    by_quantity: dict[tuple[str, str], list[Result]] = {}
    for result in cases(document):
        probe = probe_of(result)
        if probe.scored and probe.perturbs and headline(result).value is not None:
            by_quantity.setdefault((result.task, result.headline), []).append(result)
    tested = [results for results in by_quantity.values() if any(map(_level, results))]
    return [_figure(results, several=len(tested) > 1) for results in tested]


BLOCK = ReportBlock("levels", summary, page=nothing, order=-10)


def _level(result: Result) -> Kind | None:
    return PerturbationFields.of(result).kind


def _figure(tested: Sequence[Result], *, several: bool) -> Chart:
    by_level = {level: [result for result in tested if _level(result) == level] for level in get_args(Kind)}
    shown = {level: _most_telling(results) for level, results in by_level.items()}
    quantity = metric_of(tested[0], tested[0].headline).words
    title = f"{words.sentence_case(quantity)} by level of language"
    numbers = {id(result): number for number, result in enumerate((r for part in shown.values() for r in part), 1)}
    groups = tuple(
        Group(level, tuple(_bar(result, numbers[id(result)]) for result in shown[level]), _note(results))
        for level, results in by_level.items()
    )
    rows = tuple(
        Row(
            (
                words.sentence_case(level),
                str(numbers[id(result)]),
                scenario(result),
                headline(result),
                verdict(result),
            ),
            weight(result),
        )
        for level, results in shown.items()
        for result in results
    )
    columns = (
        Column("Level"),
        Column("No.", numeric=True),
        Column("Case"),
        Column(words.sentence_case(quantity), numeric=True, wide=True),
        Column(words.VERDICT_ON_BOUND),
    )
    return Chart(
        f"{task_of(tested[0]).title}: {title}" if several else title,
        groups,
        quantity,
        "circle",
        notes=tuple(_notes(by_level, shown, tested)),
        most=_MOST,
        table=Table(columns, rows, noun="case", cards=True),
    )


def _most_telling(results: Sequence[Result]) -> list[Result]:
    kept = {id(result) for result in sorted(results, key=weight, reverse=True)[:_MOST]}
    return [result for result in results if id(result) in kept]


def _bar(result: Result, number: int) -> Bar:
    return Bar(scenario(result), headline(result), verdict=verdict(result), weight=weight(result), tick=str(number))


def _note(results: Sequence[Result]) -> str:
    worst = max((headline(result).value or 0.0 for result in results), default=0.0)
    return f"{words.count(len(results), 'case')}, worst {words.number(worst)}" if results else "not tested"


def _notes(
    by_level: Mapping[str, Sequence[Result]], shown: Mapping[str, Sequence[Result]], tested: Sequence[Result]
) -> Iterator[Line]:
    yield from define_terms(_MEANINGS)
    untested = [level for level, results in by_level.items() if not results]
    of_levels = sum(map(len, by_level.values()))
    hidden, others = of_levels - sum(map(len, shown.values())), len(tested) - of_levels
    if untested:
        yield f"Not tested in this run: {', '.join(untested)}."
    if hidden:
        yield f"{words.count(hidden, 'more case')} of these levels in the table of results."
    if others:
        verb = "is" if others == 1 else "are"
        yield f"{words.count(others, 'case')} without a level {verb} left out."
