"""Questions to judge a model on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from abalo.core.example import Example
from abalo.core.task import Writer
from abalo.tasks.choice.files import ENDINGS, write_choices
from abalo.tasks.choice.question import Choice
from perturbations import Sentence
from perturbations.families.choice import question_of

QUESTION, OPTIONS = "question", "options"
"""The fields of an example: the normalised question, and a sentence whose tokens are the options."""


@dataclass(frozen=True, slots=True, eq=False)
class Questionnaire:
    """Questions to judge a model on, and what they were called; ``notices`` say what reading has taken for granted."""

    name: str
    choices: tuple[Choice, ...]
    notices: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Digest of all that could change an answer or its being right, whatever the file format."""
        return hashlib.sha256(json.dumps([asdict(choice) for choice in self.choices]).encode()).hexdigest()

    @property
    def examples(self) -> tuple[Example, ...]:
        """The questions as examples; ``gold`` is the place of the right option."""
        return tuple(map(example_of, self.choices))

    def first(self, limit: int | None) -> Questionnaire:
        """The first ``limit`` questions, all for None."""
        return self if limit is None else replace(self, choices=self.choices[:limit])


def write_examples(_corpus: Any, examples: Sequence[Example], path: Path, notes: Sequence[Mapping[str, Any]]) -> None:
    """The questions as JSON lines; each is called as its note says, else by its place."""
    names = [str(note["id"]) for note in notes] or [str(number) for number in range(1, len(examples) + 1)]
    pairs = zip(names, examples, strict=True)
    write_choices([_choice_of(example, name) for name, example in pairs], path, notes)


WRITERS: Mapping[str, Writer] = dict.fromkeys(ENDINGS, write_examples)


def _choice_of(example: Example, name: str) -> Choice:
    fields = example.fields
    choice: Choice = example.source
    return replace(choice, id=name, question=fields[QUESTION].text, options=fields[OPTIONS].tokens, target=example.gold)


def example_of(choice: Choice) -> Example:
    """The question as an example; ``gold`` is the place of the right option."""
    fields = {QUESTION: question_of(choice.question), OPTIONS: Sentence(choice.options)}
    said = json.dumps([choice.question, choice.options, choice.target])
    cluster = hashlib.sha256(said.encode()).hexdigest()  # copies are no evidence of their own
    return Example(choice.id, fields, cluster, choice.target, choice, choice.language)
