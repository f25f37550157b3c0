"""Synonyms from word vectors."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.networks.local_files import content_hash, existing_file
from abalo.sources.candidates import SPARE, fit_candidates
from abalo.sources.protocols import Synonym
from perturbations import Sentence

VectorRows = NDArray[np.float32]

_CELLS = 2**26
"""Limits memory to 256 MiB."""
_ROUNDING = 1e-5
"""Closer cosines are recomputed in float64."""
_DIGITS = 6
"""Makes cosines independent of the batch."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Words with ``unit`` vectors (words × dimensions), of length 1 or 0."""

    name: str
    words: tuple[str, ...]
    unit: VectorRows


class VectorSynonyms:
    """The ``most`` similar words with a cosine above ``least``.

    Unknown words are looked up in lower case.
    """

    def __init__(self, vectors: WordVectors, most: int, least: float) -> None:
        self._vectors = vectors
        self._rows = {word: row for row, word in enumerate(vectors.words)}
        self._most = most
        self._least = least
        self._found: dict[str, tuple[Synonym, ...]] = {}
        self.name = f"{vectors.name}, at most {most} above {least:g}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        words = [sentence.tokens[place] for sentence, place in sites]
        new = [word for word in dict.fromkeys(words) if word not in self._found]
        rows = {word: self._rows.get(word, self._rows.get(word.lower())) for word in new}
        ranked = self._ranked(sorted({row for row in rows.values() if row is not None}))
        for word, row in rows.items():
            self._found[word] = () if row is None else fit_candidates(word, ranked[row], self._most)
        return [self._found[word] for word in words]

    def _ranked(self, rows: list[int]) -> Mapping[int, list[tuple[str, float]]]:
        unit = self._vectors.unit
        block = max(1, _CELLS // len(unit))
        return {
            row: self._rank(row, cosines)
            for start in range(0, len(rows), block)
            for row, cosines in zip(rows[start:], unit[rows[start : start + block]] @ unit.T, strict=False)
        }

    def _rank(self, row: int, cosines: VectorRows) -> list[tuple[str, float]]:
        unit, words = self._vectors.unit, self._vectors.words
        count = SPARE * self._most
        lowest = np.partition(cosines, -count)[-count] if count < len(cosines) else -np.inf
        near = np.flatnonzero(cosines >= max(self._least, lowest) - _ROUNDING)
        exact = np.sum(unit[near] * unit[row].astype(np.float64), axis=1).round(_DIGITS)
        pairs = [(words[k], value) for k, value in zip(near, exact.tolist(), strict=True) if value > self._least]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def read_vectors(path: str | Path, rows: int | None = None) -> WordVectors:
    """Reads word vectors, up to ``rows``; the first duplicate wins.

    A .npz file holds ``words`` and ``vectors`` (words × dimensions) and loads ten times faster: ``numpy.savez(path,
    words=found.words, vectors=found.unit)``. Other files are word2vec, GloVe or fastText text, or gzipped. Words with
    spaces are dropped.
    """
    spec = f"vectors:{path}"
    path = existing_file(spec, path)
    words, vectors = _read_arrays(spec, path, rows) if path.suffix == ".npz" else _read_text(spec, path, rows)
    if not len(words):
        raise AbaloError(f"{spec}: holds no vectors")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    shape = f"{len(words):,} words × {vectors.shape[1]}"
    return WordVectors(f"vectors {path.name} ({shape}, {content_hash(path)})", words, vectors)


def _read_arrays(spec: str, path: Path, rows: int | None) -> tuple[tuple[str, ...], VectorRows]:
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            words, vectors = arrays["words"][:rows], arrays["vectors"][:rows].astype(np.float32, casting="same_kind")
    except (EOFError, KeyError, OSError, TypeError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise AbaloError(f"{spec}: expected the arrays words (text) and vectors (numbers): {error}") from error
    if words.dtype.kind != "U" or words.ndim != 1 or vectors.ndim != 2 or len(words) != len(vectors):
        raise AbaloError(
            f"{spec}: words are {words.dtype} of shape {words.shape} and vectors of shape {vectors.shape}; expected "
            "text of shape (n,) and numbers of shape (n, dimensions)"
        )
    unusable = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(unusable):
        raise AbaloError(f"{spec}: the vector of {str(words[unusable[0]])!r} holds NaN or infinity; leave it out")
    kept = np.sort(np.unique(words, return_index=True)[1])
    return tuple(words[kept].tolist()), vectors[kept]


def _read_text(spec: str, path: Path, rows: int | None) -> tuple[tuple[str, ...], VectorRows]:
    lines = _lines(spec, path)
    first = next(lines, (1, [""]))
    headed = len(first[1]) == 2 and all(map(str.isdecimal, first[1]))
    width = int(first[1][1]) if headed else len(first[1]) - 1
    if width < 1:
        raise AbaloError(f"{spec} line 1: expected a word and its numbers, with single spaces between")
    words: dict[str, None] = {}
    numbers = array("f")
    for line, fields in islice(lines if headed else chain([first], lines), rows):
        values = _numbers(f"{spec} line {line}", fields, width)
        if len(fields) == width + 1 and fields[0] not in words:
            words[fields[0]] = None
            numbers.extend(values)
    return tuple(words), np.frombuffer(numbers, dtype=np.float32).reshape(-1, width)


def _lines(spec: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Words may contain white space other than spaces and newlines."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if text := line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip(" \r\n"):
                    yield number, text.split(" ")
    except UnicodeDecodeError as error:
        raise AbaloError(f"{spec}: not UTF-8 text ({error.reason}); the binary formats cannot be read") from error
    except (OSError, EOFError, zlib.error) as error:
        raise AbaloError(f"{spec}: cannot be read: {error}") from error


def _numbers(place: str, fields: list[str], width: int) -> array[float]:
    *_, before = fields[:-width] or [""]
    if len(fields) <= width or (len(fields) > width + 1 and _is_number(before)):
        raise AbaloError(f"{place}: {len(fields) - 1} numbers; expected {width}, as the lines before; correct it")
    try:
        values = array("f", map(float, fields[-width:]))
    except ValueError as error:
        raise AbaloError(
            f"{place}: a value is no number; expected a word and {width} numbers, with single spaces between"
        ) from error
    if not isfinite(sum(values)):
        raise AbaloError(f"{place}: the vector of {fields[0]!r} holds NaN or infinity; leave the line out")
    return values


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
