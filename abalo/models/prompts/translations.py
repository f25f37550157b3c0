"""Prompts for translations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from abalo.models.prompts.json_replies import LONGEST, json_in

_TRANSLATION = "translation"
_LED = re.compile(rf"\s*\**{_TRANSLATION}\W{{0,3}}:\W{{0,3}}", re.IGNORECASE)
_FENCE = re.compile(r"```\w*\n?")

_NAMES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}


def _named(tag: str) -> str:
    """The language in words, with its tag if it has a script or region: *Portuguese (pt-BR)*."""
    base = tag.partition("-")[0]
    return _NAMES.get(tag, f"{_NAMES[base]} ({tag})" if base in _NAMES else tag)


@dataclass(frozen=True, slots=True)
class TranslationForm:
    """The `PromptForm` of a translation between ``languages`` (codes or "").

    White space becomes single spaces.
    """

    languages: tuple[str, str] = ("", "")
    json: bool = False
    places: tuple[str, ...] = ("{text}",)
    labels: tuple[str, ...] = ()

    @property
    def schema(self) -> Mapping[str, object] | None:
        if not self.json:
            return None
        return {"type": "object", "properties": {_TRANSLATION: {"type": "string"}}, "required": [_TRANSLATION]}

    def usual(self) -> str:
        source, target = map(_named, self.languages)
        said = "".join([f" from {source}" if source else "", f" to {target}" if target else ""])
        return f"Translate the text{said}. {{format}}\n\nText: {{text}}\n\nTranslation:"

    def format(self) -> str:
        return (
            f'Answer with JSON alone: {{"{_TRANSLATION}": "…"}}.' if self.json else "Answer with the translation alone."
        )

    def parts(self, given: str) -> Mapping[str, str]:
        return {self.places[0]: given}

    def read(self, reply: str, given: str) -> str | None:  # noqa: ARG002 - the same for any text
        if len(reply) > LONGEST:
            return None
        value = json_in(reply)
        if isinstance(value, dict):
            reply = value.get(_TRANSLATION, "")
            if not isinstance(reply, str):
                return None
        elif self.json:
            return None
        return " ".join(_LED.sub("", _FENCE.sub("", reply), count=1).split()) or None

    def said(self, given: str, gold: Any) -> str:  # noqa: ARG002 - the same for any text
        return dumps({_TRANSLATION: gold[0]}, ensure_ascii=False) if self.json else str(gold[0])

    def nothing(self, given: str) -> str:  # noqa: ARG002 - the same for any text
        return ""

    def packed(self, answer: str) -> Any:
        return answer

    def unpacked(self, packed: Any) -> str:
        return str(packed)
