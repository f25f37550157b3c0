"""Multiple-choice questions as JSON lines, a JSON array or a table, optionally compressed.

A record is ``{"id": "q1", "question": "…?", "options": ["…", "…"], "target": 0}``, or has ``choices`` and ``answer``
instead. A target is an index from 0, a letter or an option's text. ``language`` is a code, such as ``"en"``. The id
defaults to the place. See `abalo.questions.shapes` for published formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abalo.bundled import bundled_path
from abalo.core.protocols.corpus_spec import asked_reader
from abalo.corpora import json_text
from abalo.corpora.confined import LARGEST, read_confined
from abalo.corpora.encodings import is_unicode, text_of
from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.loading import BUNDLED, shipped_file
from abalo.corpora.unpacking import ENDING, format_ending, unpack
from abalo.corpora.writing import write_lines
from abalo.errors import AbaloError, visible
from abalo.questions import shapes
from abalo.questions.question import LETTERS, Choice
from perturbations.families.choice import question_languages
from perturbations.suggestions import did_you_mean

_LETTER = re.compile(r"[(\[]?([A-Za-z])[)\].:]?")

_PASSAGES = ("article", "passage", "context", "support", "paragraph")

_MANY = 20
"""Among so many questions, chance should make the first option right at least once."""

ENDINGS = (".jsonl", ".ndjson")

_READ = tuple(ending + packed for ending in (*json_text.ENDINGS, *shapes.ENDINGS) for packed in ("", ENDING))
_ROOT = "fixtures/choices"
_NAMES = {"options": ("options", "choices"), "target": ("target", "answer")}


def load_choices(
    spec: str | Path, *, root: str | Path | None = None, largest: int = LARGEST, limit: int | None = None
) -> tuple[Choice, ...]:
    """The first ``limit`` questions (None: all) of a file or ``bundled:<name>``.

    AbaloError lists all problems of the file, whatever the limit. ``root`` must contain the file; ``spec`` is relative
    to it. ``largest`` limits the bytes, also after decompression.
    """
    return load_noticing(spec, root=root, largest=largest, limit=limit)[0]


def load_noticing(
    spec: str | Path, *, root: str | Path | None = None, largest: int = LARGEST, limit: int | None = None
) -> tuple[tuple[Choice, ...], tuple[str, ...]]:
    """As `load_choices`, with notices about unanswered questions and the counting of targets."""
    if limit is not None and limit < 1:
        raise AbaloError(f"{visible(spec)}: limit is {limit}; expected at least 1 question")
    findings = Findings(visible(spec), lenient=False)
    seen: dict[str, int] = {}
    found = []
    records = list(_records(spec, _content(spec, root, largest, findings), findings))
    answered = [(place, record) for place, record in records if not _lacks_answer(record)]
    left_out = len(records) - len(answered) if answered else 0
    judged, notices = _count_from_0(answered or records)
    for place, record in judged:
        choice = _choice(record, place, seen, findings)
        if choice is not None:
            found.append(choice)
    _check(found, findings)
    passage = next((key for key in _PASSAGES if any(isinstance(record.get(key), str) for _, record in records)), None)
    if passage is not None:
        told = f"A model is shown the question and its options, not what is under {passage!r}."
        notices = (*notices, f"{told} If questions need it, write it in front of them.")
    findings.tally.read("question", len(found))
    findings.tally.left_out("question", "without an answer", left_out)
    return tuple(found[:limit]), (*findings.notices, *notices, *findings.tally.lines())


def _lacks_answer(record: Mapping[str, object]) -> bool:
    """Published test sets have empty targets or -1."""
    names = [name for name in _NAMES["target"] if name in record]
    return all(record[name] in (None, "", -1, "-1") for name in names)


def _count_from_0(
    records: Sequence[tuple[int, Mapping[str, object]]],
) -> tuple[Sequence[tuple[int, Mapping[str, object]]], tuple[str, ...]]:
    numbers = [_number(record) for _, record in records]
    told = [each for each in numbers if each is not None]
    if not told or len(told) < len(numbers):
        return records, ()
    from_1 = min(number for _, number, _ in told) == 1 and any(number == size for _, number, size in told)
    if any(number > size for _, number, size in told) or (from_1 and any(number < 1 for _, number, _ in told)):
        return records, ()
    made = [
        (place, {**record, key: number - from_1})
        for (place, record), (key, number, _) in zip(records, told, strict=True)
    ]
    if from_1:
        return made, ("The answers are numbers from 1: none is 0, and one is the number of the options.",)
    given = {number for _, number, _ in told}
    if min(given) > 0 and len(given) > 1 and len(told) >= _MANY:
        return made, ("The answers were read as indices from 0, and none is 0. If they count from 1, lower each by 1.",)
    return made, ()


def _number(record: Mapping[str, object]) -> tuple[str, int, int] | None:
    names = [name for name in _NAMES["target"] if name in record]
    options = next((record[name] for name in _NAMES["options"] if name in record), None)
    if len(names) != 1 or not isinstance(options, list):
        return None
    value = record[names[0]]
    if isinstance(value, str) and value.strip().isdecimal() and value.strip() not in map(str, options):
        return names[0], int(value), len(options)
    return (names[0], value, len(options)) if type(value) is int else None


def load_options(
    spec: str | Path, *, root: str | Path | None = None, largest: int = LARGEST
) -> dict[str, tuple[str, ...]]:
    """The options by question id, for the audit; questions and targets are optional."""
    findings = Findings(visible(spec), lenient=False)
    seen: dict[str, int] = {}
    found = {}
    for place, record in _records(spec, _content(spec, root, largest, findings), findings):
        name = _id(record, place, seen, findings)
        options = _options(record, place, findings)
        if name is not None and options is not None:
            found[name] = options
    _check(found, findings)
    return found


def write_choices(choices: Sequence[Choice], path: str | Path, notes: Sequence[Mapping[str, object]] = ()) -> None:
    """Writes JSON lines, completely or not at all, with ``notes`` as further fields.

    Raises AbaloError for unpaired surrogates, no questions, duplicate ids, an ending not in `ENDINGS`, or a failure to
    write.
    """
    path = Path(path)
    if not path.name.lower().endswith(ENDINGS):
        raise AbaloError(f"{visible(path)}: expected a name that ends in {' or '.join(ENDINGS)}; rename it")
    if not choices or len({choice.id for choice in choices}) < len(choices):
        raise AbaloError(f"{visible(path)}: expected at least one question, each with an id of its own; rename some")
    pairs = zip(choices, notes or [{}] * len(choices), strict=True)
    write_lines([{**note, **_record(choice)} for choice, note in pairs], path)


def _record(choice: Choice) -> dict[str, object]:
    record = {
        "id": choice.id,
        "question": choice.question,
        "options": list(choice.options),
        "target": choice.target,
    }
    return record if choice.language is None else {**record, "language": choice.language}


def _content(spec: str | Path, root: str | Path | None, largest: int, findings: Findings) -> bytes:
    if root is None and asked_reader(str(spec)) is not None:
        return read_text(Path(spec), findings).encode()
    if isinstance(spec, Path) or not spec.startswith(BUNDLED):
        return unpack(read_confined(spec, _READ, root=root, largest=largest), spec, largest)
    return shipped_file(spec, _bundled()).read_bytes()


def bundled_names() -> list[str]:
    """The names of bundled question sets."""
    return [*_bundled()]


def _bundled() -> dict[str, Path]:
    return {path.stem: path for path in sorted(bundled_path(_ROOT).glob("*.jsonl"))}


def _records(spec: str | Path, data: bytes, findings: Findings) -> Iterator[tuple[int, Mapping[str, object]]]:
    text = text_of(data, findings, mendable=False)
    is_table = format_ending(str(spec)) in shapes.ENDINGS
    for place, record in shapes.rows(text, findings) if is_table else json_text.records(text, findings):
        if isinstance(record, Mapping):
            yield place, shapes.usual(record, place, findings)
        else:
            findings.error(
                place, f'{show_value(record)}; expected an object, {{"id": …, "question": …, "options": […]}}'
            )


def _check(found: object, findings: Findings) -> None:
    if not found and not findings.problems:
        findings.error(WHOLE, "no questions; expected one object a line; is this the file you meant?")
    findings.raise_any()


def _choice(record: Mapping[str, object], place: int, seen: dict[str, int], findings: Findings) -> Choice | None:
    name = _id(record, place, seen, findings)
    question = _text(record, "question", place, findings)
    options = _options(record, place, findings)
    target = _target(record, options, place, findings)
    before = len(findings.problems)
    language = _language(record, place, findings)
    if name is None or question is None or options is None or target is None or len(findings.problems) > before:
        return None
    return Choice(name, question, options, target, language)


def _value(record: Mapping[str, object], key: str, place: int, findings: Findings, expected: str) -> object:
    names = _NAMES.get(key, (key,))
    found = [name for name in names if name in record]
    if len(found) == 1:
        return record[found[0]]
    if found:
        findings.error(place, f"both {' and '.join(map(repr, found))}; expected one of them; leave the other out")
        return None
    had = ", ".join(show_value(name) for name in record) or "an empty object"
    findings.error(
        place, f"no {' or '.join(map(repr, names))}, only {had}; expected {expected}{did_you_mean(key, record)}"
    )
    return None


def _is_reported(record: Mapping[str, object], key: str) -> bool:
    return sum(name in record for name in _NAMES.get(key, (key,))) != 1


def _id(record: Mapping[str, object], place: int, seen: dict[str, int], findings: Findings) -> str | None:
    value = record.get("id", place)
    name = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(name, str) or not name or name != " ".join(name.split()) or not is_unicode(name):
        findings.error(
            place, f"'id' is {show_value(value)}; expected a whole number, or visible characters on one line"
        )
        return None
    if name in seen:
        findings.error(
            place,
            f"id {show_value(name)} is that of {findings.unit} {seen[name]} too; expected its own; rename one of them",
        )
        return None
    seen[name] = place
    return name


def _text(record: Mapping[str, object], key: str, place: int, findings: Findings) -> str | None:
    value = _value(record, key, place, findings, "a string")
    if _is_reported(record, key):
        return None
    if not isinstance(value, str) or not value.strip() or not is_unicode(value):
        findings.error(place, f"{key!r} is {show_value(value)}; expected a string with visible characters")
        return None
    return value


def _options(record: Mapping[str, object], place: int, findings: Findings) -> tuple[str, ...] | None:
    value = _value(record, "options", place, findings, "a list of at least two strings")
    if _is_reported(record, "options"):
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        findings.error(place, f"the options are {show_value(value)}; expected a list of strings")
        return None
    if not 2 <= len(value) <= len(LETTERS):
        findings.error(place, f"{len(value)} options; expected 2 to {len(LETTERS)}; add some, or leave the record out")
        return None
    odd = [number for number, item in enumerate(value) if not item.strip() or not is_unicode(item)]
    for number in odd:
        findings.error(
            place, f"option {number} is {show_value(value[number])}; expected a string with visible characters"
        )
    return None if odd else tuple(value)


def _target(
    record: Mapping[str, object], options: tuple[str, ...] | None, place: int, findings: Findings
) -> int | None:
    expected = "the index of the right option from 0, its letter or its text"
    value = _value(record, "target", place, findings, expected)
    if options is None or _is_reported(record, "target"):
        return None
    last = len(options) - 1
    meant = _meant_options(value, options)
    if len(meant) == 1:
        return meant[0]
    if meant:
        places = " or ".join(map(str, meant))
        findings.error(place, f"the target {show_value(value)} could be option {places}; expected one; give its index")
    else:
        findings.error(
            place,
            f"the target is {show_value(value)}; expected the index of an option, 0 to {last}, its letter, A to "
            f"{LETTERS[last]}, or its text",
        )
    return None


def _meant_options(value: object, options: tuple[str, ...]) -> list[int]:
    places = range(len(options))
    if isinstance(value, int) and not isinstance(value, bool):
        return [value] if value in places else []
    if not isinstance(value, str):
        return []
    plain = value.strip()
    found = [place for place in places if plain == options[place].strip() or plain.upper() == LETTERS[place]]
    letter = _LETTER.fullmatch(plain)
    return found or [place for place in places if letter is not None and letter[1].upper() == LETTERS[place]]


def _language(record: Mapping[str, object], place: int, findings: Findings) -> str | None:
    value = record.get("language")
    if value is None:
        return None
    known = question_languages()
    code = value.lower().partition("-")[0] if isinstance(value, str) else ""
    if code in known:
        return code
    findings.error(
        place, f"'language' is {show_value(value)}; expected {' or '.join(map(repr, known))}, or no such key"
    )
    return None
