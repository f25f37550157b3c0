"""One reader of corpora whose examples have labels: texts, pairs of sentences, and sentences with aspects."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from abalo.corpora import Corpus
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.hub import HubName
from abalo.corpora.loading import BUNDLED, files_that_ship
from abalo.corpora.peek import has_fields
from abalo.corpora.stretches import Kind, Stretch
from abalo.corpora.tables import LABEL, SEPARATOR, Field, Read, Record, columns_asked, read, told_columns
from abalo.errors import AbaloError
from abalo.tasks.labels.reading import counted, label_of, on_labels, on_markup, sentence_of, source_of, without_spaces
from abalo.tasks.labels.unlabelled import (
    MISSING,
    Unlabelled,
    as_written,
    counted_out,
    none_labelled,
    on_unlabelled,
    parameter_of,
    unlabelled_in,
)
from perturbations import Sentence

SEVERAL = "labels"
"""The column whose values are several labels of one example; in a table with `SEPARATOR` between them."""

SCORE = "score"
"""The field of a degree that an example may have beside its label, or in its place."""


@dataclass(frozen=True, slots=True)
class LabelledCorpus(Corpus):
    """Examples with the labels of each in alphabetical order, one each unless there can be ``several``.

    ``known_types`` are all labels of the file, also of one cut short or read in parts.
    """

    columns: ClassVar[tuple[str, ...]] = ("sentences", "golds")
    """The fields that have a value for each example."""

    @property
    def golds(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each example."""
        raise NotImplementedError

    @property
    def several(self) -> bool:
        """Whether an example can have several labels, or none."""
        return False

    @property
    def inputs(self) -> Sequence[Any]:
        """Each example as a model is shown it."""
        raise NotImplementedError

    def first(self, limit: int | None) -> Any:
        """The first ``limit`` examples; all of them for None."""
        cut: dict[str, Any] = {name: getattr(self, name)[:limit] for name in self.columns}
        return replace(self, **cut)

    @property
    def label_counts(self) -> dict[str, int]:
        """How many examples have each label, by label."""
        return counted(self.golds)


C = TypeVar("C", bound=LabelledCorpus)


@dataclass(frozen=True, slots=True)
class Asked:
    """A corpus as a spec names it: the file or data set, and the columns that it asks for by the names of their fields.

    ``unlabelled`` are the values that stand for no label, ``several`` is whether an example can have several labels;
    they are None if the corpus itself tells.
    """

    source: Path | Stretch | HubName
    columns: Mapping[str, str]
    unlabelled: Unlabelled | None = None
    several: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An example as it was read: its texts, its labels, and its score if it has one."""

    texts: tuple[Sentence, ...]
    gold: tuple[str, ...]
    score: float | None = None


class CorpusReader(ABC, Generic[C]):
    """Reads the corpora of a task from tables, JSON, data sets and files that ship, whole or part after part.

    ``noun`` is an example in words, ``gold`` what each must have, ``file`` the name of the files that ship. ``texts``
    are the fields of the texts, each with the field of its words, and ``fields`` all fields. ``multiple`` says that an
    example may have several labels. ``kinds`` are the forms of files that can be read in parts.
    """

    noun: ClassVar[str]
    gold: ClassVar[str] = "label"
    file: ClassVar[str]
    texts: ClassVar[Mapping[str, str]] = {}
    fields: ClassVar[Sequence[Field]] = ()
    multiple: ClassVar[bool] = False
    kinds: ClassVar[tuple[Kind, ...]] = ("table", "lines", "rows")

    @abstractmethod
    def corpus_of(self, name: str, rows: Sequence[Row], *, several: bool) -> C:
        """The corpus with these examples."""

    def absent_in(self, labels: Iterable[str]) -> Unlabelled:
        """The values that stand for no label in a corpus with these labels."""
        return unlabelled_in(labels, graded=True)

    def several_in(self, found: Read) -> bool:
        """Whether the column or the values tell that an example can have several labels."""
        values = (record[LABEL.name] for _, record in found.records)
        named = found.columns.get(LABEL.name, "").lower() == SEVERAL
        return self.multiple and (named or any(isinstance(each, list) and len(each) != 1 for each in values))

    def check(self, rows: Sequence[Row], found: Read, findings: Findings) -> None:
        """Adds the problems of the corpus as a whole, if nothing about it is settled yet."""

    def bundled(self) -> dict[str, Path]:
        """The corpora that ship, by the name after ``bundled:``."""
        return files_that_ship(self.file)

    def recognises(self, spec: str) -> bool:
        """Whether a corpus ships, or is a file whose columns are called as the fields are, or named so."""
        name, fields = told_columns(parameter_of(spec)[0], self.fields)
        if name.startswith(BUNDLED):
            return name.removeprefix(BUNDLED) in self.bundled()
        return self.recognises_file(name, fields)

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        """Whether a file is a table or JSON whose columns are called as these fields are."""
        return has_fields(name, fields)

    def load(self, spec: str, *, limit: int | None = None, lenient: bool = False) -> C:
        """The corpus called ``spec``, its first ``limit`` examples or all.

        ``spec`` is a table with tabs or commas, JSON (lines or an array), XML if the task reads some, ``bundled:NAME``,
        ``hub:DATASET:SPLIT`` or a folder that ``save_to_disk`` wrote. Columns are found by the names of the fields, or
        named: ``FILE?text=A&label=B``, with ``&words=C`` for a list of the words of each text, or for them with spaces
        between them. A table without a header has just the fields that are needed, in order.

        If the column of labels is called ``labels``, or values are lists of none or several, a text can have several
        labels, or none. Other examples without a label are left out and counted; which values stand for none is found
        (`abalo.tasks.labels.unlabelled`), or named: ``FILE?unlabelled=-1|nan``. The whole file is checked, whatever the
        limit: its problems come in one AbaloError.
        """
        if limit is not None and limit < 1:
            raise AbaloError(f"--abalo-limit {limit}: expected at least 1 {self.noun}")
        asked = self.named(spec)
        source = asked.source
        findings = Findings(spec, lenient, joint=" row " if isinstance(source, HubName) else ":")
        corpus: C = self.read(asked, findings).first(limit)
        return corpus.first(source.limit) if isinstance(source, HubName) else corpus

    def named(self, spec: str) -> Asked:
        """The parts of a spec; raises `AbaloError` for a column of no field."""
        if not self.fields:
            return Asked(source_of(spec, self.bundled()), {})
        short, unlabelled = parameter_of(spec)
        try:
            name, columns = columns_asked(short, self.fields)
        except ValueError as error:
            raise AbaloError(f"{spec}: {error}") from None
        return Asked(source_of(name, self.bundled()), columns, unlabelled)

    def read(self, asked: Asked, findings: Findings) -> C:
        """The corpus asked for; raises `AbaloError` with all ``findings``. A stretch of a file may have no example."""
        found = self.records(asked, findings)
        several = self.several_in(found) if asked.several is None else asked.several
        written = [None if several else as_written(record[LABEL.name]) for _, record in found.records]
        absent = self.absent_in(filter(None, written)) if asked.unlabelled is None else asked.unlabelled
        scored = any(record.get(SCORE) not in (None, "") for _, record in found.records)
        out = [each is not None and each in (MISSING, *absent.values) for each in written]
        labelled = not (scored and all(out))
        rows = [
            self._row(record, place, findings, several=several, labelled=labelled, scored=scored)
            for (place, record), gone in zip(found.records, out, strict=True)
            if not (gone and labelled)
        ]
        kept = [row for row in rows if row is not None]
        left_out = [each for each, gone in zip(written, out, strict=True) if each is not None and gone and labelled]
        self.refuse_nothing(kept, asked, left_out, findings)
        if not findings.problems and asked.several is None:
            self.check(kept, found, findings)
        findings.raise_any()
        told = self._notices(kept, asked)
        counts = counted_out(left_out)
        return replace(
            self.corpus_of(findings.source, kept, several=several),
            scheme="several labels" if several else "one label",
            repairs=findings.repairs,
            notices=(*on_unlabelled(counts, absent.doubtful, self.noun), *findings.notices, *told),
            known_types=tuple(counted(row.gold for row in kept)),
            unlabelled=counts,
            doubtful=absent.doubtful,
        )

    def records(self, asked: Asked, findings: Findings) -> Read:
        """The fields of each record."""
        return read(asked.source, self.fields, asked.columns, findings)

    def refuse_nothing(
        self, kept: Sequence[object], asked: Asked, left_out: Sequence[str], findings: Findings, but: str = ""
    ) -> None:
        """Adds a problem if a whole file has no example. ``but`` counts those that are none."""
        if kept or findings.problems or isinstance(asked.source, Stretch):
            return
        if left_out:
            findings.error(WHOLE, self.none_labelled(left_out))
        else:
            told = f"no {self.noun}s{but}; expected at least one with its {self.gold}"
            findings.error(WHOLE, f"{told}; is this the corpus you meant?")

    def none_labelled(self, left_out: Sequence[str]) -> str:
        """The problem of a corpus whose examples are all left out."""
        return none_labelled(len(left_out), self.noun)

    def _notices(self, rows: Sequence[Row], asked: Asked) -> Iterable[str]:
        yield from on_labels(label for row in rows for label in row.gold)
        yield from on_markup(" ".join(text.text for text in row.texts) for row in rows)
        if asked.columns.keys().isdisjoint(self.texts.values()):
            columns = "&".join(f"{words}=COLUMN" for words in self.texts.values())
            yield from without_spaces((text for row in rows for text in row.texts), columns)

    def _row(
        self, record: Record, place: int, findings: Findings, *, several: bool, labelled: bool, scored: bool
    ) -> Row | None:
        """The example of a record; None, and its problems more, if it lacks something."""
        before = len(findings.problems)
        texts = [sentence_of(record[name], place, findings, record.get(words)) for name, words in self.texts.items()]
        gold = self._gold(record[LABEL.name], place, findings, several=several) if labelled else ()
        score = number_of(record[SCORE]) if scored else None
        if scored and score is None:
            told = f"the score is {shown(record[SCORE])}; expected a number"
            findings.error(place, f"{told}; add it, or leave the {self.noun} out")
        if len(findings.problems) > before:
            return None
        return Row(tuple(text for text in texts if text is not None), gold, score)

    def _gold(self, value: Any, place: int, findings: Findings, *, several: bool) -> tuple[str, ...]:
        """The labels that a value stands for; a problem if it stands for none."""
        if isinstance(value, list) and len(value) == 1 and not several:
            value = value[0]
        if isinstance(value, list) and self.multiple and not several:
            told = f"several labels, {shown(value)}, where {self.noun}s before have one each"
            findings.error(place, f"{told}; call the column {SEVERAL!r}")
            return ()
        listed = value.split(SEPARATOR) if several and isinstance(value, str) and value.strip() else value
        if several and (value is None or value == ""):
            listed = []
        labels = [label_of(each) for each in (listed if isinstance(listed, list) else [listed])]
        if any(label is None for label in labels):
            wanted = "names, such as ['anger', 'joy']" if several else "a name or a whole number"
            told = f"the label is {shown(value)}; expected {wanted}"
            findings.error(place, f"{told}; add it, or leave the {self.noun} out")
        return tuple(sorted({label for label in labels if label is not None}))


def number_of(value: Any) -> float | None:
    """The finite number that a value is; None if it is none."""
    try:
        found = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
