"""Grammar errors as a validator."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.sources.grammar import Grammar, load_grammar
from abalo.validators.validator import SentencePairs, Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarSettings(Ranged):
    """A LanguageTool server and its language code, or "auto"."""

    checker: str = "none"
    language: str = "auto"


class GrammarErrors:
    """The variant's errors minus the original's."""

    def __init__(self, checker: Grammar) -> None:
        self._checker = checker
        self.name = f"grammar errors that the original does not have, {checker.name}"

    def of(self, pairs: SentencePairs) -> NDArray[np.float64]:
        before = self._checker.errors([original for original, _ in pairs])
        after = self._checker.errors([variant for _, variant in pairs])
        return np.array([max(0, now - then) for now, then in zip(after, before, strict=True)], dtype=np.float64)


def prepare(_corpus: Corpus, settings: GrammarSettings) -> GrammarErrors:
    """Grammar errors that the variant has more than the original, at least 0.

    Requires a LanguageTool server that you start (docs/how-to/word-lists.md); the case is an error without one.
    Spelling errors and remarks on style do not count.
    """
    return GrammarErrors(load_grammar(settings.checker, settings.language))


VALIDATOR = Validator("grammar_errors", GrammarSettings, "max", prepare, high=math.inf)
