"""Tasks and a model for Inspect, which finds them by their names: ``abalo/paraphrase_consistency`` and so on.

    inspect eval abalo/paraphrase_consistency --model abalo/overlap
    inspect eval abalo/perturbation_stability -T dataset_path=mine.jsonl -T k=5 --model hf/ORG/MODEL -M do_sample=false

Nothing of Abalo imports this module: Inspect does, and needs ``pip install 'abalo[mcq]'``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice
from inspect_ai.tool import ToolChoice, ToolInfo

from abalo.corpora.choices import load_choices
from abalo.errors import AbaloError
from abalo.tasks.choice import LETTERS, Choice, Variant, paraphrased, reformatted

QUESTIONS = "bundled:questions"


@task
def paraphrase_consistency(
    dataset_path: str = QUESTIONS, k: int = 2, seed: int = 123, max_items: int | None = None
) -> Task:
    """Every question as it is and in up to ``k`` other wordings [module 3, "Tasks"]."""
    return _task(dataset_path, lambda asked: paraphrased(asked, k), seed, max_items, paraphrases=True)


@task
def perturbation_stability(
    dataset_path: str = QUESTIONS, k: int = 3, seed: int = 123, max_items: int | None = None
) -> Task:
    """Every question as it is and in up to ``k`` other forms; 5 takes in the order of options [module 3, "Tasks"]."""
    return _task(dataset_path, lambda asked: reformatted(asked, k), seed, max_items, paraphrases=False)


def _task(
    dataset_path: str,
    variants: Callable[[Choice], tuple[Variant, ...]],
    seed: int,
    max_items: int | None,
    *,
    paraphrases: bool,
) -> Task:
    questions = load_choices(dataset_path, limit=max_items)
    samples = [_sample(variant, paraphrases=paraphrases) for asked in questions for variant in variants(asked)]
    return Task(
        dataset=MemoryDataset(samples, name=dataset_path.rpartition("/")[2]),
        solver=multiple_choice(),
        scorer=choice(),
        config=GenerateConfig(seed=seed),
    )


def _sample(variant: Variant, *, paraphrases: bool) -> Sample:
    return Sample(
        id=f"{variant.item}|{variant.id}",
        input=variant.question,
        choices=list(variant.options),
        target=LETTERS[variant.target],
        metadata={
            "variant": variant.id,
            "paraphrase_id": variant.id if paraphrases else None,
            "perturbation_kind": None if paraphrases else variant.kind,
            "order": list(variant.order),
        },
    )


_OPTION = re.compile(r"^([A-Z])\) (.*)$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_STEM = 5
"""Characters by which two words are taken for one."""


def overlapping(prompt: str) -> str:
    """The letter of the option that shares most words with the question above the options; of equals the first."""
    options = _OPTION.findall(prompt)
    if not options:
        return ""
    asked = _stems(prompt[: prompt.index(f"{options[0][0]}) {options[0][1]}")])
    return str(max(options, key=lambda option: len(_stems(option[1]) & asked))[0])


def _stems(text: str) -> set[str]:
    return {word[:_STEM].lower() for word in _WORD.findall(text) if len(word) > 3}


class Overlap(ModelAPI):
    """Answers offline by the words that option and question share: a baseline, and no more than that."""

    def __init__(self, model_name: str, *args: Any, **kwargs: Any) -> None:
        if model_name != "overlap":
            raise AbaloError(f"model abalo/{model_name}: there is no such model; use abalo/overlap")
        super().__init__(model_name, *args, **kwargs)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - Inspect's name
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """``ANSWER: X`` to the last message."""
        made = ModelOutput.from_content(self.model_name, f"ANSWER: {overlapping(input[-1].text)}")
        made.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
        return made


@modelapi(name="abalo")
def _models() -> type[Any]:
    """The models ``abalo/…``: ``abalo/overlap`` is the only one."""
    return Overlap
