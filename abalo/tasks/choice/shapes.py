"""Reads published formats: MMLU, ARC, CommonsenseQA, OpenBookQA, MedQA, HellaSwag, Social IQa.

MMLU tables have the columns question, A, B, C, D and answer, and an optional header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from abalo.core.example import JsonObject
from abalo.core.records import Json
from abalo.corpora.dialects import twice
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.tables import rows_of
from abalo.tasks.choice.question import LETTERS

ENDINGS = (".csv", ".tsv")

QUESTION, OPTIONS, TARGET = "question", "options", "target"

_STEMS = (QUESTION, "question_stem", "stem", "ctx")
_IN_TABLES = (*_STEMS, "prompt")

_LISTS = (OPTIONS, "choices")
_OTHER_LISTS = ("endings", "alternatives")
_TARGETS = (TARGET, "answer")
_OTHER_TARGETS = ("answerkey", "answer_key", "answer_idx", "answer_index", "correct_answer", "correct")
_LAST_TARGETS = ("correct_option", "correct_choice", "cop", "label")

_IDS = ("question_id", "qid", "uid", "idx")
_OPTION = re.compile(r"(?:(?:option|choice|answer|opt|op)[ _]?)?([a-z])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s_-]+")


def usual(record: Json, place: int, findings: Findings) -> JsonObject:
    """The record with our keys. An ambiguous target is a finding."""
    if not is_question(record) and not {*_LISTS} & record.keys() and len(option_columns([*record])) < 2:
        return dict(record)
    found = dict(record)
    if isinstance(found.get(QUESTION), Mapping):
        found.update(found.pop(QUESTION))
    if not {*_LISTS} & found.keys() and (key := _key(found, _OTHER_LISTS)) is not None:
        found[OPTIONS] = found.pop(key)
    stem = _key(found, _IN_TABLES)
    if stem is not None and not set(found) & {QUESTION}:
        found[QUESTION] = found.pop(stem)
    if (
        not {*_TARGETS} & found.keys()
        and (key := _key(found, (*_TARGETS, *_OTHER_TARGETS, *_LAST_TARGETS))) is not None
    ):
        found[TARGET] = found.pop(key)
    if "id" not in found and (key := _key(found, _IDS)) is not None:
        found["id"] = found[key]
    listed = next((key for key in _LISTS if key in found), None)
    labelled = _options_in_columns(found) if listed is None else _split_labels(found[listed])
    if labelled is not None:
        labels, texts = labelled
        found = {key: value for key, value in found.items() if key not in _LISTS} | {OPTIONS: texts}
        _by_label(found, labels, place, findings)
    return found


_ABOUT_A_PASSAGE = frozenset(["context", "question", "answers"])


def is_question(record: Mapping[str, object]) -> bool:
    """False for questions about marked places in a passage."""
    return _key(record, _STEMS) is not None and not {*record} >= _ABOUT_A_PASSAGE


def _key(record: Mapping[str, object], names: Sequence[str]) -> str | None:
    plain = {_BETWEEN.sub("_", str(key).strip().lower()): key for key in reversed([*record])}
    return next((plain[name] for name in names if name in plain), None)


def _split_labels(options: object) -> tuple[list[object], list[object]] | None:
    if isinstance(options, Mapping):
        labels, texts = options.get("label"), options.get("text")
        if isinstance(labels, list) and isinstance(texts, list) and len(labels) == len(texts):
            return labels, texts
        letters = [str(key).strip().upper() for key in options]
        return ([*options], [*options.values()]) if letters == [*LETTERS[: len(letters)]] else None
    if not isinstance(options, list) or not options:
        return None
    if not all(isinstance(each, Mapping) and {"label", "text"} <= each.keys() for each in options):
        return None
    return [each["label"] for each in options], [each["text"] for each in options]


def _options_in_columns(record: Mapping[str, object]) -> tuple[list[str], list[object]] | None:
    columns = option_columns([*record])
    texts = [record[column] for column in columns]
    while texts and texts[-1] in (None, ""):
        texts.pop()
    return ([*LETTERS[: len(texts)]], texts) if len(texts) > 1 else None


def option_columns(columns: Sequence[str]) -> list[str]:
    """The option columns from A up to the first gap."""
    found = {match[1].upper(): column for column in columns if (match := _OPTION.fullmatch(column.strip()))}
    missing = next((place for place, letter in enumerate(LETTERS) if letter not in found), len(LETTERS))
    return [found[letter] for letter in LETTERS[:missing]]


def _by_label(found: dict[str, object], labels: Sequence[object], place: int, findings: Findings) -> None:
    key = next((key for key in _TARGETS if key in found), None)
    if key is None:
        return
    value, names = found[key], [str(label).strip() for label in labels]
    if type(value) is int:
        if str(value) in names and names.index(str(value)) != value:
            findings.error(
                place, f"the target {value} could be a label or an index from 0; expected one; write labels as text"
            )
    elif isinstance(value, str) and names.count(value.strip()) == 1:
        found[key] = names.index(value.strip())


def rows(text: str, findings: Findings) -> Iterator[tuple[int, JsonObject]]:
    """The questions of a table by line number; invalid rows are findings."""
    cells = list(rows_of(text, findings))
    if not cells:
        return
    (first, header), body = cells[0], cells[1:]
    if not is_header(header):
        if not _ends_in_letters([row for _, row in cells]):
            findings.error(
                first,
                f"the columns {', '.join(map(show_value, header))}; expected a header with question, A, B and so on, "
                f"and "
                "answer, or these columns without a header; name them so, or save the questions as JSON lines",
            )
            return
        header, body = [QUESTION, *LETTERS[: len(header) - 2], "answer"], cells
    if name := twice([each.strip().lower() for each in header]):
        findings.error(first, f"the column {show_value(name)} is there twice; expected it once; rename or remove one")
        return
    for line, row in body:
        if len(row) == len(header):
            yield line, dict(zip(header, row, strict=True))
        else:
            findings.error(line, f"{len(row)} cells; expected {len(header)}; correct the line")


def is_header(cells: Sequence[str]) -> bool:
    """True if cells name columns of questions."""
    return _key(dict.fromkeys(cells), _IN_TABLES) is not None and len(option_columns(cells)) > 1


def is_table(text: str) -> bool:
    """True if the text, maybe truncated, is a table of questions."""
    cells = [row for _, row in rows_of(text, Findings("", lenient=True))]
    return bool(cells) and (is_header(cells[0]) or _ends_in_letters(cells[:-1] or cells))


def _ends_in_letters(cells: Sequence[Sequence[str]]) -> bool:
    width = len(cells[0])
    letters = LETTERS[: max(0, width - 2)]
    return len(letters) > 1 and all(len(row) == width and len(row[-1]) == 1 and row[-1] in letters for row in cells)
