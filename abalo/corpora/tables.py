"""Records with named fields: tables with tabs or commas, JSON, data sets of Hugging Face ``datasets``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.corpora import dialects, json_text
from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.dialects import dialect
from abalo.corpora.files import read_text
from abalo.corpora.findings import Findings, shown
from abalo.corpora.hub import HubName, read_rows
from abalo.corpora.spans import are_spans, holds_spans, spans_in
from abalo.corpora.stretches import Stretch
from abalo.corpora.unpacking import format_ending
from perturbations.suggestions import did_you_mean

ENDINGS = (".tsv", ".csv")
"""The endings of files that are tables."""

SEPARATOR = "|"
"""The sign between several values in one cell."""

_PARAMETER = "&"


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is wanted, and the names that its column may have, in lower case; the first that is there counts.

    Where no column is called so, an ``optional`` field is None in every record.
    """

    name: str
    columns: tuple[str, ...]
    optional: bool = False


TEXT = Field(
    "text",
    ("text", "sentence", "review", "content", "utterance", "tweet", "comment", "comment_text", "phrase"),
)
LABEL = Field("label", ("labels", "label", "class", "category", "sentiment", "intent"))
WORDS = Field("words", (), optional=True)
"""The words of the text, which no name of a column tells: only where it is asked for."""
LABELLED = (TEXT, LABEL, WORDS)
"""The fields of a corpus of labelled texts."""

Record = Mapping[str, Any]
"""The values of a record by the name of the field; text where it comes from a table."""


@dataclass(frozen=True, slots=True)
class Read:
    """Records, each with its place: the line where it begins, or its number.

    ``columns`` are the names that the columns of the fields have there, none in a table without a header.
    """

    records: Sequence[tuple[int, Record]]
    columns: Mapping[str, str]


def columns_asked(spec: str, fields: Sequence[Field]) -> tuple[str, dict[str, str]]:
    """A name such as ``FILE?text=review&label=stars``, as the name alone and the column of each field.

    Raises ValueError for what is no field.
    """
    name, mark, asked = spec.rpartition("?")
    if not mark or Path(spec).is_file():
        return spec, {}
    found: dict[str, str] = {}
    for part in asked.split(_PARAMETER):
        field, sign, column = part.partition("=")
        known = [each.name for each in fields]
        if not sign or not column or field not in known:
            wanted = _PARAMETER.join(f"{each}=COLUMN" for each in known)
            raise ValueError(f"{part!r} names no column; expected {name}?{wanted}{did_you_mean(field, known)}")
        found[field] = column
    return name, found


def as_asked(fields: Sequence[Field], asked: Mapping[str, str]) -> list[Field]:
    """The fields, of which those ``asked`` for have the column named there, and must have it."""
    return [
        replace(each, columns=(asked[each.name],), optional=False) if each.name in asked else each for each in fields
    ]


def told_columns(spec: str, fields: Sequence[Field]) -> tuple[str, list[Field]]:
    """A name as `columns_asked` has it, and the fields with the columns that it asks for; as they are where it errs."""
    try:
        name, asked = columns_asked(spec, fields)
    except ValueError:
        return spec.partition("?")[0], list(fields)
    return name, as_asked(fields, asked)


def read(
    source: Path | Stretch | HubName, fields: Sequence[Field], asked: Mapping[str, str], findings: Findings
) -> Read:
    """The records of a file, a stretch of one, or a data set; its problems go to ``findings``.

    The columns of the ``fields`` are those ``asked`` for, else found by their names, in any letter case. A table
    without a header has just these columns, in this order.
    """
    wanted = as_asked(fields, asked)
    if isinstance(source, HubName):
        return _named(enumerate(read_rows(source, findings.source)), wanted, findings)
    if isinstance(source, Stretch):
        return _of_stretch(source, wanted, findings, asked=bool(asked))
    text = read_text(source, findings)
    if json_text.is_json(text, format_ending(source.name)):
        return _named(json_text.records(text, findings), wanted, findings)
    return _table(list(rows_of(text, findings)), wanted, bool(asked), findings)


def _of_stretch(source: Stretch, fields: Sequence[Field], findings: Findings, *, asked: bool) -> Read:
    if source.kind != "table":
        return _named(source.records(findings), fields, findings)
    found = _table(list(rows_of(source.text(findings), findings)), fields, asked, findings)
    is_repeated = source.start > 0 and not found.columns  # the first line of the file, which is no header
    return replace(found, records=found.records[1:]) if is_repeated else found


def first_cells(text: str) -> list[str]:
    """The cells of the first line of a table, without white space at their ends."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    try:
        _, cells = next(dialects.rows([line], **dialect(line)), (0, []))
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def names_fields(cells: Sequence[str], fields: Sequence[Field]) -> bool:
    """Whether these cells are a header that names a column for each of the fields but optional ones."""
    return all(column_of(cells, field) is not None for field in fields if not field.optional)


def numbered(fields: Sequence[Field], width: int) -> dict[str, int] | None:
    """The places of fields that are asked for by numbers from 1; None if one is not, or if there are fewer columns."""
    wanted = {field.name: field.columns for field in fields if not field.optional}
    numbers = {name: int(each[0]) for name, each in wanted.items() if len(each) == 1 and each[0].isdecimal()}
    if len(numbers) < len(wanted) or not all(1 <= number <= width for number in numbers.values()):
        return None
    return {name: number - 1 for name, number in numbers.items()}


def _is_named(rows: Sequence[tuple[int, list[str]]], places: Mapping[str, int]) -> bool:
    """Whether the first row names columns: words without white space, and no number or label of another row."""
    if any(" " in rows[0][1][at] for at in places.values()):
        return False
    kinds = [places[name] for name in ("label", "score") if name in places]
    (_, first), others = rows[0], rows[1:]
    again = any(at < len(cells) and cells[at] == first[at] for at in kinds for _, cells in others)
    return bool(kinds) and not again and not any(first[at].lstrip("-").replace(".", "").isdecimal() for at in kinds)


def _named(values: Any, fields: Sequence[Field], findings: Findings) -> Read:
    """The fields of records that have keys."""
    found: list[tuple[int, Record]] = []
    columns: dict[str, str] = {}
    for place, value in values:
        if not isinstance(value, Mapping):
            findings.error(place, f"{shown(value)}; expected an object with {_in_words(fields)}")
            continue
        own = {field.name: column_of(list(value), field) for field in fields}
        if _is_about_entities(value, own, fields):
            findings.error(place, f"entities at places of a text, {shown(value)}; judge them with --abalo-task ner")
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
    return Read(found, columns)


def _is_about_entities(value: Mapping[str, Any], own: Mapping[str, Any], fields: Sequence[Field]) -> bool:
    """Whether a record has entities of a text where a field should be, or instead of one."""
    missing = any(own[field.name] is None for field in fields if not field.optional)
    return (missing and holds_spans(value)) or any(_holds_spans(value[key]) for key in own.values() if key is not None)


def _holds_spans(value: Any) -> bool:
    return are_spans(value) or spans_in(value) is not None


def _table(rows: Sequence[tuple[int, list[str]]], fields: Sequence[Field], asked: bool, findings: Findings) -> Read:
    """The fields of a table, by its header or, without one, by their order."""
    if not rows:
        return Read((), {})
    first, header = rows[0]
    columns: dict[str, str] = {}
    needed = [field for field in fields if not field.optional]
    if names_fields(header, fields):
        if ambiguous := _ambiguous(header, fields):
            findings.error(first, ambiguous)
            return Read((), {})
        known = {field.name: column_of(header, field) for field in fields}
        columns = {name: str(column) for name, column in known.items() if column is not None}
        places, width, body = {name: header.index(column) for name, column in columns.items()}, len(header), rows[1:]
    elif len(header) == len(needed) and not asked:
        places, width, body = {field.name: at for at, field in enumerate(needed)}, len(needed), rows
    elif asked and (told := numbered(fields, len(header))) is not None:
        places, width, body = told, len(header), rows[1:] if _is_named(rows, told) else rows
        columns = {name: str(at + 1) for name, at in told.items()}
    else:
        findings.error(first, _lacks(header, [field for field in needed if column_of(header, field) is None]))
        return Read((), {})
    found: list[tuple[int, Record]] = []
    for place, cells in body:
        if len(cells) != width:
            findings.error(place, f"{len(cells)} cells, {shown(' | '.join(cells))}; expected {width}; correct the line")
        else:
            if any(_holds_spans(cells[at]) for at in places.values()):
                findings.error(
                    place,
                    f"entities at places of a text, {shown(' | '.join(cells))}; write the table as JSON lines, and "
                    "judge them with --abalo-task ner",
                )
                continue
            absent = dict.fromkeys(field.name for field in fields)
            found.append((place, {**absent, **{name: cells[at] for name, at in places.items()}}))
    return Read(found, columns)


def rows_of(text: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with the line where each begins; empty lines are skipped."""
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


def column_of(columns: Sequence[Any], field: Field) -> Any:
    """The column of a field; None where there is none."""
    known = {str(column).strip().lower(): column for column in reversed(columns)}
    return next((known[name.lower()] for name in field.columns if name.lower() in known), None)


def _ambiguous(columns: Sequence[Any], fields: Sequence[Field]) -> str | None:
    """The problem if two columns have one name, or two of a field differ in letter case alone; else None."""
    names = [str(column).strip() for column in columns]
    wanted = {str(column_of(columns, field)).strip().lower() for field in fields}
    name = dialects.twice(names) or dialects.twice([each.lower() for each in names if each.lower() in wanted])
    return None if name is None else f"the column {shown(name)} is there twice; expected it once; rename or remove one"


def _lacks(columns: Sequence[Any], missing: Sequence[Field]) -> str:
    there = ", ".join(map(shown, columns)) or "nothing"
    asked = _PARAMETER.join(f"{field.name}=COLUMN" for field in missing)
    return f"no column for {_in_words(missing)}, only {there}; rename one, or say which: FILE?{asked}"


def _in_words(fields: Sequence[Field]) -> str:
    return " and ".join(f"{field.name!r}" for field in fields)
