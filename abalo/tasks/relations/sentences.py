"""Sentences with two spans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.marked_spans import fields_of
from abalo.corpora.running_text import running_text
from perturbations import Sentence, Span
from perturbations.answers import OBJECT, SUBJECT

ROLES = (SUBJECT, OBJECT)
_WORDS = ("token", "tokens")
_SHORT = {SUBJECT: "subj", OBJECT: "obj"}
_OPEN_NRE = {SUBJECT: "h", OBJECT: "t"}
_PLACES = "expected {'from': …, 'to': …} in the sentence, the first before the last"


def as_input(sentence: Sentence) -> str:
    """The sentence and spans as JSON, the key of predictions."""
    spans = [[span.start, span.stop] for span in spans_in(sentence)]
    return json.dumps([sentence.tokens, sentence.spaces, *spans], ensure_ascii=False)


def spans_in(sentence: Sentence) -> tuple[Span, ...]:
    """Subject and object; fewer if one is lost."""
    known = {anchor.type: anchor for anchor in sentence.anchors if len(anchor)}
    return tuple(known[role] for role in ROLES if role in known)


def mark_spans(tokens: Sequence[str], spaces: Sequence[str], spans: Sequence[tuple[int, int, str]]) -> Sentence:
    """A sentence with anchors and type tags; the first span tags shared tokens."""
    tags = ["O"] * len(tokens)
    for start, stop, type_ in spans:
        if all(tag == "O" for tag in tags[start:stop]):
            tags[start:stop] = [f"B-{type_}", *[f"I-{type_}"] * (stop - start - 1)]
    anchors = tuple(Span(start, stop, role) for (start, stop, _), role in zip(spans, ROLES, strict=True))
    return Sentence(tuple(tokens), tuple(tags), tuple(spaces), anchors)


def sentence_of(record: object, place: int, findings: Findings) -> Sentence | None:
    """The sentence of a record; None, with a finding, if invalid.

    ``subject`` and ``object`` have ``from``, ``to`` and optional ``type`` in characters of ``text`` or in ``tokens``.
    TACRED's ``subj_start``, ``subj_end`` (inclusive) and ``subj_type`` also work, OpenNRE's ``h`` and ``t`` with
    ``pos`` (exclusive), and the marks of SemEval-2010 task 8 in the text.
    """
    if not isinstance(record, Mapping):
        findings.error(place, f"{show_value(record)}; expected an object with a sentence, 'subject' and 'object'")
        return None
    record = _without_marks(record)
    words = next((record[key] for key in _WORDS if key in record), None)
    text = record.get("text", record.get("sentence"))
    if words is None and (not isinstance(text, str) or not text.strip() or not is_unicode(text)):
        findings.error(place, f"the sentence is {show_value(text)}; expected visible text under 'text' or 'token'")
        return None
    if words is not None and not _are_words(words):
        findings.error(place, f"the words are {show_value(words)}; expected a list of words, none of them blank")
        return None
    size = len(text) if words is None else len(words)
    found = [_span(record, role, size, place, findings) for role in ROLES]
    spans = [each for each in found if each is not None]
    if len(spans) < len(ROLES):
        return None
    if words is not None:
        return mark_spans(words, Sentence(tuple(words)).spaces, spans)
    plain = running_text(text)
    borders = list(accumulate(map(len, map("".join, zip(plain.tokens, plain.spaces, strict=True))), initial=0))
    starts, covered = [len(text) - len(text.lstrip()) + border for border in borders], []
    for (start, stop, type_), role in zip(spans, ROLES, strict=True):
        own = [k for k, token in enumerate(plain.tokens) if starts[k] < stop and starts[k] + len(token) > start]
        if not own:
            findings.error(place, f"the {role} from {start} to {stop} is blank; expected visible characters")
            return None
        covered.append((own[0], own[-1] + 1, type_))
    return mark_spans(plain.tokens, plain.spaces, covered)


def names_spans(record: object) -> bool:
    """Whether a record tells subject and object in one of these ways."""
    if not isinstance(record, Mapping):
        return False
    of_open_nre = (record.get(key) for key in _OPEN_NRE.values())
    return (
        record.keys() >= {*ROLES}
        or record.keys() >= {f"{short}_start" for short in _SHORT.values()}
        or all(isinstance(each, Mapping) and "pos" in each for each in of_open_nre)
        or _without_marks(record) is not record
    )


def _without_marks(record: Mapping[str, Any]) -> Mapping[str, Any]:
    key = next((key for key in ("text", "sentence") if isinstance(record.get(key), str)), None)
    fields = None if key is None or not record.keys().isdisjoint(ROLES) else fields_of(record[key])
    return record if fields is None else {**record, **fields}


def _are_words(words: Any) -> bool:
    listed = isinstance(words, list) and bool(words)
    return listed and all(isinstance(word, str) and word.strip() and is_unicode(word) for word in words)


def _span(
    record: Mapping[str, object], role: str, size: int, place: int, findings: Findings
) -> tuple[int, int, str] | None:
    given, short = record.get(role), _SHORT[role]
    if given is None and f"{short}_start" in record:
        first, last = record[f"{short}_start"], record.get(f"{short}_end")
        stop = last + 1 if type(last) is int else last
        given = {"from": first, "to": stop, "type": record.get(f"{short}_type")}
    named = record.get(_OPEN_NRE[role])
    if given is None and isinstance(named, Mapping):
        given = named.get("pos")
    if isinstance(given, list) and len(given) == 2:
        given = {"from": given[0], "to": given[1]}
    start, stop = (given.get("from"), given.get("to")) if isinstance(given, Mapping) else (None, None)
    if type(start) is not int or type(stop) is not int or not 0 <= start < stop <= size:
        findings.error(place, f"the {role} is {show_value(given)}; {_PLACES}: 0 to {size}")
        return None
    type_ = (isinstance(given, Mapping) and given.get("type")) or role
    if not isinstance(type_, str) or not type_.isprintable() or not is_unicode(type_):
        findings.error(place, f"the type of the {role} is {show_value(type_)}; expected a name, such as PERSON")
        return None
    return start, stop, type_.replace(" ", "_")
