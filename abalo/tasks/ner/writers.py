"""Writes sentences with entities as JSON lines or columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from abalo.core.protocols.task import AnyCorpus, Writer
from abalo.core.records.example import Example
from abalo.corpora import Corpus, write_conll, write_jsonl
from abalo.corpora.corpus import Notes
from abalo.corpora.writing import LINES

_COLUMNS = (".conll", ".bio", ".iob", ".iob2", ".tsv", ".txt")


def _by(write: Callable[[Corpus, Path, Notes], None]) -> Writer:
    def written(corpus: AnyCorpus, examples: Sequence[Example], path: Path, notes: Notes) -> None:
        write(Corpus(corpus.name, tuple(example.sentence for example in examples)), path, notes)

    return written


def _write_columns(corpus: Corpus, path: Path, notes: Notes) -> None:
    write_conll(corpus, path, [{key: note[key] for key in note if key != "edits"} for note in notes])


WRITERS: Mapping[str, Writer] = {LINES: _by(write_jsonl), **dict.fromkeys(_COLUMNS, _by(_write_columns))}
