"""Corpora of dependency trees."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from abalo.core.protocols.corpus_spec import CorpusSpec, switch
from abalo.core.records.example import Example
from abalo.corpora import Corpus
from abalo.corpora.conllu import Tagged, parse
from abalo.corpora.examples import example_of
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, Findings, is_lenient
from abalo.corpora.loading import file_of, files_that_ship
from abalo.corpora.unpacking import format_ending
from perturbations import Arcs, Sentence
from perturbations.layers import HEADS, UNLABELLED

DEFAULT = "bundled:parsing-pt"

SETTINGS = (
    switch("subtypes", "whether subtypes of relations count, such as obl:arg"),
    switch("no_punctuation", "whether punctuation is left out"),
    LENIENT,
)

_FILE = "trees.conllu"
_PUNCTUATION = "PUNCT"


class TreeRules(NamedTuple):
    """What is scored: ``subtypes`` of relations, and ``punctuation``."""

    subtypes: bool = False
    punctuation: bool = True

    def relation(self, relation: str) -> str:
        """The scored part of a relation."""
        return relation if self.subtypes else relation.partition(":")[0]

    def relations(self, sentence: Sentence) -> list[str]:
        """The gold relations of scored words."""
        rows = zip(self.known(sentence), arcs_of(sentence).relations, strict=True)
        return [self.relation(relation) for known, relation in rows if known]

    def known(self, sentence: Sentence) -> list[bool]:
        """For each word, whether it is scored."""
        tags = sentence.tags or (UNLABELLED,) * len(sentence)
        return [
            head is not None and (self.punctuation or not _is_mark(token, tag))
            for head, token, tag in zip(arcs_of(sentence).heads, sentence.tokens, tags, strict=True)
        ]


_USUAL = TreeRules()


def _is_mark(token: str, tag: str) -> bool:
    return tag == _PUNCTUATION if tag else all(unicodedata.category(char)[0] == "P" for char in token)


def arcs_of(sentence: Sentence) -> Arcs:
    """The tree of a sentence."""
    return next(layer for layer in sentence.layers if isinstance(layer, Arcs) and layer.name == HEADS)


@dataclass(frozen=True, slots=True)
class Trees(Corpus):
    """Sentences with parts of speech and arcs."""

    rules: TreeRules = _USUAL

    @property
    def examples(self) -> tuple[Example, ...]:
        return tuple(replace(example_of(each), source=self.rules) for each in self.sentences)

    @property
    def head(self) -> bytes:
        return repr(self.rules).encode()

    def hashed(self) -> Iterator[bytes]:
        for each, arcs in zip(Corpus.hashed(self), map(arcs_of, self.sentences), strict=True):
            yield each + repr((arcs.heads, arcs.relations)).encode()


def load(spec: str, *, limit: int | None = None) -> Trees:
    """The first ``limit`` sentences of CoNLL-U, CoNLL-X or ``bundled:NAME``.

    ``?subtypes`` scores subtypes, ``?no_punctuation`` no punctuation. AbaloError lists all problems of a file.
    """
    path, rules = locate(spec)
    findings = Findings(str(path), is_lenient(spec))
    found = parse(read_text(path, findings), findings, suffix=format_ending(str(path)), trees=True)
    findings.raise_any()
    return corpus_of(spec, found, rules, findings).first(limit)


def corpus_of(name: str, found: Sequence[Tagged], rules: TreeRules, findings: Findings) -> Trees:
    """The corpus called ``name``."""
    sentences = tuple(
        Sentence(each.tokens, each.tags, each.spaces, policy="each", layers=(Arcs(HEADS, each.heads, each.relations),))
        for each in found
    )
    starts = tuple(place for place, each in enumerate(found) if each.opens)
    relations = {rules.relation(relation) for each in found for relation in each.relations} - {UNLABELLED}
    return Trees(
        name,
        sentences,
        scheme="HEAD, DEPREL",
        repairs=findings.repairs,
        document_starts=starts,
        notices=findings.told,
        tally=findings.tally,
        known_types=tuple(sorted(relations)),
        rules=rules,
    )


def bundled_names() -> dict[str, Path]:
    """Bundled corpora by name."""
    return files_that_ship(_FILE)


def locate(spec: str) -> tuple[Path, TreeRules]:
    """The file and scoring rules of a spec."""
    asked = CorpusSpec.read(spec, SETTINGS)
    rules = TreeRules(asked.settings.get("subtypes", False), not asked.settings.get("no_punctuation", False))
    return file_of(asked.source, bundled_names()), rules
