"""The common part of a report on a run, and what tasks and kinds of case add to it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import (
    Bar,
    Block,
    Cell,
    Chart,
    Column,
    Group,
    Item,
    Measured,
    Row,
    Table,
    Text,
    Verdict,
    defined,
    heads,
)
from abalo.core.gate import SEVERAL, UNDETERMINED
from abalo.core.judging import BORROWED
from abalo.core.preflight import percent
from abalo.core.probe import probes
from abalo.core.results import (
    Json,
    bounds,
    by_case,
    cases,
    deciding,
    doubt,
    facts_of,
    groups_of,
    headline,
    is_floor,
    judgement,
    limit_is_share,
    limit_of,
    measured,
    needing_attention,
    outcome,
    probe_of,
    scenario,
    task_of,
    verdict,
    views_differ,
    weight,
)
from abalo.core.task import Task, tasks
from abalo.core.verdicts import BLIND
from abalo.errors import visible
from abalo.reporting.blocks import ordered
from abalo.reporting.case import interval
from abalo.reporting.document import SHARD, nothing_compared
from perturbations.languages import codes, enumerated

_LENGTH = 600
"""How many characters of an error or a regression are shown."""

_ALONE = 3
"""How many bounds have a line each where they are undecided for one reason."""

_OPEN = 12
"""How many lines to look into a page shows before the others are folded."""

_FIRST = 1e9
"""The weight of a row that is never cut."""


def opening(document: Json) -> list[Block]:
    """The run for the top of a page: notices, verdict, models and corpora, what to look into, remarks."""
    found: list[Block] = [*notices(document), run_verdict(document), *subjects(document)]
    for block in ordered():
        if block.leads:
            found += block.summary(document)
    problems = tuple(problems_of(document))
    if problems:
        found.append(Text(problems, "To look into", "list", most=40, open=_OPEN))
    return [*found, *remarks(document)]


def panels(document: Json) -> list[Block]:
    """The run for a page that has a row per case elsewhere: charts, what tasks and kinds of case add, facts."""
    return [*_charts(document), *added(document), *facts(document)]


def tables(document: Json) -> list[Block]:
    """The run in full: a row per case, tables by view and group, and what tasks and kinds of case add."""
    return [
        *opening(document),
        *_per_task(document, _scenarios),
        *_per_task(document, _views),
        *added(document),
        *_per_task(document, _groups),
        *facts(document),
    ]


def brief(document: Json) -> Iterator[Block]:
    """The run in a line per case, with what cases found, between notices and verdict."""
    yield from notices(document)
    shown = cases(document)
    width = max((len(result["id"]) for result in shown), default=0)
    for result in shown:
        parts = [outcome(result), probe_of(result).extent(result, task_of(result))]
        parts += [bounds(result)] if result["bound"] is not None else []
        unjudged = "" if result["judgements"] else "no bound in thresholds.toml"
        decided = replace(verdict(result), note=result["reason"] or unjudged)
        yield Text((Item("  ".join(parts), f"{result['id']:<{width}}", verdict=decided),), role="list")
        yield from probe_of(result).findings(result)
    if document["missing"]:
        yield Text((f"not run: {', '.join(document['missing'])}",), role="notice")
    if document.get("not_run"):
        yield Text((_not_in_run(document),), role="notice")
    spoken = tuple(Item(_language(own["corpus"]), name) for name, own in _speaking(document))
    if spoken:
        yield Text(spoken, role="list")
    left_out = tuple(_left_out(document))
    if left_out:
        yield Text(left_out, role="list")
    undecided = tuple(clean(document))
    if undecided:
        yield Text(undecided, role="list")
    for block in ordered():
        yield from block.brief(document)
    yield run_verdict(document)


# The verdict and what led to it --------------------------------------------------------------------------------------


def subjects(document: Json) -> Iterator[Text]:
    """A line for each task: the model, the corpus, and how good the model is on it as it stands."""
    lines = []
    for task, _ in by_task(document):
        facts = facts_of(document, task.name)
        model, corpus, baseline = (facts.get(part) for part in ("model", "corpus", "baseline"))
        parts = [f"{words.name(model['name'])} ({', '.join(_told_apart(model))})"] if model else []
        if corpus:
            limited = [f"the first {corpus['limit']:,} only"] if corpus.get("limit") is not None else []
            parts.append(", ".join([f"on {words.name(corpus['name'])}", *task.sizes(corpus)[:1], *limited]))
        if baseline and baseline.get(task.floor):
            parts.append(f"{task.metrics()[task.floor].words} {Measured.of(baseline[task.floor])}")
        if parts:
            lines.append(Item(" · ".join(parts), task.title))
    if lines:
        yield Text(tuple(lines), role="list")


def _told_apart(model: Json) -> Iterator[str]:
    """The marks that tell a model from others; of a black box its predictions too, for want of a fingerprint."""
    yield model["fingerprint"][:12]
    if model.get("version") is not None:
        yield f"version {visible(model['version'])}"
    if model.get("black_box") and model.get("predictions"):
        yield f"predictions {model['predictions'][:12]}"


def remarks(document: Json) -> Iterator[Text]:
    """The remarks to read before trusting the numbers."""
    found = tuple(dict.fromkeys(_remarks(document)))
    if found:
        yield Text(found, "Notes", "remarks", noun="note")


def notices(document: Json) -> Iterator[Text]:
    """The lines that must be read before anything else."""
    said = []
    for facts in (document, *(document.get("tasks") or {}).values()):
        said += [*(facts.get("notice") or "").split("\n"), *((facts.get("corpus") or {}).get("notices") or ())]
    said += [_NOT_FOUND.format(own["corpus"]["name"]) for _, own in _speaking(document) if _is_not_found(own["corpus"])]
    said += [_NOT_KNOWN.format(code, enumerated(codes())) for code in _not_known(document)]
    notices = (*dict.fromkeys(notice for notice in said if notice), *_random(document))
    if notices:
        yield Text(notices, role="notice")


def _random(document: Json) -> Iterator[str]:
    """A line for each task whose model gave other labels when it was asked again."""
    for name, own in (document.get("tasks") or {}).items():
        share = (own.get("model") or {}).get("differing")
        if share:
            yield (
                f"{tasks()[name].title}: the model is not deterministic: {percent(share)} of labels differ when "
                "the same batch is predicted twice. Verdicts are partly chance."
            )


_NOT_FOUND = (
    "The language of {} was not found. Cases that are for one language are not run. If you know it, give it with "
    "--abalo-language CODE, or as language in [gate]."
)


_NOT_KNOWN = "No perturbation knows the language {}. Cases that are for one language are not run. Abalo knows {}."


def _not_known(document: Json) -> Iterator[str]:
    """The languages that were told, and of which nothing is known."""
    for _, own in _speaking(document):
        corpus = own["corpus"]
        if not corpus["language_found"] and corpus["language"] not in (UNDETERMINED, SEVERAL, *codes()):
            yield visible(corpus["language"])


def _speaking(document: Json) -> list[tuple[str, Json]]:
    """The tasks of which the run tells the language, with their facts."""
    return [(name, own) for name, own in (document.get("tasks") or {}).items() if "language" in own["corpus"]]


def _is_not_found(corpus: Json) -> bool:
    return bool(corpus["language_found"] and corpus["language"] == UNDETERMINED)


def _language(corpus: Json) -> str:
    """The language of a corpus and where it is known from, such as ``language pt (found in the corpus)``."""
    if _is_not_found(corpus):
        return "language not found in the corpus"
    known = {UNDETERMINED: "language unknown", SEVERAL: "several languages"}
    source = "found in the corpus" if corpus["language_found"] else "told"
    return f"{known.get(corpus['language'], 'language ' + corpus['language'])} ({source})"


def _left_out(document: Json) -> Iterator[str]:
    """The cases that say nothing about the corpus, a line for each reason."""
    for own in (document.get("tasks") or {}).values():
        by_reason: dict[str, list[str]] = {}
        for each in own.get("skipped", ()):
            by_reason.setdefault(each["reason"], []).append(each["id"].partition("[")[0])
        for reason, tables in by_reason.items():
            counted = [table + f" ({number})" * (number > 1) for table, number in Counter(tables).items()]
            yield f"Left out: {', '.join(counted)}. The reason: {reason}."


def run_verdict(document: Json) -> Text:
    """The whole run in one line: "incomplete" for a run that did not finish, whatever it found."""
    counts, regressions = document["counts"], document["regressions"]
    decided = sum(counts.values()) - counts["inconclusive"]
    parts = [*lost(document)]
    if decided:
        holds = "holds" if counts["pass"] == 1 else "hold"
        parts.append(f"{counts['pass']} of {words.count(decided, 'decided case')} {holds}")
    elif not counts["inconclusive"] and not regressions:
        parts.append("no case was judged")
    parts += [f"{counts['fail']} failed"] if counts["fail"] else []
    parts += [f"{counts['inconclusive']} inconclusive"] if counts["inconclusive"] else []
    parts += [f"{counts['not_blocking']} failed without blocking"] if counts["not_blocking"] else []
    unjudged = sum(result["verdict"] is None for result in cases(document))
    parts += [f"{unjudged} not judged"] if unjudged and parts else []
    if regressions:
        parts.append(f"{len(_broken(document))} of {words.count(len(regressions), 'regression')} broken")
    if document["errors"]:
        parts.append(f"{words.count(len(document['errors']), 'case')} could not run")
    said = ", ".join(parts)
    if document["complete"]:
        return Text((said,), role="verdict", verdict=verdict_on(document))
    missing, shard = words.count(len(document["missing"]), "collected case"), document.get(SHARD)
    lead = f"{missing} without a result" if document["missing"] else "the run did not finish"
    if shard is not None and shard["exit_code"] is not None and not document["missing"]:
        lead = f"shard {shard['number']} of {shard['of']}, which abalo merge judges with the others"
    return Text((f"{lead}; so far {said}",), role="verdict", verdict=Verdict("incomplete", "INCOMPLETE"))


def lost(document: Json) -> Iterator[str]:
    """How many losses against the reference are regressions; nothing without one."""
    compared = document.get("comparison")
    if compared is not None:
        found = [each for own in compared["tasks"].values() for each in (own["baseline"], own["mean"], *own["losses"])]
        name = visible(compared["reference"]["name"])
        regressed = [each["blocking"] for each in found if each is not None and each["state"] == "regressed"]
        if any(regressed):
            yield f"{words.count(sum(regressed), 'loss', 'losses')} against {name}"
        if not all(regressed):
            yield f"{words.count(regressed.count(False), 'loss', 'losses')} against {name} without blocking"


def verdict_on(document: Json) -> Verdict:
    """The verdict on the run; a pass that leaves open whether something was lost is none."""
    compared = document.get("comparison")
    if document["verdict"] == "inconclusive" and compared is not None and nothing_compared(compared):
        return Verdict("inconclusive", "NOTHING COMPARED")
    if document["verdict"] == "pass" and compared is not None and compared["state"] in ("can't tell", "not comparable"):
        return Verdict("inconclusive", "NO REGRESSION FOUND")
    if document["verdict"] == "pass" and any(map(_leans_to_failure, cases(document))):
        return Verdict("inconclusive", "NO FAILURE FOUND")
    return Verdict(document["verdict"], document["verdict"].upper())


def _leans_to_failure(result: Json) -> bool:
    """Whether a bound that can stop a release is undecided, and its estimate lies beyond it."""
    return result["blocking"] and any(
        each["verdict"] == "inconclusive"
        and each["reason"] != BORROWED  # shown, and not applied
        and each["value"] is not None
        and _beyond(each)
        for each in result["judgements"]
    )


def _beyond(judged: Json) -> bool:
    value, limit = judged["value"], judged["limit"]
    return bool(value > limit if judged["bound"].startswith("max") else value < limit)


def clean(document: Json) -> Iterator[Item]:
    """A line for each task whose clean corpus has no pass, where no row of the report says so."""
    rows = {result["id"] for result in document["results"]}
    for name, own in (document.get("tasks") or {}).items():
        found = own["baseline"].get("verdict")
        if found in ("fail", "inconclusive") and f"{name}/baseline" not in rows:
            yield Item(visible(own["baseline"]["reason"]), f"{name}/baseline", verdict=Verdict(found, found))


def problems_of(document: Json) -> Iterator[Item]:
    """A line for each failed bound, broken regression, error and missing case, then for each undecided bound."""
    asked = needing_attention(document)
    yield from clean(document)
    yield from judged_so(asked, "fail")
    yield from mishaps(document)
    yield from judged_so(asked, "inconclusive")


def judged_so(results: Iterable[Json], found: str) -> Iterator[Item]:
    """A line for each bound that made a verdict of this kind.

    Bounds that could not be judged have one line for each reason that more than `_ALONE` of them share.
    """
    made = [(result, judged) for result in results if result["verdict"] == found for judged in deciding(result)]
    sharing: dict[tuple[str, str | None], list[Json]] = {}
    for result, judged in made:
        sharing.setdefault(_why_unjudged(result, judged), []).append(result)
    told: set[tuple[str, str | None]] = set()
    for result, judged in made:
        why = _why_unjudged(result, judged)
        alike, (_, reason) = sharing[why], why
        if reason is None or len(alike) <= _ALONE:
            more = doubt(judged, result)
            said = judgement(judged, result) + (f"; {more}" if more else "")
            yield Item(said, scenario(result), verdict=verdict(result))
        elif why not in told:
            told.add(why)
            named = words.shortened(", ".join(dict.fromkeys(map(scenario, alike))), _LENGTH)
            yield Item(f"{visible(reason)}: {named}", words.count(len(alike), "bound"), verdict=verdict(result))


def _why_unjudged(result: Json, judged: Json) -> tuple[str, str | None]:
    """The verdict in words, and the reason why a bound could not be judged at all; None where it was."""
    return verdict(result).word, judged["reason"] if judged["p"] is None else None


def mishaps(document: Json) -> Iterator[Item]:
    """A line for each broken regression, error and missing case."""
    yield from still_broken(document)
    yield from without_result(document)


def still_broken(document: Json) -> Iterator[Item]:
    """A line for each record of what broke an earlier model that breaks this one, too."""
    for found in _broken(document):
        text = words.shortened(_regression(found), _LENGTH)
        yield Item(text, found["id"], code=True, verdict=Verdict("fail", "regression"))


def without_result(document: Json) -> Iterator[Item]:
    """A line for each case that could not run or has no result."""
    for error in document["errors"]:
        text = words.shortened(error_in(error["message"]), _LENGTH)
        yield Item(text, error["id"], code=True, verdict=Verdict("error", "error"))
    for name in document["missing"]:
        yield Item("", name, code=True, verdict=Verdict("missing", "no result"))


def _broken(document: Json) -> list[Json]:
    return [regression for regression in document["regressions"] if regression["status"] != "fixed"]


def _regression(found: Json) -> str:
    """The status of a regression and its labels, with the changed sentence in the bracket notation if it is known.

    ``still broken, labelled O O: negou o recurso de [Ana Sá PESSOA]``.
    """
    changed_sentence = f": {visible(found['after'])}" if found["after"] else ""
    return f"{found['status']}, labelled {visible(' '.join(found['labels']))}{changed_sentence}"


def error_in(message: str) -> str:
    """The message of a failure on one line: only the lines marked with ``E`` if it is a traceback from pytest."""
    said = [line[1:] for line in message.splitlines() if line.startswith("E ")]
    return visible(" ".join(said) or message)


def _not_in_run(document: Json) -> str:
    """The cases of a thresholds file that a run was judged anew without."""
    found = [f"{each['id']} ({each['message']})" if each["message"] else each["id"] for each in document["not_run"]]
    return f"not in this run: {', '.join(found)}"


def _remarks(document: Json) -> Iterator[str]:
    """Remarks to read before trusting the numbers."""
    shown = cases(document)
    yield from _left_out(document)
    if document.get("not_run"):
        yield f"{words.sentence_case(_not_in_run(document))}."
    for task, results in by_task(document):
        yield from task.remarks(of_corpus(results), document)
    for task, results in by_task(document):
        yield from _sight(task, results)
    for result in shown:
        idle = probe_of(result).idle(result, task_of(result))
        if idle is not None:
            yield f"{scenario(result)} {idle}, so it says nothing about the model."
    for result in shown:
        if result["filtered"]:
            yield (
                f"{scenario(result)}: {result['filtered']:,} of "
                f"{words.count(result['filtered'] + result['variants'], 'variant')} did not keep what is required and "
                "were filtered out; there the clean prediction stands."
            )
    for _, results in by_task(document):
        for probe, own in by_probe(results):
            yield from probes()[probe].remarks(own, document)


def _sight(task: Task, results: Sequence[Json]) -> Iterator[str]:
    """How many bounds see only large losses, and what helps."""
    judged = [
        (each, result)
        for result in results
        if result["blocking"]
        for each in result["judgements"]
        if each.get("sight") is not None and limit_is_share(result, each)
    ]
    blind = [(each, result) for each, result in judged if each["sight"] > BLIND]
    if not blind:
        return
    worst, case = max(blind, key=lambda pair: float(pair[0]["sight"]))
    counted = f"{len(blind)} of {words.count(len(judged), 'bound')}"
    yield (
        f"{task.title}: {counted} would let a loss of {words.number(BLIND)} pass; the worst, of {scenario(case)}, sees "
        f"only one of {words.number(worst['sight'])}. Losses against an accepted run (--abalo-against) are seen much "
        f"sooner{_more(worst, case, task)}."
    )


def _more(judged: Json, result: Json, task: Task) -> str:
    """How many examples would give a bound the sight that is wanted, unless it is too loose for any number."""
    slack = abs(judged["limit"] - judged["value"])
    if slack >= BLIND:
        return "; this bound itself is further than that from what was measured"
    enough = result["distinct"] * ((judged["sight"] - slack) / (BLIND - slack)) ** 2
    return f"; with this bound it takes about {math.ceil(enough):,} distinct {task.noun}s ({result['distinct']:,} here)"


# Charts and tables of all cases --------------------------------------------------------------------------------------


def _charts(document: Json) -> Iterator[Chart]:
    """A chart for each headline metric of a task: no axis fits several."""
    for task, results in by_task(document):
        perturbed = [result for result in results if probe_of(result).perturbs]
        for name in dict.fromkeys(result["headline"] for result in perturbed):
            shown = [result for result in perturbed if result["headline"] == name]
            if all(headline(result).value is None for result in shown):
                continue
            metric = task.metrics()[name]
            title = _titled(f"{words.sentence_case(metric.words)} with {interval(document)}", task, document)
            notes = (f"{words.sentence_case(metric.meaning)}.",) if metric.meaning else ()
            share = (metric.low, metric.high) if (metric.low, metric.high) == (0.0, 1.0) else None
            yield Chart(title, (Group("", tuple(map(_bar, shown))),), metric.words, scale=share, notes=notes)


def _bar(result: Json) -> Bar:
    return Bar(scenario(result), headline(result), limit_of(result), verdict(result), weight(result))


def _scenarios(task: Task, results: Sequence[Json], document: Json) -> Iterator[Table]:
    """A row per case, but for those that have a table of their own."""
    shown = [result for result in results if not task.tabled and not probe_of(result).tabled]
    rows = [Row(_scenario(result), _FIRST if is_floor(result) else weight(result)) for result in shown]
    floor, title = facts_of(document, task.name).get("baseline"), task.metrics()[task.floor].words
    if floor and not task.tabled and not any(map(is_floor, shown)):
        known, nothing, unjudged = Measured.of(floor[task.floor]), words.NOTHING, Verdict(None, "not judged")
        rows.insert(0, Row(("Baseline", known, f"{title} {known}", nothing, nothing, unjudged), _FIRST))
    if rows:
        columns = (
            Column("Scenario"),
            Column(words.sentence_case(title), numeric=True),
            *heads((f"Measured [{interval(document)}]", "Bound"), numeric=False),
            *heads(("Changed",)),
            Column("Verdict"),
        )
        yield Table(columns, tuple(rows), _titled("Scenarios", task, document), dense=True, noun="scenario")


def _scenario(result: Json) -> tuple[Cell, ...]:
    probe = probe_of(result)
    floor: Cell = measured(result, task_of(result).floor) if probe.scored else words.NOTHING
    return scenario(result), floor, outcome(result), bounds(result), probe.changed(result), verdict(result)


def _views(task: Task, _results: Sequence[Json], document: Json) -> Iterator[Table]:
    """The views side by side for the cases where they differ."""
    groups = [
        group
        for group in by_case(document)
        if group[0]["task"] == task.name and len(group) > 1 and probe_of(group[0]).scored and views_differ(group)
    ]
    if not groups:
        return
    rows = []
    for group in groups:
        by_view = {each["view"]: each for each in group}
        rows.append(Row((scenario(group[0]), *(_in_view(by_view.get(view)) for view in task.views)), weight(group[0])))
    title = f"{task.metrics()[task.floor].words} by view, where the views differ"
    columns = (Column("Scenario"), *heads(task.views))
    yield Table(columns, tuple(rows), _titled(title, task, document), defined(task.view_meanings), noun="scenario")


def _in_view(result: Json | None) -> str:
    if result is None:
        return words.NOTHING
    value = measured(result, task_of(result).floor).number
    return f"{value} (bound)" if result["bound"] is not None else value


def _groups(task: Task, results: Sequence[Json], document: Json) -> Iterator[Table]:
    """A column per group, such as an entity type: the floor of each case, or its headline number if it has no floor."""
    by_metric: dict[str, list[tuple[str, Json, float]]] = {}
    baseline = facts_of(document, task.name).get("baseline")
    if baseline:
        by_metric[task.floor] = [("Baseline", baseline, _FIRST)]
    for result in of_corpus(results):
        if not is_floor(result):
            name = task.floor if probe_of(result).scored else result["headline"]
            by_metric.setdefault(name, []).append((scenario(result), result, weight(result)))
    for name, shown in by_metric.items():
        groups = groups_of(result for _, result, _ in shown)
        found = [
            (title, [Measured.of((result.get("per_type", {}).get(group) or {}).get(name)) for group in groups], heavy)
            for title, result, heavy in shown
        ]
        if not any(number.value is not None for _, numbers, _ in found for number in numbers):
            continue
        support = {group: max(_support(result, group) for _, result, _ in shown) for group in groups}
        columns = (Column("Scenario"), *(Column(group, numeric=True, weight=support[group]) for group in groups))
        rows = tuple(Row((title, *numbers), heavy) for title, numbers, heavy in found)
        title = f"{words.sentence_case(task.metrics()[name].words)} per {task.group_noun}"
        title = _titled(title, task, document)
        yield Table(columns, rows, title, dense=True, noun="scenario", column_noun=task.group_noun)


def _support(result: Json, group: str) -> float:
    return float((result.get("per_type", {}).get(group) or {}).get("support", 0))


# What tasks, kinds of case and further blocks add --------------------------------------------------------------------


def added(document: Json) -> Iterator[Block]:
    """Further blocks around those of every kind of case and of every task, with headings where there are several."""
    for block in ordered():
        if block.order < 0 and not block.leads:
            yield from block.summary(document)
    found = by_task(document)
    for task, results in found:
        own = [block for probe, part in by_probe(results) for block in probes()[probe].blocks(part, document)]
        own += task.blocks(of_corpus(results), document)
        if own and len(found) > 1:
            yield Text((), task.title, role="heading")
        yield from own
    for block in ordered():
        if block.order >= 0 and not block.leads:
            yield from block.summary(document)


def by_task(document: Json) -> list[tuple[Task, list[Json]]]:
    """The tasks of the run, each with the results to show, and those of which only the baseline is known."""
    found: dict[str, list[Json]] = {}
    for result in cases(document):
        found.setdefault(result["task"], []).append(result)
    for name in document.get("tasks") or {}:
        found.setdefault(name, [])
    return [(tasks()[name], results) for name, results in found.items()]


def of_corpus(results: Iterable[Json]) -> list[Json]:
    """The results whose units are of the corpus, and not of templates."""
    return [result for result in results if not probe_of(result).apart]


def by_probe(results: Iterable[Json]) -> list[tuple[str, list[Json]]]:
    """The results of each kind of case, by its name."""
    found: dict[str, list[Json]] = {}
    for result in results:
        found.setdefault(result["probe"], []).append(result)
    return [(name, found[name]) for name in probes() if name in found]


def _per_task(document: Json, tables: Callable[[Task, Sequence[Json], Json], Iterator[Table]]) -> Iterator[Block]:
    for task, results in by_task(document):
        yield from tables(task, results, document)


def _titled(title: str, task: Task, document: Json) -> str:
    """The title, with that of the task where the run has several."""
    several = len({*(result["task"] for result in document["results"]), *(document.get("tasks") or {})}) > 1
    return f"{task.title}: {title}" if several else title


# Facts ---------------------------------------------------------------------------------------------------------------


def facts(document: Json) -> Iterator[Text]:
    """The facts behind the numbers: models, corpora, baselines, gate, device, seeds, versions, as far as known."""
    of_tasks = [
        (_titled(label, task, document), text)
        for task, _ in by_task(document)
        for label, text in facts_of_task(task, document).items()
    ]
    lines = tuple(Item(text, label) for label, text in (*of_tasks, *facts_of_run(document).items()))
    if lines:
        yield Text(lines, "Measured on", "facts")


def facts_of_task(task: Task, document: Json) -> dict[str, str]:
    """The model, the corpus and the baseline of a task in words, as far as known."""
    facts = facts_of(document, task.name)
    known = {
        "Model": _model(facts.get("model")),
        "Corpus": _corpus(facts.get("corpus"), task),
        "Baseline": _baseline(facts.get("baseline"), task),
    }
    return {label: text for label, text in known.items() if text}


def facts_of_run(document: Json) -> dict[str, str]:
    """How the run was judged, where and by which versions, in words, as far as known."""
    known = {
        "Gate": _gate(document.get("gate")),
        "Device": document.get("device") or "",
        "Seeds": ", ".join(map(str, document.get("seeds") or ())),
        "Resources": "; ".join(_resources(document.get("results") or ())),
        "Versions": ", ".join(f"{name} {version}" for name, version in (document.get("versions") or {}).items()),
    }
    return {label: text for label, text in known.items() if text}


def _resources(results: Iterable[Json]) -> list[str]:
    """The resources that the variants were drawn with, each named once."""
    return list(dict.fromkeys(each for result in results for each in (result.get("drawn_with") or {}).values()))


def _model(model: Json | None) -> str:
    if model is None:
        return ""
    version = [f"version {visible(model['version'])}"] if model.get("version") is not None else []
    predictions = [f"clean predictions {model['predictions'][:12]}"] if model.get("predictions") else []
    known = [model["name"], *version, f"fingerprint {model['fingerprint'][:12]}", *predictions]
    return ", ".join([*known, *_settings(model["settings"])])


def _settings(settings: Json) -> list[str]:
    return [f"{words.spoken(name)} {value}" for name, value in settings.items()]


def _corpus(corpus: Json | None, task: Task) -> str:
    if corpus is None:
        return ""
    spoken = [_language(corpus)] if "language" in corpus else []
    first = [f"the first {corpus['limit']:,} only"] if corpus.get("limit") is not None else []
    return ", ".join([corpus["name"], *task.sizes(corpus), *spoken, *first, f"sha256 {corpus['sha256'][:12]}"])


def _baseline(baseline: Json | None, task: Task) -> str:
    """The floor, then the other metrics measured on the clean corpus."""
    if baseline is None:
        return ""
    known = [task.floor, *(name for name in task.metrics() if name in baseline and name != task.floor)]
    return ", ".join(f"{task.metrics()[name].words} {Measured.of(baseline[name])}" for name in known)


def _gate(gate: Json | None) -> str:
    if gate is None:
        return ""
    correction = "no correction" if gate["correction"] == "none" else f"{gate['correction'].capitalize()} correction"
    parts = [
        gate["thresholds"],
        f"{correction} over {words.count(gate['bounds'], 'blocking bound')}",
        f"{100 * gate['confidence']:g} % intervals from {gate['resamples']:,} resamples",
        f"an inconclusive case counts as a {gate['inconclusive']}",
    ]
    return ", ".join(parts)
