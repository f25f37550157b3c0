"""The facts behind the numbers in words: models, corpora, baselines, gate, device, seeds, versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abalo.core import words
from abalo.core.agreement import FULL_PRECISION
from abalo.core.blocks import Item, Measured, Text
from abalo.core.gate import SEVERAL, UNDETERMINED
from abalo.core.preflight import percent
from abalo.core.results import Json, by_task, facts_of, titled
from abalo.core.task import Task
from abalo.errors import visible


def facts(document: Json) -> Iterator[Text]:
    """The facts behind the numbers: models, corpora, baselines, gate, device, seeds, versions, as far as known."""
    of_tasks = [
        (titled(label, task, document), text)
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
        "Full precision": _full_precision((facts.get("model") or {}).get(FULL_PRECISION), task),
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


def _full_precision(told: Json | None, task: Task) -> str:
    if told is None:
        return ""
    floor = f"{task.metrics()[task.floor].words} {Measured.of(told['floor'])}"
    return f"{agreement(told)}: {told['name']}, fingerprint {told['fingerprint'][:12]}, {floor}"


def agreement(told: Json) -> str:
    """How far a model agrees with itself in full precision, such as ``2 of 200 labels differ from …``."""
    share = percent(told["differing"] / max(1, told["labels"]))
    return f"{told['differing']:,} of {words.count(told['labels'], 'label')} differ from full precision ({share})"


def _settings(settings: Json) -> list[str]:
    return [f"{words.spoken(name)} {value}" for name, value in settings.items()]


def _corpus(corpus: Json | None, task: Task) -> str:
    if corpus is None:
        return ""
    spoken = [language(corpus)] if "language" in corpus else []
    first = [f"the first {corpus['limit']:,} only"] if corpus.get("limit") is not None else []
    return ", ".join([corpus["name"], *task.report.sizes(corpus), *spoken, *first, f"sha256 {corpus['sha256'][:12]}"])


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


def speaking(document: Json) -> list[tuple[str, Json]]:
    """The tasks of which the run tells the language, with their facts."""
    return [(name, own) for name, own in (document.get("tasks") or {}).items() if "language" in own["corpus"]]


def is_not_found(corpus: Json) -> bool:
    """Whether the language of a corpus was looked for in vain."""
    return bool(corpus["language_found"] and corpus["language"] == UNDETERMINED)


def language(corpus: Json) -> str:
    """The language of a corpus and where it is known from, such as ``language pt (found in the corpus)``."""
    if is_not_found(corpus):
        return "language not found in the corpus"
    known = {UNDETERMINED: "language unknown", SEVERAL: "several languages"}
    source = "found in the corpus" if corpus["language_found"] else "told"
    return f"{known.get(corpus['language'], 'language ' + corpus['language'])} ({source})"
