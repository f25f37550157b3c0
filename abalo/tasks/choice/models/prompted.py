"""Prompted models: ``inspect:PROVIDER/MODEL?FILE``, or user code with ``replies(prompts)``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.models.generative.models import Prompted
from abalo.models.prompts.json_replies import LONGEST, json_in
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.question import LETTERS, Prompt

_ANSWER = "answer"

_LETTER = re.compile(r"(?i:answer)\W{0,5}(?:is\W{1,5})?([A-Z])\b")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A `PromptForm` of questions.

    Reads a letter, JSON with "answer", the words of one option, or the last letter behind "answer".
    """

    json: bool = False
    places: tuple[str, ...] = ("{question}", "{options}")
    labels: tuple[str, ...] = ()

    @property
    def schema(self) -> Mapping[str, object] | None:
        if not self.json:
            return None
        letter = {_ANSWER: {"type": "string", "enum": list(LETTERS)}}
        return {"type": "object", "properties": letter, "required": [_ANSWER]}

    def usual(self) -> str:
        return "{question}\n\n{options}\n\n{format}"

    def format(self) -> str:
        if self.json:
            return 'Answer with JSON alone: {"answer": "A"}, with the letter of the right option.'
        return "Answer with the letter of the right option alone."

    def parts(self, given: Prompt) -> Mapping[str, str]:
        lines = [f"{LETTERS[place]}. {option}" for place, option in enumerate(given.options)]
        return {"{question}": given.question, "{options}": "\n".join(lines)}

    def read(self, reply: str, given: Prompt) -> int | None:
        if len(reply) > LONGEST:
            return None
        value = json_in(reply)
        if isinstance(value, dict) and isinstance(value.get(_ANSWER), str):
            return _place(value[_ANSWER], given)
        place = _place(reply, given)
        if place is not None:
            return place
        named = _LETTER.findall(reply)
        return _place(named[-1], given) if named else None

    def said(self, given: Prompt, gold: int) -> str:
        return f'{{"answer": "{LETTERS[gold]}"}}' if self.json else LETTERS[gold]

    def nothing(self, given: Prompt) -> int:
        return -1

    def packed(self, answer: int) -> object:
        return answer

    def unpacked(self, packed: Any) -> int:
        return int(packed)


class PromptedChoice(Prompted[Prompt, Picked]):
    """A `ChoiceModel` that prompts a language model."""

    def repeat(self, prompts: Sequence[Prompt], index: int, /) -> list[Picked]:
        found = self.asker.answers(prompts, index)
        pairs = zip(found, prompts, strict=True)
        return [Picked.at(each.value if each.valid else None, prompt, each.reply) for each, prompt in pairs]


def _place(said: str, given: Prompt) -> int | None:
    plain = said.strip().strip("*()[]\"'`").rstrip(".:").strip()
    letter = plain[:1].upper()
    alone = len(plain) == 1 or plain[1:2] in ".):"
    if letter in LETTERS[: len(given.options)] and letter and alone:
        return LETTERS.index(letter)
    same = [place for place, option in enumerate(given.options) if option.strip().casefold() == plain.casefold()]
    return same[0] if len(same) == 1 else None
