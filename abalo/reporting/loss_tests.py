"""The losses against the reference as tests: one for each loss that can stop a release, the same for every reader.

The headline, the last line of pytest, JUnit, annotations, comments and pages count and list these tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from abalo.core import words
from abalo.core.blocks import Measured
from abalo.core.losses import STATES
from abalo.core.plan import BASELINE
from abalo.core.results import Json
from abalo.core.task import tasks
from abalo.errors import visible
from abalo.reporting.node_names import FUNCTION

Outcome = Literal["failed", "fail, not blocking", "inconclusive", "skipped", "passed"]

MEAN, LABELS = "mean", "labels"
"""The ids of the two losses that belong to no case, behind the name of their task."""

_NOT_BLOCKING = "regressed without blocking"

BY_CASES = "told by its cases"
"""The state of a mean loss that regressed only because of cases that failed themselves."""

_LENGTH = 700
"""How many characters of a sentence are quoted."""

_LARGEST = 3
"""How many cases the message of a mean loss names."""


@dataclass(frozen=True, slots=True)
class LossTest:
    """One loss as a test.

    ``id`` is that of a case, or ``ner/mean`` or ``ner/labels``. ``state`` is the word by which it is counted, such as
    ``regressed`` or ``no worse``. ``loss`` is the row that decided, None for lost labels; ``worst`` is the row of the
    label that lost most, if another row decided. ``said`` are lines with numbers and names alone. ``sentence`` quotes a
    newly broken sentence, empty if there is none with text.
    """

    id: str
    task: str
    outcome: Outcome
    state: str
    loss: Json | None
    said: tuple[str, ...]
    worst: Json | None = None
    sentence: str = ""

    @property
    def name(self) -> str:
        """The name of the test, such as ``test_loss[ner/accents]``."""
        return f"{FUNCTION}[{self.id}]"

    @property
    def regressed(self) -> bool:
        """Whether the loss is above its limit, with or without failing the run."""
        return self.outcome in ("failed", "fail, not blocking")

    @property
    def message(self) -> str:
        """The text of a failure, the numbers first."""
        return "\n".join([*self.said, *([f"newly broken: {self.sentence}"] if self.sentence else [])])


def loss_tests(compared: Json | None) -> list[LossTest]:
    """The tests of a comparison, task by task: clean corpus, mean, lost labels, then the cases; [] without one."""
    tasks_compared = {} if compared is None else compared["tasks"]
    return [test for name, own in tasks_compared.items() for test in _of_task(name, own)]


def failed(compared: Json | None) -> list[LossTest]:
    """The tests that failed: these are the losses that a headline counts."""
    return [test for test in loss_tests(compared) if test.outcome == "failed"]


def accepted(compared: Json | None) -> str:
    """How many cases lost what a waiver allows, and until when, such as ``1 accepted until 2027-03-01``; else empty.

    A case counts if one of its labels did, too, unless it regressed. Of several days the first is told.
    """
    tasks_compared = {} if compared is None else compared["tasks"]
    rows = [row for own in tasks_compared.values() for row in rows_of(own)]
    regressed = {row["id"] for row in rows if row["state"] == "regressed"}
    waived = [row for row in rows if row["state"] == "accepted" and row["id"] not in regressed]
    until = {row["id"]: row["waiver"]["until"] for row in waived}
    if not until:
        return ""
    first = "the first " if len(set(until.values())) > 1 else ""
    return f"{len(until)} accepted{',' * bool(first)} {first}until {min(until.values())}"


def counted(tests: Iterable[LossTest]) -> str:
    """How many losses are in each state, such as ``2 regressed, 40 no worse``."""
    found = Counter(test.state for test in tests)
    order = (STATES[0], _NOT_BLOCKING, BY_CASES, *STATES[1:])
    return ", ".join(f"{found[state]} {state}" for state in order if found[state])


def rows_of(own: Json) -> list[Json]:
    """Every row of a task, the most general first."""
    return [loss for loss in (own["baseline"], own["mean"], *own["losses"]) if loss is not None]


def in_words(loss: Json) -> str:
    """The metric in both runs, and the loss beside its limit: ``f1 0.900 → 0.800, loss 0.100, allowed 0.010``."""
    if loss["state"] == "not comparable":
        return words.spoken(loss["metric"])
    numbers = f"{words.number(loss['reference'])} → {words.number(loss['new'])}"
    p = "" if loss["p"] is None else f"; {words.equals_p(loss['p'])}"
    seen = f"; detectable loss {words.number(loss['sight'])}" if loss["state"] == "can't tell" and loss["sight"] else ""
    allowed = f"allowed {words.number(loss['limit'])}{p}{seen}"
    return f"{words.spoken(loss['metric'])} {numbers}, loss {Measured.of(loss)}, {allowed}"


def _of_task(task: str, own: Json) -> Iterator[LossTest]:
    by_case: dict[str, list[Json]] = {}
    for row in rows_of(own):
        if row["id"] is not None:
            by_case.setdefault(row["id"], []).append(row)
    clean = f"{task}/{BASELINE}"
    if clean in by_case:
        yield _of_case(clean, by_case.pop(clean), task, own)
    if own["mean"] is not None:
        yield _of_mean(task, own)
    if own["lost"]:
        yield _of_labels(task, own["lost"])
    for case, found in by_case.items():
        yield _of_case(case, found, task, own)


def _of_case(case: str, found: Sequence[Json], task: str, own: Json) -> LossTest:
    """The test of a case: its rows overall and by label, those of further metrics too."""
    whole = [row for row in found if row["type"] is None] or list(found)
    regressed = [row for row in (*whole, *_largest_first(found)) if row["state"] == "regressed"]
    blocking = [row for row in regressed if row["blocking"]]
    if not regressed:
        comparable = [row for row in whole if row["state"] != "not comparable"]
        waived = [row for row in _largest_first(found) if row["state"] == "accepted"]
        lead = min([*(comparable or whole), *waived], key=lambda row: STATES.index(row["state"]))
        return LossTest(case, task, _outcome(lead), lead["state"], lead, (lead["reason"] or in_words(lead),))
    lead = (blocking or regressed)[0]
    said = [_row_in_words(lead, task)]
    if lead["type"] is not None and whole[0]["type"] is None:
        said.append(f"the whole case: {in_words(whole[0])}, {whole[0]['state']}")
    by_label = [row for row in _largest_first(found) if row["type"] is not None and row["value"] is not None]
    worst = by_label[0] if by_label and by_label[0] is not lead else None
    if worst is not None:
        said.append(f"worst {_row_in_words(worst, task)}")
    texts = (each["text"] for each in own["newly_worse"] if each["case"] == case and each["text"])
    sentence = visible(words.shortened(next(texts, ""), _LENGTH))
    outcome: Outcome = "failed" if blocking else "fail, not blocking"
    state = "regressed" if blocking else _NOT_BLOCKING
    return LossTest(case, task, outcome, state, lead, tuple(said), worst, sentence)


def _of_mean(task: str, own: Json) -> LossTest:
    mean = own["mean"]
    because, name = mean["because_of"], f"{task}/{MEAN}"
    if mean["state"] == "regressed" and because:
        told = f"regressed only because of {', '.join(because)}, which failed"
        return LossTest(name, task, "skipped", BY_CASES, mean, (told,))
    if mean["state"] != "regressed":
        return LossTest(name, task, _outcome(mean), mean["state"], mean, (mean["reason"] or in_words(mean),))
    parts = [row for row in own["losses"] if row["weight"] and (row["value"] or 0.0) > 0]
    largest = sorted(parts, key=lambda row: -row["weight"] * row["value"])[:_LARGEST]
    named = ", ".join(f"{row['id']} {words.number(row['value'])}" for row in largest)
    said = (in_words(mean), *([f"most of it: {named}"] if named else []))
    state = "regressed" if mean["blocking"] else _NOT_BLOCKING
    return LossTest(name, task, "failed" if mean["blocking"] else "fail, not blocking", state, mean, said)


def _of_labels(task: str, lost: Sequence[Json]) -> LossTest:
    said = [f"no longer found anywhere: {', '.join(words.name(each['type']) for each in lost)}"]
    said += [
        f"{words.name(each['type'])}: the reference found {each['found']:g} of {each['places']} places in "
        f"{words.count(each['examples'], tasks()[task].noun)}, the new run none"
        for each in lost
    ]
    return LossTest(f"{task}/{LABELS}", task, "failed", "regressed", None, tuple(said))


def _outcome(row: Json) -> Outcome:
    if row["state"] == "can't tell":
        return "inconclusive"
    return "skipped" if row["state"] in ("not comparable", "too few changed") else "passed"


def _largest_first(found: Iterable[Json]) -> list[Json]:
    return sorted(found, key=lambda row: -(row["value"] or 0.0))


def _row_in_words(row: Json, task: str) -> str:
    said = in_words(row)
    return said if row["type"] is None else f"{tasks()[task].group_noun} {words.name(row['type'])}: {said}"
