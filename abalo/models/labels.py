"""Labellings: how the label names of a model become those of a corpus."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from abalo.corpora.forms import UNTYPED, whole_labels
from abalo.corpora.parts_of_speech import universal_of
from abalo.corpora.schemes import TAKEN, names_a_type
from abalo.errors import AbaloError, visible
from abalo.models.columns import Columns
from abalo.models.joining import spanned
from abalo.models.matching_names import matching_pairs
from perturbations.resources import sort_of
from perturbations.suggestions import did_you_mean

OUTSIDE = "O"
"""The BIO label of a token outside of all entities."""

_POSITIONS = {"B": "B", "S": "B", "U": "B", "I": "I", "M": "I", "E": "I", "L": "I"}
"""The prefixes of BIO, BIOES, BILOU and BMES, each with the one of BIO that it stands for."""

_BEGINNINGS = ("B-", "I-")

_UNNAMED = re.compile(r"LABEL_\d+")
"""The names that transformers gives to labels for which the checkpoint's config has none."""


class UnfitLabelsError(AbaloError):
    """A model that lacks labels of the corpus.

    ``offered`` and ``wanted`` are the kinds of model and corpus; ``proposed`` renames as many as names tell.
    """

    def __init__(
        self, message: str, offered: Sequence[str], wanted: Sequence[str], proposed: Mapping[str, str]
    ) -> None:
        super().__init__(message)
        self.offered, self.wanted, self.proposed = offered, wanted, proposed


class Labelling(ABC):
    """How the label names of a model become those of a corpus, and which of them a model needs.

    A label is about one ``kind``, such as the entity type in ``B-PER``; labels are compared by these. ``kind`` and
    ``kinds`` are words for one and for several, ``renamable`` for all that a label map can rename. ``example`` holds
    some labels, ``expected`` describes one. ``form`` and ``form_of_whole`` show how label maps are written, of kinds
    and of whole labels. ``has_spans`` says that labels can be given as spans of text.
    """

    name: ClassVar[str]
    kind: ClassVar[str]
    kinds: ClassVar[str]
    renamable: ClassVar[str]
    example: ClassVar[tuple[str, ...]]
    expected: ClassVar[str]
    form: ClassVar[str]
    form_of_whole: ClassVar[str]
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
    def _meaning(self, kind: str) -> str | None:
        """The meaning of a kind, the same for all its usual names; None for one that is not known."""

    def proposed(self, offered: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
        """The kinds of a model that mean one of the corpus by another name, each with that one, as far as names tell.

        A kind that the corpus lacks matches one that the model lacks, else one of the same meaning that no other kind
        of the corpus has; so several kinds of a model can become one.
        """
        spare = [kind for kind in offered if kind not in wanted]
        missing = [kind for kind in wanted if kind not in offered]
        found = dict(matching_pairs(spare, missing, wanted, self._meaning))
        meanings = [self._meaning(kind) for kind in wanted]
        of_meaning = {meant: kind for meant, kind in zip(meanings, wanted, strict=True) if meanings.count(meant) == 1}
        for own in spare:
            meant = self._meaning(own)
            if own not in found and meant is not None and meant in of_meaning:
                found[own] = of_meaning[meant]
        return dict(sorted(found.items()))

    def meant(self, renaming: Mapping[str, str]) -> set[str]:
        """The kinds that a label map gives."""
        return set(renaming.values())

    def own_kind(self, own: str, _label: str) -> str:
        """The kind that the model's ``own`` label is about, in the names of the model.

        ``label`` is that of the corpus which it stands for.
        """
        return own

    def columns(
        self, labels: Sequence[str], label_map: Mapping[str, str] | None, model_name: str, *, join: bool = False
    ) -> Columns:
        """The labels of the corpus for a model's own ``labels`` under ``label_map``.

        With ``join``, touching spans that the map sends to one kind are one (`abalo.models.joining`).

        Raises `AbaloError` for a label that names nothing, for an entry of the map that renames nothing, and where
        there is nothing to join.
        """
        renaming = label_map or {}
        self._check_all_used(renaming, labels, model_name)
        try:
            renamed = [self.label(own, renaming) for own in labels]
        except ValueError as error:
            raise AbaloError(f"model {model_name}: {error}") from None
        kinds = tuple(map(self.own_kind, labels, renamed)) if join else None
        inside = () if kinds is None else self._joined(renamed, kinds, model_name)
        distinct = tuple(dict.fromkeys([*renamed, *inside]))
        return Columns(distinct, tuple(map(distinct.index, renamed)), kinds)

    def _joined(self, labels: Sequence[str], kinds: Sequence[str], model_name: str) -> list[str]:
        """The labels that stand inside of joined spans; raises `AbaloError` where no two kinds became one."""
        meant: dict[str, set[str]] = {}
        for label, kind in zip(labels, kinds, strict=True):
            if label != OUTSIDE:
                meant.setdefault(spanned(label), set()).add(kind)
        several = sorted(label for label, own in meant.items() if len(own) > 1)
        if not several:
            there = _listed(sorted(set().union(*meant.values())))
            raise AbaloError(
                f"--abalo-join: no two {self.kinds} of model {model_name} mean one of the corpus, so there is nothing "
                f"to join; leave it out, or give two of them one name with --abalo-label-map; there are {there}"
            )
        return several

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
            pairs = self.proposed(offered, wanted)
            raise UnfitLabelsError(
                f"model {model_name} cannot be judged on this corpus: it has no label for {_listed(missing)}\n"
                f"  {self.kinds} of the model:  {_listed(offered)}\n"
                f"  {self.kinds} of the corpus: {_listed(wanted)}\n"
                f"{self._advice(offered, wanted, pairs)}",
                offered,
                wanted,
                pairs,
            )

    def _advice(self, offered: Sequence[str], wanted: Sequence[str], pairs: Mapping[str, str]) -> str:
        spare = [kind for kind in offered if kind not in wanted]
        if offered and all(map(_UNNAMED.fullmatch, offered)) and not {*wanted} <= {*offered, *self.meant(pairs)}:
            return (
                "  Such names mean that the checkpoint's config.json has no id2label. Write the names used in training "
                f"there, or name them here, whole labels at a time: --abalo-label-map {self.form_of_whole}"
            )
        if not spare:
            advice = f"  Choose a model trained for these {self.kinds}."
        else:
            example = ",".join(f"{own}={kind}" for own, kind in pairs.items())
            advice = f"  If the model knows these {self.kinds} under other names, say so" + (
                f", for example: --abalo-label-map {example}" if pairs else f": --abalo-label-map {self.form}"
            )
        return advice + self._some_alone({*offered, *self.meant(pairs)} & set(wanted), wanted, pairs)

    def _some_alone(self, known: set[str], wanted: Sequence[str], pairs: Mapping[str, str]) -> str:
        """The line with the options that judge some kinds alone; empty if all are ``known``, or none can be chosen."""
        if not self.has_spans or known == set(wanted):
            return ""
        renamed = f"--abalo-label-map {','.join(f'{own}={kind}' for own, kind in pairs.items())} " if pairs else ""
        types = ",".join(sorted(known)) or "TYPE,TYPE"
        return f"\n  To judge only some {self.kinds} of the corpus: {renamed}--abalo-types {types}"


class _Bio(Labelling):
    name = "BIO"
    kind, kinds, renamable = "entity type", "types", "label or type"
    example = (OUTSIDE, "B-PER", "I-PER")
    expected = "BIO: 'O', or 'B-' or 'I-' and an entity type"
    form, form_of_whole = "MODEL_TYPE=CORPUS_TYPE", "LABEL_0=O,LABEL_1=B-CORPUS_TYPE,LABEL_2=I-CORPUS_TYPE"
    has_spans = True

    def label(self, own: str, label_map: Mapping[str, str]) -> str:
        if own in label_map:
            return self.label(label_map[own], {})
        if own == OUTSIDE:
            return OUTSIDE
        position, kind = _parts(own)
        if kind not in label_map:
            _check_type(kind, f"label {own!r}")
            return f"{position}-{kind}"
        wanted = label_map[kind]
        if wanted == OUTSIDE:
            return OUTSIDE
        place = f"label map {kind}={wanted}: label {wanted!r}"
        _check_type(wanted, place)
        if wanted[:2] in _BEGINNINGS:
            raise ValueError(
                f"{place} is a whole label, where {kind!r} is a type; expected a type: write {kind}={wanted[2:]}"
            )
        return f"{position}-{wanted}"

    def proposed(self, offered: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
        """Types, or whole labels if those of the model are BIO in another form: ``PER-B`` becomes ``B-PER``.

        All types of the model become the one of a corpus whose tags name none.
        """
        spare = [kind for kind in offered if kind not in wanted]
        whole = whole_labels(spare)
        if not whole:
            return dict.fromkeys(spare, UNTYPED) if list(wanted) == [UNTYPED] else super().proposed(offered, wanted)
        kinds = types_of(whole.values())
        if kinds == {UNTYPED} and len(wanted) == 1:
            known = {UNTYPED: wanted[0]}
        else:
            known = self.proposed(sorted(kinds), wanted)
        if not kinds & {*known, *wanted}:
            return {}
        return {own: label if label == OUTSIDE else _of_kind(label, known) for own, label in sorted(whole.items())}

    def _advice(self, offered: Sequence[str], wanted: Sequence[str], pairs: Mapping[str, str]) -> str:
        untyped = f"  The tags of the corpus name no types, so all its entities are of one type, {UNTYPED}.\n"
        return (untyped if list(wanted) == [UNTYPED] else "") + super()._advice(offered, wanted, pairs)

    def meant(self, renaming: Mapping[str, str]) -> set[str]:
        """The types in the values of a label map, each of which is a type or a whole label."""
        return {_parts(new)[1] for new in renaming.values() if new != OUTSIDE}

    def own_kind(self, own: str, label: str) -> str:
        """The type after the position; of a label without one, that which the map gives it."""
        prefix, dash, kind = own.partition("-")
        return kind if dash and prefix in _POSITIONS else label[2:]

    def accepts(self, tag: object) -> bool:
        return isinstance(tag, str) and (tag == OUTSIDE or (tag[:2] in _BEGINNINGS and names_a_type(tag[2:])))

    def kinds_of(self, labels: Iterable[str]) -> set[str]:
        return types_of(labels)

    def _names(self, own: str) -> tuple[str, ...]:
        return (own,) if own == OUTSIDE else (own, _parts(own)[1])

    def _meaning(self, kind: str) -> str | None:
        return sort_of(kind)


class _Plain(Labelling):
    name = "plain"
    kind, kinds, renamable = "label", "labels", "label"
    example: ClassVar[tuple[str, ...]] = ("NOUN", "VERB", "X")
    expected = "a label such as 'NOUN', text that is not empty"
    form, form_of_whole = "MODEL_LABEL=CORPUS_LABEL", "LABEL_0=CORPUS_LABEL,LABEL_1=CORPUS_LABEL"
    has_spans = False

    def label(self, own: str, label_map: Mapping[str, str]) -> str:
        label = label_map.get(own, own)
        if not self.accepts(label):
            raise ValueError(
                f"label {label!r} names nothing that can be seen; expected a label such as {self.example[0]!r}"
            )
        return label

    def accepts(self, tag: object) -> bool:
        return isinstance(tag, str) and tag.isprintable() and bool(tag.strip())

    def kinds_of(self, labels: Iterable[str]) -> set[str]:
        return set(labels)

    def _names(self, own: str) -> tuple[str, ...]:
        return (own,)

    def _meaning(self, kind: str) -> str | None:
        return universal_of(kind)


class _Classes(_Plain):
    name = "classes"
    example = ("positive", "negative")
    expected = "a label such as 'positive', text that is not empty"

    def proposed(self, offered: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
        """With labels of the same number, ``LABEL_1`` and ``1``; of two labels each, the positive and the negative."""
        for name_of in (_number, _polarity):
            own, known = ({name_of(label): label for label in labels} for labels in (offered, wanted))
            if None not in own and {*own} == {*known} and (len(own), len(known)) == (len(offered), len(wanted)):
                return {own[each]: known[each] for each in own if own[each] != known[each]}
        return super().proposed(offered, wanted)

    def _meaning(self, _kind: str) -> str | None:
        return None


def _number(label: str) -> str | None:
    """The number that a label without a name has."""
    found = label.removeprefix("LABEL_")
    return found if found.isascii() and found.isdecimal() else None


def _polarity(label: str) -> str | None:
    plain = label.casefold()
    return next((name for name, others in _POLARITIES.items() if plain in others), None)


_POLARITIES = {
    "negative": ("negative", "neg", "negativo", "negativa", "label_0", "0"),
    "positive": ("positive", "pos", "positivo", "positiva", "label_1", "1"),
}
"""Names of the two labels of a sentiment, in corpora and in models; 1 is the positive one, as in SST-2 and GLUE."""


BIO = _Bio()
"""Entities in BIO.

``S-`` and ``U-`` are ``B-``, ``E-``, ``L-`` and ``M-`` are ``I-``, a bare type is ``I-``. A label map renames either
whole labels (``LABEL_1`` to ``B-PESSOA``) or types (``PER`` to ``PESSOA``, whatever the prefix); those renamed to ``O``
are no entities.
"""

PLAIN = _Plain()
"""One label per token, such as a part of speech. A label map renames whole labels, several to one if need be."""

CLASSES = _Classes()
"""Labels of whole texts, such as a sentiment or an intent. A label map renames them, several to one if need be."""


def types_of(labels: Iterable[str]) -> set[str]:
    """The entity types among BIO labels."""
    return {label[2:] for label in labels if label != OUTSIDE}


def _check_type(kind: str, place: str) -> None:
    """Raises ValueError, beginning with ``place``, for what cannot be an entity type."""
    if kind in TAKEN:
        raise ValueError(
            f"{place} is of an entity type called {kind}, which {TAKEN[kind]}; rename the type, or drop it with "
            f"--abalo-label-map {kind}=O"
        )
    if not names_a_type(kind):
        raise ValueError(f"{place} names no entity type that can be seen; expected 'O' or a label such as 'B-PER'")


def _parts(own: str) -> tuple[str, str]:
    """The position in an entity, B or I, and the type that a model's own label other than ``O`` names."""
    prefix, dash, kind = own.partition("-")
    return (_POSITIONS[prefix], kind) if dash and prefix in _POSITIONS else ("I", own)


def _of_kind(label: str, renaming: Mapping[str, str]) -> str:
    """A label with the type that stands for its own."""
    return label[:2] + renaming.get(label[2:], label[2:])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(visible, names)) or "none"
