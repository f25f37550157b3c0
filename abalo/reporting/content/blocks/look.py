"""Looks, which judge and compare nothing: costliest cases and next commands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from abalo.core.documents.blocks import Block, Column, Examples, Item, Row, ShownExample, Table, Text, with_one_legend
from abalo.core.documents.document import Document, ForeseenLoss, TaskFacts
from abalo.core.documents.found import Result
from abalo.core.protocols.options import QUICK
from abalo.core.protocols.results import (
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
from abalo.core.protocols.task import Task, cluster_noun, tasks
from abalo.core.protocols.task_report import first_only
from abalo.core.records import words
from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.verdicts import FEWEST_HOLDING
from abalo.errors import visible
from abalo.reporting.content.blocks import ReportBlock
from abalo.reporting.documents.conclusion import conclude, judged_nothing
from abalo.reporting.documents.finding import groups_worst_first, worst_group

_SHOWN = 5


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
    """The largest loss of a group with an interval above 0, as a number and in words."""
    known = [
        (found.value or 0.0, group, found) for group, found in groups_worst_first(result) if (found.low or 0.0) > 0
    ]
    if not known or not metric_of(result, result.headline).is_drop:
        return None
    lost, group, found = max(known, key=lambda each: each[0])
    who = f"{words.sentence_case(group_noun(result))} {group_in_words(result, group)}"
    score, title = task.metrics()[task.floor].words, words.inline(scenario(result))
    return lost, f"{who} loses {found.number} {score} to {title}"


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
    """Shows the next steps and commands."""
    if not is_look(document):
        return []
    known = [(tasks()[name], own.foreseen) for name, own in document.tasks.items() if own.foreseen is not None]
    reasons = [f"{task.title}: {seen.reason}" for task, seen in known if seen.reason]
    commands = [visible(each) for each in document.next]
    poor, larger = bool(known) and len(reasons) == len(known), _larger(document)
    again = poor and _is_cut(document) and document.gate.profile == QUICK  # the first command then runs in full
    if conclude(document).verdict != "measured":
        said = [f"{larger}."]
        commands = commands[:1] if again else []
    elif any(map(_misnames, document.tasks.values())):
        said = ["Model and corpus name labels differently: map them before you keep a run as the reference."]
        commands = []
    elif poor:
        said = [f"{larger} before you keep a run as the reference. {'; '.join(reasons)}."]
        commands = commands if again else []
    else:
        said = [f"{larger} to compare this task too. {each}." for each in reasons]
        said += [_finer(task, seen) for task, seen in known if not seen.reason]
        said += ["Keep this run as the reference, then judge the next model against it:"] if commands else []
    found: list[Block] = [Text(tuple(said), "What next")] if said else []
    return [*found, *(Text((each,), role="command") for each in commands)]


def _finer(task: Task, seen: ForeseenLoss) -> str:
    """The step to a comparison that finds smaller losses, and the share of examples that halves them, if known."""
    least = f"{words.number(seen.loss)} {task.metrics()[seen.metric].words}"
    said = f"{task.title}: to find a mean loss below {least}, judge more {cluster_noun(task)}s first"
    if seen.needed is None or seen.loss is None:
        return f"{said}."
    return f"{said}; {seen.needed / seen.n:.1f} times as many find {words.number(seen.loss / 2)}."


def _is_cut(document: Document) -> bool:
    return any(first_only(tasks()[name], own.corpus) for name, own in document.tasks.items())


def _larger(document: Document) -> str:
    """Advises a larger corpus, or a larger limit if it left out a part of one."""
    used = [(tasks()[name], own) for name, own in document.tasks.items()]
    if _is_cut(document):
        limit = max((_limit(own) for _, own in used), default=0)
        return f"Judge more examples ({f'--abalo-limit {limit} or more' if limit else 'a larger --abalo-limit'})"
    sizes = (f"{words.place(own.corpus.name)} has {_size(task, own)}" for task, own in used)
    return f"Judge a larger corpus ({', '.join(sizes)})"


def _limit(own: TaskFacts) -> int:
    """The limit that gives as many examples as the clean score needs and a comparison; 0 if unknown or met."""
    least, here = own.baseline.least, 0 if own.foreseen is None else own.foreseen.n
    needed = max((each.needed or 0 for each in (() if least is None else least.judgements)), default=0)
    needed = max(needed, FEWEST_CLUSTERS)
    return math.ceil(own.corpus.limit * needed / here) if own.corpus.limit and 0 < here < needed else 0


def _size(task: Task, own: TaskFacts) -> str:
    return task.report.sizes(own.corpus)[0].partition(" (")[0]


def _misnames(facts: TaskFacts) -> bool:
    """Whether the model never predicts a label of the corpus, and predicts labels that the corpus lacks."""
    fit = facts.types
    return fit is not None and bool(fit.never_predicted) and any(fit.outside.values())


BLOCK = ReportBlock("look", summary, leads=True)
