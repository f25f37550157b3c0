"""Training corpora, as settings name them."""

from __future__ import annotations

from pathlib import Path

from abalo.corpora.corpus import Corpus


def check_training(training: str) -> None:
    """Raises ValueError where a corpus is named by a path and is not there."""
    if training and ":" not in training and not Path(training).is_file():
        raise ValueError(f"training is {training!r}; no such file: expected a corpus")


def named(corpus: Corpus) -> str:
    """The name of a corpus in reports: of a path its last part."""
    return corpus.name if ":" in corpus.name else Path(corpus.name).name
