"""The sentences of a document: which mentions they have, and which of them need another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from perturbations.documents import SENTENCES as LAYER
from perturbations.documents import TokenBounds, document_name, mentions_of, sentence_labels, sentences_of
from perturbations.families.reading.passages import DEFINITE, looks_back, points_back
from perturbations.languages import ANY, has
from perturbations.languages.language import words_in
from perturbations.layers import OUTSIDE
from perturbations.lexicons import pairs, words
from perturbations.resources import Passages
from perturbations.stops import STOPS
from perturbations.streams import sample, stream
from perturbations.text import Edit, Sentence, Span, sentence_id

_OPENS = {"“": "”", "‘": "’", "«": "»", "``": "''", '"': '"'}
_QUOTES = frozenset((*_OPENS, *_OPENS.values(), "'", "—", "--"))
"""Marks of what somebody says: who says it may be told by the sentences around."""

_INDEFINITE = words_in(
    "a an some another one two three several um uma uns umas outro outra alguns algumas dois duas três"
)
"""Words that begin a mention of something new, which is another one if it is said again."""

_BOTH = frozenset(("both", "the two", "the pair", "ambos", "ambas", "os dois", "as duas"))
"""Beginnings of mentions of those who were named before."""

_SHORTEST = 4
_FEWEST_WORDS, _MOST_WORDS = 5, 30
"""The length of a sentence that is put in, or is moved or left out."""

_LOOKED_AT, _ENOUGH = 200, 64
"""Of a large corpus, the documents that are looked at for one document, and the sentences that are enough."""

_REMEMBERED = 2**12


@dataclass(frozen=True, slots=True)
class Outline:
    """The sentences of a document, its mentions by sentence, and what ties sentences together.

    ``ties`` are pairs of sentences, by number: the second has a pronoun, or a phrase such as *the man*, whose nearest
    name or noun phrase is in the first, or it begins with *however* and the like, or points back to it.
    """

    document: Sentence
    language: str
    parts: tuple[TokenBounds, ...]
    mentions: tuple[tuple[Span, ...], ...]
    ties: frozenset[tuple[int, int]]
    quoted: frozenset[int]

    @classmethod
    def of(cls, document: Sentence, language: str) -> Outline:
        """The outline of a document in a language; `ANY` if it is not known."""
        parts = tuple(sentences_of(document))
        spans = sorted(mentions_of(document), key=lambda each: (each.start, -each.stop))
        mentions = tuple(
            tuple(each for each in spans if start <= each.start and each.stop <= stop) for start, stop in parts
        )
        ties = frozenset(_ties(document, language, parts, mentions))
        return cls(document, language, parts, mentions, ties, frozenset(_quoted(document, parts)))

    def is_whole(self, number: int) -> bool:
        """Whether a sentence is one by itself: of some words, with a capital and a final mark, and nobody speaks in it.

        So a part of speech is none.
        """
        tokens = self.document.tokens[slice(*self.parts[number])]
        opens = tokens[0][0].isupper() or tokens[0][0].lower() == tokens[0][0].upper()
        return number not in self.quoted and len(tokens) >= _FEWEST_WORDS and opens and tokens[-1] in STOPS

    def may_go(self, number: int) -> bool:
        """Whether a sentence can be left out: it is whole, is not the first one, and no other sentence needs it."""
        return number > 0 and self.is_whole(number) and not any(one == number != other for one, other in self.ties)

    def follows_on(self, number: int) -> bool:
        """Whether a sentence needs the one right before it."""
        return (number - 1, number) in self.ties

    def is_new(self, number: int) -> bool:
        """Whether a sentence has a mention that is something else if it is said again: *a man*, *two books*."""
        tokens = self.document.tokens
        return any(tokens[each.start].lower() in _INDEFINITE for each in self.mentions[number])

    def may_swap(self, number: int) -> bool:
        """Whether a sentence and the next one may change places: no mention can be read otherwise then."""
        pair = (number, number + 1)
        one, other = ({each.type for each in self.mentions[each]} for each in pair)
        if one & other or not all(map(self.is_whole, pair)) or any(self.follows_on(number + k) for k in range(3)):
            return False
        if number - 1 in self.quoted or number + 2 in self.quoted:
            return False
        reaching = any((first in pair) != (second in pair) for first, second in self.ties)
        return not reaching or not one or not other


def _quoted(document: Sentence, parts: Sequence[TokenBounds]) -> Iterator[int]:
    """The sentences in which somebody speaks, or that lie between marks in others."""
    closing: list[str] = []
    for number, (start, stop) in enumerate(parts):
        speaks = bool(closing)
        for token in document.tokens[start:stop]:
            speaks |= token in _QUOTES
            if closing and token == closing[-1]:
                closing.pop()
            elif token in _OPENS:
                closing.append(_OPENS[token])
        if speaks:
            yield number


def pronouns_of(language: str) -> Mapping[str, str]:
    """The pronouns of a language with their person, number and gender; none of a language without a list."""
    return pairs(f"pronouns_{language}") if language != ANY and has(language, "pronouns") else {}


def _words(table: str, language: str) -> frozenset[str]:
    """A list of words; none of a language without it."""
    return words(f"{table}_{language}") if language != ANY and has(language, table) else frozenset()


def is_pronoun(document: Sentence, span: Span, language: str) -> bool:
    """Whether a mention is a pronoun of the third person; without a list of pronouns, a word in small letters."""
    if len(span) > 1:
        return False
    listed, word = pronouns_of(language), document.tokens[span.start]
    return listed.get(word.lower(), "")[:1] == "3" if listed else word.islower()


def _ties(
    document: Sentence, language: str, parts: Sequence[TokenBounds], mentions: Sequence[Sequence[Span]]
) -> Iterator[tuple[int, int]]:
    named: dict[str, int] = {}
    last: dict[str, int] = {}
    marked = {place for spans in mentions for each in spans for place in range(each.start, each.stop)}
    listed = pronouns_of(language)
    pointing = (
        words(f"pointing_words_{language}") if language != ANY and has(language, "pointing_words") else frozenset()
    )
    for number, (start, stop) in enumerate(parts):
        leans = False
        for span in mentions[number]:
            new = span.type not in last
            if is_pronoun(document, span, language):
                yield from ((each, number) for each in {named.get(span.type, number), last.get(span.type, number)})
                leans |= new
            elif listed.get(document.tokens[span.start].lower()) == "1|many" and len(span) == 1:
                leans |= new
            else:
                opening = [token.lower() for token in document.tokens[span.start : span.stop]][:2]
                leans |= opening[0] in _BOTH or " ".join(opening) in _BOTH
                if opening[0] in DEFINITE or document.tokens[span.start][0].islower():
                    yield named.get(span.type, number), number
                named[span.type] = number
            last[span.type] = number
        for place in range(start, stop):
            word = document.tokens[place].lower()
            leans |= word in pointing - listed.keys() or (place not in marked and listed.get(word, "")[:1] == "3")
        if number and (leans or looks_back(document, (start, stop), language)):
            yield number - 1, number


def fillers(document: Sentence, passages: Passages, language: str) -> list[Sentence]:
    """Sentences of other documents that mention nothing, and have no content word that the document has, either."""
    own = {token.lower() for token in document.tokens if len(token) >= _SHORTEST}
    stops = _words("stop_words", language)
    found = (
        each
        for text in _drawn(document, passages)
        for each in _plain_sentences(text, language)
        if own.isdisjoint({token.lower() for token in each.tokens if len(token) >= _SHORTEST} - stops)
    )
    return list(dict.fromkeys(islice(found, _ENOUGH)))


def _drawn(document: Sentence, passages: Passages) -> list[Sentence]:
    """Other documents of the corpus in random order, no more than are needed of a large one."""
    draws = stream(0, "other documents", sentence_id(document))
    return [text for text in sample(draws, passages.texts, _LOOKED_AT) if not _is_same(text, document)]


def _is_same(text: Sentence, document: Sentence) -> bool:
    name = document_name(document)
    return text.tokens == document.tokens or (name != "" and document_name(text) == name)


@lru_cache(_REMEMBERED)
def _plain_sentences(text: Sentence, language: str) -> list[Sentence]:
    return [
        Sentence(text.tokens[slice(*part)], spaces=(*text.spaces[part[0] : part[1] - 1], " "))
        for part in sentences_of(text)
        if _is_plain(text, part, language)
    ]


def _is_plain(text: Sentence, part: TokenBounds, language: str) -> bool:
    """Whether a sentence mentions nothing: no gold mention, pronoun or name, and nothing that looks back."""
    tokens = text.tokens[slice(*part)]
    listed = pronouns_of(language)
    return (
        _FEWEST_WORDS <= len(tokens) <= _MOST_WORDS
        and tokens[-1] in STOPS
        and tokens[0][0].isupper()
        and _QUOTES.isdisjoint(tokens)
        and not any(token[0].isupper() or token[0].isdigit() for token in tokens[1:])
        and not any(token.lower() in listed for token in tokens)
        and not any(each.start < part[1] and part[0] < each.stop for each in mentions_of(text))
        and not looks_back(text, part, language)
        and not points_back(text, part, language)
    )


def others(document: Sentence, passages: Passages, language: str) -> list[Sentence]:
    """Other documents that can stand behind this one: no name of it, and no pronoun that could mean something in it."""
    return [
        text
        for text in _drawn(document, passages)
        if _stands_alone(text, language) and _names(text, language).isdisjoint(_names(document, language))
    ]


@lru_cache(_REMEMBERED)
def _names(document: Sentence, language: str) -> frozenset[str]:
    """The words with a capital in mentions, without those of grammar."""
    spans, listed = mentions_of(document), pronouns_of(language)
    stops = _words("stop_words", language)
    found = {token for each in spans for token in document.tokens[each.start : each.stop] if token[0].isupper()}
    return frozenset(token for token in found if token.lower() not in stops | listed.keys())


@lru_cache(_REMEMBERED)
def _stands_alone(text: Sentence, language: str) -> bool:
    """Whether it begins with a whole sentence, and each pronoun of the third person comes behind what it stands for."""
    if text.tokens[0].islower():
        return False
    seen: set[str] = set()
    for span in sorted(mentions_of(text), key=lambda each: each.start):
        if not is_pronoun(text, span, language):
            seen.add(span.type)
        elif span.type not in seen:
            return False
    marked = {place for each in mentions_of(text) for place in range(each.start, each.stop)}
    listed, parts = pronouns_of(language), sentences_of(text)
    opening = range(*parts[0]) if parts else ()
    loose = any(listed.get(text.tokens[place].lower(), "")[:1] == "3" and place not in marked for place in opening)
    return bool(parts) and not loose and not looks_back(text, parts[0], language)


def put_in(document: Sentence, place: int, new: Sentence, origins: Sequence[int] = ()) -> Edit:
    """The edit that puts a sentence before a token that begins one; ``origins`` are the tokens that it is a copy of."""
    sources = tuple((origin,) for origin in origins) if origins else ((),) * len(new)
    return Edit(
        place,
        place,
        new.tokens,
        spaces=(*new.spaces[:-1], new.spaces[-1] or " "),
        origins=sources,
        layers=_layers(document, sentence_labels(len(new))),
        tags=None if document.tags is None or not origins else document.tags[origins[0] : origins[-1] + 1],
    )


def _layers(document: Sentence, labels: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """The labels of new tokens in the layer of sentences, if the document has one."""
    return ((LAYER, labels),) if any(layer.name == LAYER for layer in document.layers) else None


def put_instead(document: Sentence, part: TokenBounds, new: Sentence) -> Edit:
    """The edit that puts a sentence in the place of another one."""
    start, stop = part
    return Edit(
        start,
        stop,
        new.tokens,
        spaces=(*new.spaces[:-1], document.spaces[stop - 1]),
        origins=((),) * len(new),
        layers=_layers(document, sentence_labels(len(new))),
    )


def put_behind(document: Sentence, texts: Sequence[Sentence]) -> Edit:
    """The edit that puts other documents behind this one."""
    last = len(document) - 1
    start, stop = sentences_of(document)[-1]
    tokens, spaces = [document.tokens[last]], [document.spaces[last]]
    labels = [sentence_labels(stop - start)[-1]]
    for text in texts:
        spaces[-1] = spaces[-1] or " "
        tokens += text.tokens
        spaces += text.spaces
        for first, end in sentences_of(text):
            labels += sentence_labels(end - first)
    return Edit(
        last,
        last + 1,
        tuple(tokens),
        spaces=tuple(spaces),
        origins=((last,), *((),) * (len(tokens) - 1)),
        layers=_layers(document, tuple(labels)),
        tags=None if document.tags is None else (document.tags[last], *(OUTSIDE[document.policy],) * (len(tokens) - 1)),
    )
