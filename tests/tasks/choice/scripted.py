"""Questions written by hand, asked by Inspect, answered by a script: all offline, all files in one folder."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.tasks.choice import ORIG

Script = Callable[[str], str]
"""The answer of the model to a prompt."""


@dataclass(frozen=True)
class Question:
    id: str
    text: str
    options: tuple[str, ...]
    target: int


@dataclass(frozen=True)
class Variant:
    """``order`` says which original option stands in each place; None where they stand as they were."""

    name: str
    kind: str
    text: Callable[[str], str] = str
    order: Callable[[int], list[int]] | None = None


def _ends_swapped(count: int) -> list[int]:
    return [count - 1, *range(1, count - 1), 0]


def _reversed(count: int) -> list[int]:
    return [*reversed(range(count))]


ORIGINAL = Variant(ORIG, "orig")
FORMATTED = (
    Variant("pert:punct", "punct", lambda text: text.rstrip("?") + "."),
    Variant("pert:space", "space", lambda text: f"  {text}"),
    Variant("pert:preamble", "preamble", lambda text: f"Please answer. {text}"),
)
REORDERED = (
    Variant("pert:order_swap", "order:swap", order=_ends_swapped),
    Variant("pert:order_rev", "order:reverse", order=_reversed),
)


def samples(questions: Iterable[Question], variants: Sequence[Variant], *, paraphrases: bool = False) -> list[Any]:
    from inspect_ai.dataset import Sample

    found = []
    for question in questions:
        for variant in variants:
            count = len(question.options)
            order = variant.order(count) if variant.order else [*range(count)]
            metadata = {
                "variant": variant.name,
                "paraphrase_id": variant.name if paraphrases else None,
                "perturbation_kind": None if paraphrases else variant.kind,
                "order": order,
            }
            found.append(
                Sample(
                    id=f"{question.id}|{variant.name}",
                    input=variant.text(question.text),
                    choices=[question.options[place] for place in order],
                    target="ABCDEFGH"[order.index(question.target)],
                    metadata=metadata,
                )
            )
    return found


def run(folder: Path, script: Script, samples: Sequence[Any], **more: Any) -> Any:
    """The log of a task of these samples, written to the folder; ``more`` goes to Inspect, but for the task's name."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset
    from inspect_ai.model import ModelOutput, ModelUsage
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    def output(messages, *_):
        made = ModelOutput.from_content("mockllm/model", script(messages[-1].text))
        # Without it, the mock counts tokens with a vocabulary that it would have to download.
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    name = more.pop("name", "perturbation_stability")
    task = Task(dataset=MemoryDataset(list(samples)), solver=multiple_choice(), scorer=choice(), name=name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # our tests make errors of them, and Inspect's libraries deprecate each other
        (log,) = evaluate(
            task,
            model="mockllm/model",
            model_args={"custom_outputs": output},
            display="none",
            log_dir=str(folder),
            **{"log_format": "json", **more},
        )
    return log


def always_a(_prompt: str) -> str:
    return "ANSWER: A"


def never_in_the_format(_prompt: str) -> str:
    return "I would rather talk about the weather."


def perfect(questions: Iterable[Question]) -> Script:
    """Finds the letter that the right option has now."""
    right = {question.options[question.target] for question in questions}

    def answered(prompt: str) -> str:
        (letter,) = (
            letter for letter, option in re.findall(r"^([A-Z])\) (.*)$", prompt, re.MULTILINE) if option in right
        )
        return f"ANSWER: {letter}"

    return answered
