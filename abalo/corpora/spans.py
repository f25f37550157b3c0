"""Converts texts with entity spans from annotation tools to tokens and tags.

Reads objects with text and spans of start, end and label (doccano, Prodigy, spaCy, ai4privacy, Rasa), spaCy 2 pairs
``[text, {"entities": [[start, end, label], …]}]`` and Dataturks documents.
"""

from __future__ import annotations

import ast
import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

import regex

from abalo.core.records.json_records import Json
from abalo.core.records.words import count
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import is_unicode, without_surrogates
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.running_text import borders, running_text

EXPECTED = "'text' and a list of spans, each with 'start', 'end' and 'label'"

NOTHING_MARKED = "expected texts that somebody has annotated; export them once they are"

_TEXTS = ("text", "sentence", "content", "source_text", "unmasked_text", "full_text", "document", "data")
_SPANS = ("entities", "spans", "ents", "label", "labels", "privacy_mask", "annotations", "annotation", "ner")
"""In order of precedence."""

_STARTS = ("start", "begin", "from", "startoffset", "beginoffset", "startchar", "startposition", "startindex")
_ENDS = ("end", "stop", "to", "endoffset", "stopoffset", "endchar", "endposition", "endindex")
_LABELS = (
    "label",
    "labels",
    "type",
    "entitytype",
    "entitygroup",
    "entitylabel",
    "tag",
    "category",
    "entity",
    "displayname",
)
_WORDS = ("value", "text", "word", "entityvalue", "entitytext", "surface", "mention")
_NORMALISED = "entity"
"""Rasa's label key; ``value`` may differ from the text."""

_TOKENS = ("tokens", "words", "tokenized_text")
_ACCEPTED = "accept"
_WITHIN_A_WORD = regex.compile(
    r"[[\p{L}\p{N}\p{M}_]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Line_Break=SA}]]{2}", regex.VERSION1
)

_CLUSTER = regex.compile(r"[\U0001f1e6-\U0001f1ff]{2}[\p{Grapheme_Extend}\p{M}\u200d]*+|\X", regex.VERSION1)
"""Flags are matched by themselves, since \\X goes through a row of them from its beginning, for each of them."""

_OUTSIDE, _OTHER_WORDS, _IN_A_WORD, _AT_A_SPACE = 4, 2, 1, 1
"""Misfit penalties."""

AGAIN = "an earlier annotation of the same text"


@dataclass(frozen=True, slots=True)
class Record:
    """A text with raw spans; ``left_out`` is the reason to skip it, or ""."""

    text: str
    spans: Sequence[Any]
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    stop: int
    label: str
    words: str | None = None


def record_of(value: object) -> Record | None:
    """The text and spans of a JSON value."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], Mapping):
        spans = value[1].get("entities")
        return Record(value[0], spans) if isinstance(spans, list) and (not spans or are_spans(spans)) else None
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("fields"), Mapping) and "responses" in value:
        return _of_argilla(value)
    value = _unfold(value)
    key = _key_of_spans(value)
    if key is None:
        return None
    spans = [] if value.get(key) is None else _flat(value[key])
    text = _text_of(value, spans)
    if text is None:
        return None
    answer = value.get("answer", _ACCEPTED)
    return Record(text, spans, "" if answer == _ACCEPTED else f"the answer {show_value(answer)}")


def holds_spans(value: object) -> bool:
    """Whether a JSON value has text and spans."""
    found = record_of(value)
    return found is not None and bool(found.spans)


def names_text(value: Any) -> bool:
    """Whether a JSON value is a list or has a text key."""
    return isinstance(value, list) or any(isinstance(value.get(key), str) for key in _TEXTS)


def are_spans(value: object) -> bool:
    """Whether a JSON value is a non-empty span list."""
    return isinstance(value, list) and bool(value) and all(map(_is_span, value))


def _is_span(value: object) -> bool:
    if isinstance(value, Mapping):
        if isinstance(value.get("points"), list):
            return "label" in value and all(map(_has_places, value["points"]))
        return _has_places(value) and _span_key(value, _LABELS) is not None and "polarity" not in value
    if not isinstance(value, list) or len(value) < 3:
        return False
    start, stop, label = _in_order(value)
    return _number(start) is not None and _number(stop) is not None and isinstance(label, str)


def _in_order(span: Sequence[object]) -> tuple[object, object, object]:
    start, stop, label = span[:3]
    return (stop, label, start) if isinstance(start, str) and _number(start) is None else (start, stop, label)


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def _unfold(record: Mapping[str, object]) -> Json:
    read = {key: spans for key, value in record.items() if (spans := spans_in(value)) is not None}
    return {**record, **read} if read else record


def spans_in(value: object) -> list[object] | None:
    """Spans in a string or an object by type."""
    return _spans_by_type(value) if isinstance(value, Mapping) else spans_in_text(value)


def _spans_by_type(value: Json) -> list[Any] | None:
    """CLUENER: ``{type: {words: [[start, end], …]}}``."""
    if not value or not all(isinstance(each, Mapping) and each for each in value.values()):
        return None
    found = []
    for label, named in value.items():
        for words, places in named.items():
            pairs = isinstance(places, list) and all(isinstance(each, list) and len(each) == 2 for each in places)
            if not pairs or not isinstance(words, str):
                return None
            found += [{"start": start, "end": stop, "label": label, "text": words} for start, stop in places]
    return found if are_spans(found) else None


def spans_in_text(value: object) -> list[object] | None:
    """Spans written in a string."""
    if not isinstance(value, str) or not value.startswith(("[{", "[[", "[(")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        spans = [list(each) if isinstance(each, tuple) else each for each in found]
        return spans if are_spans(spans) else None
    return None


def _has_places(value: object) -> bool:
    return isinstance(value, Mapping) and None not in (_span_key(value, _STARTS), _span_key(value, _ENDS))


def _span_key(value: Mapping[str, object], names: Sequence[str]) -> str | None:
    plain = {"".join(filter(str.isalpha, key)).lower(): key for key in reversed([*value])}
    return next((plain[name] for name in names if name in plain), None)


def key_of_spans(value: object) -> str | None:
    """The key of a record that holds spans, if any."""
    return _key_of_spans(_unfold(value)) if isinstance(value, Mapping) else None


def _key_of_spans(record: Json) -> str | None:
    full = [key for key, value in record.items() if are_spans(value) and (key not in _TOKENS or _are_entities(value))]
    usual = [key for key in _SPANS if key in full]
    if usual or len(full) == 1:
        return (usual or full)[0]
    if full:
        return None
    return next((key for key in _SPANS if record.get(key) == []), None)


def _are_entities(tokens: Sequence[object]) -> bool:
    return all(isinstance(each, Mapping) and "entityLabel" in each for each in tokens)


def _flat(spans: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for each in spans:
        points = each.get("points") if isinstance(each, Mapping) else None
        found += [each] if points is None else [{**point, "label": each["label"]} for point in points]
    return found


def _text_of(record: Json, spans: Sequence[Any]) -> str | None:
    known = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
    if known is not None or not spans or any(isinstance(record.get(key), list) for key in _TOKENS):
        return known
    ends = [_in_order(each)[1] if isinstance(each, list) else each[_span_key(each, _ENDS) or ""] for each in spans]
    longest = max((end for each in ends if (end := _number(each)) is not None), default=0)
    fitting = [value for value in record.values() if isinstance(value, str) and len(value) >= longest]
    return fitting[0] if len(fitting) == 1 else None


def _of_argilla(record: Json) -> Record | None:
    responses = record["responses"]
    given = [*responses.values()] if isinstance(responses, Mapping) else responses or []
    answers = [each for answer in given for each in (answer if isinstance(answer, list) else [answer])]
    asked = [each["value"] for each in answers if isinstance(each, Mapping) and isinstance(each.get("value"), list)]
    spans = [each for each in asked if not each or are_spans(each)]
    text = _text_of(record["fields"], spans[0] if spans else [])
    if text is None or len(spans) > 1 or (answers and not spans):
        return None
    return Record(text, spans[0] if spans else [], "" if spans else "no answer")


def text_alone(value: object) -> Record | None:
    """The text of a record without spans.

    Label Studio's JSON-MIN omits empty spans.
    """
    if not isinstance(value, Mapping) or any(key in value for key in (*_TOKENS, "tags", "ner_tags")):
        return None
    text = _text_of(value, [])
    return None if text is None else Record(text, [])


def drafts(records: Sequence[tuple[int, Record]], findings: Findings) -> list[Draft]:
    """The sentences of texts with spans.

    Places count characters (code points) unless UTF-16 units, bytes or inclusive ends fit better. Entity borders split
    words, but never grapheme clusters. Entities that overlap a longer one are dropped.
    """
    texts: list[_Text] = []
    left_out: list[str] = []
    for place, record in records:
        if record.left_out:
            left_out.append(record.left_out)
        elif (text := _check_text(record.text, place, findings)) is not None:
            texts.append(_Text(place, text, _marks(record.spans, place, findings)))
    offsets = _offsets_of(texts)
    told = _Told(offsets)
    found = [_draft(text, told, findings) for text in texts]
    findings.notices += told.notices(findings)
    for reason in left_out:
        findings.tally.left_out("record", f"because of {reason}")
    if left_out and not texts:
        many = count(len(left_out), "record")
        findings.error(WHOLE, f"all of {many} left out, the first because of {left_out[0]}; {NOTHING_MARKED}")
    return found


@dataclass(frozen=True, slots=True)
class _Text:
    place: int
    text: str
    marks: Sequence[_Mark]


def _check_text(text: str, place: int, findings: Findings) -> str | None:
    if not text.strip():
        findings.mended(
            place,
            f"the text is {show_value(text)}; expected visible characters; remove the record, or drop it with "
            "FILE?lenient",
        )
        return None
    if not is_unicode(text):
        findings.mended(
            place,
            f"{show_value(text)} holds half of a surrogate pair; expected Unicode text; correct the escapes, or put "
            "U+FFFD there with FILE?lenient",
        )
    return without_surrogates(text)


def _marks(spans: Iterable[object], place: int, findings: Findings) -> list[_Mark]:
    return [mark for mark in (_mark(span, place, findings) for span in spans) if mark is not None]


def _mark(span: Any, place: int, findings: Findings) -> _Mark | None:
    words = None
    if isinstance(span, Mapping):
        start, stop, key = (
            span[_span_key(span, _STARTS) or ""],
            span[_span_key(span, _ENDS) or ""],
            _span_key(span, _LABELS),
        )
        label = span[key or ""]
        label = label[0] if isinstance(label, list) and len(label) == 1 else label
        own = _span_key(span, _WORDS)
        words = span[own] if own is not None and key != _NORMALISED and isinstance(span[own], str) else None
    else:
        start, stop, label = _in_order(span)
    start, stop = _number(start), _number(stop)
    if start is None or stop is None:
        findings.error(place, f"the span {show_value(span)}; expected whole numbers for its start and its end")
        return None
    if not isinstance(label, str) or not label.strip():
        findings.error(place, f"the span {show_value(span)}; expected one label, the name of an entity type")
        return None
    return None if label.strip() == "O" else _Mark(start, stop, label.strip(), words)


# Places ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Offsets:
    of: Callable[[str, int, int], tuple[int, int]]
    said: str = ""


def _in(size: Callable[[str], int]) -> Callable[[str, int, int], tuple[int, int]]:
    @lru_cache(1)  # the marks of a text are read one after the other
    def places(text: str) -> dict[int, int]:
        return {units: place for place, units in enumerate(accumulate(map(size, text), initial=0))}

    return lambda text, start, stop: (places(text).get(start, -1), places(text).get(stop, -1))


_FITS, _SO = "places were read as", "since they fit the text so."
_USUAL = _Offsets(lambda _, start, stop: (start, stop))
_UTF_16 = _Offsets(
    _in(lambda sign: 1 + (sign > "\uffff")),
    "places were read as UTF-16 units, as JavaScript counts, since they fit the text so.",
)
_BYTES = _Offsets(
    _in(lambda sign: len(sign.encode())), "places were read as bytes of UTF-8, since they fit the text so."
)
_INCLUSIVE = _Offsets(
    lambda _, start, stop: (start, stop + 1), "the end of a span was read as its last character, since it fits so."
)


def _offsets_of(texts: Sequence[_Text]) -> _Offsets:
    candidates = [_USUAL]
    if any(max(each.text) > "\uffff" for each in texts):
        candidates.append(_UTF_16)
    if not all(each.text.isascii() for each in texts):
        candidates.append(_BYTES)
    if all(mark.words is not None for each in texts for mark in each.marks):
        candidates.append(_INCLUSIVE)
    if len(candidates) == 1:
        return _USUAL
    return min(candidates, key=lambda offsets: sum(_misfit(each, offsets) for each in texts))


def _misfit(text: _Text, offsets: _Offsets) -> int:
    return sum(_misfits(text.text, mark, *offsets.of(text.text, mark.start, mark.stop)) for mark in text.marks)


def _misfits(text: str, mark: _Mark, start: int, stop: int) -> int:
    if not 0 <= start < stop <= len(text):
        return _OUTSIDE
    if mark.words is not None:
        return 0 if _same(text[start:stop], mark.words) else _OTHER_WORDS
    in_words = sum(_is_in_a_word(text, place) for place in (start, stop))
    return in_words + text[start].isspace() + text[stop - 1].isspace()


def _same(written: str, named: str) -> bool:
    return " ".join(written.split()).casefold() == " ".join(named.split()).casefold()


def _is_in_a_word(text: str, place: int) -> bool:
    return place > 0 and _WITHIN_A_WORD.fullmatch(text[place - 1 : place + 1]) is not None


# Sentences ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Told:
    offsets: _Offsets
    entities: int = 0
    begin_in_words: int = 0
    cut: int = 0
    first_cut: str = ""

    def notices(self, findings: Findings) -> Iterator[str]:
        if self.begin_in_words > 0.5 * self.entities:
            findings.mended(
                WHOLE,
                f"{self.begin_in_words:,} of {count(self.entities, 'entity', 'entities')} begin inside a word, the "
                f"first {self.first_cut}; expected places that count the characters of the text from 0; count them "
                "so, or have words cut there with FILE?lenient",
            )
        if self.offsets.said:
            yield f"{findings.source}: {self.offsets.said}"
        if self.cut:
            yield (
                f"{findings.source}: {count(self.cut, 'entity begins or ends', 'entities begin or end')} inside a "
                f"word, which is cut there, the first {self.first_cut}."
            )


def _draft(text: _Text, told: _Told, findings: Findings) -> Draft:
    plain = running_text(text.text)
    lead = len(text.text) - len(text.text.lstrip())
    ends = [(lead + start, lead + stop) for start, stop in borders(plain)]
    entities = _entities(text, told, findings)
    draft = Draft(spaces=[])
    assert draft.spaces is not None
    begins = {entity.start: entity for entity in entities}
    inside: _Mark | None = None
    cuts = sorted({place for entity in entities for place in (entity.start, entity.stop)})
    within = set[int]()
    for (start, stop), space in zip(ends, plain.spaces, strict=True):
        inner = cuts[bisect_right(cuts, start) : bisect_left(cuts, stop)]
        within.update(inner)
        for begin, end in zip([start, *inner], [*inner, stop], strict=True):
            inside = begins.get(begin, inside)
            inside = None if inside is None or begin >= inside.stop else inside
            draft.tokens.append(text.text[begin:end])
            draft.spaces.append(space if end == stop else "")
            draft.tags.append("O" if inside is None else f"{'B' if begin == inside.start else 'I'}-{inside.label}")
            draft.places.append(text.place)
    for entity in entities:
        if borders_within := [place for place in (entity.start, entity.stop) if place in within]:
            told.cut += 1
            told.first_cut = told.first_cut or _cut(text, ends, borders_within[0], findings)
    return draft


def _cut(text: _Text, ends: Sequence[tuple[int, int]], place: int, findings: Findings) -> str:
    start, stop = next((start, stop) for start, stop in ends if start < place < stop)
    return f"{show_value(text.text[start:place] + '|' + text.text[place:stop])} in {findings.unit} {text.place}"


def _ends(text: _Text, mark: _Mark, offsets: _Offsets, findings: Findings) -> tuple[int, int] | None:
    """The places of a mark in characters; None, with a finding, for places outside of the text."""
    start, stop = offsets.of(text.text, mark.start, mark.stop)
    if not 0 <= start < stop <= len(text.text) or not text.text[start:stop].strip():
        findings.error(
            text.place,
            f"the entity {mark.label!r} at {mark.start} to {mark.stop}; expected places in the text, 0 to "
            f"{len(text.text)}, the first before the last, with visible characters between them",
        )
        return None
    if mark.words is not None and not _same(text.text[start:stop], mark.words):
        findings.mended(
            text.place,
            f"the entity {show_value(mark.words)} is {show_value(text.text[start:stop])} at {mark.start} to "
            f"{mark.stop}; expected the same; correct the places, which count characters, or take what stands "
            "there with FILE?lenient",
        )
    return start, stop


Located = tuple[int, int, str]


def located(texts: Iterable[tuple[int, str, Sequence[Any]]], findings: Findings) -> list[list[Located | None]]:
    """Start, stop and label of the raw spans of each text, in characters; None, with a finding, where one is damaged.

    Places are read as `drafts` reads them.
    """
    made = [(_Text(place, text, ()), [_mark(span, place, findings) for span in spans]) for place, text, spans in texts]
    offsets = _offsets_of([replace(text, marks=[mark for mark in marks if mark is not None]) for text, marks in made])
    if offsets.said:
        findings.notices.append(f"{findings.source}: {offsets.said}")
    return [[_located(text, mark, offsets, findings) for mark in marks] for text, marks in made]


def _located(text: _Text, mark: _Mark | None, offsets: _Offsets, findings: Findings) -> Located | None:
    ends = None if mark is None else _ends(text, mark, offsets, findings)
    return None if mark is None or ends is None else (*ends, mark.label)


def _entities(text: _Text, told: _Told, findings: Findings) -> list[_Mark]:
    found: list[_Mark] = []
    for mark in text.marks:
        told.entities += 1
        if (ends := _ends(text, mark, told.offsets, findings)) is None:
            continue
        told.begin_in_words += mark.words is None and _is_in_a_word(text.text, ends[0])
        found.append(_Mark(*_whole(text.text, *ends), mark.label))
    kept: list[_Mark] = []  # from left to right
    for mark in sorted(dict.fromkeys(found), key=lambda each: (each.start - each.stop, each.start)):
        at = bisect_left(kept, mark.stop, key=lambda each: each.start)
        if at == 0 or kept[at - 1].stop <= mark.start:
            kept.insert(at, mark)
        else:
            where = f"{show_value(text.text[mark.start : mark.stop])} in {findings.unit} {text.place + findings.before}"
            findings.tally.left_out("entity", "sharing characters with a longer one", first=where)
    findings.tally.left_out("entity", "given before", len(found) - len({*found}))
    return kept


@lru_cache(1)
def _clusters(text: str) -> list[int]:
    """Where the grapheme clusters of a text begin, and its end."""
    return [*(found.start() for found in _CLUSTER.finditer(text)), len(text)]


def _whole(text: str, start: int, stop: int) -> tuple[int, int]:
    if not text.isascii():
        clusters = _clusters(text)
        start = clusters[bisect_right(clusters, start) - 1]
        stop = clusters[bisect_left(clusters, stop)]
    written = text[start:stop]
    return start + len(written) - len(written.lstrip()), stop - len(written) + len(written.rstrip())
