"""A corpus that something has learned from, as settings name it."""

from __future__ import annotations

from pathlib import Path

from abalo.corpora.corpus import Corpus


def check_training(training: str) -> None:
    """Raises ValueError where a corpus is named by a path and is not there."""
    if training and ":" not in training and not Path(training).is_file():
        raise ValueError(f"training is {training!r}; no such file: expected a corpus")


def named(corpus: Corpus) -> str:
    """What reports call a corpus: of a path its last part."""
    return corpus.name if ":" in corpus.name else Path(corpus.name).name
