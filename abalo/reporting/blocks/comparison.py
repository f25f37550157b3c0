"""The losses against an accepted run: what got worse, what did not, what cannot be told."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Cell, Column, Fold, Item, Line, Measured, Row, Table, Text, Verdict, heads
from abalo.core.losses import STATES
from abalo.core.plan import BASELINE
from abalo.core.results import Json
from abalo.core.task import Task, tasks
from abalo.errors import visible
from abalo.reporting import newly_broken, problems
from abalo.reporting.blocks import ReportBlock
from abalo.reporting.loss_tests import BY_CASES, MEAN, LossTest, counted, in_words, loss_tests, rows_of
from abalo.reporting.problems import case_titles, title_of

_VERDICTS = {
    "regressed": "fail",
    "can't tell": "inconclusive",
    "accepted": "pass",
    "no worse": "pass",
    "improved": "pass",
    "identical": "pass",
    "not comparable": None,
    "too few changed": None,
}

_TOLD = ("accepted", "improved")
"""The states of losses that pass and have a line on a terminal all the same."""

_LENGTH = 700
"""How many characters of a sentence are shown."""

_REMEDY = Item(
    "see the sentences; a loss that is meant for a while is accepted beside its case: accepted_loss, until and why.",
    "What to do",
)

_WIDTH = 120
"""Characters of a line about a loss on a terminal."""

_ID = 20
"""Characters that stay of an id, and of numbers, on such a line."""

_MEANING = (
    "A loss is the reference's number minus that of the new run on the same examples. For a perturbed case these are "
    "the examples that it changed. Negative is better."
)

_ACCEPTED = "A loss is accepted if a waiver allows it, and it is not wholly within the usual limit."

_NAMED = 2
"""How many losses of a training are named."""

_OPEN = 6
"""How many sentences are shown before the others are folded, or left out."""


def summary(document: Json) -> Sequence[Block]:
    """For each task that was compared: the outcome in a line, a table of losses, gaps, sentences that got worse."""
    compared = document.get("comparison")
    return [] if compared is None else list(_blocks(compared, document))


def page(document: Json) -> Sequence[Block]:
    """The same with the table of the regressions alone in sight; that of all losses is folded away."""
    compared = document.get("comparison")
    return [] if compared is None else list(_blocks(compared, document, short=True))


def brief(document: Json) -> Sequence[Block]:
    """A line for each loss unless it is no worse or identical, for waivers and each task."""
    compared = document.get("comparison")
    if compared is None:
        return []
    found: list[Block] = [*drift(compared)]
    for name, own in compared["tasks"].items():
        tests = [test for test in loss_tests(compared) if test.task == name]
        lines = [_line(test) for test in tests if test.outcome != "passed" or test.state in _TOLD]
        lines += [Item(_accepted(loss), subject(loss, name)) for loss in rows_of(own) if _has_waiver(loss)]
        lines += _alone(own, visible(compared["reference"]["name"]))
        found.append(Text(tuple(lines), role="list"))
        found.append(Text((_said(name, own, compared),)))
    return [*found, *_missing(compared), *problems.in_short(document)]


def _alone(own: Json, reference: str) -> Iterator[Item]:
    """The cases that one of the two runs alone has, so that no loss is about them."""
    for names, which in (
        (own["only_new"], f"{reference} has no such case"),
        (own["only_reference"], "not in this run"),
    ):
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            yield Item(f"not compared, {which}", f"{', '.join(names[:_NAMED])}{more}")


def _line(test: LossTest) -> Item:
    """A loss on one line of a terminal, of at most `_WIDTH` characters unless a reason follows the state."""
    decided = _decided(test)
    room = _WIDTH - len(decided.word) - 2 * len("  ")
    shorter = [test.said[0]]
    if test.loss is not None and test.state != BY_CASES:
        said = in_words(test.loss)
        shorter = [said, said.partition(";")[0], said.partition(", allowed")[0]]
    text = next((each for each in shorter if len(_named(test)) + len(each) <= room), shorter[-1])
    term = words.shortened(_named(test), max(_ID, room - len(text)))
    return Item(words.shortened(text, max(_ID, room - len(term))), term, verdict=decided)


def _named(test: LossTest) -> str:
    """The id of a loss, with the label that decided if the case as a whole did not."""
    group = None if test.loss is None else test.loss["type"]
    return test.id if group is None else f"{test.id} {tasks()[test.task].group_noun} {words.name(group)}"


def _decided(test: LossTest) -> Verdict:
    """The state of a loss in words, with the reason if there is one."""
    if test.loss is None:
        return Verdict("fail", test.state)
    return Verdict(None, test.state) if test.state == BY_CASES else _verdict(test.loss)


BLOCK = ReportBlock("comparison", summary, brief=brief, page=page, leads=True)


def _blocks(compared: Json, document: Json, *, short: bool = False) -> Iterator[Block]:
    titles = case_titles(document)
    yield from problems.in_words(document)
    yield from drift(compared)
    yield from _missing(compared)
    for name, own in compared["tasks"].items():
        task, against = tasks()[name], f"losses against {visible(compared['reference']['name'])}"
        state = _state_of(own)
        yield Text((Item(_said(name, own, compared), verdict=state),), role="list")
        overall = [loss for loss in rows_of(own) if loss["type"] is None]
        tests = [test for test in loss_tests(compared) if test.task == name]
        regressed = _that_regressed(tests, own)
        every = _table(overall, own, titles, task, "" if short else f"{task.title}: {against}")
        if regressed and short:
            yield replace(_table(regressed, own, titles, task, f"{task.title}: regressed"), notes=(_REMEDY,))
        elif regressed:
            yield replace(every, notes=(*every.notes, _REMEDY))
        lost = tuple(_line(test) for test in tests if test.loss is None)
        if lost:
            yield Text(lost, role="list")
        yield from _fell(own, task)
        yield from _remarked(own, titles)
        changed = _changed(own, task, titles, regressed)
        with_edits = [*newly_broken.marked(_by_case(own["newly_worse"], regressed), document)]
        yield from with_edits
        if "worse" in changed:
            worse = changed["worse"]
            yield Fold(f"All {worse.title[0].lower()}{worse.title[1:]}", (worse,)) if with_edits else worse
        if "better" in changed:
            yield Fold(changed["better"].title, (replace(changed["better"], title="", open=None),))
        if short or not regressed:
            yield Fold(f"All {against}", (every,))


def _state_of(own: Json) -> Verdict:
    """The worst state of a task; a label that is found nowhere now leaves open whether the model is no worse."""
    word = "can't tell" if own["vanished"] and _VERDICTS[own["state"]] == "pass" else own["state"]
    return Verdict(_VERDICTS[word], word)


def _fell(own: Json, task: Task) -> Iterator[Text]:
    """The labels that are found less well on the clean corpus, which no test decides, with both counts."""
    largest = sorted(own["fell"], key=lambda each: (each["now"] - each["found"], each["type"]))
    lines = tuple(
        Item(
            f"found {each['found']:g} of {words.count(each['places'], 'place')}, now {each['now']:g}",
            words.name(each["type"]),
        )
        for each in largest
    )
    if lines:
        noun = task.group_noun
        yield Text(
            lines, f"{task.title}: {noun}s that fell on the clean corpus, undecided", "list", noun=noun, most=_OPEN
        )


def drift(compared: Json) -> Iterator[Text]:
    """The mean losses since the first reference of the chain, as a notice if one is above the limit.

    Nothing if the reference is the first of its chain: the mean loss of the run then says the same.
    """
    if compared["reference"].get("since") is None:
        return
    found, name = compared["since"], compared["reference"]["name"]
    again = f" of {found['date']}" if found["name"] == name and found["date"] else ""  # a reference that was replaced
    most = max(found["mean_loss"].values(), default=0.0)
    said = f"Mean loss {since(found, again)}"
    if most > found["limit"]:
        said += f", above {words.limit(found['limit'])}: losses that were each accepted have added up"
    yield Text((f"{said}.",), role="notice" if most > found["limit"] else "plain")


def doubts(compared: Json, told: Collection[tuple[str, str]] = ()) -> Iterator[Text]:
    """The labels that are found nowhere now though too rarely before to be lost, and the trainings that regressed.

    Labels that are ``told`` already, by task, are left out.
    """
    name, lines = visible(compared["reference"]["name"]), []
    for task, own in compared["tasks"].items():
        group = tasks()[task].group_noun
        lines += [
            f"{each['case'] or task}: the {group} {visible(each['type'])} is found nowhere now; {name} found "
            f"{each['found']:g} of {words.count(each['places'], 'place')}."
            for each in own["vanished"]
            if each["case"] or (task, each["type"]) not in told
        ]
        lines += [
            f"{task}: by itself the training {visible(each['model'])} regressed in {_first(each['regressed'], task)}; "
            "the mean over trainings decides."
            for each in own["trainings"]
            if each["regressed"]
        ]
    if lines:
        yield Text(tuple(lines), role="notice")


def _first(regressed: Sequence[str | None], task: str) -> str:
    """The first of the losses that regressed, by their ids, and how many more there are."""
    named = ", ".join(case or f"{task}/{MEAN}" for case in regressed[:_NAMED])
    return named if len(regressed) <= _NAMED else f"{named} and {len(regressed) - _NAMED} more"


def since(chain: Json, again: str = "") -> str:
    """The mean losses of a chain, such as ``since 1.0: 0.021``, with the names of the tasks if there are several."""
    lost = {name: words.number(value) for name, value in chain["mean_loss"].items()}
    numbers = lost.values() if len(lost) == 1 else [f"{name} {value}" for name, value in lost.items()]
    return f"since {visible(chain['name'])}{again}: {', '.join(numbers) or 'not known'}"


def remarks(document: Json) -> Iterator[Block]:
    """The tasks and cases that could not be compared, each with the reason, and the losses that are accepted."""
    titles = case_titles(document)
    yield from _missing(document["comparison"])
    for own in document["comparison"]["tasks"].values():
        yield from _remarked(own, titles)


def _remarked(own: Json, titles: Json) -> Iterator[Text]:
    for title, found in (("Not compared", _not_compared(own, titles)), ("Accepted losses", _waived(own, titles))):
        if lines := tuple(found):
            yield Text(lines, title, "remarks", noun="remark", most=20)


def sentences(document: Json) -> Iterator[Text]:
    """For each task the first sentences that got worse, then those that got better, to stand open."""
    titles = case_titles(document)
    for name, own in document["comparison"]["tasks"].items():
        tests = [test for test in loss_tests(document["comparison"]) if test.task == name]
        regressed = _that_regressed(tests, own)
        changed = _changed(own, tasks()[name], titles, regressed).values()
        yield from (replace(text, most=_OPEN, open=None) for text in changed)


def _changed(own: Json, task: Task, titles: Json, regressed: Sequence[Json]) -> dict[str, Text]:
    """The sentences that got worse and those that got better, where there are any."""
    return {
        way: Text(lines, f"{words.sentence_case(task.noun)}s that got {way}", "list", noun=task.noun, open=_OPEN)
        for way in ("worse", "better")
        if (lines := tuple(_sentence(each, titles) for each in _by_case(own[f"newly_{way}"], regressed)))
    }


def _table(losses: Sequence[Json], own: Json, titles: Json, task: Task, title: str) -> Table:
    """A row per case, with the groups in which it regressed, whose loss is accepted, and in which it improved."""
    floor = task.metrics()[own["metric"]].words
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
    rows = tuple(Row(_row(loss, own, titles, states), -STATES.index(_worst(loss, own))) for loss in losses)
    waived = any(_worst(loss, own) == "accepted" for loss in losses) or "accepted" in states
    notes = (_MEANING, *([_ACCEPTED] if waived else []))
    return Table(columns, rows, title, notes, noun="case", cards=True)


def every(compared: Json, most: int | None = None) -> Iterator[Table]:
    """For each task a row per case and type, worst states first, then whole cases, then the largest losses.

    There are at most so many rows.
    """
    for name, own in compared["tasks"].items():
        task, losses = tasks()[name], sorted(rows_of(own), key=_rank)
        floor, shown = task.metrics()[own["metric"]].words, losses[:most]
        columns = (
            Column("State"),
            Column("Case"),
            Column(words.sentence_case(task.group_noun)),
            Column(f"Reference {floor}", numeric=True),
            Column(f"New {floor}", numeric=True),
            Column("Loss, corrected interval", numeric=True, wide=True),
            *(Column(heading, numeric=True) for heading in ("Allowed", "p", "Detectable loss")),
            *([Column("Why")] if any(loss["reason"] for loss in shown) else []),
        )
        rows = tuple(Row(_line_of(loss, own, name)[: len(columns)]) for loss in shown)
        cut = (f"{words.count(len(losses) - len(shown), 'more row')} in the JSON.",) if len(shown) < len(losses) else ()
        yield Table(columns, rows, f"{task.title}: every case and {task.group_noun}", cut, noun="loss", cards=True)


def _rank(loss: Json) -> tuple[int, bool, float]:
    return STATES.index(loss["state"]), loss["type"] is not None, -(loss["value"] or 0.0)


def _line_of(loss: Json, own: Json, task: str) -> tuple[Cell, ...]:
    """The cells of a loss in the table of all; the metric is named where it is not the usual one."""
    other = "" if loss["metric"] == own["metric"] else f" ({words.spoken(loss['metric'])})"
    return (
        replace(_verdict(loss), note=""),
        subject({**loss, "type": None}, task) + other,
        "all" if loss["type"] is None else words.name(loss["type"]),
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        words.p_value(loss["p"]),
        words.number(loss["sight"]),
        loss["reason"] or "",
    )


def regressed_cases(document: Json) -> set[str]:
    """The ids of the cases that lost against the reference, or a type in them did; none without a reference."""
    compared = document.get("comparison") or {"tasks": {}}
    losses = (loss for own in compared["tasks"].values() for loss in rows_of(own))
    return {loss["id"] for loss in losses if loss["state"] == "regressed" and loss["id"] is not None}


def _of_types(loss: Json, own: Json) -> dict[str, list[Json]]:
    """The losses of the groups of a case by their state, the largest first."""
    found: dict[str, list[Json]] = {}
    for each in sorted(own["losses"], key=lambda each: -(each["value"] or 0.0)):
        if loss["id"] is not None and each["id"] == loss["id"] and each["type"] is not None:
            found.setdefault(each["state"], []).append(each)
    return found


def _that_regressed(tests: Sequence[LossTest], own: Json) -> list[Json]:
    """The row of each loss of a task that regressed: that of the whole, also if a label of it did."""
    whole: dict[str | None, Json] = {}
    for loss in sorted(rows_of(own), key=lambda loss: STATES.index(loss["state"])):
        if loss["type"] is None:
            whole.setdefault(loss["id"], loss)
    told = [test.loss for test in tests if test.loss is not None and test.outcome in ("failed", "fail, not blocking")]
    return [whole.get(loss["id"], loss) for loss in told]


def _worst(loss: Json, own: Json) -> str:
    return min((str(loss["state"]), *_of_types(loss, own)), key=STATES.index)


def _by_case(sentences: Sequence[Json], regressed: Sequence[Json]) -> list[Json]:
    """The sentences of each case together, those of cases that regressed first."""
    places = {loss["id"]: k for k, loss in enumerate(regressed)}
    first = {each["case"]: k for k, each in reversed([*enumerate(sentences)])}
    return sorted(sentences, key=lambda each: (places.get(each["case"], len(places)), first[each["case"]]))


def _missing(compared: Json) -> Iterator[Block]:
    """The tasks that the reference did not judge."""
    if compared["missing"]:
        name = visible(compared["reference"]["name"])
        yield Text((f"not comparable: {name} did not judge {', '.join(compared['missing'])}",), role="notice")


def _said(name: str, own: Json, compared: Json) -> str:
    """How many losses are in each state, such as ``ner against 1.0: 2 regressed, 40 no worse``."""
    unseen = "; same fingerprint, other clean predictions" if own.get("changed_unseen") else ""
    told = f"{name} against {visible(compared['reference']['name'])} ({visible(own['model'])})"
    tests = [test for test in loss_tests(compared) if test.task == name]
    return f"{told}: {counted(tests)}{unseen}"


def _row(loss: Json, own: Json, titles: Json, states: Sequence[str]) -> tuple[Cell, ...]:
    """The cells of one loss."""
    of_types = _of_types(loss, own)
    return (
        title_of(loss["id"], titles),
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        _of_case(loss, of_types),
        *(", ".join(map(_of_type, of_types.get(state, ()))) for state in states),
    )


def _of_case(loss: Json, of_types: Mapping[str, Sequence[Json]]) -> Verdict:
    """The state of a case: regressed, too, if only a group of it did; then the state of the whole is a note."""
    lost = of_types.get("regressed", ())
    if loss["state"] == "regressed" or not lost:
        return _verdict(loss)
    blocking = "" if any(each["blocking"] for each in lost) else " (not blocking)"
    named = ", ".join(words.name(each["type"]) for each in lost[:_NAMED]) + ", …" * (len(lost) > _NAMED)
    why = f" ({loss['reason']})" if loss["reason"] else ""
    return Verdict("fail", f"regressed in {named}{blocking}", f"as a whole: {loss['state']}{why}")


def _of_type(loss: Json) -> str:
    return f"{words.name(loss['type'])} {Measured.of(loss).number}"


def subject(loss: Json, task: str) -> str:
    """The case of a loss of a task, and its type, such as ``ner/accents PER``."""
    case = f"{task}/{MEAN}" if loss["id"] is None else str(loss["id"])
    return case if loss["type"] is None else f"{case} {visible(loss['type'])}"


def _verdict(loss: Json) -> Verdict:
    word = loss["state"] if loss["blocking"] else f"{loss['state']} (not blocking)"
    return Verdict(_VERDICTS[loss["state"]], word, loss["reason"] or "")


def _not_compared(own: Json, titles: Json) -> Iterator[Line]:
    """The cases that could not be compared, and those that one of the two runs alone has."""
    for loss in rows_of(own):
        if loss["state"] == "not comparable":
            yield Item(loss["reason"], title_of(loss["id"], titles))
    if own["only_new"]:
        yield Item(", ".join(own["only_new"]), "The reference does not have")
    if own["only_reference"]:
        yield Item(", ".join(own["only_reference"]), "Only the reference has")


def _waived(own: Json, titles: Json) -> Iterator[Line]:
    """The losses that somebody has accepted for some time."""
    for loss in rows_of(own):
        if _has_waiver(loss):
            yield Item(_accepted(loss), title_of(loss["id"], titles))


def _has_waiver(loss: Json) -> bool:
    return loss["waiver"] is not None and loss["type"] is None


def _accepted(loss: Json) -> str:
    """The waiver of a case in words."""
    waiver = loss["waiver"]
    said = f"{visible(waiver['why'])}: a loss of up to {words.limit(waiver['accepted_loss'])}"
    return (
        f"{said} was accepted until {waiver['until']}, no longer"
        if waiver["over"]
        else (f"{said} is accepted until {waiver['until']}; not part of the mean")
    )


def _sentence(each: Json, titles: Json) -> Item:
    text = each["text"] if each["text"] is not None else f"{each['sentence_id']}, seed {each['seed']}"
    return Item(visible(words.shortened(text, _LENGTH)), title_of(each["case"], titles))


# For a comment -------------------------------------------------------------------------------------------------------

_SHARES = {"regressed": 1.0, "can't tell": 0.5, "accepted": 0.5, "improved": 0.5, "no worse": 0.25}
"""The states that a short table shows, with their shares of its rows."""

_DECIDED = ("regressed", "improved")
"""The states that stay in sight if a loss regressed."""

_MEANINGS = {
    "regressed": "A loss is the reference's number minus the new one on the same sentences. It regressed if it is "
    "significantly larger than allowed.",
    "can't tell": "Can't tell: the corpus is too small to decide whether the loss is larger than allowed.",
}
"""The states that a short table explains."""

_IN_REPORT = ("are in the report", "is in the report")


def few(document: Json, rows: int) -> Iterator[Block]:
    """The losses of all tasks in a table, few of each state, and how many there are; then what is not compared.

    If a loss regressed, the losses that are undecided or no worse are folded away. There are at most ``rows`` that
    regressed, and at least one loss of every state in `_SHARES` that was found.
    """
    compared = document["comparison"]
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
        left = counted([test for test in tests if _state(test) not in _DECIDED])
        yield Fold(f"Other losses: {left}", (_short_table(rest, document, rows),))
    if left := counted(tests):
        cut = sum(_state(test) == "regressed" for test in tests) - sum(_state(test) == "regressed" for test in shown)
        more = f" {words.count(cut, 'more loss', 'more losses')} that regressed {_IN_REPORT[cut == 1]}." if cut else ""
        yield Text((f"All losses: {left}.{more}",))
    yield from _missing(compared)
    reasons: dict[str, list[str]] = {}
    for test in tests:
        if test.loss is not None and test.state == "not comparable":
            reasons.setdefault(str(test.loss["reason"]), []).append(test.id)
    lines = tuple(
        Item(words.shortened(", ".join(found), _LENGTH), f"Not comparable: {words.shortened(reason, _LENGTH)}")
        for reason, found in reasons.items()
    )
    if lines:
        yield Text(lines, role="list", noun="reason", most=max(1, rows // 3))


def _short_table(tests: Sequence[LossTest], document: Json, rows: int) -> Table:
    """A row for each loss, the label that it is about and the label that lost most in columns of their own."""
    states = {_state(test) for test in tests}
    notes = [_MEANINGS[state] for state in _MEANINGS if state in states]
    compared, titles = document["comparison"], case_titles(document)
    several = len(compared["tasks"]) > 1
    found = {test.task for test in tests}
    noun = words.sentence_case(tasks()[next(iter(found))].group_noun) if len(found) == 1 else "Label"
    metrics = {tasks()[test.task].metrics()[test.loss["metric"]].words for test in tests if test.loss is not None}
    metric = f" {next(iter(metrics))}" if len(metrics) == 1 else ""
    columns = (
        *heads(("", "Case", noun), numeric=False),
        *heads((f"Reference{metric}", f"New{metric}", "Loss, corrected interval", "Allowed"), wide=True),
        Column(f"Worst {noun[0].lower()}{noun[1:]}"),
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
"""The columns of a short table that are left out if they say nothing: both of labels, and what would decide."""

_ALL = "all"
"""Stands for all labels."""


def _says(rows: Sequence[Sequence[Cell]], place: int) -> bool:
    return any(row[place] not in ("", _ALL) for row in rows)


def worst_sentences(document: Json, most: int) -> Iterator[Text]:
    """The sentences of all tasks that got worse, those of cases that regressed first, at most so many."""
    titles, lines = case_titles(document), list[Line]()
    for name, own in document["comparison"]["tasks"].items():
        tests = [test for test in loss_tests(document["comparison"]) if test.task == name]
        regressed = _that_regressed(tests, own)
        changed = _changed(own, tasks()[name], titles, regressed)
        lines += changed["worse"].lines if "worse" in changed else ()
    if lines:
        yield Text(tuple(lines[:most]), "Newly broken", "list", noun="sentence")


def _state(test: LossTest) -> str:
    """The state of a loss in a short table, where one that does not block stands among the others."""
    return "regressed" if test.outcome in ("failed", "fail, not blocking") else test.state


def _general_first(test: LossTest) -> tuple[bool, float]:
    """The order in a short table: clean corpus, mean and lost labels, then the largest loss of a case.

    Of those that improved it is the largest gain.
    """
    general = test.loss is None or test.loss["id"] is None or test.id.endswith(f"/{BASELINE}")
    size = 0.0 if test.loss is None else (test.loss["value"] or 0.0) * (-1 if test.state == "improved" else 1)
    return not general, -size


def _short_rows(
    test: LossTest, compared: Json, titles: Json, most: int, *, several: bool
) -> Iterator[tuple[Cell, ...]]:
    """The row of a loss; a row for each label that is lost, at most so many."""
    of_task, loss = f"{test.task}: " if several else "", test.loss
    if loss is None:
        for each in compared["tasks"][test.task]["lost"][:most]:
            found = f"found {each['found']:g} of {each['places']}", f"0 of {each['places']}"
            label = words.name(each["type"])
            yield (_decided(test), f"{of_task}Lost label", label, *found, words.NOTHING, words.NOTHING, "", "")
        return
    more = more_needed(loss) if test.outcome == "inconclusive" else None
    noun = f"more {tasks()[test.task].noun}"
    yield (
        replace(_decided(test), note=""),
        f"{of_task}{title_of(loss['id'], titles)}",
        _ALL if loss["type"] is None else words.name(loss["type"]),
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        "" if test.worst is None else _of_type(test.worst),
        "" if more is None else f"about {words.count(more, noun)}",
    )


def more_needed(loss: Json) -> int | None:
    """How many more distinct examples would decide a loss that cannot be told, if its estimate stayed as it is.

    An interval shrinks with the root of their number. None where there is no interval, where it is not what leaves the
    loss open, and on the limit itself.
    """
    value, low, high, limit = (loss[name] for name in ("value", "low", "high", "limit"))
    if None in (value, low, high, limit) or not loss["n"] or abs(value - limit) < _ON_THE_LIMIT:
        return None
    n, reach = int(loss["n"]), value - low if value > limit else high - value
    if reach <= abs(value - limit):
        return None
    needed: int = max(1, math.ceil(n * (reach / (value - limit)) ** 2 - _ROUNDING) - n)
    return needed


_ON_THE_LIMIT = 5e-5

_ROUNDING = 1e-6
