"""Accepting a run as reference: checks, detectable losses, next commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from abalo.comparison.document.node_names import TESTS
from abalo.config.options import OPTIONS
from abalo.core.documents.document import Document, TaskFacts
from abalo.core.documents.found import certain
from abalo.core.protocols.options import QUICK
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.results import label_in_words
from abalo.core.protocols.task import cluster_noun, tasks
from abalo.core.protocols.task_report import first_only
from abalo.core.records import words
from abalo.core.records.gate import UNDECIDED
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import BLIND
from abalo.errors import AbaloError, visible
from abalo.reporting.content.run import doubted, run_verdict
from abalo.reporting.runs.finished import Run, check_verdict, whole

_REPORTS = "reports"

EVERY_TEST = ("--pyargs", TESTS)

_NEW = Path("references/1.0")

_USUAL = {"thresholds": "thresholds.toml", "model_args": {}}
"""Recorded values of omitted options that differ from the defaults."""


def check_acceptable(run: Run, *, failed: bool) -> list[str]:
    """Returns warnings about a run to accept; ``failed`` allows the verdict *fail*.

    Raises `AbaloError` if the run lacks cases or clean predictions, failed or regressed, or has too low a clean score.
    """
    path, document = run.path, run.document
    with whole(path):
        check_verdict(path, document)
        if not document.results:
            raise AbaloError(f"{path} results: none; expected at least one case to compare; run the gate with cases")
        for name in document.tasks:
            _check_clean(run, name)
        warnings = [warning for name in document.tasks for warning in _too_low(path, document, name)]
        if document.verdict == "fail" and not failed:
            found = run_verdict(document).lines[0]
            raise AbaloError(
                f"{path} verdict: fail ({found}); expected a run that neither failed nor regressed; correct the model, "
                "accept a loss for a while beside its case (accepted_loss, until, why), or give --failed"
            )
    return warnings


def _check_clean(run: Run, task: str) -> None:
    case = f"{task}/{BASELINE}"
    if case not in run.evidence or not len(run.evidence[case]):
        raise AbaloError(
            f"{run.path} tasks.{task}: no clean predictions (no evidence of {case}); expected those of the whole clean "
            "corpus, which every run measures; run the gate again"
        )


def _too_low(path: Path, document: Document, task: str) -> Iterator[str]:
    found = certain(document.tasks[task].baseline.least)
    limit, state = found.limit, found.state
    place = f"{path} tasks.{task}.baseline.least"
    why = "" if found.reason is None else f" ({visible(found.reason)})"
    if state == "below":
        raise AbaloError(
            f"{place}: the clean score is below {limit:g}{why}; expected a score above it; if model and corpus name "
            "their labels differently, give --abalo-label-map, or else a lower --abalo-least, and run the gate again"
        )
    if state == "undecided":
        said = [line.text.removeprefix("clean ") for line in doubted(task, found)]
        yield f"{place}: the clean score is undecided: {'; '.join(said) or f'judge on more {tasks()[task].noun}s'}"


def detectable_losses(document: Document) -> Iterator[str]:
    """Says for each task which loss a comparison detects, what would halve it, and which loss of a label it sees."""
    for name, own in document.tasks.items():
        yield from _detectable_loss(name, own)
        if own.foreseen is not None and own.foreseen.labels:
            yield f"{name}: {_of_labels(name, own.foreseen.labels)}"


def _of_labels(task: str, shares: Mapping[str, float | None]) -> str:
    known = sorted((share, label) for label, share in shares.items() if share is not None)
    never = sorted(label for label, share in shares.items() if share is None)
    seen = ", ".join(f"{label_in_words(task, label)} {percent(share)}" for share, label in known)
    loses = f"one {tasks()[task].group_noun} that loses this share of its right answers"
    said = f"a comparison will find, in 4 of 5 runs, {loses}: {seen}"
    rare = f"too rare to be found: {', '.join(label_in_words(task, label) for label in never)}"
    return "; ".join([said] * bool(known) + [rare] * bool(never))


def _detectable_loss(name: str, own: TaskFacts) -> Iterator[str]:
    task, found = tasks()[name], own.foreseen
    if found is None:
        return
    if found.reason:
        said = f"comparisons with this run may end undecided, with exit code {UNDECIDED}"
        yield f"WARNING: {name}: {visible(found.reason)}; {said}"
        return
    score = task.metrics()[found.metric].words
    loss = f"a mean loss of {words.number(found.loss)} {score} or more"
    line = f"{name}: a comparison with this run will find {loss} in 4 of 5 runs"
    if found.needed is not None:
        line += f"; about {found.needed:,} distinct {cluster_noun(task)}s would halve that ({found.n:,} here)"
    yield f"WARNING: {line}" if certain(found.loss) > BLIND else line


def commands_after(document: Document, reports: str) -> list[str]:
    """Returns the next two commands, none for a failed run; if a quick look is too small, the first runs in full."""
    if document.verdict == "fail":
        return []
    accept = shlex.join(["abalo", "accept", reports, "--as", _NEW.as_posix()])
    cut = any(first_only(tasks()[name], own.corpus) for name, own in document.tasks.items())
    if document.gate.profile == QUICK and cut and is_too_small(document):
        return [shlex.join([*_command(document, {}), *_reports_option(reports)]), accept]
    return [accept, next_command(document, _NEW)]


def is_too_small(document: Document) -> bool:
    """Whether comparisons with this run would decide nothing, in any task."""
    foreseen = [own.foreseen for own in document.tasks.values() if own.foreseen is not None]
    return bool(foreseen) and all(each.reason for each in foreseen)


def _reports_option(reports: str) -> list[str]:
    return [] if reports == _REPORTS else ["--abalo-reports", reports]


def next_command(document: Document, reference: Path) -> str:
    """Returns the command that judges the next model against the reference."""
    recorded = document.options
    ships = len(document.tasks) > 1 and recorded.get("model") is None
    new: dict[str, str | None] = {} if ships else {"model": "NEXT_MODEL"}
    if new and recorded.get("model_version") is not None:
        new["model_version"] = "NEXT_VERSION"
    new["budget"] = None
    designed = any(own.design is not None for own in document.tasks.values())
    design = ["--abalo-design", reference.as_posix()] if designed else []
    return shlex.join([*_command(document, new), "--abalo-against", reference.as_posix(), *design])


def _command(document: Document, instead: Mapping[str, str | None]) -> list[str]:
    given = {**document.options, **instead}
    if len(document.tasks) == 1:
        given["task"] = next(iter(document.tasks))
    if document.gate.profile == QUICK:  # a run in full has none, and one against the look takes that of the look
        given["limit"] = None
    found = ["pytest", *given.get("selection", EVERY_TEST)]
    if given.get("deep") and "-m" not in found:  # of Python, which selects by no expression
        found += ["-m", "deep or not deep"]
    for option in OPTIONS:
        value = given.get(option.name)
        if value not in (None, False, option.default, _USUAL.get(option.name)):
            found += [option.flag_name] if option.flag else [option.flag_name, _option_value(value)]
    return found


def _option_value(value: object) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}={each}" for key, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
