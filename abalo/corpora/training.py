"""Corpora named in settings."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from abalo.core.protocols.corpus_spec import source_in
from abalo.corpora.corpus import Corpus
from abalo.corpora.files import is_there
from abalo.corpora.loading import load, locate
from abalo.files import is_file


def check_training(training: str) -> None:
    """Raises ValueError for a missing corpus path."""
    if training and ":" not in training and not is_there(source_in(training)):
        raise ValueError(f"training is {training!r}; no such file: expected a corpus")


def load_named(spec: str) -> Corpus:
    """Loads a corpus named in settings; caches two.

    Errors never quote the file: settings could name any, and others read the report.
    """
    file = locate(source_in(spec))
    if not is_file(file):
        return load(spec, quoted=False)
    state = file.stat()
    return _loaded(spec, (state.st_ino, state.st_size, state.st_mtime_ns))


@lru_cache(maxsize=2)
def _loaded(spec: str, _state: tuple[int, int, int]) -> Corpus:
    return load(spec, quoted=False)


def corpus_name(corpus: Corpus) -> str:
    """The name in reports; a path's last part."""
    return corpus.name if ":" in corpus.name else Path(corpus.name).name
