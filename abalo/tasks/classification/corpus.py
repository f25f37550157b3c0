"""Corpora of labelled texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from abalo.core.example import Example
from abalo.corpora.examples import example_of
from abalo.corpora.findings import Findings, shown
from abalo.corpora.peek import labels_texts
from abalo.corpora.tables import LABEL, LABELLED, TEXT, WORDS, Field, Read
from abalo.tasks.labels.corpus import SEVERAL, CorpusReader, LabelledCorpus, Row

DEFAULT = "bundled:sentiment-pt"


@dataclass(frozen=True, slots=True)
class LabelledTexts(LabelledCorpus):
    """Texts as sentences, with the labels of each."""

    golds: tuple[tuple[str, ...], ...] = ()
    several: bool = False

    @property
    def examples(self) -> tuple[Example, ...]:
        """The texts as examples: ``gold`` is the labels, ``source`` whether there could be several of them."""
        made = map(example_of, self.sentences)
        pairs = zip(made, self.golds, strict=True)
        return tuple(replace(example, gold=gold, source=self.several) for example, gold in pairs)

    @property
    def inputs(self) -> Sequence[str]:
        """The texts."""
        return [sentence.text for sentence in self.sentences]

    @property
    def head(self) -> bytes:
        """Whether a text can have several labels."""
        return repr(self.several).encode()

    def hashed(self) -> Iterator[bytes]:
        """Texts and labels."""
        for sentence, gold in zip(self.sentences, self.golds, strict=True):
            yield ascii((sentence.text, gold)).encode()


def record_of(example: Example) -> dict[str, Any]:
    """The example as a record of a file."""
    labels = {SEVERAL: list(example.gold)} if example.source else {LABEL.name: example.gold[0]}
    return {TEXT.name: example.sentence.text, **labels}


class TextReader(CorpusReader[LabelledTexts]):
    """Reads labelled texts."""

    noun = "text"
    file = "eval.tsv"
    texts: ClassVar[Mapping[str, str]] = {TEXT.name: WORDS.name}
    fields = LABELLED
    multiple = True

    def corpus_of(self, name: str, rows: Sequence[Row], *, several: bool) -> LabelledTexts:
        """The texts with their labels."""
        golds = tuple(row.gold for row in rows)
        return LabelledTexts(name, tuple(row.texts[0] for row in rows), golds=golds, several=several)

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        """Whether columns are called as texts and labels are, or lines have a text, a tab and a label."""
        return labels_texts(name, fields)

    def check(self, rows: Sequence[Row], found: Read, findings: Findings) -> None:
        """Adds a problem for a header whose names are not known."""
        others = {label for row in rows[1:] for label in row.gold}
        if not found.columns and len(rows) > 1 and others.isdisjoint(rows[0].gold):
            findings.error(
                found.records[0][0],
                f"the label {shown(rows[0].gold[0])} stands in this line alone; if it is a header, say which column is "
                "which: FILE?text=COLUMN&label=COLUMN",
            )


TEXTS = TextReader()
load = TEXTS.load
recognises = TEXTS.recognises
