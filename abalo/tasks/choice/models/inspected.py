"""Models that Inspect runs, such as ``hf/ORG/MODEL``; needs ``pip install 'abalo[mcq]'``."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import choice
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from abalo.core.protocols.options import told_args
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.models.generative.inspected import mock_reply
from abalo.models.networks.addresses import is_here
from abalo.models.networks.inspection import run_evaluation, settings_of
from abalo.models.prompts.calls import Calls
from abalo.questions.logs import collect
from abalo.questions.question import LETTERS, Prompt
from abalo.tasks.choice.models.protocol import Picked


def task_of(name: str, prompts: Sequence[Prompt], seed: int) -> Task:
    """An Inspect task with one sample per prompt and its own seed per epoch."""
    return Task(
        dataset=MemoryDataset([_sample(prompt) for prompt in prompts]),
        solver=repeated_choice(seed),
        scorer=choice(),
        config=GenerateConfig(seed=seed),
        name=name,
    )


@solver
def repeated_choice(seed: int) -> Solver:
    """Inspect's multiple-choice solver with one seed per epoch, from ``seed``."""
    chosen = multiple_choice()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async def seeded(state: TaskState, *args: Any, **settings: Any) -> TaskState:
            own = {} if state.epoch == 1 else {"seed": seed + state.epoch - 1}
            return await generate(state, *args, **{**own, **settings})

        return await chosen(state, seeded)

    return solve


def _id(prompt: Prompt) -> str:
    return f"{prompt.item}|{prompt.variant}"


def _sample(prompt: Prompt) -> Sample:
    return Sample(
        id=_id(prompt),
        input=prompt.question,
        choices=list(prompt.options),
        target=LETTERS[prompt.target],
        metadata={**prompt.labels, "order": list(prompt.order), "seed": prompt.seed},
    )


class InspectModel:
    """A `ChoiceModel` that Inspect calls ``name``.

    ``args`` are settings of generation such as ``max_tokens``, or of the model. ``version`` distinguishes states of a
    service. ``logs`` receives copies of logs, unless None. ``folder`` holds a model that is not loaded from the hub.
    """

    def __init__(
        self,
        name: str,
        args: Mapping[str, object],
        logs: Path | None,
        version: str | None = None,
        folder: str | None = None,
    ) -> None:
        self.name = name
        provider = name.partition("/")[0]
        self._settings = settings_of(name, args)
        self.settings = told_args(self._settings)
        self._extra: dict[str, object] = {} if folder is None else {"model_path": folder}
        if provider == "mockllm" and "custom_outputs" not in args:
            self._extra["custom_outputs"] = mock_reply
        self.version = version
        versions = [] if version is None else [version]
        described = json.dumps([name, self._settings, *versions], sort_keys=True, default=repr)
        self.fingerprint = hashlib.blake2b(described.encode(), digest_size=16).hexdigest()
        self._logs = logs
        self.sends_to = "" if is_here(name, self._settings) else provider
        self.calls, self.estimated = Calls(), 0
        self._is_estimating = False

    def estimating(self) -> InspectModel:
        """A copy that counts calls in ``estimated`` and makes none."""
        made = copy(self)
        made._is_estimating, made.estimated = True, 0
        return made

    def predict(self, prompts: Sequence[Prompt]) -> list[Picked]:
        """Evaluates each task and seed once. Raises AbaloError if an evaluation fails."""
        evaluations: dict[tuple[str, int], list[Prompt]] = {}
        for prompt in dict.fromkeys(prompts):
            evaluations.setdefault((prompt.task, prompt.seed), []).append(prompt)
        asked = sum(map(len, evaluations.values()))
        if self._is_estimating:
            self.estimated += asked
            return [Picked.at(None, prompt) for prompt in prompts]
        self.calls.made += asked
        picked: dict[Prompt, Picked] = {}
        for (name, seed), together in evaluations.items():
            picked |= zip(together, self._picked(name, together, seed), strict=True)
        return [picked[prompt] for prompt in prompts]

    def _picked(self, name: str, prompts: Sequence[Prompt], seed: int) -> list[Picked]:
        with tempfile.TemporaryDirectory(prefix="abalo-inspect-") as folder:
            try:
                replies = self._evaluate(task_of(name, prompts, seed), folder)
                found = collect(Path(folder), remedy="")
            except AbaloError as error:
                kept = f" (in {self._logs})" if self._keep(Path(folder)) else ""
                raise AbaloError(f"model {self.name}: {str(error).replace(f'{folder}/', '')}{kept}") from error
            self._keep(Path(folder))
        places = {(answer.id, answer.variant): answer.pred_index for answer in found.answers}
        return [Picked.at(places[prompt.item, prompt.variant], prompt, replies.get(_id(prompt))) for prompt in prompts]

    def _evaluate(self, task: Task, folder: str) -> dict[str, str]:
        logs = run_evaluation(task, self.name, self._settings, folder, self._extra)
        samples = [sample for log in logs for sample in log.samples or ()]
        return {str(sample.id): sample.output.completion for sample in samples if sample.output is not None}

    def _keep(self, folder: Path) -> bool:
        if self._logs is None or self.settings != self._settings:  # Inspect logs settings as they are
            return False
        logs = sorted(folder.glob("*.eval"))
        for log in logs:
            write_bytes(self._logs / log.name, log.read_bytes())
        return bool(logs)
