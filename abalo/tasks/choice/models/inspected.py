"""Models that Inspect runs, by the names it gives them, such as ``hf/ORG/MODEL``; and prompts as a task of Inspect.

It needs Inspect, ``pip install 'abalo[mcq]'``, and is imported only when one is used.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage
from inspect_ai.scorer import choice
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.models.inspection import evaluated, settings_of
from abalo.tasks.choice.logs import collect
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.question import LETTERS, Prompt


def _mocked(*_: Any) -> ModelOutput:
    """The mock's usual answer, which names no option; it would count its tokens by a vocabulary from the network."""
    made = ModelOutput.from_content("mockllm/model", "Default output from mockllm/model")
    made.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
    return made


def task_of(name: str, prompts: Sequence[Prompt], seed: int) -> Task:
    """An Inspect task of that name, with a sample for each prompt; models that draw start from ``seed``.

    Of several epochs, each has a seed of its own: with the same one, repeats would be the same answer, and no repeats.
    """
    return Task(
        dataset=MemoryDataset([_sample(prompt) for prompt in prompts]),
        solver=repeated_choice(seed),
        scorer=choice(),
        config=GenerateConfig(seed=seed),
        name=name,
    )


@solver
def repeated_choice(seed: int) -> Solver:
    """Inspect's multiple choice, the second epoch under ``seed`` + 1 and so on."""
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

    Of ``args``, those that Inspect knows as settings of generation, such as ``max_tokens``, are that; the model takes
    the others. ``version`` tells states of a service from each other. Its logs are copied to the
    folder ``logs``, unless that is None. ``folder`` is where a model lies that the hub is not to be asked for.
    """

    def __init__(
        self,
        name: str,
        args: Mapping[str, Any],
        logs: Path | None,
        version: str | None = None,
        folder: str | None = None,
    ) -> None:
        self.name = name
        provider = name.partition("/")[0]
        self.settings = settings_of(name, args)
        self._extra: dict[str, Any] = {} if folder is None else {"model_path": folder}
        if provider == "mockllm" and "custom_outputs" not in args:
            self._extra["custom_outputs"] = _mocked
        self.version = version
        versions = [] if version is None else [version]
        described = json.dumps([name, self.settings, *versions], sort_keys=True, default=repr)
        self.fingerprint = hashlib.blake2b(described.encode(), digest_size=16).hexdigest()
        self._logs = logs

    def predict(self, prompts: Sequence[Prompt]) -> list[Picked]:
        """The options picked in the logs of evaluations, one for all prompts of a task and seed.

        Raises `AbaloError` for an evaluation that does not end well.
        """
        evaluations: dict[tuple[str, int], list[Prompt]] = {}
        for prompt in dict.fromkeys(prompts):
            evaluations.setdefault((prompt.task, prompt.seed), []).append(prompt)
        picked: dict[Prompt, Picked] = {}
        for (name, seed), together in evaluations.items():
            picked |= zip(together, self._picked(name, together, seed), strict=True)
        return [picked[prompt] for prompt in prompts]

    def _picked(self, name: str, prompts: Sequence[Prompt], seed: int) -> list[Picked]:
        """The options picked in one evaluation."""
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
        """Writes the log of an evaluation to the folder, and returns the replies by the ids of their samples."""
        logs = evaluated(task, self.name, self.settings, folder, self._extra)
        samples = [sample for log in logs for sample in log.samples or ()]
        return {str(sample.id): sample.output.completion for sample in samples if sample.output is not None}

    def _keep(self, folder: Path) -> bool:
        """Copies the logs; whether there are any."""
        if self._logs is None:
            return False
        logs = sorted(folder.glob("*.eval"))
        for log in logs:
            write_bytes(self._logs / log.name, log.read_bytes())
        return bool(logs)
