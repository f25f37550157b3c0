"""Sentences with entities written as JSON lines or as columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.core.example import Example
from abalo.core.task import Writer
from abalo.corpora import Corpus, write_conll, write_jsonl
from abalo.corpora.corpus import Notes
from abalo.corpora.writing import LINES

_COLUMNS = (".conll", ".bio", ".iob", ".iob2", ".tsv", ".txt")
"""The endings of names under which columns are written."""


def _by(write: Callable[[Corpus, Path, Notes], None]) -> Writer:
    """A writer of examples; parts of speech are dropped, since those of new words are not known."""

    def written(corpus: Any, examples: Sequence[Example], path: Path, notes: Notes) -> None:
        write(Corpus(corpus.name, tuple(example.sentence for example in examples)), path, notes)

    return written


def _write_columns(corpus: Corpus, path: Path, notes: Notes) -> None:
    """The corpus as columns, with no ``edits`` in the notes."""
    write_conll(corpus, path, [{key: note[key] for key in note if key != "edits"} for note in notes])


WRITERS: Mapping[str, Writer] = {LINES: _by(write_jsonl), **dict.fromkeys(_COLUMNS, _by(_write_columns))}
"""The writers by the ending of the file."""
