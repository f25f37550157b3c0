"""Resources of perturbations: entities, the next sentences of a corpus, models, word vectors, wordnets.

A perturbation takes a resource as a keyword-only parameter annotated with its protocol; the caller supplies it. Default
resources are small and made up, so that examples hold without any file; the ``name`` of a default is what a run loads
where a case names no other.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from perturbations.lexicons import pairs
from perturbations.text import Sentence, entity_spans

Entity = tuple[str, ...]
"""The tokens of an entity."""


class Entities(tuple[Entity, ...]):
    """Entities in an order to be drawn by. They know their places, since there may be thousands."""

    @cached_property
    def _places(self) -> Mapping[Entity, Sequence[int]]:
        places: dict[Entity, list[int]] = {}
        for place, entity in enumerate(self):
            places.setdefault(entity, []).append(place)
        return places

    def but(self, entity: Entity) -> Sequence[Entity]:
        """The others, in the same order."""
        if entity not in self._places:
            return self
        others = list(self)
        for place in reversed(self._places[entity]):
            del others[place]
        return others

    @cached_property
    def folded(self) -> Folded:
        """All of them without their letter case."""
        return Folded(self)


class Folded(dict[Entity, Entity]):
    """Entities by their words without letter case; of those that differ in that alone the last."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        super().__init__((tuple(map(str.casefold, each)), each) for each in entities)
        self._written = list(map("".join, self))
        self._in_order = list(self)
        self._absent: tuple[str, Sequence[Entity]] = "", self._in_order

    def absent(self, text: str) -> Sequence[Entity]:
        """The words of those that do not stand in the text, which has neither spaces nor letter case."""
        last = self._absent  # of the same text, which has many names
        if last[0] is not text:
            last = self._absent = text, self._absent_from(text)
        return last[1]

    def _absent_from(self, text: str) -> Sequence[Entity]:
        if not any(map(text.__contains__, self._written)):
            return self._in_order
        return [name for name, written in zip(self._in_order, self._written, strict=True) if written not in text]


Sort = Literal["person", "place", "organisation"]
"""The kind of an entity, whatever name a corpus has for its type."""

RankedWord = tuple[str, float]
"""A word with its score."""

JUDGED = "corpus"
"""The name of a resource made from the corpus under test."""

BUNDLED = "bundled"
"""The name of a resource that ships with the caller."""

UNNAMED = ""
"""The name of a resource without a default: a case has to name one."""

LEAST_IN_POOL = 20
"""The smallest number of distinct entities that are drawn from: fewer would make a test of a few strings."""

_LEAST_OCCURRENCES = 2
_LEAST_SHARE = 0.2
"""The smallest part of the occurrences of a string that has to be labelled with a type.

An occurrence that is labelled otherwise, or not at all, counts against it: less is a slip of an annotator.
"""

MOST_FOLLOWING = 10
"""The largest number of next sentences that a perturbation may ask for."""


@runtime_checkable
class Pool(Protocol):
    """Entities by type, and words that are known. It never changes, and can be a key of a dictionary."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    def entities(self, kind: str) -> Sequence[Entity]:
        """The distinct entities of the type ``kind``, always in the same order."""
        ...

    def shared(self, kind: str) -> Sequence[Entity]:
        """Those of them that are of another type elsewhere."""
        ...

    def has_word(self, word: str) -> bool:
        """Whether the word occurs, within an entity or not, in any letter case."""
        ...

    def has_text(self, text: str) -> bool:
        """Whether these characters occur in a row, whatever the tokens."""
        ...


@runtime_checkable
class NextSentences(Protocol):
    """The sentences that follow each sentence of a corpus."""

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    def after(self, sentence: Sentence, count: int) -> Sequence[Sentence]:
        """The next ``count`` sentences, fewer towards the end, none after a sentence that is not in the corpus."""
        ...


@runtime_checkable
class Passages(Protocol):
    """The texts of a corpus, each once."""

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    @property
    def texts(self) -> Sequence[Sentence]:
        """The texts, always in the same order."""
        ...


@runtime_checkable
class Suggesting(Protocol):
    """Words that fit a place in a sentence, as masked language models know them."""

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    def suggestions(self, sentence: Sentence, place: int) -> Sequence[RankedWord]:
        """Words that fit the place of the token, which is masked, with probabilities, the likeliest first."""
        ...


@runtime_checkable
class Translating(Protocol):
    """Translations from one language to another."""

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    def translations(self, texts: Sequence[str]) -> Sequence[str | None]:
        """The translation of each text, always the same; None where there is none, for example of a text too long."""
        ...


@runtime_checkable
class Neighbours(Protocol):
    """The words nearest to others by the cosine of word vectors."""

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    def near(self, words: Sequence[str]) -> Sequence[Sequence[RankedWord]]:
        """For each word its neighbours with the cosine of the two vectors, -1 to 1, the nearest first."""
        ...


class Sense(NamedTuple):
    """A meaning of a word: its universal part of speech, the other words for it, and those that say the opposite."""

    pos: str
    synonyms: tuple[str, ...]
    antonyms: tuple[str, ...] = ()


@runtime_checkable
class Senses(Protocol):
    """The meanings of words, as wordnets know them."""

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    def senses(self, word: str) -> Sequence[Sense]:
        """The meanings of the word, given in lower case, in this very form; the commonest first where that is known."""
        ...


@runtime_checkable
class GivenNames(Protocol):
    """Given names that persons of one gender bear. It never changes, and can be a key of a dictionary."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        ...

    @property
    def genders(self) -> Mapping[str, Literal["woman", "man"]]:
        """The names in lower case, each with the gender of those who bear it."""
        ...


class Names:
    """Entities, each with the types that it is of; a `Pool`. Entities are in alphabetical order."""

    def __init__(self, name: str, types: Mapping[Entity, Collection[str]]) -> None:
        self.name = name
        self._entities = _by_type(types)
        self._shared = _by_type({entity: kinds for entity, kinds in types.items() if len(kinds) > 1})
        self._words = frozenset(word.casefold() for entity in types for word in entity)
        self._text = "\n".join(map("".join, types))

    def entities(self, kind: str) -> Sequence[Entity]:
        """The distinct entities of the type ``kind``, in alphabetical order."""
        return self._entities.get(kind, ())

    def shared(self, kind: str) -> Sequence[Entity]:
        """Those of them that are of another type elsewhere."""
        return self._shared.get(kind, ())

    def has_word(self, word: str) -> bool:
        """Whether the word occurs, within an entity or not, in any letter case."""
        return word.casefold() in self._words

    def has_text(self, text: str) -> bool:
        """Whether these characters occur in a row, whatever the tokens."""
        return text in self._text


class FromCorpus(Names):
    """The entities and words of sentences.

    A string is an entity of a type if the sentences have it as one at least twice, and so in at least a fifth of its
    occurrences, unlabelled ones among them.
    """

    def __init__(self, name: str, sentences: Iterable[Sentence]) -> None:
        kept = list(sentences)
        super().__init__(name, _types_borne(kept))
        self._words = frozenset(token.casefold() for sentence in kept for token in sentence.tokens)
        self._text = "\n".join("".join(sentence.tokens) for sentence in kept)


def _types_borne(sentences: Sequence[Sentence]) -> Mapping[Entity, Collection[str]]:
    """The entities that the sentences have, with the types that they bear."""
    labelled: defaultdict[Entity, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for span in entity_spans(sentence.entity_tags or ()):
            labelled[sentence.tokens[span.start : span.stop]][span.type] += 1
    often = {entity: kinds for entity, kinds in labelled.items() if max(kinds.values()) >= _LEAST_OCCURRENCES}
    occurring = _occurrences(often, sentences)
    least = {entity: max(_LEAST_OCCURRENCES, _LEAST_SHARE * occurring[entity]) for entity in often}
    return {entity: {kind for kind in often[entity] if often[entity][kind] >= least[entity]} for entity in often}


def _occurrences(entities: Iterable[Entity], sentences: Iterable[Sentence]) -> Counter[Entity]:
    """How often the sentences have the tokens of each entity in a row, whatever their labels."""
    beginning: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        beginning[entity[0]].append(entity)
    return Counter(
        entity
        for sentence in sentences
        for place, token in enumerate(sentence.tokens)
        for entity in beginning.get(token, ())
        if sentence.tokens[place : place + len(entity)] == entity
    )


def _by_type(types: Mapping[Entity, Collection[str]]) -> Mapping[str, Entities]:
    kinds = sorted(set().union(*types.values()))
    entities = sorted(types)
    return MappingProxyType({kind: Entities(each for each in entities if kind in types[each]) for kind in kinds})


@dataclass(frozen=True, slots=True, eq=False)
class Invented:
    """Names of persons, places and organisations; a `Pool` for every corpus with the usual names of types.

    They are those of the ``table`` of the ``language``: ``invented`` ones, or ``names`` in use. Types that are none of
    the three have no entities.
    """

    language: str = "pt"
    called: str | None = None
    table: str = "invented"

    @property
    def name(self) -> str:
        """The name that thresholds.toml uses."""
        return self.called or f"{self.table}:{self.language}"

    def entities(self, kind: str) -> Sequence[Entity]:
        """The names of the sort that the type ``kind`` belongs to, in alphabetical order."""
        return self._names.entities(sort_of(kind) or "")

    def shared(self, kind: str) -> Sequence[Entity]:
        """Those of them that are names of another sort too."""
        return self._names.shared(sort_of(kind) or "")

    def has_word(self, word: str) -> bool:
        """Whether the word occurs in one of them."""
        return self._names.has_word(word)

    def has_text(self, text: str) -> bool:
        """Whether these characters occur in one of them."""
        return self._names.has_text(text)

    @property
    def _names(self) -> Names:
        return _listed_entities(f"{self.table}_{self.language}")


@cache
def _listed_entities(table: str) -> Names:
    return Names(table, {tuple(name.split()): sorts.split("|") for name, sorts in pairs(table).items()})


@lru_cache(2**10)
def sort_of(kind: str) -> Sort | None:
    """Person, place or organisation, from what a corpus calls an entity type; None for any other type."""
    plain = "".join(char for char in unicodedata.normalize("NFD", kind.casefold()) if not unicodedata.combining(char))
    return _SORTS.get(pairs("entity_types").get(plain, ""))


_SORTS: Mapping[str, Sort] = {"person": "person", "place": "place", "organisation": "organisation"}


class InOrder:
    """Sentences of a corpus in their order; a `NextSentences`. Of equal sentences the first is meant.

    ``starts`` are the places of those that begin a document, which follow nothing.
    """

    def __init__(self, name: str, sentences: Sequence[Sentence], starts: Iterable[int] = ()) -> None:
        self.name = name
        self._sentences = sentences
        self._places: dict[tuple[str, ...], int] = {}
        for place, sentence in enumerate(sentences):
            self._places.setdefault(sentence.tokens, place)
        self._starts = frozenset(starts)

    def after(self, sentence: Sentence, count: int) -> Sequence[Sentence]:
        """The next ``count`` sentences of the document, none after a sentence that is not in the corpus."""
        place = self._places.get(sentence.tokens)
        if place is None:
            return ()
        stop = place + 1
        while stop <= place + count and stop < len(self._sentences) and stop not in self._starts:
            stop += 1
        return self._sentences[place + 1 : stop]


@dataclass(frozen=True, slots=True)
class Always:
    """The same sentences after any other; a `NextSentences`."""

    name: str
    sentences: tuple[Sentence, ...]

    def after(self, _sentence: Sentence, count: int) -> Sequence[Sentence]:
        """The first ``count`` of them."""
        return self.sentences[:count]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts in their order; `Passages`."""

    name: str
    texts: Sequence[Sentence]


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Words for words, in lower case; a `Suggesting` that reads no context, and a `Neighbours`."""

    name: str
    words: Mapping[str, Sequence[RankedWord]]

    def suggestions(self, sentence: Sentence, place: int) -> Sequence[RankedWord]:
        """Those for the token."""
        return self.words.get(sentence.tokens[place].lower(), ())

    def near(self, words: Sequence[str]) -> Sequence[Sequence[RankedWord]]:
        """Those for each word."""
        return [self.words.get(word.lower(), ()) for word in words]


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """Meanings by word in lower case; a `Senses`."""

    name: str
    words: Mapping[str, Sequence[Sense]]

    def senses(self, word: str) -> Sequence[Sense]:
        """Those of the word."""
        return self.words.get(word, ())


@dataclass(frozen=True, slots=True, eq=False)
class WordList:
    """A reviewed list of words that can stand for others as they are written; a `Senses`.

    ``words`` have what stands for them both as synonyms and as antonyms: what it is, the parameter says that asks for
    it. A word that is not among them may be one of the ``plain`` ones, without accents. ``shipped`` is the name of a
    list that ships, ``edition`` tells a file from others of its name.
    """

    name: str
    words: Mapping[str, Sequence[Sense]]
    plain: Mapping[str, Sequence[Sense]]
    shipped: str = ""
    edition: str = ""

    def senses(self, word: str) -> Sequence[Sense]:
        """The words that stand for it, by part of speech, which is empty where the list does not tell."""
        return self.words.get(word) or self.plain.get(word, ())


@dataclass(frozen=True, slots=True, eq=False)
class NamesByGender:
    """Given names in lower case with their gender; a `GivenNames`."""

    name: str
    genders: Mapping[str, Literal["woman", "man"]]


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """Texts for texts; a `Translating`."""

    name: str
    texts: Mapping[str, str]

    def translations(self, texts: Sequence[str]) -> Sequence[str | None]:
        """The text for each."""
        return [self.texts.get(text) for text in texts]


REVIEWED = Meanings("lists", {})

BY_NAME: dict[type, Callable[[str], object]] = {}
"""What makes a resource of a kind from the name of a list that ships; raises ValueError where there is no such list."""
"""Stands for the lists that ship, in the place of a wordnet."""

LISTED_NAMES = NamesByGender("lists", {})
"""No given names besides those in the lists that ship."""

INVENTED = Invented()
"""Invented Portuguese names."""

REAL = Invented(table="names")
"""Real Portuguese names: those of several sorts, and long ones."""

STAND_INS = Invented(called=JUDGED)
"""The same names, where a run takes the entities of the corpus under test."""

UNTRAINED = FromCorpus(JUDGED, ())
"""An empty pool, where a run takes the entities and words of the training corpus."""
