"""Corpora of tagged words, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from abalo.corpora import Corpus
from abalo.corpora.loading import BUNDLED, files_that_ship, shipped
from abalo.errors import AbaloError
from abalo.tasks.pos.conllu import Column, Tagged, read
from perturbations import UNLABELLED, Sentence
from perturbations.suggestions import did_you_mean

DEFAULT = "bundled:pos-pt"

_FILE = "eval.conllu"


def load(spec: str, *, limit: int | None = None, lenient: bool = False) -> Corpus:
    """The corpus called ``spec``: a CoNLL-U or two-column file, or ``bundled:NAME``; its first ``limit`` sentences.

    ``FILE?xpos`` takes the tags of the language from CoNLL-U, in place of the universal ones. The whole file is
    checked, whatever the limit: all its problems come in one AbaloError.
    """
    path, column = placed(spec)
    return corpus_of(spec, read(path, column=column, lenient=lenient), column).first(limit)


def corpus_of(name: str, found: Sequence[Tagged], column: Column) -> Corpus:
    """The sentences that were read, whose tags stood in the ``column``, as a corpus of that name."""
    sentences = tuple(Sentence(each.tokens, each.tags, each.spaces, policy="each") for each in found)
    starts = tuple(place for place, each in enumerate(found) if each.opens)
    tags = {tag for sentence in sentences for tag in sentence.tags or ()} - {UNLABELLED}
    return Corpus(name, sentences, scheme=column.upper(), document_starts=starts, known_types=tuple(sorted(tags)))


def bundled_names() -> dict[str, Path]:
    """The corpora that ship, by the name after ``bundled:``."""
    return files_that_ship(_FILE)


def placed(spec: str) -> tuple[Path, Column]:
    """The file that ``spec`` means, and the column of its tags."""
    name, asks, asked = spec.partition("?")
    column: Column = "upos"
    if asks and not Path(spec).is_file():
        known = get_args(Column)
        if asked not in known:
            near = did_you_mean(asked, known)
            raise AbaloError(f"{spec}: no such column {asked!r}; expected one of {', '.join(known)}{near}")
        column = "xpos" if asked == "xpos" else "upos"
    else:
        name = spec
    return shipped(name, bundled_names()) if name.startswith(BUNDLED) else Path(name), column
