"""Locates quoted entities in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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
    text = _PlacesOfWords(sentence)
    for mention in mentions:
        left[_plain(mention.text)] -= 1
        free = text.free(mention, tags)
        if not free:
            ungrounded.append((mention.text[:LONGEST_SAID], mention.type))
            continue
        sure = mention.occurrence is not None or mention.start is not None
        ambiguous += not sure and len(free) > 1 + left[_plain(mention.text)]
        start, stop = free[0]
        tags[start:stop] = [f"B-{mention.type}"] + [f"I-{mention.type}"] * (stop - start - 1)
    return Grounded(tuple(tags), tuple(ungrounded), ambiguous)


def occurrence_of(sentence: Sentence, start: int, stop: int) -> int:
    """Which occurrence of their words the tokens are, from 1."""
    said = _plain("".join(sentence.tokens[start:stop]))
    return 1 + list(_PlacesOfWords(sentence).of_tokens(said, str)).index((start, stop))


class _PlacesOfWords:
    def __init__(self, sentence: Sentence) -> None:
        self._tokens = sentence.tokens
        self._text = sentence.text
        self._starts = _starts(sentence)

    def free(self, mention: Mention, tags: Sequence[str]) -> list[_Span]:
        said = _plain(mention.text)
        if not said:
            return []
        if mention.start is not None:
            place = self._tokens_of(mention.start, mention.start + len(mention.text))
            return [place] if place is not None and _is_free(place, tags) else []
        for found in self._by_kind(said, mention.text.strip()):
            places = list(dict.fromkeys(found))
            if mention.occurrence is not None and places:
                chosen = places[mention.occurrence - 1 : mention.occurrence] if mention.occurrence > 0 else []
                return [place for place in chosen if _is_free(place, tags)]
            if left := [place for place in places if _is_free(place, tags)]:
                return left
        return []

    def _by_kind(self, said: str, quoted: str) -> Iterator[Iterator[_Span]]:
        for fold in (str, str.casefold):
            yield self.of_tokens(said, fold)
        for fold in (str, str.casefold):
            yield self._of_characters(quoted, fold)

    def of_tokens(self, said: str, fold: Callable[[str], str]) -> Iterator[_Span]:
        wanted = fold(said)
        folded = [fold(_plain(token)) for token in self._tokens]
        for start in range(len(folded)):
            made, stop = "", start
            while stop < len(folded) and len(made) < len(wanted) and wanted.startswith(made):
                made += folded[stop]
                stop += 1
            if made == wanted:
                yield start, stop

    def _of_characters(self, quoted: str, fold: Callable[[str], str]) -> Iterator[_Span]:
        text = "".join(fold(sign) if len(fold(sign)) == 1 else sign for sign in self._text)
        wanted = "".join(fold(sign) if len(fold(sign)) == 1 else sign for sign in quoted)
        at = text.find(wanted)
        while at >= 0:
            place = self._tokens_of(at, at + len(wanted))
            if place is not None:
                yield place
            at = text.find(wanted, at + 1)

    def _tokens_of(self, start: int, stop: int) -> _Span | None:
        hit = [
            k for k, token in enumerate(self._tokens) if self._starts[k] < stop and start < self._starts[k] + len(token)
        ]
        return (hit[0], hit[-1] + 1) if hit else None


def _is_free(place: _Span, tags: Sequence[str]) -> bool:
    return all(tag == "O" for tag in tags[slice(*place)])


def _plain(text: str) -> str:
    return "".join(text.split())


def _starts(sentence: Sentence) -> list[int]:
    starts, place = [], 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        starts.append(place)
        place += len(token) + len(space)
    return starts
