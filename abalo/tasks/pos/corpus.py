"""Corpora of tagged words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from abalo.core.protocols.corpus_spec import CorpusSpec, switch
from abalo.corpora import Corpus
from abalo.corpora.conllu import TagColumn, Tagged, parse
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, Findings, is_lenient
from abalo.corpora.loading import file_of, files_that_ship
from abalo.corpora.unpacking import format_ending
from perturbations import UNLABELLED, Sentence

DEFAULT = "bundled:pos-pt"

SETTINGS = (switch("xpos", "whether to judge the tags of the language, not universal ones"), LENIENT)

_FILE = "eval.conllu"


def load(spec: str, *, limit: int | None = None) -> Corpus:
    """The first ``limit`` sentences of CoNLL-U, two columns or ``bundled:NAME``.

    ``FILE?xpos`` reads language-specific tags. AbaloError lists all problems of the file.
    """
    path, column = locate(spec)
    findings = Findings(str(path), is_lenient(spec))
    found = parse(read_text(path, findings), findings, column=column, suffix=format_ending(str(path)))
    findings.raise_any()
    return corpus_of(spec, found, column, findings).first(limit)


def corpus_of(name: str, found: Sequence[Tagged], column: TagColumn, findings: Findings) -> Corpus:
    """The corpus called ``name`` with tags from ``column``."""
    sentences = tuple(Sentence(each.tokens, each.tags, each.spaces, policy="each") for each in found)
    starts = tuple(place for place, each in enumerate(found) if each.opens)
    tags = {tag for sentence in sentences for tag in sentence.tags or ()} - {UNLABELLED}
    return Corpus(
        name,
        sentences,
        scheme=column.upper(),
        document_starts=starts,
        notices=findings.told,
        tally=findings.tally,
        known_types=tuple(sorted(tags)),
    )


def bundled_names() -> dict[str, Path]:
    """Bundled corpora by name."""
    return files_that_ship(_FILE)


def locate(spec: str) -> tuple[Path, TagColumn]:
    """The file and tag column of a spec."""
    asked = CorpusSpec.read(spec, SETTINGS)
    return file_of(asked.source, bundled_names()), "xpos" if asked.settings.get("xpos") else "upos"
