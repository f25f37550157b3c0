"""The failed losses of a comparison by what they show: a lost label that ten tests show is one problem, not ten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from abalo.core import words
from abalo.core.blocks import Item, Measured, Text
from abalo.core.plan import BASELINE
from abalo.core.results import Json, cases, scenario
from abalo.core.task import tasks
from abalo.errors import visible
from abalo.reporting.loss_tests import LABELS, MEAN, LossTest, loss_tests, rows_of

CLEAN = "Baseline (clean corpus)"
"""The name of the case that perturbs nothing, where a reader may take *baseline* for the reference."""

_CASES = 5
"""How many cases of a problem are named."""

_PROBLEMS = 6
"""How many problems are listed."""

_NO_LOSS = ("can't tell", "no worse", "improved", "identical")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that got worse, with the failed ``tests`` that show it.

    A problem is a ``label`` that is lost or got worse, empty for others; else the loss of the first test: on the clean
    corpus, of one case, or of the mean alone.
    """

    task: str
    tests: tuple[LossTest, ...]
    label: str = ""


def problems(compared: Json | None) -> list[Problem]:
    """The problems of a comparison, task by task: labels, the clean corpus or the mean, then cases by their loss.

    A test shows a label that is found nowhere now if no other label lost more in it; so it is with any label that lost
    most in the clean corpus and in all cases. Other tests show the loss of the clean corpus, or of
    the mean if the clean corpus did not fail, unless their own loss is significantly larger: then they are problems of
    their own.
    """
    failed = [test for test in loss_tests(compared) if test.outcome == "failed"]
    tasks_compared = {} if compared is None else compared["tasks"]
    return [
        problem
        for name, own in tasks_compared.items()
        for problem in _of_task(name, own, [test for test in failed if test.task == name])
    ]


def _of_task(task: str, own: Json, failed: Sequence[LossTest]) -> Iterator[Problem]:
    open_still = [test for test in failed if not test.id.endswith((f"/{LABELS}", f"/{MEAN}"))]
    labels = [test for test in failed if test.id == f"{task}/{LABELS}"]
    mean = [test for test in failed if test.id == f"{task}/{MEAN}"]
    found: list[Problem] = []
    for label in _labels(own, open_still):
        shown = [test for test in open_still if _worst_label(test, own) == label]
        lost = [test for test in labels if label in _types(own["lost"])]
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
    yield from (*found, *(Problem(task, (test,)) for test in sorted(open_still, key=_loss, reverse=True)))


def _types(labels: Sequence[Json]) -> list[str]:
    return [each["type"] for each in labels]


def _labels(own: Json, failed: Sequence[LossTest]) -> list[str]:
    """The labels that are found nowhere now; without any, the one that lost most in all that failed, clean ones too."""
    gone = _types([*own["lost"], *(each for each in own["vanished"] if not each["case"])])
    worst = {_worst_label(test, own) for test in failed}
    agreed = [label for label in worst if label is not None and len(worst) == 1 and any(map(_is_clean, failed))]
    return gone or agreed


def _clean_first(shown: Sequence[LossTest], mean: Sequence[LossTest]) -> list[LossTest]:
    clean = [test for test in shown if _is_clean(test)]
    return [*clean, *mean, *sorted((test for test in shown if test not in clean), key=_loss, reverse=True)]


def _is_clean(test: LossTest) -> bool:
    return test.id.endswith(f"/{BASELINE}")


def _loss(test: LossTest) -> float:
    return 0.0 if test.loss is None else float(test.loss["value"] or 0.0)


def _worst_label(test: LossTest, own: Json) -> str | None:
    """The label that lost most in a case, if that loss is significant."""
    rows = [row for row in rows_of(own) if row["id"] == test.id and row["type"] is not None]
    worst = max(rows, key=lambda row: row["value"] or 0.0, default=None)
    return worst["type"] if worst is not None and worst["state"] == "regressed" else None


def _no_larger(test: LossTest, lead: Json | None) -> bool:
    """Whether the loss of a case as a whole is not significantly larger than another loss."""
    loss = test.loss
    if loss is None or lead is None or loss["type"] is not None or loss["metric"] != lead["metric"]:
        return False
    return loss["low"] is not None and lead["value"] is not None and bool(loss["low"] <= lead["value"])


# In words ------------------------------------------------------------------------------------------------------------


def in_words(document: Json) -> Iterator[Text]:
    """The problems as a list under their number; nothing if no loss failed."""
    compared = document.get("comparison")
    found = problems(compared)
    if compared is None or not found:
        return
    titles = case_titles(document)
    several, total = len(compared["tasks"]) > 1, len({test.id for each in found for test in each.tests})
    lines = []
    for each in found:
        item = _in_words(each, compared, titles, total)
        lines.append(replace(item, term=f"{tasks()[each.task].title}: {item.term}") if several else item)
    yield Text(tuple(lines), f"{words.count(len(found), 'thing')} got worse", "list", noun="thing", most=_PROBLEMS)


def in_short(document: Json) -> Iterator[Text]:
    """The problems in one line, such as ``10 losses show 1 thing: entity type ORG is lost``.

    Nothing if each loss is a problem of its own.
    """
    compared = document.get("comparison")
    found = problems(compared)
    total = len({test.id for each in found for test in each.tests})
    if compared is None or len(found) >= total:
        return
    titles = case_titles(document)
    named = [_in_words(each, compared, titles, total).term for each in found[:_PROBLEMS]]
    more = f" and {len(found) - _PROBLEMS} more" if len(found) > _PROBLEMS else ""
    shown = "; ".join(f"{term[0].lower()}{term[1:]}" for term in named)
    yield Text((f"{words.count(total, 'loss', 'losses')} show {words.count(len(found), 'thing')}: {shown}{more}",))


def case_titles(document: Json) -> dict[str, str]:
    """The names of cases by their ids, with that of the clean corpus."""
    found = {result["id"]: scenario(result) for result in cases(document)}
    return {case: CLEAN if case.endswith(f"/{BASELINE}") else title for case, title in found.items()}


def title_of(case: str | None, titles: Json) -> str:
    """The name of the case of a loss; that of the mean for None."""
    if case is None:
        return "Mean over the perturbed cases"
    return str(titles.get(case, CLEAN if case.endswith(f"/{BASELINE}") else case))


def _in_words(problem: Problem, compared: Json, titles: Json, total: int) -> Item:
    own, noun = compared["tasks"][problem.task], tasks()[problem.task].group_noun
    number = len(problem.tests)
    share = "" if total == 1 else f"All {total}" if number == total else f"{number} of {total}"
    if problem.label:
        said, what = _of_label(problem, own, visible(compared["reference"]["name"]))
        shown = _named(problem.tests, titles, problem.task)
        also = _others(problem, own)
        return Item(
            f"{said} {share or 'The'} failed test{'s' * (total != 1)} show{'s' * (total == 1)} this: {shown}.{also}",
            f"{words.sentence_case(noun)} {words.name(problem.label)} {what}",
        )
    lead, *rest = problem.tests
    assert lead.loss is not None  # only lost labels have none
    term = title_of(lead.loss["id"], titles)
    term += "" if lead.loss["type"] is None else f", {noun} {words.name(lead.loss['type'])}"
    said = f"{numbers(lead.loss, problem.task)}{_worst(lead, noun)}."
    if rest:
        others = _named(rest, titles, problem.task)
        said += f" {share} failed tests show this, also {others}."
    if not _is_clean(lead) and own["baseline"]["state"] in _NO_LOSS:
        said += " The clean corpus shows no significant loss."
    return Item(said, term)


def _of_label(problem: Problem, own: Json, reference: str) -> tuple[str, str]:
    """How much of a label was found before and now, and what became of it."""
    clean_ones = [each for each in own["vanished"] if not each["case"]]
    gone = [each for each in (*own["lost"], *clean_ones) if each["type"] == problem.label]
    if gone:
        places = words.count(gone[0]["places"], "place")
        said = f"{reference} found {gone[0]['found']:g} of its {places} on the clean corpus, this run none."
        return said, "is lost" if problem.label in _types(own["lost"]) else "is found nowhere now"
    clean = f"{problem.task}/{BASELINE}"
    (row,) = (each for each in own["losses"] if (each["id"], each["type"]) == (clean, problem.label))
    return f"{numbers(row, problem.task)} on the clean corpus.", "got worse"


def numbers(loss: Json, task: str) -> str:
    """A metric in both runs with the loss beside its limit."""
    metric = tasks()[task].metrics()[loss["metric"]].words
    change = f"{words.number(loss['reference'])} → {words.number(loss['new'])}"
    return f"{metric} {change}, loss {Measured.of(loss)}, allowed {words.limit(loss['limit'])}"


def _worst(test: LossTest, noun: str) -> str:
    """The label that lost most, if it is known and another row decided."""
    if test.worst is None:
        return ""
    return f"; worst {noun}: {words.name(test.worst['type'])}, loss {Measured.of(test.worst).number}"


def _named(tests: Sequence[LossTest], titles: Json, task: str) -> str:
    """The tests by the names of their cases, the clean corpus and the mean with their numbers."""
    found, others = [], []
    for test in tests:
        if test.loss is None:
            found.append("lost labels")
        elif test.loss["id"] is None or _is_clean(test):
            metric = tasks()[task].metrics()[test.loss["metric"]].words
            change = f"{metric} {words.number(test.loss['reference'])} → {words.number(test.loss['new'])}"
            name = "clean corpus" if _is_clean(test) else "mean over the perturbed cases"
            found.append(f"{name} ({change})")
        else:
            others.append(title_of(test.id, titles))
    if others:
        more = f" and {len(others) - _CASES} more" if len(others) > _CASES else ""
        found.append(f"{words.count(len(others), 'perturbed case')} ({', '.join(others[:_CASES])}{more})")
    return ", ".join(found)


def _others(problem: Problem, own: Json) -> str:
    """The other labels that regressed in the same cases."""
    shown = {test.id for test in problem.tests}
    rows = [row for row in rows_of(own) if row["id"] in shown and row["state"] == "regressed" and row["type"]]
    also = list(dict.fromkeys(words.name(row["type"]) for row in rows if row["type"] != problem.label))
    return f" {', '.join(sorted(also))} regressed in the same cases." if also else ""
