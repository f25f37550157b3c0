"""Models that Inspect runs, by the names it gives them, such as ``hf/ORG/MODEL``; and variants as a task of Inspect.

It needs Inspect, ``pip install 'abalo[mcq]'``, and is imported only when one is used.
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from abalo.tasks.choice.logs import collect
from abalo.errors import AbaloError, visible
from abalo.files import write_bytes
from abalo.tasks.choice.question import LETTERS, Variant


def _mocked(*_: Any) -> ModelOutput:
    """The mock's usual answer, which names no option; it would count its tokens by a vocabulary from the network."""
    made = ModelOutput.from_content("mockllm/model", "Default output from mockllm/model")
    made.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
    return made


_GREEDY: Mapping[str, Any] = {"do_sample": False}
"""How models of Hugging Face answer unless asked otherwise: the same each time."""

_GENERATION = set(GenerateConfig.model_fields)

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


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Inspect's traces of every call, and the warnings of its libraries, which deprecate each other."""
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


class InspectModel:
    """A `ChoiceModel` that Inspect calls ``name``.

    Of ``args``, those that Inspect knows as settings of generation, such as ``max_tokens``, are that; the model takes
    the others. Its logs are copied to the folder ``logs``, unless that is None.
    """

    def __init__(self, name: str, args: Mapping[str, Any], logs: Path | None) -> None:
        self.name = name
        provider = name.partition("/")[0]
        self.settings = {**(_GREEDY if provider == "hf" else {}), **args}
        self._extra = {"custom_outputs": _mocked} if provider == "mockllm" and "custom_outputs" not in args else {}
        said = json.dumps([name, self.settings], sort_keys=True, default=repr)
        self.fingerprint = hashlib.blake2b(said.encode(), digest_size=16).hexdigest()
        self._logs = logs

    def answers(self, variants: Sequence[Variant], task: str, seed: int) -> list[int | None]:
        """The answers in the log of an evaluation; raises `AbaloError` where it does not end well."""
        with tempfile.TemporaryDirectory(prefix="abalo-inspect-") as folder:
            try:
                self._evaluate(variants, task, seed, folder)
                found = collect(Path(folder), remedy="")
            except AbaloError as error:
                kept = f" (in {self._logs})" if self._keep(Path(folder)) else ""
                raise AbaloError(f"model {self.name}: {str(error).replace(f'{folder}/', '')}{kept}") from error
            self._keep(Path(folder))
        places = {(answer.id, answer.variant): answer.pred_index for answer in found.answers}
        return [places[variant.item, variant.id] for variant in variants]

    def _evaluate(self, variants: Sequence[Variant], task: str, seed: int, folder: str) -> None:
        try:
            with _quiet():
                evaluate(
                    task_of(task, variants, seed),
                    model=self.name,
                    model_args={
                        **{key: value for key, value in self.settings.items() if key not in _GENERATION},
                        **self._extra,
                    },
                    **{key: value for key, value in self.settings.items() if key in _GENERATION},
                    display="none",
                    log_dir=folder,
                    log_format="eval",
                )
        except (Exception, SystemExit) as error:
            reason = visible(error)[:_REASON]
            raise AbaloError(f"Inspect cannot use it: {type(error).__name__}: {reason}") from error

    def _keep(self, folder: Path) -> bool:
        """Copies the logs, and says whether there are any."""
        if self._logs is None:
            return False
        logs = sorted(folder.glob("*.eval"))
        for log in logs:
            write_bytes(self._logs / log.name, log.read_bytes())
        return bool(logs)
