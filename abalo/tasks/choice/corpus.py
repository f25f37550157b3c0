"""Corpora of questions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from abalo.core.protocols.task import Writer
from abalo.core.records.example import Example
from abalo.questions.question import Choice
from abalo.tasks.choice.files import ENDINGS, write_choices
from perturbations import Sentence
from perturbations.families.choice import question_of

QUESTION, OPTIONS = "question", "options"


@dataclass(frozen=True, slots=True, eq=False)
class Questionnaire:
    """Questions with their source and ``notices`` from reading."""

    name: str
    choices: tuple[Choice, ...]
    notices: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps([asdict(choice) for choice in self.choices]).encode()).hexdigest()

    @property
    def examples(self) -> tuple[Example, ...]:
        return tuple(map(example_of, self.choices))

    def first(self, limit: int | None) -> Questionnaire:
        return self if limit is None else replace(self, choices=self.choices[:limit])

    def chosen(self, places: Sequence[int]) -> Questionnaire:
        """The questions at these places."""
        return replace(self, choices=tuple(self.choices[place] for place in places))


def write_examples(
    _corpus: object, examples: Sequence[Example], path: Path, notes: Sequence[Mapping[str, object]]
) -> None:
    """Writes JSON lines with ids from the notes, or else places."""
    names = [str(note["id"]) for note in notes] or [str(number) for number in range(1, len(examples) + 1)]
    pairs = zip(names, examples, strict=True)
    write_choices([_choice_of(example, name) for name, example in pairs], path, notes)


WRITERS: Mapping[str, Writer] = dict.fromkeys(ENDINGS, write_examples)


def _choice_of(example: Example, name: str) -> Choice:
    fields = example.fields
    choice: Choice = example.source
    return replace(choice, id=name, question=fields[QUESTION].text, options=fields[OPTIONS].tokens, target=example.gold)


def example_of(choice: Choice) -> Example:
    """The question as an example with the right place as ``gold``."""
    fields = {QUESTION: question_of(choice.question), OPTIONS: Sentence(choice.options)}
    said = json.dumps([choice.question, choice.options, choice.target])
    cluster = hashlib.sha256(said.encode()).hexdigest()  # copies are no evidence of their own
    return Example(choice.id, fields, cluster, choice.target, choice, choice.language)
