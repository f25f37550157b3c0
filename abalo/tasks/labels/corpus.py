"""Reads corpora with labelled examples."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from abalo.core.protocols.corpus_spec import CorpusSetting, CorpusSpec
from abalo.corpora import Corpus
from abalo.corpora.chunks import Chunk, FileKind
from abalo.corpora.findings import LENIENT, WHOLE, Findings, is_lenient, show_value
from abalo.corpora.hub import HubName
from abalo.corpora.loading import BUNDLED, files_that_ship, source_of
from abalo.corpora.peek import has_fields
from abalo.corpora.tables import LABEL, SEPARATOR, Field, ReadRecords, TableRecord, as_asked, columns, read
from abalo.errors import AbaloError
from abalo.tasks.labels.reading import (
    count_labels,
    label_of,
    on_labels,
    on_markup,
    sentence_of,
    without_spaces,
)
from abalo.tasks.labels.unlabelled import (
    MISSING,
    PARAMETER,
    UNLABELLED,
    Unlabelled,
    as_written,
    count_values,
    find_unlabelled,
    none_labelled,
    on_unlabelled,
    tally_unlabelled,
)
from perturbations import Sentence

SEVERAL = "labels"
"""Tables separate its values by `SEPARATOR`."""

SCORE = "score"


@dataclass(frozen=True, slots=True)
class LabelledCorpus(Corpus):
    """Examples with their labels in alphabetical order, one each unless ``several``.

    ``known_types`` has the labels of the whole file. ``columns`` names the fields with one value per example.
    """

    columns: ClassVar[tuple[str, ...]] = ("sentences", "golds")

    @property
    def golds(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each example."""
        raise NotImplementedError

    @property
    def several(self) -> bool:
        """True if an example can have no label or several."""
        return False

    @property
    def inputs(self) -> Sequence[Any]:
        """The model input of each example."""
        raise NotImplementedError

    def first(self, limit: int | None) -> Self:
        cut: dict[str, Any] = {name: getattr(self, name)[:limit] for name in self.columns}
        return replace(self, **cut)

    def chosen(self, places: Sequence[int]) -> Self:
        cut: dict[str, Any] = {name: tuple(getattr(self, name)[place] for place in places) for name in self.columns}
        return replace(self, **cut)

    @property
    def label_counts(self) -> dict[str, int]:
        """The number of examples with each label."""
        return count_labels(self.golds)


C = TypeVar("C", bound=LabelledCorpus)


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """A parsed corpus spec: source and columns by field.

    ``unlabelled`` values mean no label; ``several`` allows several labels. None lets the corpus decide.
    """

    source: Path | Chunk | HubName
    columns: Mapping[str, str]
    unlabelled: Unlabelled | None = None
    several: bool | None = None


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """An example as read: its texts, labels and optional score."""

    texts: tuple[Sentence, ...]
    gold: tuple[str, ...]
    score: float | None = None


class CorpusReader(ABC, Generic[C]):
    """Reads the corpora of a task from tables, JSON, data sets and bundled files.

    ``noun`` and ``gold`` describe an example and its gold. ``file`` names bundled files. ``texts`` are fields with the
    field of their words. ``multiple`` allows several labels. ``kinds`` are formats readable in parts.
    """

    noun: ClassVar[str]
    gold: ClassVar[str] = "label"
    file: ClassVar[str]
    texts: ClassVar[Mapping[str, str]] = {}
    fields: ClassVar[Sequence[Field]] = ()
    multiple: ClassVar[bool] = False
    kinds: ClassVar[tuple[FileKind, ...]] = ("table", "lines", "rows")

    @property
    def settings(self) -> tuple[CorpusSetting, ...]:
        """The settings of its corpora."""
        return (*columns(self.fields), *([UNLABELLED] if self.fields else ()), LENIENT)

    @abstractmethod
    def corpus_of(self, name: str, rows: Sequence[LabelledRow], *, several: bool) -> C:
        """Builds the corpus."""

    def absent_in(self, labels: Iterable[str]) -> Unlabelled:
        """The values that mean no label beside these labels."""
        return find_unlabelled(labels, graded=True)

    def several_in(self, found: ReadRecords) -> bool:
        """True if column or values show several labels."""
        values = (record[LABEL.name] for _, record in found.records)
        named = found.columns.get(LABEL.name, "").lower() == SEVERAL
        return self.multiple and (named or any(isinstance(each, list) and len(each) != 1 for each in values))

    def check(self, rows: Sequence[LabelledRow], found: ReadRecords, findings: Findings) -> None:
        """Adds problems of the whole corpus that are not yet settled."""

    def bundled(self) -> dict[str, Path]:
        """Bundled corpora by name."""
        return files_that_ship(self.file)

    def recognises(self, spec: str) -> bool:
        """True for bundled corpora, and files with named or matching columns."""
        asked = CorpusSpec.guess(spec, self.settings)
        if asked.source.startswith(BUNDLED):
            return asked.source.removeprefix(BUNDLED) in self.bundled()
        return self.recognises_file(asked.source, as_asked(self.fields, asked.settings))

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        """True for a table or JSON with matching columns."""
        return has_fields(name, fields)

    def load(self, spec: str, *, limit: int | None = None) -> C:
        """The first ``limit`` examples (None: all) of a corpus.

        ``spec`` is a table, JSON (lines or an array), XML if the task reads it, ``bundled:NAME``,
        ``hub:DATASET:SPLIT``, or a folder from ``save_to_disk``. Columns are found by field name or given:
        ``FILE?text=A&label=B``; ``&words=C`` holds the words, as a list or with spaces. A table without a header has
        the required fields in order.

        A column ``labels`` or lists of other than one label allow several labels per text. Otherwise unlabelled
        examples are left out and counted, by the rules of `abalo.tasks.labels.unlabelled` or
        ``FILE?unlabelled=-1|nan``. AbaloError lists all problems of the file, whatever the limit.
        """
        if limit is not None and limit < 1:
            raise AbaloError(f"--abalo-limit {limit}: expected at least 1 {self.noun}")
        asked = self.named(spec)
        source = asked.source
        findings = Findings(spec, is_lenient(spec), joint=" row " if isinstance(source, HubName) else ":")
        corpus: C = self.read(asked, findings).first(limit)
        return corpus.first(source.limit) if isinstance(source, HubName) else corpus

    def named(self, spec: str) -> ColumnChoice:
        """Parses a spec. Raises AbaloError for an unknown setting."""
        asked = CorpusSpec.read(spec, self.settings)
        named = asked.among(each.name for each in self.fields)
        return ColumnChoice(source_of(asked.source, self.bundled()), named, asked.settings.get(PARAMETER))

    def read(self, asked: ColumnChoice, findings: Findings) -> C:
        """The corpus. Raises AbaloError with all ``findings``. A chunk may be empty."""
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
        counts = count_values(left_out)
        findings.tally.read(self.noun, len(kept))
        tally_unlabelled(findings.tally, counts, self.noun)
        return replace(
            self.corpus_of(findings.source, kept, several=several),
            scheme="several labels" if several else "one label",
            repairs=findings.repairs,
            notices=(
                *on_unlabelled(counts, absent.doubtful, self.noun),
                *findings.notices,
                *told,
                *findings.tally.lines(),
            ),
            tally=findings.tally,
            known_types=tuple(count_labels(row.gold for row in kept)),
            unlabelled=counts,
            doubtful=absent.doubtful,
        )

    def records(self, asked: ColumnChoice, findings: Findings) -> ReadRecords:
        """The fields of each record."""
        return read(asked.source, self.fields, asked.columns, findings)

    def refuse_nothing(
        self, kept: Sequence[object], asked: ColumnChoice, left_out: Sequence[str], findings: Findings, but: str = ""
    ) -> None:
        """Adds a problem if a whole file has no examples; ``but`` describes excluded ones."""
        if kept or findings.problems or isinstance(asked.source, Chunk):
            return
        if left_out:
            findings.error(WHOLE, self.none_labelled(left_out))
        else:
            told = f"no {self.noun}s{but}; expected at least one with its {self.gold}"
            findings.error(WHOLE, f"{told}; is this the corpus you meant?")

    def none_labelled(self, left_out: Sequence[str]) -> str:
        """The problem if all examples are left out."""
        return none_labelled(len(left_out), self.noun)

    def _notices(self, rows: Sequence[LabelledRow], asked: ColumnChoice) -> Iterable[str]:
        yield from on_labels(label for row in rows for label in row.gold)
        yield from on_markup(" ".join(text.text for text in row.texts) for row in rows)
        if asked.columns.keys().isdisjoint(self.texts.values()):
            asks = "&".join(f"{words}=COLUMN" for words in self.texts.values())
            yield from without_spaces((text for row in rows for text in row.texts), asks)

    def _row(
        self, record: TableRecord, place: int, findings: Findings, *, several: bool, labelled: bool, scored: bool
    ) -> LabelledRow | None:
        before = len(findings.problems)
        texts = [sentence_of(record[name], place, findings, record.get(words)) for name, words in self.texts.items()]
        gold = self._gold(record[LABEL.name], place, findings, several=several) if labelled else ()
        score = number_of(record[SCORE]) if scored else None
        if scored and score is None:
            told = f"the score is {show_value(record[SCORE])}; expected a number"
            findings.error(place, f"{told}; add it, or leave the {self.noun} out")
        if len(findings.problems) > before:
            return None
        return LabelledRow(tuple(text for text in texts if text is not None), gold, score)

    def _gold(self, value: object, place: int, findings: Findings, *, several: bool) -> tuple[str, ...]:
        if isinstance(value, list) and len(value) == 1 and not several:
            value = value[0]
        if isinstance(value, list) and self.multiple and not several:
            told = f"several labels, {show_value(value)}, where {self.noun}s before have one each"
            findings.error(place, f"{told}; call the column {SEVERAL!r}")
            return ()
        listed = value.split(SEPARATOR) if several and isinstance(value, str) and value.strip() else value
        if several and (value is None or value == ""):
            listed = []
        labels = [label_of(each) for each in (listed if isinstance(listed, list) else [listed])]
        if any(label is None for label in labels):
            wanted = "names, such as ['anger', 'joy']" if several else "a name or a whole number"
            told = f"the label is {show_value(value)}; expected {wanted}"
            findings.error(place, f"{told}; add it, or leave the {self.noun} out")
        return tuple(sorted({label for label in labels if label is not None}))


def number_of(value: object) -> float | None:
    """The value as a finite number, else None."""
    try:
        found = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
