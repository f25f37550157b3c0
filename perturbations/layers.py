"""Layers of labels on a sentence: of its tokens, between its tokens, of the whole; and the one it is read with.

A layer is frozen and hashable, and has a name that errors tell it by. `perturbations.apply` carries each through edits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Policy = Literal["bio", "each", "bmes"]
"""The scheme of the labels of tokens, which says how edits carry them.

* bio: ``B-`` and a type on the first token of an entity, ``I-`` on its others, ``O`` outside entities;
* each: a label of each token by itself, such as its part of speech;
* bmes: the first, middle and last characters of a word, and a word of one character, as in Chinese word segmentation.
"""

UNLABELLED = ""
"""The label of a token that has none, and is not counted; in layers ``each`` and ``bmes``, and as a relation."""

OUTSIDE: Mapping[Policy, str] = MappingProxyType({"bio": "O", "each": UNLABELLED, "bmes": UNLABELLED})
"""By policy, the label of a token of which nothing is known, such as one inserted between others."""

TAGS = "tags"
"""The name of a sentence's first token layer."""

ROOT = -1
"""The head of a token that depends on none."""

HEADS = "heads"
"""The name of the arcs of a dependency tree."""


@dataclass(frozen=True, slots=True)
class TokenLayer:
    """One label for each token, such as a layer ``upos``, carried by its policy.

    Raises TypeError or ValueError, naming the layer, for an unknown policy and for ``bmes`` labels that make no words.
    """

    name: str
    labels: tuple[str, ...]
    policy: Policy = "each"

    def __post_init__(self) -> None:
        _check_tuple(self.name, "labels", self.labels)
        if self.policy not in OUTSIDE:
            raise ValueError(f"layer {self.name!r}: policy is {self.policy!r}; expected one of {', '.join(OUTSIDE)}")
        if self.policy == "bmes" and not _are_words(self.labels):
            raise ValueError(
                f"layer {self.name!r}: {self.labels} are not BMES; expected S, or B, any number of M, and E, for each "
                "word, and an empty string where there is none"
            )

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Arcs:
    """At most one labelled arc to each token, from its head: a dependency tree, for example.

    ``heads`` holds the place of each token's head, counted from 0, `ROOT` for a token that depends on none, None for
    one whose head is not known. ``relations`` holds the label of each arc, `UNLABELLED` without one.

    Raises TypeError or ValueError, naming the layer, for a head that is no other token.
    """

    name: str
    heads: tuple[int | None, ...]
    relations: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_tuple(self.name, "heads", self.heads)
        _check_tuple(self.name, "relations", self.relations)
        count = len(self.heads)
        if len(self.relations) != count:
            raise ValueError(f"layer {self.name!r}: {count} heads but {len(self.relations)} relations")
        for token, head in enumerate(self.heads):
            if head is not None and (not ROOT <= head < count or head == token):
                raise ValueError(
                    f"layer {self.name!r}: the head of token {token} is {head}; expected another of the {count} "
                    f"tokens, {ROOT} for the root, or None"
                )

    def __len__(self) -> int:
        return len(self.heads)


_GIVEN_ARC = re.compile(r"(\+?)(0|[1-9][0-9]*) (\S+)")


def arc_label(head: int, relation: str, *, new: bool = False) -> str:
    """An arc that an edit gives one of its new tokens, as a label: ``"7 nsubj"``, ``"+0 punct"``.

    ``head`` is the place of a token of the input, counted from 0, which no edit replaces; ``new`` counts the new tokens
    of the same edit instead.
    """
    return f"{'+' if new else ''}{head} {relation}"


def read_arc_label(label: str) -> tuple[int, str, bool] | None:
    """The head, the relation and whether the head is a new token, of what `arc_label` made; None for anything else."""
    found = _GIVEN_ARC.fullmatch(label)
    return None if found is None else (int(found[2]), found[3], bool(found[1]))


@dataclass(frozen=True, slots=True)
class WholeLabel:
    """A label of the whole sentence, such as its sentiment; no edit changes it."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Partner:
    """The ``tokens`` of the sentence that this one is read with, such as its premise; no edit changes it.

    ``entails`` says that the partner is what may entail this one, as a premise its hypothesis. The ``name`` is that of
    the place where the partner stands.
    """

    name: str
    tokens: tuple[str, ...]
    entails: bool


Layer = TokenLayer | Arcs | WholeLabel | Partner


def check_layers(layers: Sequence[Layer], count: int) -> None:
    """Raise ValueError, naming the layer, unless each fits ``count`` tokens and has a name of its own."""
    names = {TAGS}
    for layer in layers:
        if layer.name in names:
            raise ValueError(f"layer {layer.name!r}: the sentence has one of that name already")
        names.add(layer.name)
        if not isinstance(layer, WholeLabel | Partner) and len(layer) != count:
            raise ValueError(f"layer {layer.name!r}: labels for {len(layer)} tokens, but there are {count}")


def _check_tuple(layer: str, what: str, value: object) -> None:
    if not isinstance(value, tuple):
        raise TypeError(f"layer {layer!r}: {what} is {value!r}; expected a tuple")


_WORDS = re.compile(r"(?:S|BM*E|-)*")


def _are_words(labels: Sequence[str]) -> bool:
    signs = [label or "-" for label in labels]
    return all(len(sign) == 1 for sign in signs) and _WORDS.fullmatch("".join(signs)) is not None
