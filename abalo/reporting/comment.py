"""The comment on a pull request: a run beside its reference, in at most `LINES` lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from abalo.config.thresholds import canonical_id
from abalo.core import words
from abalo.core.blocks import Block, Fold, Item, Line, Text, Verdict
from abalo.core.results import Json, needing_attention
from abalo.errors import visible
from abalo.reporting import problems, run
from abalo.reporting.blocks import comparison
from abalo.reporting.dates import aged
from abalo.reporting.markdown import SIZE_LIMIT, rendered
from abalo.reporting.quoting import COMMENT_MARK

LINES = 60
"""The most lines of a comment."""

SENTENCES = 3
"""How many sentences it quotes."""

_ROWS = (8, 6, 4, 3, 2, 1)
"""How many rows its table may have that regressed: the first that keeps it within its limits is used."""

_ALL = 1_000
"""The rows that the renderer may show: how many there are is decided here."""

_FACTS = 4

_TEXT = 300
"""How many characters of a line are shown where the comment would be too long."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """Facts that the report does not have, for its readers.

    ``not_compared`` is the reason why there is no reference, ``notes`` are lines about it, ``link`` is the address of
    the whole report, ``name`` tells the comments of several gates apart.
    """

    not_compared: str = "the run was judged without --abalo-against"
    notes: Sequence[str] = ()
    link: str = ""
    name: str = "abalo"


def comment(document: Json, reference: Json | None, remarks: Remarks, today: date) -> str:
    """The comment on a run, its verdict in the first line, its mark in the last.

    ``reference`` is the document of the run that it was judged against: what failed there, too, is folded away. Where
    it is None, nothing is.
    """
    pages = (_page(document, reference, remarks, today, rows) for rows in _ROWS)
    return next(filter(_fits, pages), _page(document, None, replace(remarks, notes=()), today, 0))


def without_report(reason: str, remarks: Remarks) -> str:
    """The comment on a gate that left no report."""
    verdict = Text(
        ("there is no report of the run to be told here",), role="verdict", verdict=Verdict(None, "NO VERDICT")
    )
    return _signed([verdict, Text((words.shortened(reason, _TEXT),)), *_notes(remarks)], remarks)


def _fits(page: str) -> bool:
    return page.count("\n") <= LINES and len(page.encode("utf-8", "backslashreplace")) <= SIZE_LIMIT


def _page(document: Json, reference: Json | None, remarks: Remarks, today: date, rows: int) -> str:
    compared = document.get("comparison")
    blocks: list[Block] = [_verdict(document, remarks)]
    if compared is not None:
        told = {(each.task, each.label) for each in problems.problems(compared)}
        blocks += [*problems.in_words(document), *comparison.doubts(compared, told), *comparison.drift(compared)]
    blocks += _cut(run.notices(document), max(1, rows // 2))
    facts = [*_facts(document, today)]
    if compared is not None and problems.problems(compared) and facts:  # else two lists would be one
        facts[0] = replace(facts[0], title=facts[0].title or "What was compared")
    blocks += [*_notes(remarks), *facts]
    if compared is not None:
        blocks += [*comparison.few(document, max(1, rows)), *comparison.worst_sentences(document, SENTENCES)]
    blocks += _failures(document, reference, max(1, rows))
    return _signed(blocks, remarks)


def _signed(blocks: Iterable[Block], remarks: Remarks) -> str:
    link = f"\n[The whole report](<{remarks.link}>)\n" if remarks.link else ""
    return f"{rendered(blocks, _ALL)}{link}\n{mark(remarks.name)}\n"


def mark(name: str) -> str:
    """The line, unseen on a page, by which a later run finds the comment that it is to replace."""
    return COMMENT_MARK.format(name)


def _verdict(document: Json, remarks: Remarks) -> Text:
    """The verdict on the run; without a reference a pass is one by bounds alone, and the line says so first."""
    found = run.run_verdict(document)
    if document.get("comparison") is not None or not document["complete"]:
        return found
    word = found.verdict.word if found.verdict else ""
    by_bounds = f"no reference ({visible(remarks.not_compared)}); by bounds alone {word}: {found.lines[0]}"
    if document["verdict"] == "fail":
        return replace(found, lines=(f"{found.lines[0]}; not compared: {visible(remarks.not_compared)}",))
    return replace(found, lines=(by_bounds,), verdict=Verdict(None, "NOT COMPARED"))


def _cut(blocks: Iterable[Text], most: int) -> Iterator[Text]:
    """The blocks with at most so many lines each, and how many are left out."""
    for block in blocks:
        left = len(block.lines) - most
        more: tuple[Line, ...] = (f"{words.count(left, 'more line')} in the report.",) if left > 0 else ()
        yield replace(block, lines=(*block.lines[:most], *more))


def _notes(remarks: Remarks) -> Iterator[Text]:
    if remarks.notes:
        yield Text(tuple(words.shortened(note, _TEXT) for note in remarks.notes), role="list")


def _facts(document: Json, today: date) -> Iterator[Text]:
    """A line for each task, with model and corpus, and one for the reference, with its age."""
    lines = [line for block in run.subjects(document) for line in block.lines][:_FACTS]
    compared = document.get("comparison")
    if compared is not None:
        said = compared["reference"]
        accepted = f"accepted {aged(said.get('date'), today)}" if said.get("date") else "not accepted"
        commit = words.name(str(said.get("commit") or ""))
        told = [f"commit {commit}"] if commit and not commit.startswith(said["name"]) else []
        models = dict.fromkeys(words.name(own["model"]) for own in compared["tasks"].values())
        lines.append(Item(", ".join([words.name(said["name"]), accepted, *told, *models]), "Reference"))
    if lines:
        yield Text(tuple(lines), role="list")


def _failures(document: Json, reference: Json | None, rows: int) -> Iterator[Block]:
    """The cases beyond their bounds, those without a result, the undecided; folded, those that failed before."""
    failed = [result for result in needing_attention(document) if result["verdict"] == "fail"]
    before = set() if reference is None else {_failure(result) for result in reference["results"]} - {None}
    old = [result for result in failed if _failure(result) in before]
    new = [result for result in failed if _failure(result) not in before]
    failed_title, undecided_title = _titles(document)
    title = failed_title if reference is None else f"{failed_title}, and did not in the reference"
    beyond = (*_clean(document, "fail"), *run.still_broken(document), *run.judged_so(new, "fail"))
    yield from _short(beyond, title, rows, "failure")
    yield from _short(tuple(run.without_result(document)), "Did not run", rows, "case")
    undecided = (*_clean(document, "inconclusive"), *run.judged_so(needing_attention(document), "inconclusive"))
    yield from _short(undecided, undecided_title, max(1, rows // 2), "bound")
    folded = tuple(_short(tuple(run.judged_so(old, "fail")), "", rows, "failure"))
    if folded:
        yield Fold(f"{words.count(len(old), 'case')} failed in the reference, too", folded)


def _titles(document: Json) -> tuple[str, str]:
    """The headings above bounds that failed and that are undecided; beside losses they say that it is about bounds."""
    if document.get("comparison") is None:
        return "Failed", "Inconclusive"
    return "Beyond their bounds", "Undecided bounds"


def _clean(document: Json, found: str) -> Iterator[Item]:
    """A line for each task whose clean corpus has this verdict."""
    yield from (line for line in run.clean(document) if line.verdict and line.verdict.verdict == found)


def _short(lines: Sequence[Item], title: str, most: int, noun: str) -> Iterator[Text]:
    """The first lines under a title; nothing without any."""
    if lines:
        cut = tuple(replace(line, text=words.shortened(line.text, _TEXT)) for line in lines)
        yield Text(cut, title, "list", noun=noun, most=most)


def _failure(result: Json) -> tuple[str, str | None] | None:
    """The case of a result in its bound view, if it failed there."""
    failed = result["verdict"] == "fail"
    return (canonical_id(result["id"]), result.get("span_source")) if failed else None
