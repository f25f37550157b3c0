"""Sets of questions in the shapes in which others publish them, as records with our keys.

MMLU (JSON, or a table with the columns question, A, B, C, D and answer, with a header or without), ARC, CommonsenseQA
and OpenBookQA (options with labels of their own), MedQA (options by their letters), HellaSwag, Social IQa.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abalo.corpora.dialects import twice
from abalo.corpora.findings import Findings, shown
from abalo.corpora.tables import rows_of
from abalo.tasks.choice.question import LETTERS

ENDINGS = (".csv", ".tsv")
"""The endings of files that are tables."""

QUESTION, OPTIONS, TARGET = "question", "options", "target"

_STEMS = (QUESTION, "question_stem", "stem", "ctx")
_IN_TABLES = (*_STEMS, "prompt")
"""The names of the question; the last counts beside options alone."""

_LISTS = (OPTIONS, "choices")
_OTHER_LISTS = ("endings", "alternatives")
_TARGETS = (TARGET, "answer")
_OTHER_TARGETS = ("answerkey", "answer_key", "answer_idx", "answer_index", "correct_answer", "correct")
_LAST_TARGETS = ("correct_option", "correct_choice", "cop", "label")
"""Other names of the target, in small letters; they count if neither `_TARGETS` is there."""

_IDS = ("question_id", "qid", "uid", "idx")
_OPTION = re.compile(r"(?:(?:option|choice|answer|opt|op)[ _]?)?([a-z])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s_-]+")


def usual(record: Mapping[str, Any], place: int, findings: Findings) -> dict[str, Any]:
    """The record with our keys where it has those of others.

    A target that could be a label or an index is a problem that ``findings`` are told.
    """
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
    labelled = _options_in_columns(found) if listed is None else _labelled(found[listed])
    if labelled is not None:
        labels, texts = labelled
        found = {key: value for key, value in found.items() if key not in _LISTS} | {OPTIONS: texts}
        _by_label(found, labels, place, findings)
    return found


def is_question(record: Mapping[str, Any]) -> bool:
    """Whether a record has a question."""
    return _key(record, _STEMS) is not None


def _key(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The key with the first of the names, in any letter case; None if there is none."""
    plain = {_BETWEEN.sub("_", str(key).strip().lower()): key for key in reversed([*record])}
    return next((plain[name] for name in names if name in plain), None)


def _labelled(options: Any) -> tuple[list[Any], list[Any]] | None:
    """The labels and the texts of options with labels; None for a plain list."""
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


def _options_in_columns(record: Mapping[str, Any]) -> tuple[list[str], list[Any]] | None:
    """The options under the keys A, B and so on, or ``option_a``, without empty last ones; None if there are none."""
    columns = option_columns([*record])
    texts = [record[column] for column in columns]
    while texts and texts[-1] in (None, ""):
        texts.pop()
    return ([*LETTERS[: len(texts)]], texts) if len(texts) > 1 else None


def option_columns(columns: Sequence[str]) -> list[str]:
    """The columns of options in their order, from that of the letter A on as far as none is missing."""
    found = {match[1].upper(): column for column in columns if (match := _OPTION.fullmatch(column.strip()))}
    missing = next((place for place, letter in enumerate(LETTERS) if letter not in found), len(LETTERS))
    return [found[letter] for letter in LETTERS[:missing]]


def _by_label(found: dict[str, Any], labels: Sequence[Any], place: int, findings: Findings) -> None:
    """Puts the index of the option for a target that is its label."""
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


def rows(text: str, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """The questions of a table with the line of each; what is none is a problem that ``findings`` are told."""
    cells = list(rows_of(text, findings))
    if not cells:
        return
    (first, header), body = cells[0], cells[1:]
    if not is_header(header):
        if not _ends_in_letters([row for _, row in cells]):
            findings.error(
                first,
                f"the columns {', '.join(map(shown, header))}; expected a header with question, A, B and so on, and "
                "answer, or these columns without a header; name them so, or save the questions as JSON lines",
            )
            return
        header, body = [QUESTION, *LETTERS[: len(header) - 2], "answer"], cells
    if name := twice([each.strip().lower() for each in header]):
        findings.error(first, f"the column {shown(name)} is there twice; expected it once; rename or remove one")
        return
    for line, row in body:
        if len(row) == len(header):
            yield line, dict(zip(header, row, strict=True))
        else:
            findings.error(line, f"{len(row)} cells; expected {len(header)}; correct the line")


def is_header(cells: Sequence[str]) -> bool:
    """Whether these cells name the columns of questions."""
    return _key(dict.fromkeys(cells), _IN_TABLES) is not None and len(option_columns(cells)) > 1


def is_table(text: str) -> bool:
    """Whether a text that may be cut off is a table of questions."""
    cells = [row for _, row in rows_of(text, Findings("", lenient=True))]
    return bool(cells) and (is_header(cells[0]) or _ends_in_letters(cells[:-1] or cells))


def _ends_in_letters(cells: Sequence[Sequence[str]]) -> bool:
    """Whether each row is a question, its options and the letter of the right one."""
    width = len(cells[0])
    letters = LETTERS[: max(0, width - 2)]
    return len(letters) > 1 and all(len(row) == width and len(row[-1]) == 1 and row[-1] in letters for row in cells)
