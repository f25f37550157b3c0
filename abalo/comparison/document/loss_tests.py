"""Losses against the reference as tests, which the headline and all reports count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from abalo.comparison.document.node_names import FUNCTION
from abalo.comparison.test.label_losses import compared_by
from abalo.comparison.test.newly import NEWLY_WRONG
from abalo.core.documents.blocks import Measured
from abalo.core.documents.found import certain
from abalo.core.documents.losses_found import ComparedTask, Comparison, LabelCount, LossFacts
from abalo.core.protocols.results import label_in_words
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.statistics.losses import STATES, Moved
from abalo.core.statistics.plan import BASELINE
from abalo.errors import visible

TestOutcome = Literal["failed", "fail, not blocking", "undecided", "skipped", "passed"]

MEAN, LABELS = "mean", "labels"
"""Ids, after the task name, of losses that belong to no case."""

_NOT_BLOCKING = "regressed without blocking"

BY_CASES = "explained by failed cases"
"""State of a mean loss that regressed only through failed cases."""

EARLY = "stopped early: likely smaller"

_LENGTH = 700

_LARGEST = 3


@dataclass(frozen=True, slots=True)
class LossTest:
    """One loss as a test.

    Attributes:
        id: Id of a case, or ``ner/mean`` or ``ner/labels``.
        loss: Row that decided; None for lost labels.
        worst: Row of the label that lost most, if another row decided.
        said: Lines with only numbers and names.
        sentence: A newly broken sentence, or "".
    """

    id: str
    task: str
    outcome: TestOutcome
    state: str
    loss: LossFacts | None
    said: tuple[str, ...]
    worst: LossFacts | None = None
    sentence: str = ""

    @property
    def name(self) -> str:
        """Such as ``test_loss[ner/accents]``."""
        return f"{FUNCTION}[{self.id}]"

    @property
    def regressed(self) -> bool:
        """True if the loss exceeds its limit, blocking or not."""
        return self.outcome in ("failed", "fail, not blocking")

    @property
    def message(self) -> str:
        """The failure message, numbers first."""
        return "\n".join([*self.said, *([f"newly broken: {self.sentence}"] if self.sentence else [])])


def reference_in_words(compared: Comparison) -> str:
    """Names the reference, such as ``the reference 1.0``."""
    return f"the reference {visible(compared.reference.name)}"


def loss_tests(compared: Comparison | None) -> list[LossTest]:
    """Returns each task's tests: clean corpus, mean, lost labels, cases."""
    tasks_compared = {} if compared is None else compared.tasks
    return [test for name, own in tasks_compared.items() for test in _of_task(name, own)]


def failed_tests(compared: Comparison | None) -> list[LossTest]:
    """Returns the failed tests, which the headline counts."""
    return [test for test in loss_tests(compared) if test.outcome == "failed"]


def count_accepted(compared: Comparison | None) -> str:
    """Counts cases with a waived loss, such as ``1 accepted until 2027-03-01``, with the first end date.

    Waived losses of labels count too, unless the case regressed.
    """
    tasks_compared = {} if compared is None else compared.tasks
    rows = [row for own in tasks_compared.values() for row in rows_of(own)]
    regressed = {row.id for row in rows if row.state == "regressed"}
    waived = [row for row in rows if row.state == "accepted" and row.id not in regressed]
    until = {row.id: certain(row.waiver).until for row in waived}
    if not until:
        return ""
    first = "the first " if len(set(until.values())) > 1 else ""
    return f"{len(until)} accepted{',' * bool(first)} {first}until {min(until.values())}"


def count_states(tests: Iterable[LossTest]) -> str:
    """Counts losses by state, such as ``2 regressed, 40 no worse``."""
    found = Counter(test.state for test in tests)
    order = (STATES[0], _NOT_BLOCKING, BY_CASES, *STATES[1:])
    return ", ".join(f"{found[state]} {words.state(state)}" for state in order if found[state])


def mean_of_one(own: ComparedTask) -> str:
    """Says why the mean over a single case is decided otherwise than the case; "" if it is not."""
    mean, single = own.mean, [row for row in own.losses if row.weight and row.type is None]
    if mean is None or mean.cases != 1 or mean.because_of or [mean.state] == [row.state for row in single]:
        return ""
    return "".join(
        f"the mean covers one case, {row.id}: {words.state(mean.state)} as the mean, which may lose "
        f"{words.number(mean.limit)} (max_mean_loss), {words.state(row.state)} as a case, which may lose "
        f"{words.number(row.limit)} (max_loss)"
        for row in single[:1]
    )


def rows_of(own: ComparedTask) -> list[LossFacts]:
    """Returns a task's rows, most general first."""
    return [loss for loss in (own.baseline, own.mean, *own.losses) if loss is not None]


def in_words(loss: LossFacts, task: str) -> str:
    """Describes a loss: ``F1 0.900 → 0.800, loss 0.100, allowed 0.010``."""
    if loss.state == "not comparable":
        return compared_by(tasks()[task], loss.metric, loss.type).words
    p = "" if loss.p is None else f"; {words.equals_p(loss.p)}"
    seen = (
        f"; detectable loss {words.number(loss.detectable_loss)}"
        if loss.state == "can't tell" and loss.detectable_loss
        else ""
    )
    over = f"; over {words.count(loss.cases or 0, 'case')}"
    if loss.cases != loss.of_cases:
        over = f"; over {loss.cases} of {words.count(loss.of_cases or 0, 'case')}"
    allowed = f"allowed {words.number(loss.limit)}{p}{seen}{over if loss.cases else ''}"
    return f"{change_in_words(loss, task)}, {allowed}"


def change_in_words(loss: LossFacts, task: str) -> str:
    """Describes a loss without its limit: ``F1 0.900 → 0.800, loss 0.100``, or ``newly wrong 0.100``."""
    metric = compared_by(tasks()[task], loss.metric, loss.type).words
    if loss.metric == NEWLY_WRONG:
        return f"{metric} {loss_text(loss)}"
    return f"{metric} {words.number(loss.reference)} → {words.number(loss.new)}, loss {loss_text(loss)}"


def loss_text(loss: LossFacts) -> str:
    """Formats a loss with its interval; says so if the loss is likely smaller."""
    return f"{Measured.of(loss)}{f' ({EARLY})' if is_likely_smaller(loss) else ''}"


def answers_moved(moved: Sequence[Moved], task: str) -> str:
    """Says where right answers went: ``answers moved: from PER to ORG, 31 of 142 PER in gold``; "" if none did."""
    pairs = []
    for each in moved:
        source, target = label_in_words(task, each.source), label_in_words(task, each.target) or "nothing"
        pairs.append(f"from {source} to {target}, {each.count:,} of {each.places:,} {source} in gold")
    return f"answers moved: {'; '.join(pairs)}" if moved else ""


def is_likely_smaller(loss: LossFacts) -> bool:
    """True if the loss was measured only until it had regressed [Whitehead, Biometrika 73, 1986: 573-581]."""
    return loss.stopped_early and loss.state == "regressed"


def _of_task(task: str, own: ComparedTask) -> Iterator[LossTest]:
    by_case: dict[str, list[LossFacts]] = {}
    for row in rows_of(own):
        if row.id is not None:
            by_case.setdefault(row.id, []).append(row)
    clean = f"{task}/{BASELINE}"
    if clean in by_case:
        yield _of_case(clean, by_case.pop(clean), task, own)
    if own.mean is not None:
        yield _of_mean(task, own)
    if own.lost:
        yield _of_labels(task, own.lost)
    for case, found in by_case.items():
        yield _of_case(case, found, task, own)


def _of_case(case: str, found: Sequence[LossFacts], task: str, own: ComparedTask) -> LossTest:
    whole = [row for row in found if row.type is None] or list(found)
    regressed = [row for row in (*whole, *_largest_first(found)) if row.state == "regressed"]
    blocking = [row for row in regressed if row.blocking]
    if not regressed:
        comparable = [row for row in whole if row.state != "not comparable"]
        waived = [row for row in _largest_first(found) if row.state == "accepted"]
        by_size = _largest_first(comparable or whole) if whole[0].type is not None else comparable or whole
        lead = min([*by_size, *waived], key=lambda row: STATES.index(row.state))
        return LossTest(case, task, _outcome(lead), lead.state, lead, (lead.reason or in_words(lead, task),))
    lead = (blocking or regressed)[0]
    said = [_row_in_words(lead, task), *filter(None, [answers_moved(lead.moved, task)])]
    if lead.type is not None and whole[0].type is None:
        said.append(f"the whole case: {in_words(whole[0], task)}, {words.state(whole[0].state)}")
    by_label = [row for row in _largest_first(found) if row.type is not None and row.value is not None]
    worst = by_label[0] if by_label and by_label[0] is not lead else None
    if worst is not None:
        said.append(f"largest loss: {_row_in_words(worst, task)}")
    texts = (each.text for each in own.newly_worse if each.case == case and each.text)
    sentence = visible(words.shorten(next(texts, None) or "", _LENGTH))
    outcome: TestOutcome = "failed" if blocking else "fail, not blocking"
    state = "regressed" if blocking else _NOT_BLOCKING
    return LossTest(case, task, outcome, state, lead, tuple(said), worst, sentence)


def _of_mean(task: str, own: ComparedTask) -> LossTest:
    mean = certain(own.mean)
    because, name = mean.because_of, f"{task}/{MEAN}"
    if mean.state == "regressed" and because:
        told = f"within its limit without {', '.join(because)}"
        return LossTest(name, task, "skipped", BY_CASES, mean, (told,))
    if mean.state != "regressed":
        said_of_mean = f"not known: {mean.reason}" if mean.reason else in_words(mean, task)
        return LossTest(name, task, _outcome(mean), mean.state, mean, (said_of_mean,))
    parts = [row for row in own.losses if row.weight and (row.value or 0.0) > 0]
    largest = sorted(parts, key=lambda row: -row.weight * (row.value or 0.0))[:_LARGEST]
    named = ", ".join(f"{row.id} {words.number(row.value)}" for row in largest)
    said = (in_words(mean, task), *filter(None, [named and f"largest losses: {named}", mean_of_one(own)]))
    state = "regressed" if mean.blocking else _NOT_BLOCKING
    return LossTest(name, task, "failed" if mean.blocking else "fail, not blocking", state, mean, said)


def _of_labels(task: str, lost: Sequence[LabelCount]) -> LossTest:
    said = [f"no longer found: {', '.join(label_in_words(task, each.type) for each in lost)}"]
    said += [
        f"{label_in_words(task, each.type)}: the reference found it in {each.found:g} of {each.places} places in "
        f"{words.count(each.examples, tasks()[task].noun)}, the new run in none"
        + (f"; {answers_moved(each.moved, task)}" if each.moved else "")
        for each in lost
    ]
    return LossTest(f"{task}/{LABELS}", task, "failed", "regressed", None, tuple(said))


def _outcome(row: LossFacts) -> TestOutcome:
    if row.state == "can't tell":
        return "undecided"
    return "skipped" if row.state in ("not comparable", "too few changed", "not judged") else "passed"


def _largest_first(found: Iterable[LossFacts]) -> list[LossFacts]:
    return sorted(found, key=lambda row: -(row.value or 0.0))


def _row_in_words(row: LossFacts, task: str) -> str:
    said = in_words(row, task)
    return said if row.type is None else f"{tasks()[task].group_noun} {label_in_words(task, row.type)}: {said}"
