"""Prompts for questions about a passage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from abalo.models.prompts.json_replies import LONGEST, as_text, json_object, json_values
from abalo.models.prompts.replies import after_thoughts, announced, bare_words, folded, unquoted, unwrapped
from abalo.models.prompts.reply_words import no_answers

NONE = "no answer"

_ANSWER = "answer"

_EMPTY = " \t\r\n*_`"


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The `PromptForm` of a passage and a question; "" means no answer.

    Reads JSON, what follows "Answer:", else the reply up to an empty line.
    """

    json: bool = False
    places: tuple[str, ...] = ("{passage}", "{question}")
    labels: tuple[str, ...] = ()

    @property
    def schema(self) -> Mapping[str, Any] | None:
        if not self.json:
            return None
        return {"type": "object", "properties": {_ANSWER: {"type": ["string", "null"]}}, "required": [_ANSWER]}

    def usual(self) -> str:
        return (
            "Answer the question with the fewest words of the passage that answer it. {format}\n\n"
            "Passage: {passage}\n\nQuestion: {question}\n\nAnswer:"
        )

    def format(self) -> str:
        if self.json:
            return 'Answer with JSON alone: {"answer": "…"}, with null if the passage does not answer it.'
        return f'Answer with these words alone, or "{NONE}" if the passage does not answer it.'

    def parts(self, given: tuple[str, str]) -> Mapping[str, str]:
        return dict(zip(self.places, given, strict=True))

    def read(self, reply: str, given: tuple[str, str], cue: str = "") -> str | None:
        asked = "\n".join(given)
        left = after_thoughts(reply, asked)
        if left is None:
            return None
        text, _ = unwrapped(left, asked)
        values = json_values(left if self.json else text, _ANSWER, whole=not self.json)
        if not values and json_object(text) is None and not (self.json and text.lstrip()[:1] in ("{", "[")):
            led = announced(text, cue)
            values = [each for each in led if each.strip(_EMPTY)] if led else _alone(text)
        said = [_answer(value) for value in values]
        return (
            said[0]
            if said and len({each if each is None else folded(bare_words(each)) for each in said}) == 1
            else None
        )

    def said(self, given: tuple[str, str], gold: Any) -> str:  # noqa: ARG002 - the same for any question
        first = next(iter(gold), None)
        return dumps({_ANSWER: first}, ensure_ascii=False) if self.json else first or NONE

    def nothing(self, given: tuple[str, str]) -> str:  # noqa: ARG002 - the same for any question
        return ""

    def packed(self, answer: str) -> Any:
        return answer

    def unpacked(self, packed: Any, given: tuple[str, str]) -> str:  # noqa: ARG002 - the same for any text
        if not (isinstance(packed, str)) or len(packed) > LONGEST:
            raise ValueError(packed)
        return str(packed)


def _answer(said: object) -> str | None:
    if said is None:
        return ""
    said = None if isinstance(said, bool) else as_text(said)
    if said is None:
        return None
    return "" if bare_words(said).casefold() in no_answers() else unquoted(said, stressed=True)


def _alone(text: str) -> list[object]:
    """The reply without a first line that ends in a colon, and without what follows an empty line."""
    parts = [part for part in re.split(r"\n[ \t]*\n", text.strip()) if part.strip(_EMPTY)]
    led = len(parts) > 1 and "\n" not in parts[0] and parts[0].rstrip(_EMPTY).endswith((":", "："))
    return [*parts[led : led + 1]]
