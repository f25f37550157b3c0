"""Groups failed losses: ten tests that show one lost label are one problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from abalo.comparison.document.loss_tests import (
    LABELS,
    MEAN,
    LossTest,
    answers_moved,
    change_in_words,
    loss_tests,
    rows_of,
)
from abalo.comparison.test.comparison import SAME
from abalo.comparison.test.family import TYPES
from abalo.core.documents.blocks import Item, Measured, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import certain
from abalo.core.documents.losses_found import ComparedTask, Comparison, LabelCount, LossFacts
from abalo.core.protocols.results import cases, label_in_words, scenario
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.statistics.losses import Moved
from abalo.core.statistics.plan import BASELINE

CLEAN = "Baseline (clean corpus)"
"""Avoids plain *baseline*, which could mean the reference."""

_CASES = 5

_PROBLEMS = 6

_NO_LOSS = ("can't tell", "no worse", "improved", *SAME)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that got worse: a ``label`` or, if "", the loss of the first test."""

    task: str
    tests: tuple[LossTest, ...]
    label: str = ""


def problems(compared: Comparison | None) -> list[Problem]:
    """Returns each task's problems: labels, the clean corpus or mean, then cases by loss.

    If labels are lost, a test shows the one that lost most in it. Otherwise, a label that lost most in every failed
    test,
    the clean corpus included, explains them. Other tests show the loss of the clean corpus or mean, unless they lost
    significantly more.
    """
    failed = [test for test in loss_tests(compared) if test.outcome == "failed"]
    tasks_compared = {} if compared is None else compared.tasks
    return [
        problem
        for name, own in tasks_compared.items()
        for problem in _of_task(name, own, [test for test in failed if test.task == name])
    ]


def _of_task(task: str, own: ComparedTask, failed: Sequence[LossTest]) -> Iterator[Problem]:
    open_still = [test for test in failed if not test.id.endswith((f"/{LABELS}", f"/{MEAN}"))]
    labels = [test for test in failed if test.id == f"{task}/{LABELS}"]
    mean = [test for test in failed if test.id == f"{task}/{MEAN}"]
    found: list[Problem] = []
    for label in _labels(own, open_still):
        shown = [test for test in open_still if _worst_label(test, own) == label]
        lost = [test for test in labels if label in _types(own.lost)]
        if not shown and not lost:
            continue
        open_still = [test for test in open_still if test not in shown]
        with_mean = mean if any(_is_clean(test) for test in shown) else []
        mean = [] if with_mean else mean
        found.append(Problem(task, (*lost, *_clean_first(shown, with_mean)), label))
    general = [test for test in open_still if _is_clean(test)] or mean
    if general:
        lead = general[0].loss
        shown = [test for test in open_still if test in general or _no_larger(test, lead)]
        open_still = [test for test in open_still if test not in shown]
        found.append(Problem(task, (*_clean_first(shown, mean),)))
    yield from (*found, *(Problem(task, tests) for tests in _by_label(sorted(open_still, key=_loss, reverse=True))))


def _by_label(failed: Sequence[LossTest]) -> list[tuple[LossTest, ...]]:
    """Groups the tests that failed by the same label."""
    found: dict[str, list[LossTest]] = {}
    for test in failed:
        label = None if test.loss is None else test.loss.type
        found.setdefault(test.id if label is None else f"{label} as a label", []).append(test)
    return [tuple(tests) for tests in found.values()]


def _types(labels: Sequence[LabelCount]) -> list[str]:
    return [each.type for each in labels]


def _labels(own: ComparedTask, failed: Sequence[LossTest]) -> list[str]:
    gone = _types([*own.lost, *(each for each in own.small_lost if not each.case)])
    worst = {_worst_label(test, own) for test in failed}
    agreed = [label for label in worst if label is not None and len(worst) == 1 and any(map(_is_clean, failed))]
    return gone or agreed


def _clean_first(shown: Sequence[LossTest], mean: Sequence[LossTest]) -> list[LossTest]:
    clean = [test for test in shown if _is_clean(test)]
    return [*clean, *mean, *sorted((test for test in shown if test not in clean), key=_loss, reverse=True)]


def _is_clean(test: LossTest) -> bool:
    return test.id.endswith(f"/{BASELINE}")


def _loss(test: LossTest) -> float:
    return 0.0 if test.loss is None else float(test.loss.value or 0.0)


def _worst_label(test: LossTest, own: ComparedTask) -> str | None:
    rows = [row for row in rows_of(own) if row.id == test.id and row.type is not None]
    worst = max(rows, key=lambda row: row.value or 0.0, default=None)
    fallen = {row.type for row in own.losses if row.state == "regressed" and row.type is not None}
    return worst.type if worst is not None and worst.type in fallen else None


def _no_larger(test: LossTest, lead: LossFacts | None) -> bool:
    loss = test.loss
    if loss is None or lead is None or loss.type is not None or loss.metric != lead.metric:
        return False
    return loss.low is not None and lead.value is not None and bool(loss.low <= lead.value)


# In words ------------------------------------------------------------------------------------------------------------


def in_words(document: Document) -> Iterator[Text]:
    """Lists the problems."""
    compared = document.comparison
    found = problems(compared)
    if compared is None or not found:
        return
    titles = case_titles(document)
    several, total = len(compared.tasks) > 1, len({test.id for each in found for test in each.tests})
    lines = []
    for each in found:
        item = _in_words(each, compared, titles, total)
        lines.append(replace(item, term=f"{tasks()[each.task].title}: {item.term}") if several else item)
    yield Text(tuple(lines), f"{words.count(len(found), 'thing')} got worse", "list", noun="thing", most=_PROBLEMS)


def in_short(document: Document) -> Iterator[Text]:
    """Sums up grouped problems, such as ``10 losses show 1 thing: entity type ORG is lost``."""
    compared = document.comparison
    found = problems(compared)
    total = len({test.id for each in found for test in each.tests})
    if compared is None or len(found) >= total:
        return
    titles = case_titles(document)
    named = [_in_words(each, compared, titles, total).term for each in found[:_PROBLEMS]]
    more = f" and {len(found) - _PROBLEMS} more" if len(found) > _PROBLEMS else ""
    shown = "; ".join(f"{term[0].lower()}{term[1:]}" for term in named)
    yield Text((f"{words.count(total, 'loss', 'losses')} show {words.count(len(found), 'problem')}: {shown}{more}",))


def case_titles(document: Document) -> dict[str, str]:
    """Returns the titles of cases and clean corpora by id."""
    found = {result.id: scenario(result) for result in cases(document)}
    return {case: CLEAN if case.endswith(f"/{BASELINE}") else title for case, title in found.items()}


def title_of(case: str | None, titles: Mapping[str, str]) -> str:
    """Returns the title of a loss; None means the mean."""
    if case is None:
        return "Mean over the perturbed cases"
    if case.partition("/")[2] == TYPES:
        return "All cases"
    return str(titles.get(case, CLEAN if case.endswith(f"/{BASELINE}") else case))


def _in_words(problem: Problem, compared: Comparison, titles: Mapping[str, str], total: int) -> Item:
    own, noun = compared.tasks[problem.task], tasks()[problem.task].group_noun
    number = len(problem.tests)
    share = "" if total == 1 else f"All {total}" if number == total else f"{number} of {total}"
    if problem.label:
        said, what = _of_label(problem, own)
        shown = _name_tests(problem.tests, titles, problem.task)
        also = _others(problem, own)
        told = f" {share} failed tests show this: {shown}." if number > 1 else ""
        return Item(
            f"{said}{told}{also}",
            f"{words.sentence_case(noun)} {label_in_words(problem.task, problem.label)} {what}",
        )
    lead, *rest = problem.tests
    assert lead.loss is not None  # only lost labels have none
    term = title_of(lead.loss.id, titles)
    term += "" if lead.loss.type is None else f", {noun} {label_in_words(problem.task, lead.loss.type)}"
    said = f"{numbers(lead.loss, problem.task)}{_worst(lead, noun)}.{_moved(lead.loss.moved, problem.task)}"
    if rest:
        others = _name_tests(rest, titles, problem.task)
        said += f" {share} failed tests show this: this one and {others}."
    if not _is_clean(lead) and own.baseline.state in _NO_LOSS and (own.baseline.low or 0.0) <= 0:
        said += " The clean corpus shows no significant loss."
    return Item(said, term)


def _of_label(problem: Problem, own: ComparedTask) -> tuple[str, str]:
    clean_ones = [each for each in own.small_lost if not each.case]
    gone = [each for each in (*own.lost, *clean_ones) if each.type == problem.label]
    if gone:
        places = words.count(gone[0].places, "place")
        said = f"The reference found it in {gone[0].found:g} of {places} on the clean corpus, this run in none."
        said += _moved(gone[0].moved, problem.task)
        return said, "is lost" if problem.label in _types(own.lost) else "is no longer found"
    clean = f"{problem.task}/{BASELINE}"
    (row,) = (each for each in own.losses if (each.id, each.type) == (clean, problem.label))
    return f"{numbers(row, problem.task)} on the clean corpus.{_moved(row.moved, problem.task)}", "got worse"


def _moved(moved: Sequence[Moved], task: str) -> str:
    said = answers_moved(moved, task)
    return f" {words.sentence_case(said)}." if said else ""


def numbers(loss: LossFacts, task: str) -> str:
    """Formats a metric in both runs, the loss and its limit."""
    return f"{change_in_words(loss, task)}, allowed {words.limit(certain(loss.limit))}"


def _worst(test: LossTest, noun: str) -> str:
    if test.worst is None:
        return ""
    return (
        f"; largest loss of a {noun}: {label_in_words(test.task, certain(test.worst.type))}, "
        f"{Measured.of(test.worst).number}"
    )


def _name_tests(tests: Sequence[LossTest], titles: Mapping[str, str], task: str) -> str:
    found, others = [], []
    for test in tests:
        if test.loss is None:
            found.append("lost labels")
        elif test.loss.id is None or _is_clean(test):
            change = change_in_words(test.loss, task).partition(", loss")[0]
            name = "clean corpus" if _is_clean(test) else "mean over the perturbed cases"
            found.append(f"{name} ({change})")
        elif test.id.endswith(f"/{TYPES}"):
            found.append("labels over all cases")
        else:
            others.append(title_of(test.id, titles))
    if others:
        more = f" and {len(others) - _CASES} more" if len(others) > _CASES else ""
        found.append(f"{words.count(len(others), 'perturbed case')} ({', '.join(others[:_CASES])}{more})")
    return ", ".join(found)


def _others(problem: Problem, own: ComparedTask) -> str:
    shown = {test.id for test in problem.tests}
    rows = [row for row in rows_of(own) if row.id in shown and row.state == "regressed" and row.type]
    also = list(
        dict.fromkeys(label_in_words(problem.task, row.type) for row in rows if row.type and row.type != problem.label)
    )
    return f" {', '.join(sorted(also))} regressed in the same cases." if also else ""
