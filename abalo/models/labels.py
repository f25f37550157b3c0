"""A model's own label names, as BIO and in the words of the corpus."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from abalo.errors import AbaloError
from abalo.models.prediction import Scores
from perturbations.suggestions import did_you_mean

OUTSIDE = "O"

_POSITIONS = {"B": "B", "S": "B", "U": "B", "I": "I", "M": "I", "E": "I", "L": "I"}
"""What the prefixes of BIO, BIOES, BILOU and BMES are in BIO."""

_UNNAMED = re.compile(r"LABEL_\d+")
"""What transformers calls a label that the checkpoint's config gives no name."""


@dataclass(frozen=True, slots=True)
class BioColumns:
    """Which BIO label each of a model's own labels is.

    ``labels`` are the BIO labels, each once, in the order in which the model's own first name them. ``columns`` holds,
    for each of the model's own labels, its place in ``labels``.
    """

    labels: tuple[str, ...]
    columns: tuple[int, ...]

    def fold(self, scores: Scores) -> Scores:
        """Scores with one column per BIO label: the maximum of those of the model's own that mean it."""
        if len(self.labels) == len(self.columns):
            return scores
        folded = np.full((len(scores), len(self.labels)), -np.inf, dtype=scores.dtype)
        for own, column in enumerate(self.columns):
            np.maximum(folded[:, column], scores[:, own], out=folded[:, column])
        return folded


def bio_columns(labels: Sequence[str], label_map: Mapping[str, str] | None, model_name: str) -> BioColumns:
    """How a model's own ``labels`` become BIO under ``label_map``.

    Raises `AbaloError` for a label without a type, and for an entry of the map that renames nothing.
    """
    renaming = label_map or {}
    _check_all_used(renaming, labels, model_name)
    try:
        bio = [bio_label(label, renaming) for label in labels]
    except ValueError as error:
        raise AbaloError(f"model {model_name}: {error}") from None
    distinct = tuple(dict.fromkeys(bio))
    return BioColumns(distinct, tuple(map(distinct.index, bio)))


def bio_label(label: str, label_map: Mapping[str, str]) -> str:
    """``label`` in BIO: ``S-`` and ``U-`` are ``B-``, ``E-``, ``L-`` and ``M-`` are ``I-``, a bare type is ``I-``.

    ``label_map`` renames either whole labels (``LABEL_1`` to ``B-PESSOA``) or types (``PER`` to ``PESSOA``, whatever
    the prefix); what it renames to ``O`` is no entity. Raises ValueError where no type follows the prefix.
    """
    if label in label_map:
        return bio_label(label_map[label], {})
    if label == OUTSIDE:
        return OUTSIDE
    position, kind = _parts(label)
    if not kind.strip():
        raise ValueError(f"label {label!r} names no entity type; expected 'O' or a label such as 'B-PER'")
    kind = label_map.get(kind, kind)
    return OUTSIDE if kind == OUTSIDE else f"{position}-{kind}"


def types_of(labels: Iterable[str]) -> set[str]:
    """The entity types among BIO labels."""
    return {label[2:] for label in labels if label != OUTSIDE}


def _parts(label: str) -> tuple[str, str]:
    prefix, dash, kind = label.partition("-")
    return (_POSITIONS[prefix], kind) if dash and prefix in _POSITIONS else ("I", label)


def _check_all_used(label_map: Mapping[str, str], labels: Sequence[str], model_name: str) -> None:
    known = {*labels, *(_parts(label)[1] for label in labels if label != OUTSIDE)}
    for name in label_map:
        if name not in known:
            hint = did_you_mean(name, sorted(known)) or f"; its labels are {_listed(labels)}"
            raise AbaloError(
                f"label map {name}={label_map[name]}: model {model_name} has no label or type {name!r}{hint}"
            )


# Reading a label map --------------------------------------------------------------------------------------------------


def parse_label_map(text: str) -> dict[str, str]:
    """The renaming written as ``PER=PESSOA,LOC=LOCAL``, or held as an object by the JSON file of that name.

    Raises `AbaloError` for anything else.
    """
    if "=" not in text:
        return _read_label_map(Path(text))
    renaming: dict[str, str] = {}
    for entry in text.split(","):
        own, equals, wanted = (part.strip() for part in entry.partition("="))
        if not (own and equals and wanted):
            raise AbaloError(
                f"label map {text!r}: found {entry!r}, expected entries such as PER=PESSOA, with commas between"
            )
        if own in renaming:
            raise AbaloError(f"label map {text!r}: {own!r} is renamed twice; keep one of them")
        renaming[own] = wanted
    return renaming


def _read_label_map(path: Path) -> dict[str, str]:
    expected = 'expected an object such as {"PER": "PESSOA"}'
    try:
        renaming = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise AbaloError(
            f"label map {path}: neither entries such as PER=PESSOA nor a JSON file that can be read ({error.strerror})"
        ) from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"label map {path}: is not JSON ({error}); {expected}") from error
    if not isinstance(renaming, dict) or not all(isinstance(value, str) and value for value in renaming.values()):
        raise AbaloError(f"label map {path}: {expected}, from names to names")
    return renaming


# Labels that fit the corpus -------------------------------------------------------------------------------------------


def check_labels(model_labels: Sequence[str], corpus_types: Iterable[str], model_name: str) -> None:
    """Raises `AbaloError` when the corpus has an entity type that the model lacks; the other way round is fine.

    ``model_labels`` are BIO; empty from a black box that does not tell its labels, which is then not checked.
    """
    wanted, offered = sorted(set(corpus_types)), sorted(types_of(model_labels))
    missing = [kind for kind in wanted if kind not in offered]
    if not model_labels or not missing:
        return
    raise AbaloError(
        f"model {model_name} cannot be judged on this corpus: it has no label for {_listed(missing)}\n"
        f"  types of the model:  {_listed(offered)}\n"
        f"  types of the corpus: {_listed(wanted)}\n"
        f"{_advice(offered, wanted, missing)}"
    )


def check_predicted(predicted: Iterable[str], gold: Iterable[str], model_name: str) -> None:
    """The same for a black box that tells no labels: raises when it predicts types, and none of them is in the corpus.

    ``predicted`` and ``gold`` are BIO labels of the clean corpus.
    """
    offered, wanted = types_of(predicted), types_of(gold)
    if offered and wanted and not offered & wanted:
        check_labels([f"B-{kind}" for kind in sorted(offered)], wanted, model_name)


def _advice(offered: Sequence[str], wanted: Sequence[str], missing: Sequence[str]) -> str:
    spare = [kind for kind in offered if kind not in wanted]
    if offered and all(map(_UNNAMED.fullmatch, offered)):
        example = f"LABEL_0=O,LABEL_1=B-{missing[0]},LABEL_2=I-{missing[0]}"
        return (
            "  Such names mean that the checkpoint's config.json has no id2label. Write the names used in training "
            f"there, or name them here, whole labels at a time, for example: --abalo-label-map {example}"
        )
    if not spare:
        return "  Choose a model trained for these types."
    return (
        "  If the model knows these types under other names, say so, for example: "
        f"--abalo-label-map {','.join(f'{own}={kind}' for own, kind in _likely_pairs(spare, missing))}"
    )


def _likely_pairs(offered: Sequence[str], missing: Sequence[str]) -> list[tuple[str, str]]:
    """A type of the model for each missing one, the most similar names first, each used once."""
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
