"""Report blocks of a capability: description, failure rate and failures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abalo.capabilities.facts import CapabilityFacts, CapabilityFields, FailedFilling, TemplateCounts, facts_of
from abalo.core.documents.blocks import (
    Block,
    Column,
    Examples,
    Item,
    Marked,
    Measured,
    Row,
    ShownExample,
    Table,
    Text,
    meanings,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import headline
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.statistics.numbers import number_of

_SHOWN = 3


def title(result: Result) -> str:
    """Returns the capability's name."""
    return words.name(facts_of(result).name)


def extent(result: Result, task: Task) -> str:
    """Counts the fillings behind the pass rate."""
    return f"of {_run(result)}"


def remedy(result: Result, task: Task) -> str:
    """Advises on failed fillings."""
    return "Read the fillings that failed. If a template is wrong, correct it; otherwise train on examples like these."


def failure_rate(result: Result) -> Measured:
    """Returns one minus the pass rate, with its interval."""
    passed = headline(result)
    if passed.value is None:
        return passed
    low, high = (None if end is None else 1 - end for end in (passed.high, passed.low))
    return Measured(1 - passed.value, low, high)


def overview(results: Iterable[Result]) -> list[dict[str, object]]:
    """Returns the matrix as JSON values; the bound view of each case must come first."""
    own: dict[str, Result] = {}
    for result in results:
        if CapabilityFields.of(result).capability:
            own.setdefault(result.id, result)
    tasks = dict.fromkeys(result.task for result in own.values())
    return [
        {"task": task, "capability": row, "kind": kind, **_cell(tests)}
        for task in tasks
        for row, kinds in by_row([result for result in own.values() if result.task == task]).items()
        for kind, tests in kinds.items()
    ]


def _cell(tests: Sequence[Result]) -> dict[str, object]:
    worse = worst(tests)
    rate = {name: number_of(end) for name, end in zip(("value", "low", "high"), failure_rate(worse).ends, strict=True)}
    failed = sum(result.verdict == "fail" for result in tests)
    return {"tests": len(tests), "failed": failed, "worst": {"id": worse.id, "failure_rate": rate}}


def findings(result: Result) -> Sequence[Block]:
    """Shows the fillings that failed."""
    return examples(result)


def examples(result: Result) -> list[Block]:
    """Shows up to three failed fillings."""
    found = facts_of(result).failures
    name = f"{title(result)}: {_broken_cell(result)}"
    if not found:
        return []
    shown = tuple(_example(number, each) for number, each in enumerate(found[:_SHOWN], start=1))
    return [Examples(shown, name, open=_SHOWN)]


def detail(result: Result, document: Document) -> Sequence[Block]:
    """Describes the capability and lists its templates."""
    said = facts_of(result)
    lines = [Item(said.kind, "Kind"), Item(_run(result), "Run"), Item(_which_rate(said), "Pass rate")]
    if said.change:
        lines.append(Item(f"{{{said.change}}} changes; expected: {said.expect or 'nothing changes'}", "Change"))
    if said.undecided:
        lines.append(Item(f"{words.count(said.undecided, 'filling')} without an answer from the model", "Left out"))
    rows = tuple(
        Row((each.template, f"{each.run:,}/{each.exist:,}", str(each.failed), _rate(result, each)))
        for each in said.templates
    )
    columns = (
        Column("Template"),
        Column("Run", "fillings that were run, of all possible ones", numeric=True),
        Column("Failed", numeric=True),
        Column("Failure rate", numeric=True, wide=True),
    )
    return [Text(tuple(lines), "The capability", role="facts"), Table(columns, rows, "Templates", meanings(columns))]


def _rate(result: Result, template: TemplateCounts) -> Measured:
    found = Measured.of(
        result.per_type[template.name].more.get(result.headline) if template.name in result.per_type else None
    )
    if found.value is None or found.low is None or found.high is None:
        return Measured()
    return Measured(1 - found.value, 1 - found.high, 1 - found.low)


def row_of(result: Result) -> str:
    """Returns the matrix row of a result."""
    found: str = facts_of(result).capability
    return found


def by_row(results: Iterable[Result]) -> dict[str, dict[str, list[Result]]]:
    """Groups results by matrix row, alphabetically, and by kind."""
    found: dict[str, dict[str, list[Result]]] = {}
    for result in sorted(results, key=row_of):
        found.setdefault(row_of(result), {}).setdefault(facts_of(result).kind, []).append(result)
    return found


def worst(tests: Sequence[Result]) -> Result:
    """Returns the result with the highest failure rate."""
    return max(tests, key=lambda result: failure_rate(result).value or 0.0)


def _run(result: Result) -> str:
    said = facts_of(result)
    if said.census:
        return f"all {words.count(said.run, 'filling')}"
    return f"{words.count(said.run, 'filling')} drawn from {said.exist:,}"


def _which_rate(said: CapabilityFacts) -> str:
    if said.census:
        return "over all possible fillings"
    return "over the drawn fillings; a template counts with its drawn fillings, not with all possible ones"


def _broken_cell(result: Result) -> str:
    said = facts_of(result)
    return f"{said.failed:,} of {words.count(said.run, 'filling')} failed"


def _example(number: int, failure: FailedFilling) -> ShownExample:
    sentences = tuple(Marked(each.which, (each.text,)) for each in failure.shown)
    return ShownExample(Item(f"{failure.fault} ({failure.template})", f"{number}."), sentences)
