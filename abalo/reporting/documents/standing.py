"""The verdict on a case by its bounds and its comparison."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.comparison.document.loss_tests import LossTest, loss_tests, reference_in_words
from abalo.core.documents.blocks import Item, VerdictMark
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, certain
from abalo.core.protocols.results import label_in_words, verdict
from abalo.reporting.documents import problems

REGRESSED = "regressed"

_BOUNDS = {"pass": "bounds hold", "fail": "bound fails", "inconclusive": "bounds undecided"}


def regressions(document: Document) -> dict[str, LossTest]:
    """Returns the losses of regressed cases by id."""
    tests = loss_tests(document.comparison)
    return {test.id: test for test in tests if test.outcome in ("failed", "fail, not blocking")}


def of_bounds(result: Result, document: Document) -> VerdictMark:
    """Returns the verdict of a case's bounds."""
    found = verdict(result)
    if document.comparison is None or result.verdict is None:
        return found
    blocking = "" if result.blocking else " (not blocking)"
    return VerdictMark(found.verdict, f"{_BOUNDS[result.verdict]}{blocking}")


def standing(result: Result, document: Document) -> VerdictMark:
    """Returns the verdict: regressed, if so, and the verdict of the bounds."""
    lost, own = regressions(document).get(result.id), of_bounds(result, document)
    if lost is None:
        return own
    blocking = "" if lost.outcome == "failed" else " (not blocking)"
    return VerdictMark("fail", f"{REGRESSED}{blocking}" + ("" if result.verdict is None else f"; {own.word}"))


def in_a_word(result: Result, document: Document) -> VerdictMark:
    """Returns the verdict, only "regressed" if the case regressed."""
    found = standing(result, document)
    return VerdictMark(found.verdict, REGRESSED) if found.word.startswith(REGRESSED) else found


def against(result: Result, document: Document) -> Iterator[Item]:
    """Describes the loss of a regressed case."""
    lost = regressions(document).get(result.id)
    if lost is not None and lost.loss is not None:
        name, group = reference_in_words(certain(document.comparison)), lost.loss.type
        about = "" if group is None else f"{label_in_words(lost.task, group)}: "
        yield Item(f"{about}{problems.numbers(lost.loss, lost.task)}", f"Against {name}")
