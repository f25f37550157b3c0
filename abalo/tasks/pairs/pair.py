"""Sentence pairs as examples."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from abalo.core.records.example import Example
from perturbations import Partner, Sentence

PREMISE, HYPOTHESIS = "premise", "hypothesis"


def example_of(premise: Sentence, hypothesis: Sentence, gold: tuple[str, ...] | None, source: object) -> Example:
    """The pair as an example; equal pairs are copies."""
    tokens = ascii((premise.tokens, hypothesis.tokens)).encode()
    key = hashlib.blake2b(tokens, digest_size=8).hexdigest()
    return Example(key, read_together(premise, hypothesis), key, gold, source)


def read_together(premise: Sentence, hypothesis: Sentence) -> Mapping[str, Sentence]:
    """The fields of an example, each the other's partner."""
    return {
        PREMISE: replace(premise, layers=(Partner(HYPOTHESIS, hypothesis.tokens, entails=False),)),
        HYPOTHESIS: replace(hypothesis, layers=(Partner(PREMISE, premise.tokens, entails=True),)),
    }


def texts(example: Example) -> tuple[str, str]:
    """Both texts."""
    return example.fields[PREMISE].text, example.fields[HYPOTHESIS].text
