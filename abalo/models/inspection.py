"""Evaluations that Inspect runs; it needs ``pip install 'abalo[mcq]'`` and is imported only when one is used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.model import GenerateConfig

from abalo.errors import AbaloError, ends_the_run, visible
from abalo.models.silence import no_traces

REASON = 400
"""How many characters of a reason are told."""

_GREEDY: Mapping[str, Any] = {"do_sample": False}
"""The usual settings of models of Hugging Face, which then answer the same each time."""

_GENERATION = set(GenerateConfig.model_fields)

_MARKUP = re.compile(r"\[/?(bold|italic|underline|dim|red|green|yellow|blue|cyan|magenta|white)( [a-z ]+)?\]")
"""The marks for colours of a terminal in Inspect's messages."""


def settings_of(model: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the model that Inspect calls ``model``: the usual ones of its provider, and those given."""
    return {**(_GREEDY if model.partition("/")[0] == "hf" else {}), **args}


def evaluated(
    task: Task, model: str, settings: Mapping[str, Any], folder: str, extra: Mapping[str, Any] | None = None
) -> list[Any]:
    """The logs of an evaluation, which are written to the folder too.

    Of the ``settings``, those that Inspect knows as settings of generation, such as ``max_tokens``, are that; the model
    takes the others, and the ``extra`` ones. Raises `AbaloError` if Inspect cannot use the model.
    """
    own = {name: value for name, value in settings.items() if name not in _GENERATION}
    generation = {name: value for name, value in settings.items() if name in _GENERATION}
    try:
        with no_traces():
            logs = evaluate(
                task,
                model=model,
                model_args={**own, **(extra or {})},
                display="none",
                log_dir=folder,
                log_format="eval",
                **generation,
            )
    except BaseException as error:
        if ends_the_run(error):
            raise
        reason = visible(_MARKUP.sub("", str(error)))[:REASON]
        raise AbaloError(f"Inspect cannot use it: {type(error).__name__}: {reason}") from error
    return list(logs)
