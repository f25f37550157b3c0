"""Grammar errors by LanguageTool."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from abalo.errors import AbaloError
from perturbations import Sentence

PREFIX = "languagetool:"

EXPECTED = f'the address of a LanguageTool server: "{PREFIX}http://localhost:8081"'

_LEFT_OUT = ("misspelling", "style")

_SECONDS = 60


class Grammar(Protocol):
    """Counts grammar errors."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def errors(self, sentences: Sequence[Sentence]) -> list[int]:
        """The number of errors per sentence."""
        ...


class LanguageTool:
    """A LanguageTool server, asked once per text over HTTP.

    Spelling and style don't count; ``language`` is a code such as ``pt-BR``.
    """

    def __init__(self, address: str, language: str) -> None:
        self._address = address.rstrip("/")
        self._language = language
        self._known: dict[str, int] = {}
        self.name = f"LanguageTool at {self._address}, {language}"

    def errors(self, sentences: Sequence[Sentence]) -> list[int]:
        for text in dict.fromkeys(sentence.text for sentence in sentences):
            if text not in self._known:
                self._known[text] = self._asked(text)
        return [self._known[sentence.text] for sentence in sentences]

    def _asked(self, text: str) -> int:
        form = urlencode({"language": self._language, "text": text}).encode()
        try:
            with urlopen(Request(f"{self._address}/v2/check", form), timeout=_SECONDS) as answer:  # noqa: S310
                matches = json.loads(answer.read())["matches"]
            return sum(match["rule"].get("issueType") not in _LEFT_OUT for match in matches)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise AbaloError(
                f"{PREFIX}{self._address}, language {self._language!r}: no answer of a LanguageTool server: {error}; "
                "start one (java -cp languagetool-server.jar org.languagetool.server.HTTPServer --port 8081), or "
                "correct the address or the language"
            ) from error


def load_grammar(spec: str, language: str) -> Grammar:
    """The checker named ``spec``."""
    address = spec.removeprefix(PREFIX)
    if spec == address or urlsplit(address).scheme not in ("http", "https"):
        raise AbaloError(f"checker {spec!r}: grammar_errors needs {EXPECTED}")
    return LanguageTool(address, language)
