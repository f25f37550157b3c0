"""Two sentences as one example, and as one sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from abalo.core.example import Example, joined
from perturbations import Edit, Partner, Perturbed, Sentence, apply

PREMISE, HYPOTHESIS = "premise", "hypothesis"
"""The fields of an example, in their order, whatever a corpus calls them."""


def example_of(premise: Sentence, hypothesis: Sentence, gold: tuple[str, ...] | None, source: Any) -> Example:
    """The pair as an example, a copy of every other with the same tokens."""
    tokens = ascii((premise.tokens, hypothesis.tokens)).encode()
    key = hashlib.blake2b(tokens, digest_size=8).hexdigest()
    return Example(key, read_together(premise, hypothesis), key, gold, source)


def read_together(premise: Sentence, hypothesis: Sentence) -> Mapping[str, Sentence]:
    """The fields of an example: each sentence with the other as its partner."""
    return {
        PREMISE: replace(premise, layers=(Partner(HYPOTHESIS, hypothesis.tokens, entails=False),)),
        HYPOTHESIS: replace(hypothesis, layers=(Partner(PREMISE, premise.tokens, entails=True),)),
    }


def texts(example: Example) -> tuple[str, str]:
    """The two texts, as a model reads them."""
    return example.fields[PREMISE].text, example.fields[HYPOTHESIS].text


def joined_edits(fields: Mapping[str, Sentence], edits: Mapping[str, Perturbed]) -> Perturbed:
    """The changes of either sentence as one change of both."""
    start = len(fields[PREMISE]) + 1
    first, second = (edits[name].edits if name in edits else () for name in (PREMISE, HYPOTHESIS))
    return apply(joined(fields), [*first, *(_moved(edit, start) for edit in second)])


def _moved(edit: Edit, by: int) -> Edit:
    origins = edit.origins and tuple(tuple(old + by for old in origin) for origin in edit.origins)
    return edit._replace(start=edit.start + by, stop=edit.stop + by, origins=origins)
