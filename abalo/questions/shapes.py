"""Reads published formats: MMLU, ARC, CommonsenseQA, OpenBookQA, MedQA, HellaSwag, Social IQa, and those of `SETS`.

MMLU tables have the columns question, A, B, C, D and answer, and an optional header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Json
from abalo.corpora.dialects import twice
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.tables import rows_of
from abalo.questions.question import LETTERS, SEED
from perturbations.streams import sample, stream

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


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """What the fields of a published set are called.

    ``stem`` holds the question, in the order in which it is put. ``options`` are the fields of the options, or the one
    that lists them; none for yes and no. ``target`` holds the right one, by its number from ``first``; "" if the right
    one is the first of the options, whose order is then drawn.
    """

    name: str
    stem: tuple[str, ...]
    options: tuple[str, ...]
    target: str = ""
    first: int = 0

    @property
    def keys(self) -> frozenset[str]:
        """The fields that a record of the set has."""
        return frozenset((*self.stem, *self.options, *[self.target] * bool(self.target)))


YES_OR_NO = ("yes", "no")
SETS = (
    PublishedSet("SciQ", ("question",), ("correct_answer", "distractor1", "distractor2", "distractor3")),
    PublishedSet("GPQA", ("question",), ("correct_answer", *(f"incorrect_answer_{k}" for k in (1, 2, 3)))),
    PublishedSet("TruthfulQA MC1", ("question",), ("mc1_targets",)),
    PublishedSet("Winogrande", ("sentence",), ("option1", "option2"), "answer", first=1),
    PublishedSet("PIQA", ("goal",), ("sol1", "sol2"), "label"),
    PublishedSet("COPA", ("premise", "question"), ("choice1", "choice2"), "label"),
    PublishedSet("BoolQ", ("passage", "question"), (), "answer"),
    PublishedSet("BoolQ in SuperGLUE", ("passage", "question"), (), "label"),
    PublishedSet("LogiQA", ("context", "query"), ("options",), "correct_option"),
    PublishedSet("LogiQA 2.0", ("text", "question"), ("options",), "answer"),
)
"""By their published field names; the first whose fields are all there."""

_ASKED = {"cause": "What was the cause?", "effect": "What happened as a result?"}
"""The questions of COPA."""
_TOLD = (
    "{} names its right option apart, so the order of the options was drawn, from the question and the options.",
    "{} asks for a cause or an effect: the question was written in English behind its premise.",
)


def set_of(fields: Iterable[object]) -> PublishedSet | None:
    """The published set with these fields."""
    names = {*map(_plain, fields)}
    lacks_options = names.isdisjoint((*_LISTS, *_OTHER_LISTS)) and len(option_columns([*names])) < 2
    return next((each for each in SETS if each.keys <= names and (each.options or lacks_options)), None)


def _as_published(of: PublishedSet, record: Json, findings: Findings) -> JsonObject:
    plain = {_plain(key): value for key, value in record.items()}
    parts = [plain[key] for key in of.stem]
    if of.name == "COPA":
        parts[1] = _ASKED.get(str(parts[1]), parts[1])
    blank = [part for part in parts if not isinstance(part, str) or not part.strip()]
    question = blank[0] if blank else "\n".join(map(str.strip, parts))
    told = _TOLD[of.name == "COPA"].format(of.name)
    if told not in findings.notices and (of.name == "COPA" or not of.target):
        findings.notices.append(told)
    ours = {QUESTION, *_LISTS, *_TARGETS, *of.keys}
    found = _with_id({key: value for key, value in record.items() if _plain(key) not in ours}) | {QUESTION: question}
    target = plain.get(of.target)
    if not of.options:
        said = {"true": 0, "1": 0, "false": 1, "0": 1}
        return found | {OPTIONS: [*YES_OR_NO], TARGET: said.get(str(target).strip().lower(), target)}
    options = plain[of.options[0]] if len(of.options) == 1 else [plain[key] for key in of.options]
    if of.target:
        number = int(target) if isinstance(target, str) and re.fullmatch("[0-9]{1,3}", target.strip()) else target
        return found | {OPTIONS: options, TARGET: number - of.first if type(number) is int else number}
    if isinstance(options, Mapping):
        options = _right_first(options)
    if not isinstance(options, list) or not all(isinstance(each, str) for each in options):
        return found | {OPTIONS: options, TARGET: 0}
    drawn = sample(stream(SEED, "right option", str(question), *options), range(len(options)), len(options))
    return found | {OPTIONS: [options[k] for k in drawn], TARGET: drawn.index(0) if options else 0}


def _with_id(record: JsonObject) -> JsonObject:
    key = _key(record, _IDS)
    return record if "id" in record or key is None else {**record, "id": record[key]}


def _right_first(given: Mapping[str, Any]) -> object:
    """The options of TruthfulQA, the right one first: lists of choices and of labels, or a label for each choice."""
    choices, labels = given.get("choices", [*given]), given.get("labels", [*given.values()])
    if not isinstance(choices, list) or not isinstance(labels, list) or len(choices) != len(labels):
        return given
    if labels.count(1) != 1:
        return given
    return [choices[labels.index(1)], *(choice for choice, label in zip(choices, labels, strict=True) if label != 1)]


def usual(record: Json, place: int, findings: Findings) -> JsonObject:
    """The record with our keys. An ambiguous target is a finding."""
    if (of := set_of(record)) is not None:
        return _as_published(of, record, findings)
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
    found = _with_id(found)
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
    asks = _key(record, _STEMS) is not None or set_of(record) is not None
    return asks and not {*record} >= _ABOUT_A_PASSAGE


def _key(record: Mapping[str, object], names: Sequence[str]) -> str | None:
    plain = {_plain(key): key for key in reversed([*record])}
    return next((plain[name] for name in names if name in plain), None)


def _plain(key: object) -> str:
    return _BETWEEN.sub("_", str(key).strip().lower())


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
    named = _key(dict.fromkeys(cells), _IN_TABLES) is not None and len(option_columns(cells)) > 1
    return named or set_of(cells) is not None


def is_table(text: str) -> bool:
    """True if the text, maybe truncated, is a table of questions."""
    cells = [row for _, row in rows_of(text, Findings("", lenient=True))]
    return bool(cells) and (is_header(cells[0]) or _ends_in_letters(cells[:-1] or cells))


def _ends_in_letters(cells: Sequence[Sequence[str]]) -> bool:
    width = len(cells[0])
    letters = LETTERS[: max(0, width - 2)]
    return len(letters) > 1 and all(len(row) == width and len(row[-1]) == 1 and row[-1] in letters for row in cells)
