"""The losses against the reference: regressed, no worse, or undecided."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from abalo.comparison.blocks import newly_broken
from abalo.comparison.document.loss_tests import (
    BY_CASES,
    EARLY,
    MEAN,
    LossTest,
    answers_moved,
    count_states,
    in_words,
    is_likely_smaller,
    loss_tests,
    mean_of_one,
    reference_in_words,
    rows_of,
)
from abalo.comparison.test.label_losses import compared_by
from abalo.core.documents.blocks import (
    Block,
    Cell,
    Column,
    Fold,
    Item,
    Line,
    Measured,
    Row,
    Table,
    Text,
    VerdictMark,
    heads,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import certain
from abalo.core.documents.losses_found import Chain, ComparedTask, Comparison, LossFacts, ShiftedLabel, UnitDifference
from abalo.core.protocols.results import cases, label_in_words, probe_of
from abalo.core.protocols.task import Task, cluster_noun, tasks
from abalo.core.records import words
from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.losses import STATES
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import times_as_many
from abalo.errors import visible
from abalo.reporting.documents import problems
from abalo.reporting.documents.finding import OF_LOSSES
from abalo.reporting.documents.problems import case_titles, title_of

_VERDICTS = {
    "regressed": "fail",
    "can't tell": "inconclusive",
    "accepted": "pass",
    "no worse": "pass",
    "improved": "pass",
    "same results": "pass",
    "identical": "pass",
    "not comparable": None,
    "too few changed": None,
    "not judged": None,
}

_TOLD = ("accepted", "improved")

_OPEN_STATES = ("can't tell", "too few changed")

_LENGTH = 700

_WIDTH = 160
"""Two lines of a small terminal."""
_MEANING = (
    "A loss is the score of the reference minus the score of the new run on the same examples; for a perturbed "
    "case, on the examples that it changed. A negative loss is an improvement."
)

_ACCEPTED = "Accepted: a waiver allows the loss, which is not clearly within the usual limit."

_NAMED = 2

_OPEN = 6

_UNDECIDED = 10


def summary(document: Document) -> Sequence[Block]:
    """Shows each task's outcome, losses, gaps, and sentences that got worse."""
    compared = document.comparison
    return [] if compared is None else list(_blocks(compared, document))


def page(document: Document) -> Sequence[Block]:
    """Shows the summary with only regressions open."""
    compared = document.comparison
    return [] if compared is None else list(_blocks(compared, document, short=True))


def brief(document: Document) -> Sequence[Block]:
    """Lists waivers, and losses unless they are no worse or identical."""
    compared = document.comparison
    if compared is None:
        return []
    found: list[Block] = [*drift(compared)]
    for name, own in compared.tasks.items():
        tests = [test for test in loss_tests(compared) if test.task == name]
        failed = [_line(test) for test in tests if test.regressed]
        open_still = [
            test for test in tests if not test.regressed and (test.outcome != "passed" or test.state in _TOLD)
        ]
        lines = [*failed, *map(_line, sorted(open_still, key=lambda test: STATES.index(_ranked(test))))]
        found.append(Text(tuple(lines), role="list", noun="loss", most=len(failed) + _UNDECIDED))
        lines = [Item(said, name)] if (said := newly_broken.turned(own, tasks()[name])) else []
        lines += _answers(own, tasks()[name])
        lines += _losing_in_short(own, tasks()[name])
        lines += [Item(_waiver_text(loss), subject(loss, name)) for loss in rows_of(own) if _has_waiver(loss)]
        lines += _alone(own, name)
        alone = _by_bounds_alone(tasks()[name], own, document)
        lines += [Item(f"not compared, {words.inline(each.term)}: {each.text}", name) for each in alone]
        found.append(Text(tuple(lines), role="list"))
        found.append(Text((_count_states(name, own, compared),)))
    return [*found, *_missing(compared), *problems.in_short(document)]


def _ranked(test: LossTest) -> str:
    return "not judged" if test.state == BY_CASES else test.state


def _answers(own: ComparedTask, task: Task) -> Iterator[Item]:
    """Lists the moves of lost and regressed labels' answers, most frequent first, on the clean corpus if known."""
    rows = [label.moved for label in own.lost] + [row.moved for row in own.losses]
    moved = {(each.source, each.target): each for found in reversed(rows) for each in found}
    shown = sorted(moved.values(), key=lambda each: -each.count)[:_MOVES]
    if shown:
        yield Item(answers_moved(shown, task.name), task.name)


_MOVES = 5


def _by_bounds_alone(task: Task, own: ComparedTask, document: Document) -> Iterator[Item]:
    """Names the cases whose number no two runs are compared by."""
    compared = {row.id for row in rows_of(own)}
    results = [each for each in cases(document) if each.task == task.name and each.id not in compared]
    alone = [each for each in results if probe_of(each).compared_by(task) is None]
    for said, judged in (("Judged by bounds alone", True), ("Only measured", False)):
        if named := [each.id for each in alone if bool(each.judgements) == judged]:
            yield Item(_some(named), said)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


_NOT_IN_FILE = 'default cases that the thresholds file leaves out; extends = "default" adds them'


def _alone(own: ComparedTask, task: str) -> Iterator[Item]:
    for names, which in (
        (own.only_new, "the reference has no such case"),
        (own.only_reference, "not in this run"),
        (own.only_default, _NOT_IN_FILE),
    ):
        if names:
            yield Item(f"not compared, {which}: {_some(names)}", task)


def _line(test: LossTest) -> Item:
    decided, text = _state_verdict(test), test.said[0]
    if test.loss is not None and test.state != BY_CASES:
        text = "" if test.state == "not comparable" else in_words(test.loss, test.task).partition(";")[0]
    return Item(words.shorten(text, _WIDTH), _loss_id(test), verdict=decided)


def _loss_id(test: LossTest) -> str:
    group = None if test.loss is None else test.loss.type
    return test.id if group is None else f"{test.id} {tasks()[test.task].group_noun} {label_in_words(test.task, group)}"


def _state_verdict(test: LossTest) -> VerdictMark:
    if test.loss is None:
        return VerdictMark("fail", test.state)
    return VerdictMark(None, test.state) if test.state == BY_CASES else _verdict(test.loss)


def _blocks(compared: Comparison, document: Document, *, short: bool = False) -> Iterator[Block]:
    titles = case_titles(document)
    yield from problems.in_words(document)
    yield from drift(compared)
    yield from _missing(compared)
    for name, own in compared.tasks.items():
        task, against = tasks()[name], f"losses against {reference_in_words(compared)}"
        state = _state_of(own)
        yield Text((Item(_count_states(name, own, compared), verdict=state),), role="list")
        tests = [test for test in loss_tests(compared) if test.task == name]
        regressed = _that_regressed(tests, own)
        every = _table(tests, own, titles, task, "" if short else f"{task.title}: {against}")
        if regressed and short:
            beside = [test for test in tests if test.outcome == "fail, not blocking"]
            if beside:
                yield replace(_table(beside, own, titles, task, f"{task.title}: regressed without blocking"), notes=())
            yield Text((OF_LOSSES,), role="list")
        elif regressed:
            yield replace(every, notes=(*every.notes, OF_LOSSES))
        lost = tuple(_line(test) for test in tests if test.loss is None)
        if lost:
            yield Text(lost, role="list")
        yield from _fallen_labels(own, task)
        yield from _losing_rows(own, tests, task, titles)
        yield from _remark_texts(own, task, document)
        changed = _changed_sentences(own, task, titles, regressed)
        with_edits = [*newly_broken.mark_sentences(_by_case(own.newly_worse, regressed), document)]
        yield from with_edits
        yield from newly_broken.turned_by_case(own, titles, task)
        if "worse" in changed:
            worse = changed["worse"]
            title = worse.title if worse.title[0].isdigit() else f"All {words.inline(worse.title)}"
            yield Fold(title, (worse,)) if with_edits else worse
        if "better" in changed:
            yield Fold(changed["better"].title, (replace(changed["better"], title="", open=None),))
        elif own.newly_better:
            better = len({each.sentence_id for each in own.newly_better})
            yield Text((f"{words.count(better, task.noun)} got better; the reference keeps no texts to show.",))
        if short or not regressed:
            failed = [test for test in tests if test.regressed]
            alone = _table(failed, own, titles, task, "Regressed") if regressed else None
            yield Fold(f"All {against}", (every,) if alone is None else (alone, replace(every, title="All")))


def _state_of(own: ComparedTask) -> VerdictMark:
    word = "can't tell" if own.small_lost and _VERDICTS[own.state] == "pass" else own.state
    return VerdictMark(_VERDICTS[word], words.state(word))


def _fallen_labels(own: ComparedTask, task: Task) -> Iterator[Text]:
    largest = sorted(own.found_less, key=lambda each: (each.now - each.found, each.type))
    lines = tuple(
        Item(
            f"found {each.found:g} of {words.count(each.places, 'place')}, now {each.now:g}",
            label_in_words(task.name, each.type),
        )
        for each in largest
    )
    if lines:
        noun = task.group_noun
        yield Text(
            lines,
            f"{task.title}: {noun}s found less often on the clean corpus, undecided",
            "list",
            noun=noun,
            most=_OPEN,
        )


def _losing(own: ComparedTask) -> list[LossFacts]:
    """Losses with an interval above 0 that neither regressed nor are accepted, largest first."""
    told = ("regressed", "accepted")
    losing = [each for each in rows_of(own) if each.state not in told and (each.low or 0.0) > 0]
    return sorted(losing, key=lambda each: -certain(each.value))


def _losing_rows(own: ComparedTask, tests: Sequence[LossTest], task: Task, titles: Mapping[str, str]) -> Iterator[Text]:
    """Lists the losses above 0, then those that are not decided."""
    losing = _losing(own)
    open_still = (test.loss for test in tests if test.state in _OPEN_STATES and test.loss is not None)
    losing += [each for each in open_still if each not in losing]
    lines = tuple(
        Item(
            problems.numbers(each, task.name),
            title_of(each.id, titles) + ("" if each.type is None else f", {label_in_words(task.name, each.type)}"),
            verdict=_verdict(each),
        )
        for each in losing
    )
    if lines:
        yield Text(
            lines, f"{task.title}: losses above 0 or undecided, not regressed", "list", noun="loss", most=_UNDECIDED
        )


def _losing_in_short(own: ComparedTask, task: Task) -> Iterator[Item]:
    losing = [f"{subject(each, task.name)} {Measured.of(each)}" for each in _losing(own) if each.type is not None]
    if losing:
        more = f" and {len(losing) - _SHORT} more" if len(losing) > _SHORT else ""
        yield Item(f"{task.group_noun}s with a loss above 0: {', '.join(losing[:_SHORT])}{more}", task.name)


_SHORT = 3


def drift(compared: Comparison) -> Iterator[Text]:
    """Shows the mean losses since the chain's first reference, as a notice if one exceeds the limit."""
    found, name = compared.since, compared.reference.name
    if compared.reference.since is None or found is None:
        return
    again = f" of {found.date}" if found.name == name and found.date else ""  # a reference that was replaced
    most = max(found.mean_loss.values(), default=0.0)
    said = f"Mean loss {since(found, again)}"
    limit = found.limit or 0.0
    if most > limit:
        said += f", above {words.limit(limit)}: accepted losses have added up"
    yield Text((f"{said}.",), role="notice" if most > limit else "plain")


def doubts(compared: Comparison, told: Collection[tuple[str, str]] = ()) -> Iterator[Text]:
    """Lists trainings that regressed, labels that shifted or are gone but too rare to count, and means of one case.

    Omits the labels in ``told``, given by task.
    """
    lines = []
    for task, own in compared.tasks.items():
        group = tasks()[task].group_noun
        lines += [
            f"{each.case or task}: the {group} {label_in_words(task, each.type)} is no longer found; the reference "
            f"found {each.found:g} of {words.count(each.places, 'place')}."
            for each in own.small_lost
            if each.case or (task, each.type) not in told
        ]
        lines += [
            f"{task}: the training {visible(each.model)} alone regressed in {_first(each.regressed, task)}; only "
            "the mean over trainings decides."
            for each in own.trainings
            if each.regressed
        ]
        lines += [f"{task}: the {group} {_shift_text(each, task)}." for each in own.shifted]
        lines += [f"{task}: {group}s are not compared: {own.no_labels}."] if own.no_labels else []
        lines += [f"{task}: {mean_of_one(own)}."] if mean_of_one(own) else []
        lines += [f"{task}: {few_compared(own, task)}."] if few_compared(own, task) else []
    if lines:
        yield Text(tuple(lines), role="notice")


def few_compared(own: ComparedTask, task: str) -> str:
    """Says what few examples cannot show; "" if they are enough, or the runs are identical."""
    if own.identical or own.baseline.state == "not comparable" or own.baseline.n >= FEWEST_CLUSTERS:
        return ""
    compared = words.count(own.baseline.n, f"distinct {tasks()[task].noun}")
    told = f"{compared} can show a loss, but not that there is none, which needs {FEWEST_CLUSTERS}"
    skewed = "losses are found too often if a few of them gain much and most lose a little"
    return f"{told}; {skewed}" if own.state == "regressed" else told


def _shift_text(label: ShiftedLabel, task: str) -> str:
    change = f"{label.metric} {words.number(label.reference)} → {words.number(label.new)}, F1 not regressed"
    moved = answers_moved(label.moved, task)
    return f"{label_in_words(task, label.type)} shifted: {change}" + (f"; {moved}" if moved else "")


def _first(regressed: Sequence[str | None], task: str) -> str:
    return _some([case or f"{task}/{MEAN}" for case in regressed])


def since(chain: Chain, again: str = "") -> str:
    """Formats the mean losses of a chain, such as ``since 1.0: 0.021``."""
    lost = {name: words.number(value) for name, value in chain.mean_loss.items()}
    numbers = lost.values() if len(lost) == 1 else [f"{name} {value}" for name, value in lost.items()]
    return f"since {visible(chain.name)}{again}: {', '.join(numbers) or 'not known'}"


def remarks(document: Document) -> Iterator[Block]:
    """Lists what could not be compared, with reasons, and accepted losses."""
    yield from _missing(certain(document.comparison))
    for name, own in certain(document.comparison).tasks.items():
        yield from _remark_texts(own, tasks()[name], document)


def _remark_texts(own: ComparedTask, task: Task, document: Document) -> Iterator[Text]:
    titles = case_titles(document)
    for title, found in (
        ("Not compared", (*_not_compared(own, titles), *_by_bounds_alone(task, own, document))),
        ("Accepted losses", _waived_losses(own, titles)),
    ):
        if lines := tuple(found):
            yield Text(lines, title, "remarks", noun="remark", most=20)


def sentences(document: Document) -> Iterator[Text]:
    """Shows each task's first sentences that got worse, then better."""
    titles = case_titles(document)
    for name, own in certain(document.comparison).tasks.items():
        tests = [test for test in loss_tests(document.comparison) if test.task == name]
        regressed = _that_regressed(tests, own)
        changed = _changed_sentences(own, tasks()[name], titles, regressed).values()
        yield from (replace(text, most=_OPEN, open=None) for text in changed)


def _changed_sentences(
    own: ComparedTask, task: Task, titles: Mapping[str, str], regressed: Sequence[LossFacts]
) -> dict[str, Text]:
    shown = len({each.sentence_id for each in own.newly_worse})
    titles_of = {way: f"{words.sentence_case(task.noun)}s that got {way}" for way in ("worse", "better")}
    if own.worse is not None and shown < own.worse:
        titles_of["worse"] = f"{shown} of {own.worse:,} {task.noun}s that got worse"
    return {
        way: Text(lines, titles_of[way], "list", noun=task.noun, open=_OPEN)
        for way, units in (("worse", own.newly_worse), ("better", [each for each in own.newly_better if each.text]))
        if (lines := tuple(_sentence(each, titles) for each in _by_case(units, regressed)))
    }


def _table(tests: Sequence[LossTest], own: ComparedTask, titles: Mapping[str, str], task: Task, title: str) -> Table:
    """A row for each test; the headline counts their states."""
    floor, losses = task.metrics()[own.metric].words, _rows_that_lead(tests, own)
    told = ("regressed", "accepted", "improved")
    states = [state for state in told if any(state in _of_types(loss, own) for loss in losses)]
    columns = (
        Column("Case"),
        Column(f"Reference {floor}", numeric=True),
        Column(f"New {floor}", numeric=True),
        Column("Loss, corrected interval", numeric=True, wide=True),
        Column("Allowed", numeric=True),
        Column("State"),
        *(Column(f"{words.sentence_case(state)} {task.group_noun}s") for state in states),
    )
    rows = tuple(_row(test, own, titles, states) for test in tests)
    waived = any(_worst(loss, own) == "accepted" for loss in losses) or "accepted" in states
    notes = (_MEANING, *([_ACCEPTED] if waived else []))
    return Table(columns, rows, title, notes, noun="case", cards=True)


def every(compared: Comparison, most: int | None = None) -> Iterator[Table]:
    """Lists losses by case and type: worst states first, then whole cases, then largest losses."""
    for name, own in compared.tasks.items():
        task, losses = tasks()[name], sorted(rows_of(own), key=_rank)
        floor, shown = task.metrics()[own.metric].words, losses[:most]
        columns = (
            Column("State"),
            Column("Case"),
            Column(words.sentence_case(task.group_noun)),
            Column(f"Reference {floor}", numeric=True),
            Column(f"New {floor}", numeric=True),
            Column("Loss, corrected interval", numeric=True, wide=True),
            *(Column(heading, numeric=True) for heading in ("Allowed", "p", "Detectable loss")),
            *([Column("Why")] if any(loss.reason for loss in shown) else []),
        )
        rows = tuple(Row(_line_of(loss, own, name)[: len(columns)]) for loss in shown)
        cut = (
            (f"{words.count(len(losses) - len(shown), 'more row')}; --format json has all.",)
            if len(shown) < len(losses)
            else ()
        )
        notes = (*_other_texts(own, name), *cut)
        count = sum(test.task == name for test in loss_tests(compared))
        told = f"{words.count(count, 'loss', 'losses')} in {words.count(len(losses), 'row')}"
        title = f"{task.title}: {told}, every case and {task.group_noun}"
        yield Table(columns, rows, title, notes, noun="loss", cards=True)


def _other_texts(own: ComparedTask, task: str) -> Iterator[str]:
    """Names the cases in which each model has its own texts."""
    if names := [subject(loss, task) for loss in rows_of(own) if loss.type is None and loss.paired_by == "example"]:
        yield f"Each model has texts of its own, made from the same {tasks()[task].noun}s, in {_some(names)}."


def _rank(loss: LossFacts) -> tuple[int, bool, float]:
    return STATES.index(loss.state), loss.type is not None, -(loss.value or 0.0)


def _other_metric(loss: LossFacts, own: ComparedTask) -> str:
    return "" if loss.metric == own.metric else f" ({words.identifier_in_words(loss.metric)})"


def _line_of(loss: LossFacts, own: ComparedTask, task: str) -> tuple[Cell, ...]:
    return (
        replace(_verdict(loss), note=""),
        subject(replace(loss, type=None), task) + _other_metric(loss, own),
        "all" if loss.type is None else label_in_words(task, loss.type),
        words.number(loss.reference),
        words.number(loss.new),
        Measured.of(loss),
        words.number(loss.limit),
        words.p_value(loss.p),
        words.number(loss.detectable_loss),
        loss.reason or "",
    )


def regressed_cases(document: Document) -> set[str]:
    """Returns the ids of cases that regressed, overall or in a type."""
    compared = {} if document.comparison is None else document.comparison.tasks
    losses = (loss for own in compared.values() for loss in rows_of(own))
    return {loss.id for loss in losses if loss.state == "regressed" and loss.id is not None}


def _of_types(loss: LossFacts, own: ComparedTask) -> dict[str, list[LossFacts]]:
    found: dict[str, list[LossFacts]] = {}
    for each in sorted(own.losses, key=lambda each: -(each.value or 0.0)):
        if loss.id is not None and each.id == loss.id and each.type is not None:
            found.setdefault(each.state, []).append(each)
    return found


def _that_regressed(tests: Sequence[LossTest], own: ComparedTask) -> list[LossFacts]:
    return _rows_that_lead([test for test in tests if test.regressed], own)


def _rows_that_lead(tests: Sequence[LossTest], own: ComparedTask) -> list[LossFacts]:
    """Each test's row about its whole case, else its own."""
    whole: dict[str | None, LossFacts] = {}
    for loss in sorted(rows_of(own), key=lambda loss: STATES.index(loss.state)):
        if loss.type is None:
            whole.setdefault(loss.id, loss)
    return [whole.get(test.loss.id, test.loss) for test in tests if test.loss is not None]


def _worst(loss: LossFacts, own: ComparedTask) -> str:
    return min((str(loss.state), *_of_types(loss, own)), key=STATES.index)


def _by_case(sentences: Sequence[UnitDifference], regressed: Sequence[LossFacts]) -> list[UnitDifference]:
    places = {loss.id: k for k, loss in enumerate(regressed)}
    first = {each.case: k for k, each in reversed([*enumerate(sentences)])}
    return sorted(sentences, key=lambda each: (places.get(each.case, len(places)), first[each.case]))


def _missing(compared: Comparison) -> Iterator[Block]:
    if compared.missing:
        yield Text(
            (f"not comparable: {reference_in_words(compared)} did not judge {', '.join(compared.missing)}",),
            role="notice",
        )


def _count_states(name: str, own: ComparedTask, compared: Comparison) -> str:
    unseen = "; same fingerprint, other clean predictions" if own.changed_unseen else ""
    told = f"{name} against {reference_in_words(compared)} ({visible(own.model)})"
    tests = [test for test in loss_tests(compared) if test.task == name]
    return f"{told}: {count_states(tests)}{unseen}"


def _row(test: LossTest, own: ComparedTask, titles: Mapping[str, str], states: Sequence[str]) -> Row:
    if test.loss is None:
        named = ", ".join(label_in_words(test.task, each.type) for each in own.lost)
        return Row((f"Lost labels: {named}", *[words.NOTHING] * 4, _state_verdict(test), *[""] * len(states)))
    (loss,) = _rows_that_lead([test], own)
    of_types = _of_types(loss, own) if loss.type is None else {}
    decided = _of_case(loss, of_types, test.task)
    if test.state in (BY_CASES, "accepted") and test.state != loss.state:
        decided = replace(_state_verdict(test), note=test.said[0] if test.state == BY_CASES else "")
    cells: tuple[Cell, ...] = (
        title_of(loss.id, titles)
        + (_other_metric(loss, own) if loss.type is None else f", {label_in_words(test.task, loss.type)}"),
        words.number(loss.reference),
        words.number(loss.new),
        Measured.of(loss),
        words.NOTHING if loss.state == "not comparable" else words.number(loss.limit),
        decided,
        *(", ".join(_of_type(each, test.task) for each in of_types.get(state, ())) for state in states),
    )
    return Row(cells, -STATES.index(_worst(loss, own)))


def _of_case(loss: LossFacts, of_types: Mapping[str, Sequence[LossFacts]], task: str) -> VerdictMark:
    lost = of_types.get("regressed", ())
    if loss.state == "regressed" or not lost:
        return _verdict(loss)
    blocking = "" if any(each.blocking for each in lost) else " (not blocking)"
    named = ", ".join(label_in_words(task, certain(each.type)) for each in lost[:_NAMED]) + ", …" * (len(lost) > _NAMED)
    why = f" ({loss.reason})" if loss.reason else ""
    return VerdictMark("fail", f"regressed in {named}{blocking}", f"as a whole: {words.state(loss.state)}{why}")


def _of_type(loss: LossFacts, task: str) -> str:
    return f"{label_in_words(task, certain(loss.type))}: {Measured.of(loss).number}"


def subject(loss: LossFacts, task: str) -> str:
    """Names a loss by case and type, such as ``ner/accents PER``."""
    case = f"{task}/{MEAN}" if loss.id is None else str(loss.id)
    return case if loss.type is None else f"{case} {label_in_words(task, loss.type)}"


def _verdict(loss: LossFacts) -> VerdictMark:
    word = words.state(loss.state) + " (not blocking)" * (not loss.blocking)
    return VerdictMark(_VERDICTS[loss.state], word, loss.reason or (EARLY if is_likely_smaller(loss) else ""))


def _not_compared(own: ComparedTask, titles: Mapping[str, str]) -> Iterator[Line]:
    for loss in rows_of(own):
        if loss.state == "not comparable":
            yield Item(certain(loss.reason), title_of(loss.id, titles))
    if own.only_new:
        yield Item(", ".join(own.only_new), "Not in the reference")
    if own.only_reference:
        yield Item(", ".join(own.only_reference), "Only in the reference")
    if own.only_default:
        yield Item(f"{', '.join(own.only_default)}: {_NOT_IN_FILE}", "Default cases")


def _waived_losses(own: ComparedTask, titles: Mapping[str, str]) -> Iterator[Line]:
    for loss in rows_of(own):
        if _has_waiver(loss):
            yield Item(_waiver_text(loss), title_of(loss.id, titles))


def _has_waiver(loss: LossFacts) -> bool:
    return loss.waiver is not None and loss.type is None


def _waiver_text(loss: LossFacts) -> str:
    waiver = certain(loss.waiver)
    said = f"{visible(waiver.why)}: a loss of up to {words.limit(waiver.accepted_loss)}"
    return (
        f"{said} was accepted until {waiver.until}; the waiver has expired"
        if waiver.over
        else (f"{said} is accepted until {waiver.until}; left out of the mean")
    )


def _sentence(each: UnitDifference, titles: Mapping[str, str]) -> Item:
    text = each.text if each.text is not None else f"{each.sentence_id}, seed {each.seed}"
    answered = f"; {newly_broken.answered(each)}" if each.worse > 0 else ""
    return Item(visible(words.shorten(text, _LENGTH)) + answered, title_of(each.case, titles))


# For a comment -------------------------------------------------------------------------------------------------------

_SHARES = {"regressed": 1.0, "can't tell": 0.5, "accepted": 0.5, "improved": 0.5, "no worse": 0.25}

_DECIDED = ("regressed", "improved")

_MEANINGS = {
    "regressed": (
        "A loss is the score of the reference minus the new score on the same examples. A case "
        "regressed if its loss is significantly larger than allowed."
    ),
    "can't tell": "Undecided: the corpus is too small to decide whether the loss is larger than allowed.",
}


def few(document: Document, rows: int) -> Iterator[Block]:
    """Shows at most ``rows`` regressions and some losses of every other state, then counts and gaps."""
    compared = document.comparison
    tests = loss_tests(compared)
    shown = [
        test
        for state, share in _SHARES.items()
        for test in sorted((each for each in tests if _state(each) == state), key=_general_first)[
            : max(1, int(rows * share))
        ]
    ]
    regressed = any(_state(test) == "regressed" for test in shown)
    first = [test for test in shown if not regressed or _state(test) in _DECIDED]
    rest = [test for test in shown if test not in first]
    if first:
        yield _short_table(first, document, rows)
    if rest:
        left = count_states([test for test in tests if _state(test) not in _DECIDED])
        yield Fold(f"Other losses: {left}", (_short_table(rest, document, rows),))
    if left := count_states(tests):
        cut = count_states([test for test in tests if _state(test) in _SHARES and test not in shown])
        yield Text((f"All losses: {left}." + (f" Left out here, but in the report: {cut}." if cut else ""),))
    yield from _missing(certain(compared))
    reasons: dict[str, list[str]] = {}
    for test in tests:
        if test.loss is not None and test.state == "not comparable":
            reasons.setdefault(str(test.loss.reason), []).append(test.id)
    lines = tuple(
        Item(words.shorten(", ".join(found), _LENGTH), f"Not comparable: {words.shorten(reason, _LENGTH)}")
        for reason, found in reasons.items()
    )
    if lines:
        yield Text(lines, role="list", noun="reason", most=max(1, rows // 3))


def _short_table(tests: Sequence[LossTest], document: Document, rows: int) -> Table:
    states = {_state(test) for test in tests}
    notes = [_MEANINGS[state] for state in _MEANINGS if state in states]
    compared, titles = certain(document.comparison), case_titles(document)
    several = len(compared.tasks) > 1
    found = {test.task for test in tests}
    noun = words.sentence_case(tasks()[next(iter(found))].group_noun) if len(found) == 1 else "Label"
    metrics = {
        compared_by(tasks()[test.task], test.loss.metric, test.loss.type).words
        for test in tests
        if test.loss is not None
    }
    metric = f" {next(iter(metrics))}" if len(metrics) == 1 else ""
    columns = (
        *heads(("", "Case", noun), numeric=False),
        *heads((f"Reference{metric}", f"New{metric}", "Loss, corrected interval", "Allowed"), wide=True),
        Column(f"{noun} that lost most"),
        Column("To decide"),
    )
    cells = [row for test in tests for row in _short_rows(test, compared, titles, rows, several=several)]
    kept = [place for place in range(len(columns)) if place not in _OPTIONAL or _says(cells, place)]
    return Table(
        tuple(columns[place] for place in kept),
        tuple(Row(tuple(row[place] for place in kept)) for row in cells),
        notes=tuple(notes),
        keys=2,
        noun="loss",
    )


_OPTIONAL = (2, 7, 8)
"""Columns omitted if empty."""

_ALL = "all"


def _says(rows: Sequence[Sequence[Cell]], place: int) -> bool:
    return any(row[place] not in ("", _ALL) for row in rows)


def worst_sentences(document: Document, most: int) -> Iterator[Text]:
    """Shows sentences that got worse, regressed cases first."""
    titles, lines = case_titles(document), list[Line]()
    for name, own in certain(document.comparison).tasks.items():
        tests = [test for test in loss_tests(document.comparison) if test.task == name]
        regressed = _that_regressed(tests, own)
        changed = _changed_sentences(own, tasks()[name], titles, regressed)
        lines += changed["worse"].lines if "worse" in changed else ()
    if lines:
        yield Text(tuple(lines[:most]), "Newly broken", "list", noun="example")


def _state(test: LossTest) -> str:
    return "regressed" if test.outcome in ("failed", "fail, not blocking") else test.state


def _general_first(test: LossTest) -> tuple[bool, float]:
    general = test.loss is None or test.loss.id is None or test.id.endswith(f"/{BASELINE}")
    size = 0.0 if test.loss is None else (test.loss.value or 0.0) * (-1 if test.state == "improved" else 1)
    return not general, -size


def _short_rows(
    test: LossTest, compared: Comparison, titles: Mapping[str, str], most: int, *, several: bool
) -> Iterator[tuple[Cell, ...]]:
    of_task, loss, own = f"{test.task}: " if several else "", test.loss, compared.tasks[test.task]
    if loss is None:
        for each in own.lost[:most]:
            found = f"found {each.found:g} of {each.places}", f"0 of {each.places}"
            label = label_in_words(test.task, each.type)
            yield (_state_verdict(test), f"{of_task}Lost label", label, *found, words.NOTHING, words.NOTHING, "", "")
        return
    more = more_needed(loss) if test.outcome == "undecided" else None
    noun = f"more {cluster_noun(tasks()[test.task])}"
    yield (
        replace(_state_verdict(test), note=""),
        f"{of_task}{title_of(loss.id, titles)}{_other_metric(loss, own) if loss.type is None else ''}",
        _ALL if loss.type is None else label_in_words(test.task, loss.type),
        words.number(loss.reference),
        words.number(loss.new),
        Measured.of(loss),
        words.number(loss.limit),
        "" if test.worst is None else _of_type(test.worst, test.task),
        "" if more is None else f"about {words.count(more, noun)}",
    )


def more_needed(loss: LossFacts) -> int | None:
    """Estimates how many more distinct examples would decide a loss, since intervals shrink with the square root of n.

    None if the loss has no interval, is decided, or equals the limit, or if nobody can judge so many.
    """
    value, low, high, limit = loss.value, loss.low, loss.high, loss.limit
    if value is None or low is None or high is None or limit is None:
        return None
    if not loss.n or abs(value - limit) < _ON_THE_LIMIT:
        return None
    n, reach = int(loss.n), value - low if value > limit else high - value
    if reach <= abs(value - limit):
        return None
    enough = times_as_many(n, (reach / (value - limit)) ** 2 - _ROUNDING)
    if enough is None:
        return None
    return max(1, enough - n) if value > limit else max(1, enough - n, FEWEST_CLUSTERS - n)


_ON_THE_LIMIT = 5e-5

_ROUNDING = 1e-9
