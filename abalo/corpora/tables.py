"""Records with named fields: tables, JSON, data sets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.core.protocols.corpus_spec import CorpusSetting
from abalo.corpora import dialects, json_text
from abalo.corpora.chunks import Chunk
from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.dialects import dialect
from abalo.corpora.files import read_text
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.hub import HubName, read_rows
from abalo.corpora.language_tags import variants
from abalo.corpora.spans import are_spans, holds_spans, spans_in
from abalo.corpora.unpacking import format_ending

ENDINGS = (".tsv", ".csv")

SEPARATOR = "|"
"""Between values in one cell."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field and its lower-case column names; the first present wins, else the column of its ``language``.

    An ``optional`` field without a column is None.
    """

    name: str
    columns: tuple[str, ...]
    optional: bool = False
    language: str = ""


TEXT = Field(
    "text",
    ("text", "sentence", "review", "content", "utterance", "tweet", "comment", "comment_text", "phrase"),
)
LABEL = Field("label", ("labels", "label", "class", "category", "sentiment", "intent"))
WORDS = Field("words", (), optional=True)
"""Read only on request."""
LABELLED = (TEXT, LABEL, WORDS)

TableRecord = Mapping[str, Any]
"""Strings if read from a table."""


@dataclass(frozen=True, slots=True)
class ReadRecords:
    """Records with their first line or number."""

    records: Sequence[tuple[int, TableRecord]]
    columns: Mapping[str, str]


def columns(fields: Iterable[Field]) -> tuple[CorpusSetting, ...]:
    """The settings that name the columns of fields."""
    return tuple(
        CorpusSetting(each.name, f"column of the {each.name.replace('_', ' ')}, by name or number") for each in fields
    )


def as_asked(fields: Sequence[Field], asked: Mapping[str, str]) -> list[Field]:
    """The fields; those ``asked`` for become required."""
    return [
        replace(each, columns=(asked[each.name],), optional=False, language="") if each.name in asked else each
        for each in fields
    ]


def read(
    source: Path | Chunk | HubName,
    fields: Sequence[Field],
    asked: Mapping[str, str],
    findings: Findings,
    within: str | None = None,
) -> ReadRecords:
    """Reads records; problems go to ``findings``.

    Records of JSON and data sets may hold their fields in an object called ``within``.

    Columns are ``asked`` for or found by name. A table without a header has the required fields in order.
    """
    wanted = as_asked(fields, asked)
    if isinstance(source, HubName):
        return _read_named(_opened(enumerate(read_rows(source, findings.source)), within), wanted, findings)
    if isinstance(source, Chunk):
        return _of_chunk(source, wanted, findings, within, asked=bool(asked))
    text = read_text(source, findings)
    if json_text.is_json(text, format_ending(str(source))):
        return _read_named(_opened(json_text.records(text, findings), within), wanted, findings)
    return _table(list(rows_of(text, findings)), wanted, bool(asked), findings)


def fields_within(record: object, within: str | None) -> object:
    """The object called ``within`` of a record; the record itself without one."""
    inner = record.get(within) if within is not None and isinstance(record, Mapping) else None
    return inner if isinstance(inner, Mapping) else record


def _opened(values: Iterable[tuple[int, object]], within: str | None) -> Iterator[tuple[int, object]]:
    return ((place, fields_within(value, within)) for place, value in values)


def _of_chunk(
    source: Chunk, fields: Sequence[Field], findings: Findings, within: str | None, *, asked: bool
) -> ReadRecords:
    if source.kind != "table":
        return _read_named(_opened(source.records(findings), within), fields, findings)
    found = _table(list(rows_of(source.text(findings), findings)), fields, asked, findings)
    is_repeated = source.start > 0 and not found.columns  # the first line of the file, which is no header
    return replace(found, records=found.records[1:]) if is_repeated else found


def first_cells(text: str) -> list[str]:
    """The first line's stripped cells."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    try:
        _, cells = next(dialects.rows([line], **dialect(line)), (0, []))
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def names_fields(cells: Sequence[str], fields: Sequence[Field]) -> bool:
    """Whether a header has all required fields."""
    return all(column_of(cells, field) is not None for field in fields if not field.optional)


def number_fields(fields: Sequence[Field], width: int) -> dict[str, int] | None:
    """Places, from 0, of fields requested by number, from 1."""
    wanted = {field.name: field.columns for field in fields if not field.optional}
    numbers = {name: int(each[0]) for name, each in wanted.items() if len(each) == 1 and each[0].isdecimal()}
    if len(numbers) < len(wanted) or not all(1 <= number <= width for number in numbers.values()):
        return None
    return {name: number - 1 for name, number in numbers.items()}


def _is_named(rows: Sequence[tuple[int, list[str]]], places: Mapping[str, int]) -> bool:
    if any(" " in rows[0][1][at] for at in places.values()):
        return False
    kinds = [places[name] for name in ("label", "score") if name in places]
    (_, first), others = rows[0], rows[1:]
    again = any(at < len(cells) and cells[at] == first[at] for at in kinds for _, cells in others)
    return bool(kinds) and not again and not any(first[at].lstrip("-").replace(".", "").isdecimal() for at in kinds)


def _read_named(values: Any, fields: Sequence[Field], findings: Findings) -> ReadRecords:
    found: list[tuple[int, TableRecord]] = []
    columns: dict[str, str] = {}
    for place, value in values:
        if not isinstance(value, Mapping):
            findings.error(place, f"{show_value(value)}; expected an object with {_in_words(fields)}")
            continue
        own = {field.name: column_of(list(value), field) for field in fields}
        if _is_about_entities(value, own, fields):
            findings.error(place, "the record has entities at places of a text; judge them with --abalo-task ner")
            continue
        if ambiguous := _ambiguous(list(value), fields):
            findings.error(place, ambiguous)
            continue
        missing = [field for field in fields if own[field.name] is None and not field.optional]
        if missing == [each for each in fields if each.name == LABEL.name] and LABEL.name in columns:
            missing = []  # like null, where other records have a label
        if missing:
            findings.error(place, _lacks(list(value), missing))
            continue
        columns |= {name: str(column) for name, column in own.items() if column is not None}
        found.append((place, {name: None if column is None else value[column] for name, column in own.items()}))
    return ReadRecords(found, columns)


def _is_about_entities(value: Mapping[str, Any], own: Mapping[str, Any], fields: Sequence[Field]) -> bool:
    missing = any(own[field.name] is None for field in fields if not field.optional)
    return (missing and holds_spans(value)) or any(_holds_spans(value[key]) for key in own.values() if key is not None)


def _holds_spans(value: object) -> bool:
    return are_spans(value) or spans_in(value) is not None


def _table(
    rows: Sequence[tuple[int, list[str]]], fields: Sequence[Field], asked: bool, findings: Findings
) -> ReadRecords:
    if not rows:
        return ReadRecords((), {})
    first, header = rows[0]
    columns: dict[str, str] = {}
    needed = [field for field in fields if not field.optional]
    if names_fields(header, fields):
        if ambiguous := _ambiguous(header, fields):
            findings.error(first, ambiguous)
            return ReadRecords((), {})
        known = {field.name: column_of(header, field) for field in fields}
        columns = {name: str(column) for name, column in known.items() if column is not None}
        places, width, body = {name: header.index(column) for name, column in columns.items()}, len(header), rows[1:]
    elif len(header) == len(needed) and not asked:
        places, width, body = {field.name: at for at, field in enumerate(needed)}, len(needed), rows
    elif asked and (told := number_fields(fields, len(header))) is not None:
        places, width, body = told, len(header), rows[1:] if _is_named(rows, told) else rows
        columns = {name: str(at + 1) for name, at in told.items()}
    else:
        findings.error(first, _lacks(header, [field for field in needed if column_of(header, field) is None]))
        return ReadRecords((), {})
    found: list[tuple[int, TableRecord]] = []
    for place, cells in body:
        if len(cells) != width:
            findings.error(
                place, f"{len(cells)} cells, {show_value(' | '.join(cells))}; expected {width}; correct the line"
            )
        else:
            if any(_holds_spans(cells[at]) for at in places.values()):
                findings.error(
                    place,
                    f"entities at places of a text, {show_value(' | '.join(cells))}; write the table as JSON lines, "
                    f"and "
                    "judge them with --abalo-task ner",
                )
                continue
            absent = dict.fromkeys(field.name for field in fields)
            found.append((place, {**absent, **{name: cells[at] for name, at in places.items()}}))
    return ReadRecords(found, columns)


def rows_of(text: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """Non-empty rows with their first lines."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    rules = dialect(line)
    if rules["quoting"] == csv.QUOTE_NONE and dialects.are_quoted(text.splitlines()):
        rules["quoting"] = csv.QUOTE_MINIMAL
    if rules["quoting"] == csv.QUOTE_NONE:
        refuse_carriage_returns(text.replace("\r\n", "\n").split("\n"), findings)
    begins = 1
    try:
        for ended, cells in dialects.rows(io.StringIO(text, newline=""), **rules):
            if any(cell.strip() for cell in cells):
                yield begins, [cell.strip() for cell in cells]
            begins = ended + 1
    except csv.Error as error:
        findings.error(begins, f"{error}; expected cells with quotes that are closed; correct the line")


def column_of(columns: Sequence[object], field: Field) -> object:
    """A field's column."""
    known = {str(column).strip().lower(): column for column in reversed(columns)}
    named = next((known[name.lower()] for name in field.columns if name.lower() in known), None)
    return named if named is not None else next(iter(_of_language(columns, field)), None)


def _of_language(columns: Sequence[object], field: Field) -> list[str]:
    return variants(field.language, [str(column) for column in columns]) if field.language else []


def _ambiguous(columns: Sequence[object], fields: Sequence[Field]) -> str | None:
    names = [str(column).strip() for column in columns]
    for field in fields:
        several = _of_language(columns, field)
        if len(several) > 1 and column_of(columns, field) == several[0]:
            told = ", ".join(map(show_value, several))
            return (
                f"the columns {told} are all in {field.language}; expected one; name its code, or {field.name}=COLUMN"
            )
    spoken = [column_of(columns, field) for field in fields if _of_language(columns, field)]
    if len(spoken) == 2 and spoken[0] == spoken[1]:
        return f"the column {show_value(spoken[0])} is in both languages; expected two columns; name another code"
    wanted = {str(column_of(columns, field)).strip().lower() for field in fields}
    name = dialects.twice(names) or dialects.twice([each.lower() for each in names if each.lower() in wanted])
    return (
        None
        if name is None
        else f"the column {show_value(name)} is there twice; expected it once; rename or remove one"
    )


def _lacks(columns: Sequence[object], missing: Sequence[Field]) -> str:
    there = ", ".join(map(show_value, columns)) or "nothing"
    asked = "&".join(f"{field.name}=COLUMN" for field in missing)
    return f"no column for {_in_words(missing)}, only {there}; rename one, or say which: FILE?{asked}"


def _in_words(fields: Sequence[Field]) -> str:
    return " and ".join(f"{field.name!r}" for field in fields)
