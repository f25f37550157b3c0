"""Tasks and a baseline model for Inspect, found by name; needs ``pip install 'abalo[mcq]'``.

inspect eval abalo/paraphrase_consistency --model abalo/overlap
inspect eval abalo/perturbation_stability -T dataset_path=mine.jsonl -T k=5 --model hf/ORG/MODEL -M do_sample=false
"""

from __future__ import annotations

import re
from typing import Any

from inspect_ai import Task, task
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from abalo.bundled import QUESTIONS
from abalo.errors import AbaloError, visible
from abalo.questions.question import FORMS, PARAPHRASES
from abalo.tasks.choice.files import load_choices
from abalo.tasks.choice.models.inspected import task_of
from abalo.tasks.choice.overlap import overlap
from abalo.tasks.choice.rewordings import prompts


@task
def paraphrase_consistency(
    dataset_path: str = QUESTIONS,
    k: int = 2,
    seed: int = 123,
    max_items: int | None = None,
    exclude_flagged: bool = False,
) -> Task:
    """Asks every question in its original wording and in up to ``k`` paraphrases [module 3, "Tasks"].

    ``exclude_flagged`` drops flagged questions among the first ``max_items``.
    """
    return _task(PARAPHRASES, dataset_path, max_items, k=k, seed=seed, exclude_flagged=exclude_flagged)


@task
def perturbation_stability(
    dataset_path: str = QUESTIONS,
    k: int = 3,
    seed: int = 123,
    max_items: int | None = None,
    exclude_flagged: bool = False,
) -> Task:
    """Asks every question as it is and in up to ``k`` other forms; 5 reorders options [module 3, "Tasks"].

    ``exclude_flagged`` drops flagged questions among the first ``max_items``.
    """
    return _task(FORMS, dataset_path, max_items, k=k, seed=seed, exclude_flagged=exclude_flagged)


def _task(name: str, dataset_path: str, max_items: int | None, **params: int) -> Task:
    questions = load_choices(dataset_path, limit=max_items)
    put = [each for question in questions for each in prompts(question, name, **params)]
    if not put:
        raise AbaloError(f"{visible(dataset_path)}: the audit flags every question; leave exclude_flagged out")
    return task_of(name, put, params["seed"])


_OPTION = re.compile(r"^([A-Z])\) (.*)$", re.MULTILINE)


def overlapping(prompt: str) -> str:
    """The letter of the option that shares most words with the question."""
    options = _OPTION.findall(prompt)
    if not options:
        return ""
    question = prompt[: prompt.index(f"{options[0][0]}) {options[0][1]}")]
    letter: str = options[overlap(question, [text for _, text in options])][0]
    return letter


class Overlap(ModelAPI):
    """An offline baseline that answers by word overlap."""

    def __init__(self, model_name: str, *args: Any, **kwargs: Any) -> None:
        if model_name != "overlap":
            raise AbaloError(f"model abalo/{model_name}: there is no such model; use abalo/overlap")
        super().__init__(model_name, *args, **kwargs)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - Inspect's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        made = ModelOutput.from_content(self.model_name, f"ANSWER: {overlapping(input[-1].text)}")
        made.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
        return made


@modelapi(name="abalo")
def _models() -> type[Any]:
    return Overlap
