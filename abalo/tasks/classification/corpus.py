"""Corpora of labelled texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from abalo.core.records.example import Example
from abalo.corpora.examples import example_of
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.peek import labels_texts
from abalo.corpora.tables import LABEL, LABELLED, TEXT, WORDS, Field, ReadRecords
from abalo.tasks.labels.corpus import SEVERAL, CorpusReader, LabelledCorpus, LabelledRow

DEFAULT = "bundled:sentiment-pt"


@dataclass(frozen=True, slots=True)
class LabelledTexts(LabelledCorpus):
    """Labelled texts as sentences."""

    golds: tuple[tuple[str, ...], ...] = ()
    several: bool = False

    @property
    def examples(self) -> tuple[Example, ...]:
        made = map(example_of, self.sentences)
        pairs = zip(made, self.golds, strict=True)
        return tuple(replace(example, gold=gold, source=self.several) for example, gold in pairs)

    @property
    def inputs(self) -> Sequence[str]:
        return [sentence.text for sentence in self.sentences]

    @property
    def head(self) -> bytes:
        return repr(self.several).encode()

    def hashed(self) -> Iterator[bytes]:
        for sentence, gold in zip(self.sentences, self.golds, strict=True):
            yield ascii((sentence.text, gold)).encode()


def record_of(example: Example) -> dict[str, object]:
    """The example as a file record."""
    labels = {SEVERAL: list(example.gold)} if example.source else {LABEL.name: example.gold[0]}
    return {TEXT.name: example.sentence.text, **labels}


class TextReader(CorpusReader[LabelledTexts]):
    """Reads labelled texts from tables, records, or lines of text, tab and label."""

    noun = "text"
    file = "eval.tsv"
    texts: ClassVar[Mapping[str, str]] = {TEXT.name: WORDS.name}
    fields = LABELLED
    multiple = True

    def corpus_of(self, name: str, rows: Sequence[LabelledRow], *, several: bool) -> LabelledTexts:
        golds = tuple(row.gold for row in rows)
        return LabelledTexts(name, tuple(row.texts[0] for row in rows), golds=golds, several=several)

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        return labels_texts(name, fields)

    def check(self, rows: Sequence[LabelledRow], found: ReadRecords, findings: Findings) -> None:
        others = {label for row in rows[1:] for label in row.gold}
        if not found.columns and len(rows) > 1 and others.isdisjoint(rows[0].gold):
            findings.error(
                found.records[0][0],
                f"the label {show_value(rows[0].gold[0])} occurs only in this line; if the line is a header, name "
                "the columns: FILE?text=COLUMN&label=COLUMN",
            )


TEXTS = TextReader()
load = TEXTS.load
recognises = TEXTS.recognises
