"""Errors of grammar that a LanguageTool server finds in texts."""

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
"""Kinds of findings that are no errors of grammar, as LanguageTool calls them."""

_SECONDS = 60


class Grammar(Protocol):
    """Finds errors of grammar; ``name`` names it in reports."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def errors(self, sentences: Sequence[Sentence]) -> list[int]:
        """How many errors each sentence has."""
        ...


class LanguageTool:
    """A LanguageTool server, which is asked by its public interface over HTTP; each text once.

    Misspelt words and remarks on style are not counted. ``language`` is a code of LanguageTool's, such as ``pt-BR``.
    """

    def __init__(self, address: str, language: str) -> None:
        self._address = address.rstrip("/")
        self._language = language
        self._known: dict[str, int] = {}
        self.name = f"LanguageTool at {self._address}, {language}"

    def errors(self, sentences: Sequence[Sentence]) -> list[int]:
        """How many errors each sentence has; raises `AbaloError` where the server does not answer."""
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
    """The checker called ``spec``; raises `AbaloError` for none."""
    address = spec.removeprefix(PREFIX)
    if spec == address or urlsplit(address).scheme not in ("http", "https"):
        raise AbaloError(f"checker {spec!r}: grammar_errors needs {EXPECTED}")
    return LanguageTool(address, language)
