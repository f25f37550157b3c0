"""Models that Inspect runs, by the names it gives them, such as ``hf/ORG/MODEL``; and variants as a task of Inspect.

It needs Inspect, ``pip install 'abalo[mcq]'``, and is imported only when one is used.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from abalo.choice.logs import collect
from abalo.errors import AbaloError, visible
from abalo.tasks.choice import LETTERS, Variant

_GREEDY: Mapping[str, Any] = {"do_sample": False}
"""How models of Hugging Face answer unless asked otherwise: the same each time."""

_REASON = 400


def task_of(name: str, variants: Iterable[Variant], seed: int) -> Task:
    """An Inspect task of that name, a sample for each variant."""
    return Task(
        dataset=MemoryDataset([_sample(variant, name) for variant in variants]),
        solver=multiple_choice(),
        scorer=choice(),
        config=GenerateConfig(seed=seed),
        name=name,
    )


def _sample(variant: Variant, task: str) -> Sample:
    return Sample(
        id=f"{variant.item}|{variant.id}",
        input=variant.question,
        choices=list(variant.options),
        target=LETTERS[variant.target],
        metadata={**variant.labels(task), "order": list(variant.order)},
    )


class InspectModel:
    """A `ChoiceModel` that Inspect calls ``name``, made with the arguments ``args``.

    Its logs are copied to the folder ``logs``, unless that is None.
    """

    def __init__(self, name: str, args: Mapping[str, Any], logs: Path | None) -> None:
        self.name = name
        self.settings = {**(_GREEDY if name.startswith("hf/") else {}), **args}
        said = json.dumps([name, self.settings], sort_keys=True, default=repr)
        self.fingerprint = hashlib.blake2b(said.encode(), digest_size=16).hexdigest()
        self._logs = logs

    def answers(self, variants: Sequence[Variant], task: str, seed: int) -> list[int | None]:
        """The answers in the log of an evaluation; raises `AbaloError` where it does not end well."""
        with tempfile.TemporaryDirectory(prefix="abalo-inspect-") as folder:
            try:
                self._evaluate(variants, task, seed, folder)
                found = collect(Path(folder))
            except AbaloError as error:
                kept = "" if self._logs is None else f" (in {self._logs})"
                raise AbaloError(f"model {self.name}: {str(error).replace(f'{folder}/', '')}{kept}") from error
            finally:
                self._keep(Path(folder))
        places = {(answer.id, answer.variant): answer.pred_index for answer in found.answers}
        return [places[variant.item, variant.id] for variant in variants]

    def _evaluate(self, variants: Sequence[Variant], task: str, seed: int, folder: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # its libraries deprecate each other
                evaluate(
                    task_of(task, variants, seed),
                    model=self.name,
                    model_args=dict(self.settings),
                    display="none",
                    log_dir=folder,
                    log_format="eval",
                )
        except (Exception, SystemExit) as error:
            reason = visible(error)[:_REASON]
            raise AbaloError(f"Inspect cannot use it: {type(error).__name__}: {reason}") from error

    def _keep(self, folder: Path) -> None:
        if self._logs is None:
            return
        try:
            self._logs.mkdir(parents=True, exist_ok=True)
            for log in sorted(folder.glob("*.eval")):
                shutil.copy(log, self._logs / log.name)
        except OSError as error:
            raise AbaloError(f"{self._logs}: Inspect's logs cannot be written: {error}") from error
