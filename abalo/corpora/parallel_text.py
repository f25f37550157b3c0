"""Translations: aligned files, tables, JSON, data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.corpora import json_text, tables
from abalo.corpora.chunks import Chunk
from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.hub import HubName
from abalo.corpora.language_tags import canonical, is_known, tags_in
from abalo.corpora.tables import Field

SOURCE, REFERENCE = "source", "reference"
NESTED = "translation"
"""The key of records that hold texts by language, as those of WMT do: ``{"translation": {"de": …, "en": …}}``."""

FIELDS = (
    Field(SOURCE, ("source", "src", "source_text", "source_sentence")),
    Field(REFERENCE, ("reference", "reference1", "ref", "references", "target", "tgt", "target_text")),
    *(
        Field(f"{REFERENCE}{number}", (f"{REFERENCE}{number}", f"ref{number}"), optional=True)
        for number in range(2, 10)
    ),
)
"""References have a column each or a JSON list."""


@dataclass(frozen=True, slots=True)
class ParallelRow:
    """A text and its translations, perhaps not strings."""

    place: int
    source: Any
    references: tuple[Any, ...]


def languages_in(names: Sequence[str]) -> tuple[str, str]:
    """Source and target language from file names; "" if unknown.

    The last code counts (*news.pt*), in a single file the last two (*news-pt-en.tsv*).
    """
    tags = [tags_in(Path(name).name) for name in names]
    if len(tags) > 1:
        first, second = (next(filter(None, reversed(own)), "") for own in tags[:2])
        return first, second
    pairs = [pair for pair in zip(tags[0], tags[0][1:], strict=False) if all(pair)]
    return pairs[-1] if pairs and pairs[-1][0] != pairs[-1][1] else ("", "")


def columns_of(text: str, ending: str) -> list[str]:
    """The names of columns, or of keys that hold texts, by the beginning of a file with this ending."""
    if not json_text.is_json(text, ending):
        return tables.first_cells(text)
    record = tables.fields_within(json_text.first_record(text), NESTED)
    return [*record] if isinstance(record, dict) else []


def languages_of_columns(names: Sequence[str]) -> tuple[str, str]:
    """The languages if columns are language codes; else ""."""
    named = [tag for name in names if (tag := canonical(name)) is not None and is_known(tag)]
    return (named[0], named[1]) if len(named) == len(names) == 2 else ("", "")


def fields_for(languages: tuple[str, str]) -> list[Field]:
    """The fields, with language codes as possible columns."""
    named = dict(zip((SOURCE, REFERENCE), languages, strict=True))
    return [replace(each, language=named.get(each.name, "")) for each in FIELDS]


def read_rows(
    source: Path | Chunk | HubName, languages: tuple[str, str], columns: Mapping[str, str], findings: Findings
) -> list[ParallelRow]:
    """Rows of a file, chunk or data set; problems go to ``findings``."""
    found = tables.read(source, fields_for(languages), columns, findings, within=NESTED)
    if found.records and not found.columns:
        place, first = found.records[0]
        cells = [show_value(first[name]) for name in (SOURCE, REFERENCE)]
        findings.error(
            place,
            f"{' and '.join(cells)} name no columns; expected a header with {SOURCE} and {REFERENCE}, or with two "
            f"codes of languages; or say which columns: FILE?{SOURCE}=1&{REFERENCE}=2",
        )
        return []
    return [ParallelRow(place, record[SOURCE], _references(record)) for place, record in found.records]


def _references(record: Mapping[str, object]) -> tuple[object, ...]:
    first = record[REFERENCE]
    more = [record.get(field.name) for field in FIELDS[2:]]
    return (*(first if isinstance(first, list) else [first]), *(each for each in more if each not in (None, "")))


def read_lines(files: Sequence[Path], findings: Findings) -> list[ParallelRow]:
    """Aligned lines of source and reference files."""
    lines = [_lines(read_text(file, findings), findings) for file in files]
    if len({*map(len, lines)}) > 1:
        told = ", ".join(f"{file} has {len(own):,}" for file, own in zip(files, lines, strict=True))
        findings.error(WHOLE, f"{told} lines; expected as many in each, line by line the translation; correct them")
        return []
    rows = enumerate(zip(*lines, strict=True), start=1)
    return [ParallelRow(place, row[0], row[1:]) for place, row in rows if any(map(str.strip, row))]


def _lines(text: str, findings: Findings) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    refuse_carriage_returns(lines, findings)
    return lines if lines[-1] else lines[:-1]
