"""Locates quoted entities in the text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from perturbations import Sentence

LONGEST_SAID = 80


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity in a reply.

    ``occurrence`` of its words counts from 1, None if not given; ``start`` is its first character, if known.
    """

    text: str
    type: str
    occurrence: int | None = None
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Grounded:
    """BIO tags, and mentions that were not found.

    ``ambiguous`` mentions occur more often than named.
    """

    tags: tuple[str, ...]
    ungrounded: tuple[tuple[str, str], ...] = ()
    ambiguous: int = 0


_Span = tuple[int, int]


def ground_mentions(mentions: Sequence[Mention], sentence: Sentence) -> Grounded:
    """The mentions as tags of the sentence.

    Each takes the next free occurrence: whole tokens before characters, exact case first.
    """
    tags = ["O"] * len(sentence)
    ungrounded: list[tuple[str, str]] = []
    ambiguous = 0
    left = Counter(_plain(mention.text) for mention in mentions)
    text, free = _PlacesOfWords(sentence), _Free(len(sentence))
    for mention in mentions:
        said = _plain(mention.text)
        left[said] -= 1
        place, others = _place_of(mention, said, text, free)
        if place is None:
            ungrounded.append((mention.text[:LONGEST_SAID], mention.type))
            continue
        ambiguous += others > left[said]
        start, stop = place
        tags[start:stop] = [f"B-{mention.type}"] + [f"I-{mention.type}"] * (stop - start - 1)
        free.take(place)
    return Grounded(tuple(tags), tuple(ungrounded), ambiguous)


def occurrence_of(sentence: Sentence, start: int, stop: int) -> int:
    """Which occurrence of their words the tokens are, from 1."""
    said = _plain("".join(sentence.tokens[start:stop]))
    return 1 + _PlacesOfWords(sentence).of_tokens(said, folded=False).index((start, stop))


def _place_of(mention: Mention, said: str, text: _PlacesOfWords, free: _Free) -> tuple[_Span | None, int]:
    """The place that a mention takes, and how many other free ones its words have."""
    if not said:
        return None, 0
    if mention.start is not None:
        place = text.tokens_of(mention.start, mention.start + len(mention.text))
        return (place if place is not None and free.is_free(place) else None), 0
    for kind in range(KINDS):
        places = free.places(kind, said, text.of_kind(kind, said, mention.text.strip()))
        if mention.occurrence is not None and places.spans:
            chosen = places.spans[mention.occurrence - 1 : mention.occurrence] if mention.occurrence > 0 else ()
            return next((place for place in chosen if free.is_free(place)), None), 0
        if places.left:
            return places.next(), places.left - 1
    return None, 0


class _Places:
    """The places of the same words, in order; ``left`` of them are free."""

    def __init__(self, spans: Sequence[_Span]) -> None:
        self.spans, self.left = spans, 0
        self._starts = [start for start, _ in spans]
        self._longest = max((stop - start for start, stop in spans), default=0)
        self._free = bytearray(len(spans))
        self._first, self._seen = 0, -1

    def next(self) -> _Span:
        """The first free place; there is one."""
        self._first = self._free.index(1, self._first)
        return self.spans[self._first]

    def follow(self, taken: Sequence[_Span], is_free: Callable[[_Span], bool]) -> _Places:
        """Leaves out the places that overlap any of the spans ``taken`` so far."""
        new = len(taken) - self._seen
        if self._seen < 0 or new > len(self.spans) - self._first:
            self._free = bytearray(map(is_free, self.spans))
            self.left = self._free.count(1)
        else:
            for start, stop in taken[self._seen :]:
                low, high = bisect_left(self._starts, start - self._longest + 1), bisect_left(self._starts, stop)
                for number in range(low, high):
                    if self.spans[number][1] > start:
                        self.left -= self._free[number]
                        self._free[number] = 0
        self._seen = len(taken)
        return self


class _Free:
    """The tokens that no mention has taken, and the places that they leave."""

    def __init__(self, tokens: int) -> None:
        self._is_taken = bytearray(tokens)
        self._taken: list[_Span] = []
        self._known: dict[tuple[int, str], _Places] = {}

    def is_free(self, place: _Span) -> bool:
        return self._is_taken.find(1, *place) < 0

    def places(self, kind: int, said: str, spans: Callable[[], Sequence[_Span]]) -> _Places:
        """The places of words, found once."""
        known = self._known.get((kind, said))
        if known is None:
            known = self._known[kind, said] = _Places(spans())
        return known.follow(self._taken, self.is_free)

    def take(self, place: _Span) -> None:
        start, stop = place
        self._is_taken[start:stop] = b"\1" * (stop - start)
        self._taken.append(place)


KINDS = 4


class _PlacesOfWords:
    """Where words stand in a sentence, indexed once."""

    def __init__(self, sentence: Sentence) -> None:
        self._tokens, self._text = sentence.tokens, sentence.text
        self._starts = _starts(sentence)
        self._stops = [start + len(token) for start, token in zip(self._starts, self._tokens, strict=True)]
        plain = [_plain(token) for token in self._tokens]
        self._joined = {False: _Joined(plain), True: _Joined([token.casefold() for token in plain])}
        self._characters = {False: self._text, True: _same_length(self._text)}

    def of_kind(self, kind: int, said: str, quoted: str) -> Callable[[], Sequence[_Span]]:
        """Finds the places of words: as tokens exactly, then in any case, then as characters."""
        folded = bool(kind % 2)
        return (
            partial(self.of_tokens, said, folded=folded) if kind < 2 else partial(self._inside, quoted, folded=folded)
        )

    def of_tokens(self, said: str, *, folded: bool) -> list[_Span]:
        return self._joined[folded].places(said.casefold() if folded else said)

    def _inside(self, quoted: str, *, folded: bool) -> list[_Span]:
        text, wanted = self._characters[folded], _same_length(quoted) if folded else quoted
        places = (self.tokens_of(at, at + len(wanted)) for at in _occurrences(text, wanted))
        return [*dict.fromkeys(place for place in places if place is not None)]

    def tokens_of(self, start: int, stop: int) -> _Span | None:
        """The tokens that hold any of the characters."""
        first, last = bisect_right(self._stops, start), bisect_left(self._starts, stop)
        return (first, last) if first < last else None


class _Joined:
    """Tokens without what separates them, and where each begins and ends."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._text = "".join(tokens)
        ends = [*accumulate(map(len, tokens))]
        self._begins = {
            end - len(token): place for place, (end, token) in enumerate(zip(ends, tokens, strict=True)) if token
        }
        self._ends = {end: place + 1 for place, (end, token) in enumerate(zip(ends, tokens, strict=True)) if token}

    def places(self, said: str) -> list[_Span]:
        found = []
        for at in _occurrences(self._text, said):
            start, stop = self._begins.get(at), self._ends.get(at + len(said))
            if start is not None and stop is not None:
                found.append((start, stop))
        return found


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _same_length(text: str) -> str:
    return "".join(fold if len(fold := sign.casefold()) == 1 else sign for sign in text)


def _plain(text: str) -> str:
    return "".join(text.split())


def _starts(sentence: Sentence) -> list[int]:
    starts, place = [], 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        starts.append(place)
        place += len(token) + len(space)
    return starts
