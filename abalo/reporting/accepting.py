"""Whether a finished run can become a reference, what a comparison with it sees, and the commands that come next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from abalo.config.options import OPTIONS, QUICK_LIMIT
from abalo.core import words
from abalo.core.clean_score import LEAST
from abalo.core.gate import UNDECIDED
from abalo.core.options import QUICK
from abalo.core.plan import BASELINE
from abalo.core.results import Json
from abalo.core.task import tasks
from abalo.core.verdicts import BLIND
from abalo.errors import AbaloError, visible
from abalo.reporting.finished import Run, check_verdict, whole
from abalo.reporting.foresight import FORESEEN
from abalo.reporting.node_names import TESTS
from abalo.reporting.run import run_verdict

_REPORTS = "reports"
"""The usual folder of reports."""

EVERY_TEST = ("--pyargs", TESTS)
"""The words of pytest that choose all tests that ship."""

_NEW = Path("references/1.0")
"""A reference that is named as an example."""

_USUAL = {"thresholds": "thresholds.toml", "model_args": {}}
"""The recorded values of options that nobody gave, if these are not the defaults."""


def check_acceptable(run: Run, *, failed: bool) -> list[str]:
    """Warnings about a finished run that is to become a reference; ``failed`` allows a run with the verdict *fail*.

    Raises `AbaloError` for a run without a case or without clean predictions of a task, for a run that failed or
    regressed, and for a clean score that is certainly too low.
    """
    path, document = run.path, run.document
    with whole(path):
        check_verdict(path, document)
        if not document["results"]:
            raise AbaloError(f"{path} results: none; expected at least one case to compare; run the gate with cases")
        for name in document["tasks"]:
            _check_clean(run, name)
        warnings = [warning for name in document["tasks"] for warning in _too_low(path, document, name)]
        if document["verdict"] == "fail" and not failed:
            found = run_verdict(document).lines[0]
            raise AbaloError(
                f"{path} verdict: fail ({found}); expected a run that neither failed nor regressed; correct the model, "
                "accept a loss for a while beside its case (accepted_loss, until, why), or give --failed"
            )
    if (document.get("gate") or {}).get("profile") == QUICK:
        warnings.append("this is a quick look at a part of the corpus; for a reference, run it without the profile")
    return warnings


def _check_clean(run: Run, task: str) -> None:
    """Raises `AbaloError` if the run has no evidence of the clean corpus of a task."""
    case = f"{task}/{BASELINE}"
    if case not in run.evidence or not len(run.evidence[case]):
        raise AbaloError(
            f"{run.path} tasks.{task}: no clean predictions (no evidence of {case}); expected those of the whole clean "
            "corpus, which every run measures; run the gate again"
        )


def _too_low(path: Path, document: Json, task: str) -> Iterator[str]:
    """A warning if it is undecided whether the clean score of a task is large enough.

    Raises `AbaloError` if the clean score is wholly below the limit.
    """
    found = document["tasks"][task]["baseline"][LEAST]
    limit, state = found["limit"], found["state"]
    place = f"{path} tasks.{task}.baseline.least"
    why = "" if found["reason"] is None else f" ({visible(found['reason'])})"
    if state == "below":
        raise AbaloError(
            f"{place}: the clean score is below {limit:g}{why}; expected a score above it; if model and corpus name "
            "their labels differently, give --abalo-label-map, or else a lower --abalo-least, and run the gate again"
        )
    if state == "undecided":
        more = f"judge on more {tasks()[task].noun}s"
        yield f"{place}: the clean score is undecided{why}; {more}"


def seen_by(document: Json) -> Iterator[str]:
    """For each task the loss that a comparison with the run sees, and the number of examples that would halve it."""
    for name, own in document["tasks"].items():
        task, found = tasks()[name], own.get(FORESEEN)
        if found is None:
            continue
        if found["reason"]:
            yield f"WARNING: {name}: {visible(found['reason'])}; runs against it end with exit code {UNDECIDED}"
            continue
        score = task.metrics()[found["metric"]].words
        line = f"{name}: a loss of about {words.number(found['loss'])} {score} would be seen against this run"
        if found["needed"] is not None:
            line += f"; about {found['needed']:,} distinct {task.noun}s would halve it ({found['n']:,} here)"
        yield f"WARNING: {line}" if found["loss"] > BLIND else line


def commands_after(document: Json, reports: str) -> list[str]:
    """The two commands that come after a run: all of it after a quick one, accept it, compare the next model."""
    accept = shlex.join(["abalo", "accept", reports, "--as", _NEW.as_posix()])
    if document["gate"]["profile"] == QUICK:
        return [shlex.join([*_command(document, {}), *_written_to(reports)]), accept]
    return [accept, next_command(document, _NEW)]


def _written_to(reports: str) -> list[str]:
    """The option that has a run write to this folder; none for the usual folder."""
    return [] if reports == _REPORTS else ["--abalo-reports", reports]


def next_command(document: Json, reference: Path) -> str:
    """The command that judges the next model against the reference, with the corpus and the settings of the run."""
    recorded = document["options"]
    ships = len(document["tasks"]) > 1 and recorded.get("model") is None
    new = {} if ships else {"model": "NEXT_MODEL"}
    if new and recorded.get("model_version") is not None:
        new["model_version"] = "NEXT_VERSION"
    return shlex.join([*_command(document, new), "--abalo-against", reference.as_posix()])


def _command(document: Json, instead: Mapping[str, str]) -> list[str]:
    """The command of a run, with some options ``instead`` of those that it had."""
    given = {**document["options"], **instead}
    if len(document["tasks"]) == 1 and any(given.get(name) for name in ("model", "corpus")):
        given["task"] = next(iter(document["tasks"]))
    if document["gate"]["profile"] == QUICK and given["limit"] == QUICK_LIMIT:
        given["limit"] = None
    found = ["pytest", *given.get("selection", EVERY_TEST)]
    for option in OPTIONS:
        value = given.get(option.name)
        if value not in (None, False, option.default, _USUAL.get(option.name)):
            found += [option.flag_name] if option.flag else [option.flag_name, _written(value)]
    return found


def _written(value: Any) -> str:
    """A recorded value as the command line has it."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={each}" for key, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
