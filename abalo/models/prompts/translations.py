"""Prompts for translations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from abalo.models.prompts.json_replies import LONGEST, json_values, one_of
from abalo.models.prompts.replies import after_thoughts, has_quotes, unquoted, unwrapped
from abalo.models.prompts.reply_words import courtesy, translation_lead
from perturbations.languages import codes, language_named

_TRANSLATION = "translation"
_LINE = re.compile(r"[^\n]{1,200}[:：][ \t*_]*\r?\n[ \t]*\r?\n")

_WITHOUT_FOLDER = {
    "ar": "Arabic",
    "de": "German",
    "es": "Spanish",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "ru": "Russian",
}


def _named(tag: str) -> str:
    """The language in words, with its tag if it has a script or region: *Portuguese (pt-BR)*."""
    base = tag.partition("-")[0]
    name = language_named(base).name if base in codes() else _WITHOUT_FOLDER.get(base, "")
    return name if name and base == tag else f"{name} ({tag})" if name else tag


@dataclass(frozen=True, slots=True)
class TranslationForm:
    """The `PromptForm` of a translation between ``languages`` (codes or "").

    Lines are joined by spaces.
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

    def read(self, reply: str, given: str, cue: str = "") -> str | None:
        left = after_thoughts(reply, given)
        if left is None:
            return None
        text, _ = unwrapped(left, given)
        values = json_values(left if self.json else text, _TRANSLATION, whole=not self.json)
        if values and not (given.lstrip().startswith("{") and not self.json):
            found = one_of(values)
            return _on_one_line(found) if isinstance(found, str) else None
        if self.json:
            return None
        said = _without_lead(_without_lead(text.strip(), given, cue), given, cue)
        return _on_one_line(said if has_quotes(given) else unquoted(said, stressed=False))

    def said(self, given: str, gold: Any) -> str:  # noqa: ARG002 - the same for any text
        return dumps({_TRANSLATION: gold[0]}, ensure_ascii=False) if self.json else str(gold[0])

    def nothing(self, given: str) -> str:  # noqa: ARG002 - the same for any text
        return ""

    def packed(self, answer: str) -> Any:
        return answer

    def unpacked(self, packed: Any, given: str) -> str:  # noqa: ARG002 - the same for any text
        if not (isinstance(packed, str) and packed) or len(packed) > LONGEST:
            raise ValueError(packed)
        return str(packed)


def _without_lead(text: str, given: str, cue: str) -> str:
    """The text without words that announce it, unless the source may begin so."""
    for form in (translation_lead(cue), courtesy(), _LINE):
        match = form.match(text)
        if match and not form.match(given.lstrip()) and (_colons(text) > _colons(given) or not _colons(match[0])):
            rest = text[match.end() :].strip()
            if form.groups == 3 and match[1] and not (match[2] or match[3]):
                rest = rest.removesuffix(match[1])
            return rest
    return text


def _colons(text: str) -> int:
    return text.count(":") + text.count("：")


def _on_one_line(text: str) -> str | None:
    return " ".join(line.strip(" \t") for line in re.split(r"[\r\n]+", text) if line.strip()).strip() or None
