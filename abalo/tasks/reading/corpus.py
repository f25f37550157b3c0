"""Corpora of questions about passages: SQuAD 1.1 and 2.0, as JSON or a table, JSON, data sets."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from abalo.core.protocols.corpus_spec import CorpusSpec, chosen, source_in, switch
from abalo.core.records.example import Example
from abalo.core.records.json_records import Json
from abalo.core.records.tally import Tally
from abalo.core.records.words import count
from abalo.corpora import Corpus
from abalo.corpora.chunks import Chunk
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, WHOLE, Findings, is_lenient, show_value
from abalo.corpora.foreign import refuse_export
from abalo.corpora.hub import HubName, read_rows
from abalo.corpora.json_text import is_json, strict_json
from abalo.corpora.json_text import records as json_records
from abalo.corpora.loading import BUNDLED, files_that_ship, source_of
from abalo.corpora.peek import beginning, first_record
from abalo.corpora.tables import ENDINGS, first_cells, rows_of
from abalo.corpora.unpacking import format_ending
from abalo.errors import AbaloError
from abalo.models.questions.protocol import PassagePlace
from abalo.models.questions.scoring import (
    Normalisation,
    Rules,
    answers_of,
    is_blank,
    normalisations,
    usual_normalisation,
)
from abalo.tasks.labels.reading import sentence_of
from abalo.tasks.reading.example import CONTEXT, QUESTION, GoldAnswer, QuestionFacts, example_of, known_of, place_of
from perturbations import Sentence
from perturbations.answers import answers_in
from perturbations.function_words import language_of

DEFAULT = "bundled:reading-en"
_FILE = "reading.json"
_ANSWERS = "answers"
_NORMALISATION, _NO_ANSWER = "normalisation", "no_answer"
_QAS = "qas"
_SQUAD_KEYS = ('"paragraphs"', f'"{_QAS}"', f'"{CONTEXT}"')
_START = "answer_start"
_ANSWERED = ({_ANSWERS}, {"answer", _START}, {"answer_text", _START}, {"text", _START})
"""Columns of the answers in tables."""
_NUMPY = re.compile(r"array\((\[[^\[\]]*\])[^()]*\)")
"""Of numpy, as pandas writes it."""

SETTINGS = (
    chosen(_NORMALISATION, "rules for comparing answers", normalisations()),
    switch(_NO_ANSWER, "whether models may reply with no answer, as in SQuAD 2.0"),
    LENIENT,
)


@dataclass(frozen=True, slots=True)
class Questions(Corpus):
    """Questions about passages; ``sentences`` joins both.

    ``unplaced`` counts questions with an answer outside the passage.
    """

    questions: tuple[Example, ...] = ()
    rules: Rules = field(default_factory=Rules)
    unplaced: int = 0

    @property
    def examples(self) -> tuple[Example, ...]:
        return self.questions

    @property
    def passages(self) -> tuple[Sentence, ...]:
        """The passage of each question, without answers."""
        return tuple(replace(each.fields[CONTEXT], anchors=(), layers=()) for each in self.questions)

    @property
    def head(self) -> bytes:
        return ascii(self.rules).encode()

    def first(self, limit: int | None) -> Questions:
        return replace(self, sentences=self.sentences[:limit], questions=self.questions[:limit])

    def chosen(self, places: Sequence[int]) -> Questions:
        sentences = tuple(self.sentences[place] for place in places)
        return replace(self, sentences=sentences, questions=tuple(self.questions[place] for place in places))

    def hashed(self) -> Iterator[bytes]:
        for each in self.questions:
            fields = [sentence.text for sentence in each.fields.values()]
            yield ascii((fields, each.gold, answers_in(each.fields[CONTEXT]))).encode()


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed corpus spec; None lets the corpus decide."""

    source: Path | Chunk | HubName
    normalisation: Normalisation | None = None
    no_answer: bool | None = None


@dataclass(frozen=True, slots=True)
class _Record:
    place: int
    key: str
    context: Any
    question: object
    answers: object
    impossible: bool
    asked_2: bool


def parse_spec(spec: str) -> Spec:
    """Parses ``FILE?normalisation=squad&no_answer=true``. Raises AbaloError."""
    asked = CorpusSpec.read(spec, SETTINGS)
    return Spec(source_of(asked.source, files_that_ship(_FILE)), *map(asked.settings.get, (_NORMALISATION, _NO_ANSWER)))


def load(spec: str, *, limit: int | None = None) -> Questions:
    """The first ``limit`` questions of a corpus. Raises AbaloError.

    ``spec`` is SQuAD JSON, JSON lines, an array or a table with ``context``, ``question`` and ``answers``, or with
    ``context`` and ``qas``, ``bundled:NAME``, ``hub:DATASET:SPLIT``, or a folder from ``save_to_disk``. ``?lenient``
    moves a misplaced answer to its nearest occurrence, or leaves it without a place.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 question")
    asked = parse_spec(spec)
    source = asked.source
    findings = Findings(spec, is_lenient(spec), joint=" row " if isinstance(source, HubName) else ":")
    corpus = read(asked, findings).first(limit)
    return corpus.first(source.limit) if isinstance(source, HubName) else corpus


def read(asked: Spec, findings: Findings, rules: Rules | None = None, droppable: bool | None = None) -> Questions:
    """The questions of a source; ``rules`` and ``droppable`` come from the whole corpus."""
    rows = [*_records(asked.source, findings)]
    blank = [*filter(_are_blank, rows)]
    impossible = bool(blank) or any(each.asked_2 for each in rows) if rules is None else rules.impossible
    contexts: dict[str, Sentence | None] = {}
    made: list[tuple[Sentence, Sentence, list[GoldAnswer], str]] = []
    for row in rows:
        if not isinstance(row.context, str) or row.context not in contexts:
            passage = _read_field(row, CONTEXT, findings)
            if isinstance(row.context, str):
                contexts[row.context] = passage
        else:
            passage = contexts[row.context]
        question = _read_field(row, QUESTION, findings)
        answers = _answers(row, findings, impossible=impossible)
        if passage is not None and question is not None and answers is not None:
            made.append((passage, question, answers, row.key))
    if not made and not findings.problems and not isinstance(asked.source, Chunk):
        findings.error(WHOLE, "no questions; expected at least one with its answers; is this the corpus you meant?")
    findings.raise_any()
    findings.tally.read("question", len(made))
    findings.tally.reduced("question", "with answers that are empty as written: no answer", len(blank))
    if rules is None:
        spoken = language_of([passage for passage in contexts.values() if passage is not None]) or ""
        words = [token for passage in contexts.values() if passage is not None for token in passage.tokens]
        rules = Rules(asked.normalisation or usual_normalisation(spoken, words), impossible)
    if droppable is None:
        droppable = asked.no_answer
    if droppable is None:
        droppable = any(not answers_of([each.text for each in answers], rules) for _, _, answers, _ in made)
    known = {id(passage): known_of(passage) for passage in contexts.values() if passage is not None}
    return corpus_of(
        findings.source,
        [
            example_of(passage, question, answers, QuestionFacts(key, rules, droppable=droppable), known[id(passage)])
            for passage, question, answers, key in made
        ],
        rules,
        repairs=findings.repairs,
        notices=findings.told,
        tally=findings.tally,
    )


def corpus_of(
    name: str,
    questions: Sequence[Example],
    rules: Rules,
    *,
    repairs: int = 0,
    notices: tuple[str, ...] = (),
    tally: Tally | None = None,
) -> Questions:
    """The corpus called ``name``."""
    unplaced = sum(not each.source.placed for each in questions)
    if unplaced:
        those = count(unplaced, "question")
        notices = (*notices, f"{those} with an answer that has no place in the passage: scored, and never edited.")
    return Questions(
        name,
        tuple(each.whole for each in questions),
        scheme="answers",
        repairs=repairs,
        notices=notices,
        questions=tuple(questions),
        rules=rules,
        unplaced=unplaced,
        tally=tally or Tally(),
    )


def recognises(spec: str) -> bool:
    """True for a bundled corpus, SQuAD JSON, or JSON with its three keys."""
    name = source_in(spec)
    if name.startswith(BUNDLED):
        return name.removeprefix(BUNDLED) in files_that_ship(_FILE)
    keys = first_record(name)
    if {CONTEXT, QUESTION, _ANSWERS} <= keys or {CONTEXT, _QAS} <= keys:
        return True
    text = beginning(name)
    if format_ending(name) in ENDINGS and _is_header(first_cells(text)):
        return True
    return text.lstrip().startswith("{") and all(key in text for key in _SQUAD_KEYS)


def record_of(example: Example) -> dict[str, object]:
    """The example as a file record."""
    context = example.fields[CONTEXT]
    answers: dict[str, list[Any]] = {"text": list(example.gold)}
    if example.source.placed:
        answers["answer_start"] = [place_of(context, span).start for span in answers_in(context)]
        answers["text"] = [
            gold if context.text[start : start + len(gold)] == gold else context.text[slice(*place_of(context, span))]
            for gold, start, span in zip(example.gold, answers["answer_start"], answers_in(context), strict=True)
        ]
    asked = {"id": example.source.key} if example.source.key else {}
    return {**asked, CONTEXT: context.text, QUESTION: example.fields[QUESTION].text, _ANSWERS: answers}


def _records(source: Path | Chunk | HubName, findings: Findings) -> Iterator[_Record]:
    if isinstance(source, HubName):
        yield from _of_objects(enumerate(read_rows(source, findings.source)), findings)
        return
    if isinstance(source, Chunk):
        yield from _of_objects(source.records(findings), findings)
        return
    text = read_text(source, findings)
    if not is_json(text, format_ending(str(source))) and _is_header(first_cells(text)):
        yield from _of_objects(_of_table(text, findings), findings)
        return
    try:
        whole = strict_json(text)
    except (ValueError, RecursionError):
        whole = None
    refuse_export(whole, findings.source)
    if isinstance(whole, Mapping) and isinstance(whole.get("data"), list):
        findings.joint = " question "
        yield from _of_squad(whole, findings)
    else:
        yield from _of_objects(json_records(text, findings), findings)


def _of_squad(whole: Json, findings: Findings) -> Iterator[_Record]:
    second = str(whole.get("version", "")).lstrip("v").startswith("2")
    number = 0
    for article in whole["data"]:
        for paragraph in _read_list(article, "paragraphs", number, findings):
            for asked in _read_list(paragraph, _QAS, number, findings):
                number += 1
                yield from _asked(asked, paragraph.get(CONTEXT), number, findings, second=second)


def _asked(asked: object, context: object, place: int, findings: Findings, *, second: bool) -> Iterator[_Record]:
    if not isinstance(asked, Mapping):
        findings.error(place, f"{show_value(asked)}; expected an object with {QUESTION!r} and {_ANSWERS!r}")
        return
    key = str(asked.get("id", asked.get("qid", place)))
    impossible = asked.get("is_impossible") is True
    second = second or "is_impossible" in asked
    yield _Record(place, key, context, asked.get(QUESTION), asked.get(_ANSWERS, []), impossible, second)


def _is_header(cells: Sequence[str]) -> bool:
    names = {cell.lower() for cell in cells}
    return {CONTEXT, QUESTION} <= names and any(each <= names for each in _ANSWERED)


def _of_table(text: str, findings: Findings) -> Iterator[tuple[int, object]]:
    """The rows of a table, with the answers that a cell holds as JSON or as Python writes them."""
    (_, header), *rows = rows_of(text, findings)
    names = [cell.lower() for cell in header]
    said = next(each for each in _ANSWERED if each <= {*names})
    for place, cells in rows:
        if len(cells) != len(names):
            findings.error(place, f"{len(cells)} cells; expected {len(names)}, as in the header; correct the line")
            continue
        row: dict[str, Any] = dict(zip(names, cells, strict=True))
        if _START in said:
            (column,) = said - {_START}
            start = row[_START]
            places = [int(start) if re.fullmatch("-?[0-9]{1,9}", start) else start] if start else None
            row |= {_ANSWERS: {"text": [row[column]], _START: places}}
        else:
            row[_ANSWERS] = _value_in(row[_ANSWERS])
        impossible = row.pop("is_impossible", None)
        yield place, row if impossible is None else {**row, "is_impossible": impossible.lower() in ("true", "1")}


def _value_in(cell: str) -> Any:
    for read in (json.loads, ast.literal_eval):
        try:
            return read(_NUMPY.sub(r"\1", cell))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return cell


def _read_list(value: object, key: str, number: int, findings: Findings) -> Sequence[Any]:
    found = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(found, list):
        findings.error(number + 1, f"before it {show_value(value)}; expected an object with a list under {key!r}")
        return ()
    return found


def _of_objects(values: Iterable[tuple[int, object]], findings: Findings) -> Iterator[_Record]:
    for place, value in values:
        if isinstance(value, Mapping) and isinstance(value.get(_QAS), list):
            for asked in value[_QAS]:
                yield from _asked(asked, value.get(CONTEXT), place, findings, second=False)
            continue
        if not isinstance(value, Mapping) or not {CONTEXT, QUESTION, _ANSWERS} <= value.keys():
            findings.error(
                place, f"{show_value(value)}; expected an object with {CONTEXT!r}, {QUESTION!r} and {_ANSWERS!r}"
            )
            continue
        impossible = value.get("is_impossible") is True
        given = value[_ANSWERS]
        second = "is_impossible" in value or _pairs(given) == []
        yield _Record(place, str(value.get("id", place)), value[CONTEXT], value[QUESTION], given, impossible, second)


def _answers(row: _Record, findings: Findings, *, impossible: bool) -> list[GoldAnswer] | None:
    if row.impossible:
        return []
    pairs = _pairs(row.answers)
    if pairs is None or (pairs == [] and not impossible):
        known = "a list of objects with 'text' and 'answer_start', a whole number, or an object with lists under both"
        known += "" if row.answers else '; if there is no answer, say "is_impossible": true'
        findings.error(row.place, f"{_row_name(row)}: the answers are {show_value(row.answers)}; expected {known}")
        return None
    if not isinstance(row.context, str) or not row.context.strip():
        return None
    return [_place_answer(row, text, start, findings) for text, start in pairs if not is_blank(text)]


def _read_field(row: _Record, field: str, findings: Findings) -> Sentence | None:
    value = getattr(row, field)
    if isinstance(value, str) and value.strip():
        return sentence_of(value, row.place, findings)
    findings.error(
        row.place, f"{_row_name(row)}: {field} is {show_value(value)}; expected text; leave the question out"
    )
    return None


def _row_name(row: _Record) -> str:
    return f"question {show_value(row.key)}"


def _are_blank(row: _Record) -> bool:
    """Whether the question has answers, and all are empty as written: *no answer*."""
    pairs = _pairs(row.answers)
    return bool(pairs) and not row.impossible and all(is_blank(text) for text, _ in pairs or ())


def _pairs(given: object) -> list[tuple[str, int | None]] | None:
    """Texts and starts of answers, null without a place as an empty text; None if they have another form."""
    if isinstance(given, Mapping):
        found, starts = given.get("text"), given.get("answer_start")
        if not isinstance(found, list):
            if not (found is None or (isinstance(found, str) and is_blank(found))):
                return None
            found, starts = [found], None if starts is None else [starts]
        starts = [None] * len(found) if starts is None else starts
        if not isinstance(starts, list) or len(starts) != len(found):
            return None
        rows = [*zip(found, starts, strict=True)]
    elif isinstance(given, list):
        rows = [
            (each.get("text"), each.get("answer_start")) if isinstance(each, Mapping) else (each, None)
            for each in given
        ]
    elif isinstance(given, str) and is_blank(given):
        return []
    else:
        return None
    rows = [("" if text is None and start in (None, -1) else text, start) for text, start in rows]
    fits = all(isinstance(text, str) and (start is None or type(start) is int) for text, start in rows)
    return rows if fits else None


def _place_answer(row: _Record, text: str, start: int | None, findings: Findings) -> GoldAnswer:
    context: str = row.context
    lead = len(context) - len(context.lstrip())
    at = start
    if start is None:
        at = context.find(text)
        at = at if at >= 0 and context.find(text, at + len(text)) < 0 else None
    elif start < 0 or context[start : start + len(text)] != text:
        near = max(0, start)
        found = (context.rfind(text, 0, near + len(text) - 1), context.find(text, near))
        at = min((each for each in found if each >= 0), key=lambda place: abs(place - start), default=None)
        there = "nowhere in the passage" if at is None else f"at {at:,}"
        findings.mended(
            row.place,
            f"{_row_name(row)}: the answer {show_value(text)} does not begin at character {start:,}, where "
            f"{show_value(context[max(0, start) :][: len(text)])} stands, but {there}; correct 'answer_start', or give "
            "FILE?lenient",
        )
    if at is None:
        return GoldAnswer(text)
    inner = len(text) - len(text.lstrip())
    begin = at + inner - lead
    return GoldAnswer(text, PassagePlace(begin, begin + len(text.strip())))
