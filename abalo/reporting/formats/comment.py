"""The pull request comment: a run beside its reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice

from abalo.comparison.blocks import comparison, newly_broken
from abalo.config.thresholds import canonical_id
from abalo.core.documents.blocks import Block, Examples, Fold, Item, Line, Text, VerdictMark, with_one_legend
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import needing_attention, scenario
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.errors import visible
from abalo.reporting.content import run
from abalo.reporting.content.blocks import look
from abalo.reporting.documents import problems
from abalo.reporting.documents.quoting import COMMENT_MARK
from abalo.reporting.drawing.dates import with_age
from abalo.reporting.formats.failure import examples_of
from abalo.reporting.formats.markdown import SIZE_LIMIT, render

LINES = 60

SENTENCES = 3

_ROWS_A_SENTENCE = 4

_ROWS = (8, 6, 4, 3, 2, 1)

_ALL = 1_000

_FACTS = 4

_TEXT = 300


@dataclass(frozen=True, slots=True)
class Remarks:
    """Facts that the report lacks; ``name`` distinguishes gates."""

    not_compared: str = "the run was judged without --abalo-against"
    notes: Sequence[str] = ()
    link: str = ""
    name: str = "abalo"


def comment(document: Document, reference: Document | None, remarks: Remarks, today: date) -> str:
    """Returns the comment, verdict first, mark last; failures shared with ``reference`` are folded."""
    pages = (_page(document, reference, remarks, today, rows) for rows in _ROWS)
    return next(filter(_fits, pages), _page(document, None, replace(remarks, notes=()), today, 0))


def without_report(reason: str, remarks: Remarks) -> str:
    """Returns the comment on a gate that left no report."""
    verdict = Text(("the run left no whole report",), role="verdict", verdict=VerdictMark(None, "NO VERDICT"))
    return _sign([verdict, Text((words.shorten(reason, _TEXT),)), *_notes(remarks)], remarks)


def _fits(page: str) -> bool:
    return page.count("\n") <= LINES and len(page.encode("utf-8", "backslashreplace")) <= SIZE_LIMIT


def _page(document: Document, reference: Document | None, remarks: Remarks, today: date, rows: int) -> str:
    compared = document.comparison
    blocks: list[Block] = [*_verdict(document, remarks)]
    if compared is not None:
        told = {(each.task, each.label) for each in problems.problems(compared)}
        blocks += [*problems.in_words(document), *comparison.doubts(compared, told), *comparison.drift(compared)]
    blocks += _cut(run.notices(document), max(1, rows // 2))
    facts = [*_facts(document, today, with_turned=rows > 0)]
    if compared is not None and problems.problems(compared) and facts:  # else two lists would be one
        facts[0] = replace(facts[0], title=facts[0].title or "What was compared")
    blocks += [*_notes(remarks), *facts]
    if compared is not None:
        blocks += [*comparison.few(document, max(1, rows)), *comparison.worst_sentences(document, SENTENCES)]
    blocks += _failures(document, reference, max(1, rows))
    return _sign(blocks, remarks)


def _sign(blocks: Iterable[Block], remarks: Remarks) -> str:
    link = f"\n[The whole report](<{remarks.link}>)\n" if remarks.link else ""
    return f"{render(blocks, _ALL)}{link}\n{mark(remarks.name)}\n"


def mark(name: str) -> str:
    """Returns the invisible line that identifies a comment to replace."""
    return COMMENT_MARK.format(name)


def _verdict(document: Document, remarks: Remarks) -> Iterator[Text]:
    found, why = run.run_verdict(document), visible(remarks.not_compared)
    if document.comparison is not None or not document.complete:
        yield found
        yield from run.finding_of_look(document)
    elif document.verdict == "fail":
        yield replace(found, lines=(f"{found.lines[0]}; not compared: {why}",))
    else:
        word = found.verdict.word if found.verdict else ""
        by_bounds = f"no reference ({why}); by bounds alone {word}: {found.lines[0]}"
        of_look = look.finding(document)
        said = f"{of_look}; no reference ({why})" if of_look else by_bounds
        yield replace(found, lines=(said,), verdict=VerdictMark(None, "NOT COMPARED"))


def _cut(blocks: Iterable[Text], most: int) -> Iterator[Text]:
    for block in blocks:
        left = len(block.lines) - most
        more: tuple[Line, ...] = (f"{words.count(left, 'more line')} in the report.",) if left > 0 else ()
        yield replace(block, lines=(*block.lines[:most], *more))


def _notes(remarks: Remarks) -> Iterator[Text]:
    if remarks.notes:
        yield Text(tuple(words.shorten(note, _TEXT) for note in remarks.notes), role="list")


def _facts(document: Document, today: date, *, with_turned: bool) -> Iterator[Text]:
    lines = [line for block in run.subjects(document) for line in block.lines][:_FACTS]
    compared = document.comparison
    if compared is not None:
        said = compared.reference
        accepted = f"accepted {with_age(said.date, today)}" if said.date else "not accepted"
        commit = words.name(str(said.commit or ""))
        told = [f"commit {commit}"] if commit and not commit.startswith(said.name) else []
        models = dict.fromkeys(words.name(own.model) for own in compared.tasks.values())
        turned = [(tasks()[name], own) for name, own in compared.tasks.items() if with_turned]
        lines += [Item(text, task.title) for task, own in turned if (text := newly_broken.turned(own, task))]
        lines.append(Item(", ".join([words.name(said.name), accepted, *told, *models]), "Reference"))
    if lines:
        yield Text(tuple(lines), role="list")


def _failures(document: Document, reference: Document | None, rows: int) -> Iterator[Block]:
    failed = [result for result in needing_attention(document) if result.verdict == "fail"]
    before = set() if reference is None else {_failure(result) for result in reference.results} - {None}
    old = [result for result in failed if _failure(result) in before]
    new = [result for result in failed if _failure(result) not in before]
    failed_title, undecided_title = _titles(document)
    title = failed_title if reference is None else f"{failed_title}, but not in the reference"
    beyond = (*_clean(document, "fail"), *run.still_broken(document), *run.judgements_of(new, "fail"))
    yield from _short(beyond, title, rows, "failure")
    yield from with_one_legend(chain.from_iterable(_sentence(each) for each in new[: rows // _ROWS_A_SENTENCE]))
    yield from _short(tuple(run.without_result(document)), "Did not run", rows, "case")
    undecided = (*_clean(document, "inconclusive"), *run.judgements_of(needing_attention(document), "inconclusive"))
    yield from _short(undecided, undecided_title, max(1, rows // 2), "bound")
    folded = tuple(_short(tuple(run.judgements_of(old, "fail")), "", rows, "failure"))
    if folded:
        yield Fold(f"{words.count(len(old), 'case')} failed in the reference, too", folded)


def _sentence(result: Result) -> Iterator[Examples]:
    """The worst example of a failed case, if its text may be shown."""
    shown = (each for each in examples_of(result) if isinstance(each, Examples) and each.examples)
    for block in islice(shown, 1):
        yield replace(block, examples=block.examples[:1], title=scenario(result))


def _titles(document: Document) -> tuple[str, str]:
    if document.comparison is None:
        return "Failed", "Undecided"
    return "Beyond their bounds", "Undecided bounds"


def _clean(document: Document, found: str) -> Iterator[Item]:
    yield from (line for line in run.clean(document) if line.verdict and line.verdict.verdict == found)


def _short(lines: Sequence[Item], title: str, most: int, noun: str) -> Iterator[Text]:
    if lines:
        cut = tuple(replace(line, text=words.shorten(line.text, _TEXT)) for line in lines)
        yield Text(cut, title, "list", noun=noun, most=most)


def _failure(result: Result) -> str | None:
    return canonical_id(result.id) if result.verdict == "fail" else None
