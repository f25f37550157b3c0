"""Evaluations by Inspect (``pip install 'abalo[mcq]'``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.model import GenerateConfig

from abalo.errors import AbaloError, ends_the_run, redacted, visible
from abalo.models.networks.silence import no_traces

REASON = 400

_GREEDY: Mapping[str, object] = {"do_sample": False}

GENERATION = frozenset(GenerateConfig.model_fields)

_MARKUP = re.compile(r"\[/?(bold|italic|underline|dim|red|green|yellow|blue|cyan|magenta|white)( [a-z ]+)?\]")


def settings_of(model: str, args: Mapping[str, object]) -> dict[str, Any]:
    """The provider's usual settings with the given ones for ``model``."""
    return {**(_GREEDY if model.partition("/")[0] == "hf" else {}), **args}


def run_evaluation(
    task: Task, model: str, settings: Mapping[str, Any], folder: str, extra: Mapping[str, Any] | None = None
) -> list[Any]:
    """Runs an evaluation; returns its logs, also written to the folder.

    Inspect takes generation settings such as ``max_tokens``; the model gets the others and ``extra``.
    """
    own = {name: value for name, value in settings.items() if name not in GENERATION}
    address = own.pop("base_url", None)
    generation = {name: value for name, value in settings.items() if name in GENERATION}
    try:
        with no_traces():
            logs = evaluate(
                task,
                model=model,
                model_base_url=address,
                model_args={**own, **(extra or {})},
                display="none",
                log_dir=folder,
                log_format="eval",
                **generation,
            )
    except BaseException as error:
        if ends_the_run(error):
            raise
        reason = redacted(visible(plain(str(error))))[:REASON]
        raise AbaloError(f"Inspect cannot use it: {type(error).__name__}: {reason}") from error
    return list(logs)


def plain(message: str) -> str:
    """An Inspect message without colour markup."""
    return _MARKUP.sub("", message)
