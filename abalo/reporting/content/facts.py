"""Facts behind the numbers: models, corpora, baselines, gate, device, seeds, versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from abalo.core.documents.blocks import Item, Measured, Text
from abalo.core.documents.document import (
    KEPT_ON,
    BaselineFacts,
    CorpusFacts,
    Document,
    FullPrecision,
    GateFacts,
    ModelFacts,
    TaskFacts,
)
from abalo.core.documents.found import DrawnFields, Result
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.results import by_task, facts_of, title_in_task
from abalo.core.protocols.task import Task
from abalo.core.protocols.task_report import first_only
from abalo.core.records import words
from abalo.core.records.gate import SEVERAL, UNDETERMINED
from abalo.core.records.json_records import Json
from abalo.core.records.rates import cost_in_words, used_in_words
from abalo.errors import visible


def facts(document: Document) -> Iterator[Text]:
    """Lists the known facts of the run and its tasks."""
    of_tasks = [
        (title_in_task(label, task, document), text)
        for task, _ in by_task(document)
        for label, text in facts_of_task(task, document).items()
    ]
    lines = tuple(Item(text, label) for label, text in (*of_tasks, *facts_of_run(document).items()))
    if lines:
        yield Text(lines, "Measured on", "facts")


def facts_of_task(task: Task, document: Document) -> dict[str, str]:
    """Describes a task's model, corpus and baseline."""
    facts = facts_of(document, task.name)
    if facts is None:
        return {}
    known = {
        "Model": _model(facts.model),
        "Calls": _calls(facts.model, [each for each in document.results if each.task == task.name]),
        "Full precision": _full_precision(facts.model.full_precision, task),
        "Corpus": _corpus(facts.corpus, task),
        "Baseline": _baseline(facts.baseline, task),
    }
    return {label: text for label, text in known.items() if text}


def facts_of_run(document: Document) -> dict[str, str]:
    """Describes how, where and by which versions the run was judged."""
    known = {
        "Gate": _gate(document.gate),
        "Device": document.device or "",
        "Seeds": ", ".join(map(str, document.seeds)),
        "Resources": "; ".join(_resources(document.results)),
        "Versions": ", ".join(f"{name} {version}" for name, version in document.versions.items()),
    }
    return {label: text for label, text in known.items() if text}


def _resources(results: Iterable[Result]) -> list[str]:
    return list(dict.fromkeys(each for result in results for each in DrawnFields.of(result).drawn_with.values()))


def _model(model: ModelFacts) -> str:
    version = [f"version {visible(model.version)}"] if model.version is not None else []
    predictions = [f"clean predictions {model.predictions[:12]}"] if model.predictions else []
    known = [model.name, *version, f"fingerprint {model.fingerprint[:12]}", *predictions]
    return ", ".join([*known, *_settings(model.settings)])


def all_kept(document: Document) -> str:
    """The day of the oldest reply, or their range, if language models replied and no call was made; else ""."""
    counted = _all_calls(document)
    days = _days(counted)
    if counted["made"] or not days:
        return ""
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def spent(document: Document) -> list[str]:
    """Retries of failed calls and the cost of all calls, in words; empty if there are none."""
    counted = _all_calls(document)
    return [*_retries(counted), *cost_in_words(counted)]


def _retries(counted: Counter[str]) -> list[str]:
    return [f"{words.count(counted['retried'], 'retry', 'retries')} of failed calls"] if counted["retried"] else []


def _all_calls(document: Document) -> Counter[str]:
    counted = Counter[str]()
    for name, own in document.tasks.items():
        counted.update(_count_calls(own.model, [each for each in document.results if each.task == name]))
    return counted


def _days(counted: Counter[str]) -> list[str]:
    return sorted(name.removeprefix(KEPT_ON) for name, n in counted.items() if name.startswith(KEPT_ON) and n)


def _count_calls(model: ModelFacts, results: Iterable[Result]) -> Counter[str]:
    counted = Counter[str]()
    for each in (model.calls, *({each.id: each.calls for each in results}.values())):
        counted.update(each or {})
    return counted


def _calls(model: ModelFacts, results: Iterable[Result]) -> str:
    counted = _count_calls(model, results)
    if not counted:
        return ""
    days = _days(counted)
    said = [words.count(counted["made"], "call")]
    said += used_in_words(counted)
    since = f", the oldest of {days[0]}" if days else ""
    said.append(f"{words.count(counted['kept'], 'kept reply', 'kept replies')}{since}")
    said += [f"{counted['again']:,} after replies that could not be read"] if counted["again"] else []
    said += _retries(counted)
    return ", ".join([*said, *([f"{counted['left_out']:,} left out"] if counted["left_out"] else [])])


def _full_precision(told: FullPrecision | None, task: Task) -> str:
    if told is None:
        return ""
    floor = f"{task.metrics()[task.floor].words} {Measured.of(told.floor)}"
    return f"{agreement(told)}: {told.name}, fingerprint {told.fingerprint[:12]}, {floor}"


def agreement(told: FullPrecision) -> str:
    """Says how many labels differ from full precision."""
    share = percent(told.differing / max(1, told.labels))
    return f"{told.differing:,} of {words.count(told.labels, 'label')} differ from full precision ({share})"


def _settings(settings: Json) -> Iterator[str]:
    for name, value in settings.items():
        if name == "several_labels":
            yield "several labels per example" if value else "one label per example"
        elif name == "interface" and value == "linear":
            yield "linear model"
        elif isinstance(value, bool):
            yield from [words.identifier_in_words(name)] if value else []
        elif name != "labelling":
            yield f"{words.identifier_in_words(name)} {value}"


def _corpus(corpus: CorpusFacts, task: Task) -> str:
    spoken = [language(corpus)] if corpus.language else []
    first = first_only(task, corpus)
    return ", ".join([corpus.name, *task.report.sizes(corpus), *spoken, *first, f"sha256 {corpus.sha256[:12]}"])


def _baseline(baseline: BaselineFacts, task: Task) -> str:
    known = [task.floor, *(name for name in task.metrics() if name in baseline.more and name != task.floor)]
    return ", ".join(f"{task.metrics()[name].words} {Measured.of(baseline.more.get(name))}" for name in known)


def _gate(gate: GateFacts) -> str:
    if gate.confidence is None:
        return ""
    bounds = words.count(gate.bounds or 0, "blocking bound")
    correction = f"{bounds}, not corrected for their number"
    if gate.correction != "none":
        correction = f"{gate.correction.capitalize()} correction over {bounds}"
    parts = [
        gate.thresholds,
        *([correction] if gate.bounds else []),
        f"{100 * gate.confidence:g} % intervals from {gate.resamples:,} resamples",
        f"an undecided case counts as a {gate.inconclusive}",
    ]
    return ", ".join(parts)


def speaking(document: Document) -> list[tuple[str, TaskFacts]]:
    """Returns the tasks with a known language."""
    return [(name, own) for name, own in document.tasks.items() if own.corpus.language]


def is_not_found(corpus: CorpusFacts) -> bool:
    """Returns True if language detection failed."""
    return bool(corpus.language_found and corpus.language == UNDETERMINED)


def language(corpus: CorpusFacts) -> str:
    """Names a corpus language and its source, such as ``language pt (found in the corpus)``."""
    if is_not_found(corpus):
        return "language not found in the corpus"
    known = {UNDETERMINED: "language unknown", SEVERAL: "several languages"}
    source = "found in the corpus" if corpus.language_found else "told"
    return f"{known.get(corpus.language, 'language ' + corpus.language)} ({source})"
