"""By how many the errors of grammar rise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.core.configuring import Ranged
from abalo.corpora import Corpus
from abalo.sources.grammar import Grammar, load_grammar
from abalo.validators.validator import Pairs, Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarSettings(Ranged):
    """``checker`` is a LanguageTool server, ``language`` one of its codes, such as ``pt-BR``; "auto" lets it guess."""

    checker: str = "none"
    language: str = "auto"


class GrammarErrors:
    """Errors of the variant beyond those of the original."""

    def __init__(self, checker: Grammar) -> None:
        self._checker = checker
        self.name = f"errors of grammar beyond those of the original, {checker.name}"

    def of(self, pairs: Pairs) -> NDArray[np.float64]:
        """The rise of each pair."""
        before = self._checker.errors([original for original, _ in pairs])
        after = self._checker.errors([variant for _, variant in pairs])
        return np.array([max(0, now - then) for now, then in zip(after, before, strict=True)], dtype=np.float64)


def prepare(_corpus: Corpus, settings: GrammarSettings) -> GrammarErrors:
    """Errors of grammar in the variant beyond those of the original, 0 where there are no more.

    A LanguageTool server finds them, which you start (docs/how-to/word-lists.md); without one the case is an error.
    Misspelt words and remarks on style are not counted.
    """
    return GrammarErrors(load_grammar(settings.checker, settings.language))


VALIDATOR = Validator("grammar_errors", GrammarSettings, "max", prepare, high=math.inf)
