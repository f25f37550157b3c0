"""Labellings: how the label names of a model become those of a corpus."""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from abalo.errors import AbaloError
from abalo.models.prediction import Scores
from perturbations.suggestions import did_you_mean

OUTSIDE = "O"
"""The BIO label of a token outside of all entities."""

_POSITIONS = {"B": "B", "S": "B", "U": "B", "I": "I", "M": "I", "E": "I", "L": "I"}
"""The prefixes of BIO, BIOES, BILOU and BMES, each with the one of BIO that it stands for."""

_UNNAMED = re.compile(r"LABEL_\d+")
"""The names that transformers gives to labels for which the checkpoint's config has none."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The label of the corpus for each of a model's own labels.

    ``labels`` are labels of the corpus, each once, in the order in which the model's own first name them. ``columns``
    holds, for each of the model's own labels, its place in ``labels``.
    """

    labels: tuple[str, ...]
    columns: tuple[int, ...]

    def fold(self, scores: Scores) -> Scores:
        """Scores with one column per label of the corpus: the maximum of those of the model's own that mean it."""
        if len(self.labels) == len(self.columns):
            return scores
        folded = np.full((len(scores), len(self.labels)), -np.inf, dtype=scores.dtype)
        for own, column in enumerate(self.columns):
            np.maximum(folded[:, column], scores[:, own], out=folded[:, column])
        return folded


class Labelling(ABC):
    """How the label names of a model become those of a corpus, and which of them a model needs.

    A label is about one ``kind``, such as the entity type in ``B-PER``; labels are compared by these. ``kind`` and
    ``kinds`` are words for one and for several, ``renamable`` for all that a label map can rename. ``example`` holds
    some labels, ``expected`` describes one. ``has_spans`` says that labels can be given as spans of text.
    """

    name: ClassVar[str]
    kind: ClassVar[str]
    kinds: ClassVar[str]
    renamable: ClassVar[str]
    example: ClassVar[tuple[str, ...]]
    expected: ClassVar[str]
    has_spans: ClassVar[bool]

    @abstractmethod
    def label(self, own: str, label_map: Mapping[str, str]) -> str:
        """The label of the corpus for the model's ``own``; raises ValueError for one that names nothing."""

    @abstractmethod
    def accepts(self, tag: object) -> bool:
        """Whether a model that gives labels without scores may give this one."""

    @abstractmethod
    def kinds_of(self, labels: Iterable[str]) -> set[str]:
        """The kinds that labels of the corpus are about."""

    @abstractmethod
    def _names(self, own: str) -> tuple[str, ...]:
        """The names in a model's own label that a label map can rename."""

    @abstractmethod
    def _labels_for(self, kinds: Sequence[str]) -> list[str]:
        """Some labels that a model for these kinds has."""

    def columns(self, labels: Sequence[str], label_map: Mapping[str, str] | None, model_name: str) -> Columns:
        """The labels of the corpus for a model's own ``labels`` under ``label_map``.

        Raises `AbaloError` for a label that names nothing, and for an entry of the map that renames nothing.
        """
        renaming = label_map or {}
        self._check_all_used(renaming, labels, model_name)
        try:
            renamed = [self.label(own, renaming) for own in labels]
        except ValueError as error:
            raise AbaloError(f"model {model_name}: {error}") from None
        distinct = tuple(dict.fromkeys(renamed))
        return Columns(distinct, tuple(map(distinct.index, renamed)))

    def check(self, model_labels: Sequence[str], corpus_labels: Iterable[str], model_name: str) -> None:
        """Raises `AbaloError` when the corpus has a kind that the model lacks; the other way round is fine.

        Both are labels of the corpus. ``model_labels`` are empty for a model without a list of labels, which is then
        not checked.
        """
        if model_labels:
            self._compare(self.kinds_of(model_labels), self.kinds_of(corpus_labels), model_name)

    def check_predicted(self, predicted: Iterable[str], gold: Iterable[str], model_name: str) -> None:
        """Raises `AbaloError` when a model predicts kinds, and none of them is in the corpus.

        For models without a list of labels. ``predicted`` and ``gold`` are the labels of the clean corpus.
        """
        offered, wanted = self.kinds_of(predicted), self.kinds_of(gold)
        if offered and wanted and not offered & wanted:
            self._compare(offered, wanted, model_name)

    def undeclared(self, tags: Iterable[str], labels: Sequence[str]) -> str | None:
        """The first kind, alphabetically, that no label of the model's list is about; None for an empty list."""
        return min(self.kinds_of(tags) - self.kinds_of(labels), default=None) if labels else None

    def _check_all_used(self, label_map: Mapping[str, str], labels: Sequence[str], model_name: str) -> None:
        known = {name for own in labels for name in self._names(own)}
        for name in label_map:
            if name not in known:
                hint = did_you_mean(name, sorted(known)) or f"; its labels are {_listed(labels)}"
                raise AbaloError(
                    f"label map {name}={label_map[name]}: model {model_name} has no {self.renamable} {name!r}{hint}"
                )

    def _compare(self, of_model: set[str], of_corpus: set[str], model_name: str) -> None:
        offered, wanted, missing = sorted(of_model), sorted(of_corpus), sorted(of_corpus - of_model)
        if missing:
            raise AbaloError(
                f"model {model_name} cannot be judged on this corpus: it has no label for {_listed(missing)}\n"
                f"  {self.kinds} of the model:  {_listed(offered)}\n"
                f"  {self.kinds} of the corpus: {_listed(wanted)}\n"
                f"{self._advice(offered, wanted, missing)}"
            )

    def _advice(self, offered: Sequence[str], wanted: Sequence[str], missing: Sequence[str]) -> str:
        spare = [kind for kind in offered if kind not in wanted]
        if offered and all(map(_UNNAMED.fullmatch, offered)):
            example = ",".join(f"LABEL_{number}={label}" for number, label in enumerate(self._labels_for(missing)))
            return (
                "  Such names mean that the checkpoint's config.json has no id2label. Write the names used in training "
                f"there, or name them here, whole labels at a time, for example: --abalo-label-map {example}"
            )
        if not spare:
            return f"  Choose a model trained for these {self.kinds}."
        return (
            f"  If the model knows these {self.kinds} under other names, say so, for example: "
            f"--abalo-label-map {','.join(f'{own}={kind}' for own, kind in _likely_pairs(spare, missing))}"
        )


class _Bio(Labelling):
    name = "BIO"
    kind, kinds, renamable = "entity type", "types", "label or type"
    example = (OUTSIDE, "B-PER", "I-PER")
    expected = "BIO: 'O', or 'B-' or 'I-' and an entity type"
    has_spans = True

    def label(self, own: str, label_map: Mapping[str, str]) -> str:
        if own in label_map:
            return self.label(label_map[own], {})
        if own == OUTSIDE:
            return OUTSIDE
        position, kind = _parts(own)
        if not kind.strip():
            raise ValueError(f"label {own!r} names no entity type; expected 'O' or a label such as 'B-PER'")
        kind = label_map.get(kind, kind)
        return OUTSIDE if kind == OUTSIDE else f"{position}-{kind}"

    def accepts(self, tag: object) -> bool:
        return isinstance(tag, str) and (tag == OUTSIDE or (tag[:2] in ("B-", "I-") and bool(tag[2:].strip())))

    def kinds_of(self, labels: Iterable[str]) -> set[str]:
        return types_of(labels)

    def _names(self, own: str) -> tuple[str, ...]:
        return (own,) if own == OUTSIDE else (own, _parts(own)[1])

    def _labels_for(self, kinds: Sequence[str]) -> list[str]:
        return [OUTSIDE, f"B-{kinds[0]}", f"I-{kinds[0]}"]


class _Plain(Labelling):
    name = "plain"
    kind, kinds, renamable = "label", "labels", "label"
    example = ("NOUN", "VERB", "X")
    expected = "a label such as 'NOUN', text that is not empty"
    has_spans = False

    def label(self, own: str, label_map: Mapping[str, str]) -> str:
        label = label_map.get(own, own)
        if not label.strip():
            raise ValueError(f"label {own!r} is empty; expected a label such as 'NOUN'")
        return label

    def accepts(self, tag: object) -> bool:
        return isinstance(tag, str) and bool(tag.strip())

    def kinds_of(self, labels: Iterable[str]) -> set[str]:
        return set(labels)

    def _names(self, own: str) -> tuple[str, ...]:
        return (own,)

    def _labels_for(self, kinds: Sequence[str]) -> list[str]:
        return list(kinds[:3])


BIO = _Bio()
"""Entities in BIO.

``S-`` and ``U-`` are ``B-``, ``E-``, ``L-`` and ``M-`` are ``I-``, a bare type is ``I-``. A label map renames either
whole labels (``LABEL_1`` to ``B-PESSOA``) or types (``PER`` to ``PESSOA``, whatever the prefix); those renamed to ``O``
are no entities.
"""

PLAIN = _Plain()
"""One label per token, such as a part of speech. A label map renames whole labels, several to one if need be."""


def types_of(labels: Iterable[str]) -> set[str]:
    """The entity types among BIO labels."""
    return {label[2:] for label in labels if label != OUTSIDE}


def _parts(own: str) -> tuple[str, str]:
    """The position in an entity, B or I, and the type that a model's own label other than ``O`` names."""
    prefix, dash, kind = own.partition("-")
    return (_POSITIONS[prefix], kind) if dash and prefix in _POSITIONS else ("I", own)


def _likely_pairs(offered: Sequence[str], missing: Sequence[str]) -> list[tuple[str, str]]:
    """A kind of the model for each missing one, the most similar names first, each used once."""
    by_likeness = sorted(((own, kind) for own in offered for kind in missing), key=lambda pair: -_likeness(*pair))
    pairs: dict[str, str] = {}
    for own, kind in by_likeness:
        if own not in pairs and kind not in pairs.values():
            pairs[own] = kind
    return sorted(pairs.items())


def _likeness(own: str, kind: str) -> float:
    """How alike two names are, 0 to 2: what they share, and whether they begin alike (``PER`` and ``PESSOA`` do)."""
    a, b = own.casefold(), kind.casefold()
    return difflib.SequenceMatcher(None, a, b).ratio() + (a[:2] == b[:2])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
