"""Prompted models: ``inspect:PROVIDER/MODEL?FILE``, or user code with ``replies(prompts)``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from abalo.models.generative.models import Prompted
from abalo.models.prompts.json_replies import as_text
from abalo.models.prompts.replies import AllowedNames, Closed, bare_words, folded, peeled, read_closed, unmarked
from abalo.models.prompts.reply_words import OPTION, label_words
from abalo.models.prompts.unpacking import count_up_to
from abalo.questions.question import LETTERS, Prompt
from abalo.tasks.choice.models.protocol import Picked

_ANSWER = "answer"

_LETTER = re.compile(
    rf"(?:(?i:{OPTION})(?:[\s:：]+|(?=[A-ZＡ-Ｚ])))?[(（\[【]?([A-Za-zＡ-Ｚ])[)）\]】]?[*_`]*(?:[.)．、,:：]|\s?[–—-](?=.))?[*_`]*"
    r"(?:\s*(\S.*))?",
    re.DOTALL,
)
_BEHIND = re.compile(r"(.*\S)\s*[(（\[]([A-ZＡ-Ｚ])[)）\]]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Letters:
    """The places of options, from 0, `Allowed` by letter, by text or by both."""

    options: tuple[str, ...]
    bare: ClassVar[bool] = False

    @property
    def longest(self) -> int:
        return max(map(len, self.options))

    def exactly(self, said: str) -> int | None:
        return None

    def of(self, said: str) -> int | None:
        for level in peeled(unmarked(said)):
            for form, order in ((_LETTER, (1, 2)), (_BEHIND, (2, 1))):
                if match := form.fullmatch(level):
                    place = self._place(*match.group(*order))
                    if place is not None:
                        return place
        text = AllowedNames.among(self.options).of(said)
        return None if text is None or self.options.count(text) > 1 else self.options.index(text)

    def joined(self, text: str) -> str:
        return text

    def of_json(self, value: object) -> int | None:
        text = as_text(value)
        return None if text is None else self.of(text)

    def _place(self, letter: str, text: str | None) -> int | None:
        place = LETTERS.find(folded(letter).upper())
        if not 0 <= place < len(self.options):
            return None
        same = text is None or folded(bare_words(text)) == folded(bare_words(self.options[place]))
        return place if same else None


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A `PromptForm` of questions."""

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

    def read(self, reply: str, given: Prompt, cue: str = "") -> int | None:
        how = Closed((_ANSWER,), self.json, label_words())
        return read_closed(reply, Letters(tuple(given.options)), how, cue)

    def said(self, given: Prompt, gold: int) -> str:
        return f'{{"answer": "{LETTERS[gold]}"}}' if self.json else LETTERS[gold]

    def nothing(self, given: Prompt) -> int:
        return -1

    def packed(self, answer: int) -> object:
        return answer

    def unpacked(self, packed: Any, given: Prompt) -> int:
        return count_up_to(packed, len(given.options) - 1)


class PromptedChoice(Prompted[Prompt, Picked]):
    """A `ChoiceModel` that prompts a language model."""

    def repeat(self, prompts: Sequence[Prompt], index: int, /) -> list[Picked]:
        found = self.asker.answers(prompts, index)
        pairs = zip(found, prompts, strict=True)
        return [Picked.at(each.value if each.valid else None, prompt, each.reply) for each, prompt in pairs]
