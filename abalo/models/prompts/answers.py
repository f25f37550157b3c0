"""Prompts for questions about a passage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from abalo.models.prompts.json_replies import LONGEST, json_in

NONE = "no answer"

_ANSWER = "answer"
_LED = re.compile(rf"\s*\**{_ANSWER}\W{{0,3}}:\W{{0,3}}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The `PromptForm` of a passage and a question; "" means no answer.

    Reads the last line with "Answer:", else the first line.
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

    def read(self, reply: str, given: tuple[str, str]) -> str | None:  # noqa: ARG002 - the same for any question
        if len(reply) > LONGEST:
            return None
        value = json_in(reply)
        if isinstance(value, dict):
            said = value.get(_ANSWER, value)
            return _plain(said or "") if said is None or isinstance(said, str) else None
        lines = [line for line in reply.splitlines() if _LED.sub("", line, count=1).strip()]
        if not lines:
            return None
        led = [line for line in lines if _LED.match(line)]
        return _plain(_LED.sub("", (led or lines[:1])[-1], count=1))

    def said(self, given: tuple[str, str], gold: Any) -> str:  # noqa: ARG002 - the same for any question
        first = next(iter(gold), None)
        return dumps({_ANSWER: first}, ensure_ascii=False) if self.json else first or NONE

    def nothing(self, given: tuple[str, str]) -> str:  # noqa: ARG002 - the same for any question
        return ""

    def packed(self, answer: str) -> Any:
        return answer

    def unpacked(self, packed: Any) -> str:
        return str(packed)


def _plain(said: str) -> str:
    words = said.strip().strip("\"'`*“”").strip()
    return "" if words.rstrip(".").casefold() == NONE else words
