"""Sentences with aspects, as records and as tagged sentences."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.running_text import borders, running_text
from abalo.tasks.labels.unlabelled import MISSING, as_written, is_unlabelled
from perturbations import Sentence, Span
from perturbations.families.aspect.opinions_on import TARGET
from perturbations.suggestions import did_you_mean

POLARITIES = ("positive", "negative", "neutral")
CONFLICT = "conflict"
"""Both praised and blamed; not a label [SemEval-2014 Task 4; Xu et al. 2019]."""

NULL = "NULL"
"""An opinion without a named target [SemEval-2015 Task 12]."""

SENTENCE = ("sentence", "text")
SEVERAL = ("term_list", "aspects", "opinions", "Opinions", "aspectTerms", "aspect_terms")
ONE = ("polarity", "from", "to")


@dataclass(frozen=True, slots=True)
class Aspect:
    """An aspect at characters ``start`` to ``stop`` (exclusive), which are equal for an unnamed aspect.

    The polarity is one of `POLARITIES`, `CONFLICT`, or a value that means none.
    """

    start: int
    stop: int
    polarity: str


def sentence_of(record: object, place: int, findings: Findings) -> tuple[str, list[Aspect]] | None:
    """The sentence of a record and its aspects; None, with findings, if invalid."""
    if not isinstance(record, Mapping):
        findings.error(place, f"{show_value(record)}; expected an object with 'sentence' and 'term_list'")
        return None
    text = next((record[key] for key in SENTENCE if key in record), None)
    if not isinstance(text, str) or not text.strip() or not is_unicode(text):
        findings.error(
            place, f"the sentence is {show_value(text)}; expected text with visible characters under 'sentence'"
        )
        return None
    key = next((key for key in SEVERAL if key in record), None)
    if key is None and "polarity" not in record:
        findings.error(place, f"no aspects, only {', '.join(map(repr, record))}; expected 'term_list' or 'aspects'")
        return None
    listed = record if key is None else record[key]
    values = [listed] if key is None else list(listed.values()) if isinstance(listed, Mapping) else listed
    if not isinstance(values, Sequence) or isinstance(values, str):
        findings.error(place, f"{key!r} is {show_value(listed)}; expected the aspects, in a list or by their ids")
        return None
    found = [_aspect(value, text, place, findings) for value in values]
    known = [each for each in found if each is not None]
    return (text, known) if len(known) == len(found) else None


def _aspect(value: object, text: str, place: int, findings: Findings) -> Aspect | None:
    if isinstance(value, Mapping) and _is_unnamed(value, text):
        return Aspect(0, 0, "")
    if not isinstance(value, Mapping) or not {*ONE} <= value.keys():
        findings.error(place, f"the aspect {show_value(value)}; expected an object with 'polarity', 'from' and 'to'")
        return None
    start, stop = _number(value["from"]), _number(value["to"])
    said, term = value["polarity"], value.get("term", value.get("target"))
    if not all(type(each) is int for each in (start, stop)) or not 0 <= start < stop <= len(text):
        findings.error(
            place,
            f"an aspect from {show_value(start)} to {show_value(stop)}; expected places in the sentence, "
            f"0 to {len(text)}, the first before the last",
        )
        return None
    written = text[start:stop]
    if not written.strip():
        findings.error(place, f"an aspect from {start} to {stop}, {show_value(written)}; expected visible characters")
        return None
    if isinstance(term, str) and written.casefold() != term.casefold():
        findings.mended(
            place,
            f"the aspect {show_value(term)} is {show_value(written)} at {start} to {stop}; expected the same; correct "
            "the places, which count characters, or take what stands there with FILE?lenient",
        )
    if is_unlabelled(said):
        return Aspect(start, stop, as_written(said) or MISSING)
    if said not in (*POLARITIES, CONFLICT):
        meant = did_you_mean(str(said), POLARITIES)
        findings.error(
            place, f"the polarity is {show_value(said)}; expected {', '.join(POLARITIES)} or {CONFLICT}{meant}"
        )
        return None
    return Aspect(start, stop, said)


def _number(written: Any) -> Any:
    is_number = isinstance(written, str) and written.isascii() and written.isdecimal() and len(written) < 10
    return int(written) if is_number else written


def _is_unnamed(value: Mapping[str, object], text: str) -> bool:
    if value.get("term", value.get("target", NULL)) is None:
        return value.get("from") == value.get("to")
    return value.get("term", value.get("target")) == NULL and (NULL not in text or value.get("from") == value.get("to"))


def tag_sentence(text: str, aspects: Sequence[Aspect], target: Aspect) -> Sentence:
    """The sentence with BIO tags of polarity and an anchor on the target.

    An aspect covers every token that it touches, and has no tags if it overlaps the target or an earlier aspect.
    """
    plain, begins, ends = _tokens_of(text)
    tags = ["O"] * len(plain)
    anchor = Span(0, 0, TARGET)
    for aspect in sorted(aspects, key=lambda each: (each != target, each.start)):
        first, stop = bisect_right(ends, aspect.start), bisect_left(begins, aspect.stop)
        if first < stop and all(tag == "O" for tag in tags[first:stop]):
            tags[first:stop] = [f"B-{aspect.polarity}"] + [f"I-{aspect.polarity}"] * (stop - first - 1)
            anchor = Span(first, stop, TARGET) if aspect == target else anchor
    return Sentence(plain.tokens, tuple(tags), plain.spaces, (anchor,))


@lru_cache(1)  # a sentence is tagged for one aspect after the other
def _tokens_of(text: str) -> tuple[Sentence, list[int], list[int]]:
    plain = running_text(text)
    lead = len(text) - len(text.lstrip())
    begins, ends = zip(*borders(plain), strict=True)
    return plain, [lead + place for place in begins], [lead + place for place in ends]


def target_in(sentence: Sentence) -> Span | None:
    """The tokens of the target; None if the target is lost."""
    return next((anchor for anchor in sentence.anchors if anchor.type == TARGET and len(anchor)), None)


def words_of(sentence: Sentence, span: Span) -> str:
    """The text of some tokens."""
    pairs = zip(sentence.tokens[span.start : span.stop], sentence.spaces[span.start : span.stop], strict=True)
    return "".join(part for pair in pairs for part in pair).strip()


def polarity_of(sentence: Sentence, span: Span) -> str:
    """The polarity that tags give an aspect."""
    assert sentence.tags is not None
    return sentence.tags[span.start].partition("-")[2]
