"""Whether a finished run can become a reference, and the command that judges the next run against it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from abalo.config.options import OPTIONS
from abalo.core.case import BASELINE
from abalo.core.results import Json
from abalo.core.task import tasks
from abalo.errors import AbaloError, visible
from abalo.reporting.finished import Run, check_verdict, whole
from abalo.reporting.run import run_verdict

_MODELS = ("model", "choice_model")

_USUAL = {"thresholds": "thresholds.toml", "choice_args": {}}
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
    limit, state, reason = _least(document, task)
    place = f"{path} tasks.{task}.baseline.least"
    why = "" if reason is None else f" ({visible(reason)})"
    if state == "below":
        raise AbaloError(
            f"{place}: the clean score is below {limit:g}{why}; expected a score above it; if model and corpus name "
            "their labels differently, give --abalo-label-map, or else a lower --abalo-least, and run the gate again"
        )
    if state == "undecided":
        more = f"judge on more {tasks()[task].noun}s"
        yield f"{place}: whether the clean score is above {limit:g} is undecided{why}; {more}"


def _least(document: Json, task: str) -> tuple[float, str, str | None]:
    """The smallest clean score of a task, whether the run's is *above* or *below* it or *undecided*, and the reason."""
    found = document["tasks"][task]["baseline"]["least"]
    return found["limit"], found["state"], found["reason"]


def next_command(document: Json, reference: Path) -> str:
    """The command that judges the next model against the reference, with the corpus and the settings of the run."""
    recorded, only = document["options"], len(document["tasks"]) == 1
    models = [name for name in _MODELS if recorded.get(name) is not None]
    models = models[:1] or ["model"] if only else models  # a run without a model judges those that ship
    new = {**dict.fromkeys(models, "NEXT_MODEL"), **({"model_version": "NEXT_VERSION"} if models else {})}
    words = ["pytest", "--pyargs", "tests_behavioral"]
    for option in OPTIONS:
        value = recorded.get(option.name)
        if option.name in new and (value is not None or option.name in models):
            words += [option.flag_name, new[option.name]]
        elif option.name not in _MODELS and value not in (None, False, option.default, _USUAL.get(option.name)):
            words += [option.flag_name] if option.flag else [option.flag_name, _written(value)]
    return shlex.join([*words, "--abalo-against", reference.as_posix()])


def _written(value: Any) -> str:
    """A recorded value as the command line has it."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={each}" for key, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
