"""Corpora beside the one that is judged, such as training corpora, as settings name them."""

from __future__ import annotations

from pathlib import Path

from abalo.corpora.corpus import Corpus
from abalo.corpora.loading import load, names_columns
from abalo.files import is_file


def check_training(training: str) -> None:
    """Raises ValueError where a corpus is named by a path and is not there."""
    if training and ":" not in training and not (is_file(Path(training)) or names_columns(training)):
        raise ValueError(f"training is {training!r}; no such file: expected a corpus")


def load_named(spec: str) -> Corpus:
    """The corpus that a setting names; its problems are told without a word of the file.

    Who writes a thresholds file may name files that are no corpus, and reports are read by others.
    """
    return load(spec, quoted=False)


def named(corpus: Corpus) -> str:
    """The name of a corpus in reports: of a path its last part."""
    return corpus.name if ":" in corpus.name else Path(corpus.name).name
