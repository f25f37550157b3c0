"""Language models that Inspect runs, asked for labels by a prompt; imported only when one is used."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Sequence
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate

from abalo.errors import AbaloError, visible
from abalo.models.classifiers.protocol import Classified, Input
from abalo.models.inspection import REASON, evaluated, settings_of
from abalo.models.options import ModelOptions
from abalo.tasks.labels.models.prompts import PREFIX, Asked


class PromptedClassifier:
    """A `Classifier` that asks a model of Inspect; it gives labels and no probabilities.

    Of the arguments, those that Inspect knows as settings of generation, such as ``max_tokens``, are that; the model
    takes the others. A reply that names no label, or several where a text has one, is no label, which is wrong.
    """

    mask_token: str | None = None
    device = "unknown"
    black_box = True

    def __init__(self, model: str, asked: Asked, options: ModelOptions) -> None:
        self.name = f"{PREFIX}{model}"
        self.labels = asked.labels
        self.version = options.model_version
        self._model, self._asked = model, asked
        self._args = settings_of(model, options.model_args)
        template = hashlib.blake2b(asked.template.encode(), digest_size=4).hexdigest()
        self.settings: dict[str, str | int | float | bool | None] = {
            "interface": "prompt",
            "template": template,
            "several_labels": asked.several,
            **{
                name: value if isinstance(value, str | int | float) else str(value)
                for name, value in self._args.items()
            },
        }
        described = json.dumps([model, asked.template, asked.labels, self._args, self.version], default=repr)
        self.fingerprint = hashlib.blake2b(described.encode(), digest_size=16).hexdigest()

    def predict(self, texts: Sequence[Input]) -> list[Classified]:
        """The labels that its replies name; raises `AbaloError` for an evaluation that does not end well."""
        if not texts:
            return []
        with tempfile.TemporaryDirectory(prefix="abalo-inspect-") as folder:
            log = self._log([self._asked.prompt(text) for text in texts], folder)
            if log.status != "success":
                reason = "" if log.error is None else visible(log.error.message)[:REASON]
                raise AbaloError(f"model {self.name}: its evaluation ended with status {log.status!r}: {reason}")
            replies = {sample.id: sample.output.completion for sample in log.samples or ()}  # read from the folder
        return [self._classified(replies[number]) for number in range(1, len(texts) + 1)]

    def _classified(self, reply: str) -> Classified:
        labels = self._asked.read(reply)
        return Classified(labels, reply=reply, answered=bool(labels) or self._asked.is_none(reply))

    def _log(self, prompts: Sequence[str], folder: str) -> Any:
        samples = [Sample(id=number, input=prompt) for number, prompt in enumerate(prompts, start=1)]
        task = Task(dataset=MemoryDataset(samples), solver=generate(), name="labels")
        try:
            (log,) = evaluated(task, self._model, self._args, folder)
        except AbaloError as error:
            raise AbaloError(f"model {self.name}: {error}") from error
        return log
