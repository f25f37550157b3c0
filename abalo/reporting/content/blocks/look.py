"""Looks, which judge and compare nothing: costliest cases and next commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from abalo.core import words
from abalo.core.blocks import Block, Column, Examples, Item, Row, ShownExample, Table, Text, with_one_legend
from abalo.core.document import Document, TaskFacts
from abalo.core.found import Result
from abalo.core.options import QUICK
from abalo.core.results import (
    by_task,
    changed_examples,
    cost,
    facts_of,
    group_in_words,
    group_noun,
    headline,
    is_of_few,
    metric_of,
    probe_of,
    scenario,
    task_of,
    title_in_task,
)
from abalo.core.task import Task, tasks
from abalo.core.verdicts import FEWEST_HOLDING
from abalo.errors import visible
from abalo.reporting.content.blocks import ReportBlock
from abalo.reporting.content.finding import groups_worst_first, worst_group
from abalo.reporting.documents.conclusion import conclude, judged_nothing

_SHOWN = 5

_MORE = "Judge more examples (a larger --abalo-limit)"


def is_look(document: Document) -> bool:
    """Returns True if the run judged and compared nothing."""
    looked = conclude(document).verdict in ("measured", "inconclusive") and judged_nothing(document)
    return bool(document.complete) and looked


def rank_by_cost(results: Sequence[Result]) -> list[Result]:
    """Returns the results that show a cost, costliest first, those that changed few examples last."""
    costing = [each for each in results if _costs(each)]
    return sorted(costing, key=lambda each: (not is_of_few(each), cost(each)), reverse=True)


def _costs(result: Result) -> bool:
    found = headline(result)
    if not (probe_of(result).perturbs or probe_of(result).searches) or found.value is None:
        return False
    return found.value > 0 if not metric_of(result, result.headline).more_is_better else found.value < 1


def costliest(document: Document) -> list[str]:
    """Returns the ids of each task's costliest cases."""
    return [result.id for _, results in by_task(document) for result in rank_by_cost(results)[:_SHOWN]]


def finding(document: Document) -> str:
    """Says what costs the model most, such as ``The model loses 0.305 F1 to letter case``; "" if no look shows it."""
    if not is_look(document):
        return ""
    named = [(task, rank_by_cost(_on(task.headline, results)), results) for task, results in by_task(document)]
    significant = [(task, each) for task, order, _ in named for each in order if (headline(each).low or 0.0) > 0]
    if significant:
        task, worst = max(significant, key=lambda pair: (not is_of_few(pair[1]), cost(pair[1])))
        metric, title = metric_of(worst, worst.headline), words.inline(scenario(worst))
        explained = task.rewordings.finding(worst)
        if explained:
            found = f"{explained} ({metric.words} {headline(worst).number})"
        elif metric.is_drop:
            found = f"The model loses {headline(worst).number} {task.metrics()[task.floor].words} to {title}"
        else:
            meaning = metric.meaning.partition(",")[0]
            found = f"{scenario(worst)}: {metric.words} {headline(worst).number}" + (f" ({meaning})" if meaning else "")
        return title_in_task(found, task, document)
    tried = [(task, _on(task.headline, order)) for task, order, results in named if _on(task.headline, results)]
    if losing := [lost for task, order in tried for each in order if (lost := _losing_group(each, task))]:
        return max(losing)[1]
    if len(tried) > 1:
        return f"No loss is certain in {len(tried)} tasks"
    for task, order in tried:
        own = facts_of(document, task.name)
        size = "" if own is None else f" on {_size(task, own)}"
        largest = [f"; the largest is {headline(each).number}, to {words.inline(scenario(each))}" for each in order[:1]]
        return f"No {task.metrics()[task.floor].words} loss is certain{size}{''.join(largest)}"
    return ""


def _losing_group(result: Result, task: Task) -> tuple[float, str] | None:
    """The lower end of the worst group's loss, if above 0, and the loss in words."""
    for group, found in groups_worst_first(result)[:1]:
        if metric_of(result, result.headline).is_drop and (found.low or 0.0) > 0:
            who = f"{words.sentence_case(group_noun(result))} {group_in_words(result, group)}"
            score, title = task.metrics()[task.floor].words, words.inline(scenario(result))
            return found.low or 0.0, f"{who} loses {found.number} {score} to {title}"
    return None


def _on(name: str, results: Sequence[Result]) -> list[Result]:
    return [each for each in results if each.headline == name and headline(each).value is not None]


def summary(document: Document) -> Sequence[Block]:
    """Ranks each task's cases by cost, a table for each scale, with example sentences and next commands."""
    if not is_look(document):
        return []
    found: list[Block] = []
    for task, results in by_task(document):
        order = rank_by_cost(results)
        scales = sorted(dict.fromkeys(each.headline for each in order), key=lambda name: name != task.headline)
        found += [_ranked(task, name, _on(name, order), document) for name in scales]
        found += with_one_legend(chain.from_iterable(sentences(order[:_SHOWN], document).values()))
    return [*found, *what_next(document)]


def _ranked(task: Task, name: str, order: Sequence[Result], document: Document) -> Table:
    metric, groups = task.metrics()[name], [worst_group(each) for each in order]
    cells = [
        (scenario(each), headline(each), changed_examples(each) + ", few" * is_of_few(each), worst)
        for each, worst in zip(order, groups, strict=True)
    ]
    columns = (
        Column("Case"),
        Column(words.sentence_case(metric.words), metric.meaning, numeric=True, wide=True),
        Column("Changed", f"{task.noun}s that the case changes", numeric=True),
        Column("Worst"),
    )
    kept = [place for place in range(len(columns)) if any(row[place] not in ("", words.NOTHING) for row in cells)]
    rows = tuple(Row(tuple(row[k] for k in kept), case=each.id) for row, each in zip(cells, order, strict=True))
    few = f"Cases that change fewer than {FEWEST_HOLDING} {task.noun}s come last."
    notes = (few,) if len(rows) > 1 and any(map(is_of_few, order)) else ()
    title = _COSTLY if name == task.headline else f"{_COSTLY}, by {metric.words}"
    return Table(
        tuple(columns[k] for k in kept),
        rows,
        title_in_task(title, task, document),
        notes,
        noun="case",
        most=20,
        cards=True,
    )


_COSTLY = "What costs most"


def sentences(results: Sequence[Result], document: Document) -> dict[str, list[Block]]:
    """Shows for each case one sentence that it broke and no case before it shows; empty if text is withheld."""
    shown, seen = {}, set[str]()
    for result in results:
        new = [each for each in result.examples if each.sentence_id not in seen]
        seen.update(each.sentence_id for each in new[:1])
        shown[result.id] = _sentence(replace(result, examples=new), document)
    return shown


def _sentence(result: Result, document: Document) -> list[Block]:
    blocks = probe_of(result).report.findings(result) or task_of(result).report.sentences(result, document)
    shown = [block for block in blocks if isinstance(block, Examples) and block.examples]
    title = title_in_task(scenario(result), task_of(result), document)
    return [replace(each, examples=(_alone(each.examples[0]),), title=title) for each in shown[:1]]


def _alone(example: ShownExample) -> ShownExample:
    """Drops the number of an example that has no other beside it."""
    caption = example.caption
    if isinstance(caption, Item) and caption.term.rstrip(".").isdigit():
        return replace(example, caption=caption.text)
    return example


def what_next(document: Document) -> list[Block]:
    """Shows the loss that a comparison would detect, and the next commands."""
    if not is_look(document):
        return []
    said = []
    for task, _ in by_task(document):
        seen = document.tasks[task.name].foreseen if task.name in document.tasks else None
        if seen is not None and seen.reason:
            said.append(f"{task.title}: this run is a poor reference: {seen.reason}.")
        elif seen is not None:
            score = task.metrics()[seen.metric].words
            said.append(
                f"{task.title}: a comparison with this run will find a mean loss of {words.number(seen.loss)} {score} "
                "or more in 4 of 5 runs; it can miss smaller ones."
            )
    reasons = [each.foreseen.reason for each in document.tasks.values() if each.foreseen is not None]
    commands = [visible(each) for each in document.next]
    poor, larger = bool(reasons) and all(reasons), _larger(document)
    again = poor and not larger and document.gate.profile == QUICK  # the first command then runs in full
    if conclude(document).verdict != "measured":
        said += [f"{larger or _MORE}."] if poor and ((again and commands) or larger) else []
        commands = commands[:1] if again else []
    elif any(map(_misnames, document.tasks.values())):
        said.append("Model and corpus name labels differently: map them before you keep a run as the reference.")
        commands = []
    elif poor:
        said.append(f"{larger or _MORE} before you keep a run as the reference.")
        commands = commands if again else []
    elif commands:
        keep = "Keep this run as the reference, then judge the next model against it:"
        said.append(f"The other tasks can be compared. {keep}" if any(reasons) else keep)
    found: list[Block] = [Text(tuple(said), "What next")] if said else []
    return [*found, *(Text((each,), role="command") for each in commands)]


def _larger(document: Document) -> str:
    """Advises a larger corpus; "" if a limit left out a part of one."""
    used = [(tasks()[name], own) for name, own in document.tasks.items()]
    if any(task.report.first_only(own.corpus) for task, own in used):
        return ""
    sizes = (f"{words.place(own.corpus.name)} has {_size(task, own)}" for task, own in used)
    return f"Judge a larger corpus ({', '.join(sizes)})"


def _size(task: Task, own: TaskFacts) -> str:
    return task.report.sizes(own.corpus)[0].partition(" (")[0]


def _misnames(facts: TaskFacts) -> bool:
    """Whether the model never predicts a label of the corpus, and predicts labels that the corpus lacks."""
    fit = facts.types
    return fit is not None and bool(fit.never_predicted) and any(fit.outside.values())


BLOCK = ReportBlock("look", summary, leads=True)
