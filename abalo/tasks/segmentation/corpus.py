"""Segmented corpora: lines of words, CoNLL-U, or characters with B, M, E, S."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from abalo.bundled import bundled_path
from abalo.core.protocols.corpus_spec import CorpusSetting, CorpusSpec, source_in
from abalo.core.records.example import Example
from abalo.corpora import Corpus
from abalo.corpora.conllu import SUFFIXES
from abalo.corpora.examples import example_of
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, Findings, is_lenient
from abalo.corpora.json_text import is_json
from abalo.corpora.loading import BUNDLED, file_of, files_that_ship
from abalo.corpora.peek import beginning
from abalo.corpora.segmented import holds_words, parse, written_words
from abalo.corpora.unpacking import format_ending
from abalo.models.segmenters.perceptron import load_weights
from perturbations import Sentence

DEFAULT = "bundled:segmentation-zh"
WEIGHTS = "fixtures/segmentation/weights.npz"

_FILE = "words.txt"
_TRAIN = "train"

SETTINGS = (CorpusSetting(_TRAIN, "corpus whose words the model knows: a file, or bundled", "FILE"), LENIENT)


@dataclass(frozen=True, slots=True)
class Segmented(Corpus):
    """Sentences of labelled characters; ``seen`` are the words of ``trained_on``."""

    seen: Container[str] | None = field(default=None, hash=False, compare=False)
    trained_on: str = ""

    @property
    def examples(self) -> tuple[Example, ...]:
        return tuple(replace(example_of(sentence), source=self.seen) for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Asked:
    """The corpus file and optional training list."""

    path: Path
    training: str | None


def load(spec: str, *, limit: int | None = None) -> Segmented:
    """The first ``limit`` sentences of a file or ``bundled:NAME``.

    ``?train=OTHER`` names a corpus as training list. ``?train=bundled``, the default for bundled corpora, names the
    list of the bundled model. AbaloError lists all problems of the file.
    """
    asked = parse_spec(spec)
    findings = Findings(str(asked.path), is_lenient(spec))
    found = parse(read_text(asked.path, findings), findings, suffix=format_ending(str(asked.path)))
    findings.raise_any()
    made = corpus_of(spec, found, asked, findings)
    return replace(made, sentences=made.sentences[:limit])


def corpus_of(name: str, sentences: Sequence[Sentence], asked: Asked, findings: Findings) -> Segmented:
    """The corpus called ``name``."""
    return Segmented(
        name,
        tuple(sentences),
        "BMES",
        findings.repairs,
        notices=findings.told,
        tally=findings.tally,
        known_types=("B", "E", "M", "S"),
        seen=_training_list(asked),
        trained_on=asked.training or "",
    )


def bundled_names() -> dict[str, Path]:
    """Bundled corpora by name."""
    return files_that_ship(_FILE)


def parse_spec(spec: str) -> Asked:
    """The files of a spec. Raises AbaloError for other settings."""
    asked = CorpusSpec.read(spec, SETTINGS)
    usual = "bundled" if asked.source.startswith(BUNDLED) else None
    return Asked(file_of(asked.source, bundled_names()), asked.settings.get(_TRAIN, usual))


def _training_list(asked: Asked) -> Container[str] | None:
    if asked.training is None:
        return None
    if asked.training == "bundled":
        return load_weights(bundled_path(WEIGHTS)).seen
    other = load(asked.training)
    return frozenset(word for sentence in other.sentences for word in written_words(sentence))


def recognises(spec: str) -> bool:
    """True for bundled corpora, labelled characters, or Chinese words."""
    file = source_in(spec)
    if file.startswith(BUNDLED):
        return file.removeprefix(BUNDLED) in bundled_names()
    text, ending = beginning(file), format_ending(file)
    return ending not in SUFFIXES and not is_json(text, ending) and holds_words(text)
