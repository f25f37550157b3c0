"""Translates model labels into corpus labels."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from abalo.corpora.forms import UNTYPED, whole_labels
from abalo.corpora.parts_of_speech import universal_of
from abalo.corpora.schemes import TAKEN, names_a_type
from abalo.errors import AbaloError, visible
from abalo.models.labelling.columns import Columns
from abalo.models.labelling.joining import inside_label
from abalo.models.labelling.matching import matching_pairs
from perturbations.resources import sort_of
from perturbations.suggestions import did_you_mean

OUTSIDE = "O"

RARE = 0.02
"""Kinds that a model lacks count as wrong up to this share of gold, and refuse a corpus beyond it."""

_POSITIONS = {"B": "B", "S": "B", "U": "B", "I": "I", "M": "I", "E": "I", "L": "I"}

_BEGINNINGS = ("B-", "I-")

_UNNAMED = re.compile(r"LABEL_\d+")


class UnfitLabelsError(AbaloError):
    """A model that lacks labels of the corpus.

    ``proposed`` renames ``offered`` model kinds to ``wanted`` ones by name.
    """

    def __init__(
        self, message: str, offered: Sequence[str], wanted: Sequence[str], proposed: Mapping[str, str]
    ) -> None:
        super().__init__(message)
        self.offered, self.wanted, self.proposed = offered, wanted, proposed


class Labelling(ABC):
    """How model labels become corpus labels.

    Labels are compared by kind, such as the entity type in ``B-PER``. ``has_spans``: labels can be given as text spans.
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
        """The corpus label for ``own``; raises ValueError if invalid."""

    @abstractmethod
    def accepts(self, tag: object) -> bool:
        """True if a model without scores may return this label."""

    @abstractmethod
    def kinds_of(self, labels: Iterable[str]) -> set[str]:
        """The kinds of corpus labels."""

    @abstractmethod
    def _names(self, own: str) -> tuple[str, ...]: ...

    @abstractmethod
    def _meaning(self, kind: str) -> str | None: ...

    def proposed(self, offered: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
        """A renaming of model kinds to corpus kinds, by name or unique meaning.

        Several model kinds can become one.
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
        """The target kinds of a label map."""
        return set(renaming.values())

    def own_kind(self, own: str, _label: str) -> str:
        """The kind of ``own`` in model names."""
        return own

    def columns(
        self, labels: Sequence[str], label_map: Mapping[str, str] | None, model_name: str, *, join: bool = False
    ) -> Columns:
        """The corpus labels for own ``labels`` under ``label_map``.

        ``join`` merges touching spans (`abalo.models.labelling.joining`). Raises `AbaloError` for an invalid label, an
        unused map entry, or if nothing joins.
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
        meant: dict[str, set[str]] = {}
        for label, kind in zip(labels, kinds, strict=True):
            if label != OUTSIDE:
                meant.setdefault(inside_label(label), set()).add(kind)
        several = sorted(label for label, own in meant.items() if len(own) > 1)
        if not several:
            there = _list_names(sorted(set().union(*meant.values())))
            raise AbaloError(
                f"--abalo-join: no two {self.kinds} of model {model_name} mean one of the corpus, so there is nothing "
                f"to join; leave it out, or give two of them one name with --abalo-label-map; there are {there}"
            )
        return several

    def check(self, model_labels: Sequence[str], gold: Iterable[str] | Mapping[str, int], model_name: str) -> None:
        """Raises `AbaloError` if the model lacks kinds that are more than `RARE` of the corpus.

        ``gold`` has every label of the corpus, or their numbers. Empty ``model_labels`` are not checked.
        """
        if not model_labels:
            return
        offered, numbers = self.kinds_of(model_labels), self.numbers_of(Counter(gold))
        missing = {kind: number for kind, number in numbers.items() if kind not in offered}
        if sum(missing.values()) > RARE * sum(numbers.values()):
            self._compare(offered, {*numbers}, model_name)

    def numbers_of(self, gold: Mapping[str, int]) -> dict[str, int]:
        """The number of each kind, by that of each corpus label."""
        found: Counter[str] = Counter()
        for label, number in gold.items():
            found.update(dict.fromkeys(self.kinds_of([label]), number))
        return found

    def check_predicted(self, predicted: Iterable[str], gold: Iterable[str], model_name: str) -> None:
        """Raises `AbaloError` if a model predicts only kinds that the corpus lacks."""
        offered, wanted = self.kinds_of(predicted), self.kinds_of(gold)
        if offered and wanted and not offered & wanted:
            self._compare(offered, wanted, model_name)

    def undeclared(self, tags: Iterable[str], labels: Sequence[str]) -> str | None:
        """The first kind missing from the model's list; None for an empty list."""
        return min(self.kinds_of(tags) - self.kinds_of(labels), default=None) if labels else None

    def _check_all_used(self, label_map: Mapping[str, str], labels: Sequence[str], model_name: str) -> None:
        known = {name for own in labels for name in self._names(own)}
        for name in label_map:
            if name not in known:
                hint = did_you_mean(name, sorted(known)) or f"; its labels are {_list_names(labels)}"
                raise AbaloError(
                    f"label map {name}={label_map[name]}: model {model_name} has no {self.renamable} {name!r}{hint}"
                )

    def _compare(self, of_model: set[str], of_corpus: set[str], model_name: str) -> None:
        offered, wanted, missing = sorted(of_model), sorted(of_corpus), sorted(of_corpus - of_model)
        if missing:
            pairs = self.proposed(offered, wanted)
            raise UnfitLabelsError(
                f"model {model_name} cannot be judged on this corpus: it has no label for {_list_names(missing)}\n"
                f"  {self.kinds} of the model:  {_list_names(offered)}\n"
                f"  {self.kinds} of the corpus: {_list_names(wanted)}\n"
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

    def numbers_of(self, gold: Mapping[str, int]) -> dict[str, int]:
        """The number of entities of each type; of its words where none is said to begin."""
        begun = {label: number for label, number in gold.items() if not label.startswith("I-")}
        return {**super().numbers_of(gold), **super().numbers_of(begun)}

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
        return {_parts(new)[1] for new in renaming.values() if new != OUTSIDE}

    def own_kind(self, own: str, label: str) -> str:
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
        for name_of in (_number, _polarity):
            own, known = ({name_of(label): label for label in labels} for labels in (offered, wanted))
            if None not in own and {*own} == {*known} and (len(own), len(known)) == (len(offered), len(wanted)):
                return {own[each]: known[each] for each in own if own[each] != known[each]}
        return super().proposed(offered, wanted)

    def _meaning(self, _kind: str) -> str | None:
        return None


class _Relations(_Plain):
    name = "relations"
    example = ("nsubj", "obj", "root")
    expected = "a relation such as 'nsubj', text that is not empty"

    def _meaning(self, kind: str) -> str | None:
        plain = kind.casefold()
        return _OF_UD.get(plain, plain).partition(":")[0]


_OF_UD = {
    "abbrev": "appos",
    "agent": "obl:agent",
    "auxpass": "aux:pass",
    "csubjpass": "csubj:pass",
    "dobj": "obj",
    "foreign": "flat:foreign",
    "mwe": "fixed",
    "name": "flat:name",
    "neg": "advmod:neg",
    "nn": "compound",
    "nsubjpass": "nsubj:pass",
    "num": "nummod",
    "partmod": "acl",
    "poss": "nmod:poss",
    "prt": "compound:prt",
    "punc": "punct",
    "rcmod": "acl:relcl",
    "relcl": "acl:relcl",
    "remnant": "orphan",
}
"""Relations of Stanford Dependencies, CLEAR and UD 1 under their names in UD 2 (universaldependencies.org/v2)."""


def _number(label: str) -> str | None:
    found = label.removeprefix("LABEL_")
    return found if found.isascii() and found.isdecimal() else None


def _polarity(label: str) -> str | None:
    plain = label.casefold()
    return next((name for name, others in _POLARITIES.items() if plain in others), None)


_POLARITIES = {
    "negative": ("negative", "neg", "negativo", "negativa", "label_0", "0"),
    "positive": ("positive", "pos", "positivo", "positiva", "label_1", "1"),
}
"""1 is positive, as in SST-2 and GLUE."""


BIO = _Bio()
"""``S-`` and ``U-`` become ``B-``; ``E-``, ``L-``, ``M-`` and bare types ``I-``.

A label map renames whole labels (``LABEL_1`` to ``B-PESSOA``) or types (``PER`` to ``PESSOA``); ``O`` removes entities.
"""

PLAIN = _Plain()

CLASSES = _Classes()

RELATIONS = _Relations()


def types_of(labels: Iterable[str]) -> set[str]:
    """The entity types in BIO labels."""
    return {label[2:] for label in labels if label != OUTSIDE}


def _check_type(kind: str, place: str) -> None:
    if kind in TAKEN:
        raise ValueError(
            f"{place} is of an entity type called {kind}, which {TAKEN[kind]}; rename the type, or drop it with "
            f"--abalo-label-map {kind}=O"
        )
    if not names_a_type(kind):
        raise ValueError(f"{place} names no entity type that can be seen; expected 'O' or a label such as 'B-PER'")


def _parts(own: str) -> tuple[str, str]:
    prefix, dash, kind = own.partition("-")
    return (_POSITIONS[prefix], kind) if dash and prefix in _POSITIONS else ("I", own)


def _of_kind(label: str, renaming: Mapping[str, str]) -> str:
    return label[:2] + renaming.get(label[2:], label[2:])


def _list_names(names: Iterable[str]) -> str:
    return ", ".join(map(visible, names)) or "none"
