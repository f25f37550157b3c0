"""The verdict on a case, in whose words its bounds and its comparison with the reference are two questions."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.core import words
from abalo.core.blocks import Item, Verdict
from abalo.core.results import Json, verdict
from abalo.errors import visible
from abalo.reporting import problems
from abalo.reporting.loss_tests import LossTest, loss_tests

REGRESSED = "regressed"

_BOUNDS = {"pass": "bounds hold", "fail": "bound fails", "inconclusive": "bounds undecided"}


def regressions(document: Json) -> dict[str, LossTest]:
    """The loss of each case that regressed, as a whole or in a label, by its id; none without a reference."""
    tests = loss_tests(document.get("comparison"))
    return {test.id: test for test in tests if test.outcome in ("failed", "fail, not blocking")}


def of_bounds(result: Json, document: Json) -> Verdict:
    """The verdict of the bounds of a case; beside a comparison its words say that it is about bounds."""
    found = verdict(result)
    if document.get("comparison") is None or result["verdict"] is None:
        return found
    blocking = "" if result["blocking"] else " (not blocking)"
    return Verdict(found.verdict, f"{_BOUNDS[result['verdict']]}{blocking}")


def standing(result: Json, document: Json) -> Verdict:
    """The verdict on a case: regressed, and what its bounds say; without a loss that of its bounds."""
    lost, own = regressions(document).get(result["id"]), of_bounds(result, document)
    if lost is None:
        return own
    blocking = "" if lost.outcome == "failed" else " (not blocking)"
    return Verdict("fail", f"{REGRESSED}{blocking}" + ("" if result["verdict"] is None else f"; {own.word}"))


def in_a_word(result: Json, document: Json) -> Verdict:
    """The same where there is little room: of a case that regressed nothing more."""
    found = standing(result, document)
    return Verdict(found.verdict, REGRESSED) if found.word.startswith(REGRESSED) else found


def against(result: Json, document: Json) -> Iterator[Item]:
    """The loss of a case that regressed; nothing for others."""
    lost = regressions(document).get(result["id"])
    if lost is not None and lost.loss is not None:
        name, group = visible(document["comparison"]["reference"]["name"]), lost.loss["type"]
        about = "" if group is None else f"{words.name(group)}: "
        yield Item(f"{about}{problems.numbers(lost.loss, lost.task)}", f"Against {name}")
