"""What a perturbation is, and the four levels it can act on.

A perturbation enumerates: it says where a sentence could change (sites) and what could stand there (options, as
edits). Sampling draws among them; attacks search them.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate, groupby
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol

from perturbations.application import apply, compose, unchanged
from perturbations.parameters import checked
from perturbations.streams import hits, pick, stream
from perturbations.suggestions import did_you_mean
from perturbations.text import Edit, Perturbed, Sentence, Span, entity_spans, sentence_id

Labels = Literal["keeps", "moves", "changes"]
"""What happens to labels: kept, carried to other places by the origins, or given anew by the edits."""

Cost = Literal["text", "model"]
"""What options are made with: text alone, or a model that runs only when asked for."""

Options = Sequence[Edit]

_REMEMBERED = 2**16  # characters or words; the words of a large corpus are not many more


@dataclass(frozen=True, slots=True)
class Example:
    """A checked example in bracket notation: ``after`` is one of the variants of ``before`` at rate 1."""

    before: str
    after: str


@dataclass(frozen=True)
class Perturbation(ABC):
    """A named family of edits with its parameters.

    ``rate`` is the share of sites that are hit, 0 to 1, each independently. ``params`` are the function's own
    keyword-only parameters. ``languages`` holds ISO 639-1 codes; empty for any language. ``monotone`` says that no
    token changes places.

    Raises TypeError or ValueError for a rate or a parameter that does not fit.
    """

    name: str
    function: Callable[..., Any]
    example: Example
    rate: float = 1.0
    params: Mapping[str, Any] = field(default_factory=dict)
    labels: Labels = "keeps"
    cost: Cost = "text"
    languages: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    monotone: bool = True

    level: ClassVar[str]
    arguments: ClassVar[tuple[str, ...]]
    """What the function takes besides its keyword-only parameters."""

    def __post_init__(self) -> None:
        if isinstance(self.rate, bool) or not isinstance(self.rate, int | float) or not 0 <= self.rate <= 1:
            raise ValueError(f"{self.name}: rate is {self.rate!r}; expected a number from 0 to 1")
        known = self.parameters()
        for name in self.params:
            if name not in known:
                raise TypeError(f"{self.name}: no parameter {name!r}{did_you_mean(name, [*known, 'rate'])}")
        values = {name: self.params.get(name, parameter.default) for name, parameter in known.items()}
        params = {name: self._checked(name, value, known[name].annotation) for name, value in values.items()}
        object.__setattr__(self, "rate", float(self.rate))
        object.__setattr__(self, "params", MappingProxyType(params))

    def _checked(self, name: str, value: Any, annotation: Any) -> Any:
        try:
            return checked(value, annotation)
        except TypeError as error:
            raise TypeError(f"{self.name}: {name} is {error}") from None

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    def configured(self, *, rate: float | None = None, **params: Any) -> Perturbation:
        """The same perturbation with other parameters; raises TypeError or ValueError naming the one that is wrong."""
        return replace(self, rate=self.rate if rate is None else rate, params={**self.params, **params})

    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The function's keyword-only parameters by name, with annotations and defaults.

        One that has no annotation is taken to be of the type of its default. Raises TypeError where annotations name
        what is not there.
        """
        try:
            signature = inspect.signature(self.function, eval_str=True)
        except NameError as error:
            raise TypeError(f"{self.name}: {error}: import what annotations name not only for type checking") from error
        return {
            name: p.replace(annotation=type(p.default)) if p.annotation is p.empty else p
            for name, p in signature.parameters.items()
            if p.kind is p.KEYWORD_ONLY
        }

    def sites(self, sentence: Sentence) -> Iterator[Options]:
        """Every place where the sentence could change, each as the edits possible there; never an empty one."""
        places = self._places(sentence)
        for place in map(places.__getitem__, range(len(places))):
            choices = self._choices(sentence, place)
            if choices:
                yield [self._edit(place, choice) for choice in choices]

    def draw(self, sentence: Sentence, draws: Random) -> list[Edit]:
        """Edits for the sites that are hit, one option each, every option equally likely."""
        places = self._places(sentence)
        edits = []
        for place in map(places.__getitem__, hits(draws, len(places), self.rate)):
            choices = self._choices(sentence, place)
            if choices:
                edits.append(self._edit(place, pick(draws, choices)))
        return edits

    def sample(self, sentence: Sentence, *, seed: int, step: int = 0, key: str | None = None) -> Perturbed | None:
        """One variant of the sentence, the same for the same seed; None where nothing changes or nothing would be left.

        ``step`` is the position in a pipeline, so that a perturbation used twice draws differently. ``key`` is what
        the draws depend on beside, by default the sentence's own id.
        """
        edits = self.draw(sentence, stream(seed, self.name, step, sentence_id(sentence) if key is None else key))
        if not edits:
            return None
        try:
            perturbed = apply(sentence, edits)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.name}: {error}") from error
        new = perturbed.sentence
        changed = new.tokens != sentence.tokens or new.spaces != sentence.spaces
        return perturbed if changed and new.tokens else None

    @abstractmethod
    def _places(self, sentence: Sentence) -> Places:
        """Where the sentence could change, before asking what could stand there."""

    @abstractmethod
    def _choices(self, sentence: Sentence, place: Any) -> Sequence[Any]:
        """What could stand at the place, other than what stands there now."""

    @abstractmethod
    def _edit(self, place: Any, choice: Any) -> Edit:
        """The edit that puts the choice there."""

    def _listed(self, options: Any, argument: object) -> list[Any] | tuple[Any, ...]:
        """The options that the function gave for the argument, if they are fit to be drawn from."""
        if isinstance(options, list | tuple):
            return options
        raise TypeError(f"{self.name}({argument!r}) gave {options!r}; expected a list or tuple of options, in order")

    def _words(self, choice: Any, argument: object) -> tuple[str, ...]:
        """An option that stands for words in a row."""
        if isinstance(choice, list | tuple) and all(isinstance(word, str) for word in choice):
            return tuple(choice)
        raise TypeError(f"{self.name}({argument!r}) gave the option {choice!r}; expected a list or tuple of words")


class Places(Protocol):
    """Something to look up by number, from 0 up to its length."""

    def __len__(self) -> int: ...

    def __getitem__(self, site: int, /) -> Any: ...


class CharacterLevel(Perturbation):
    """Sites are the characters of all tokens; several may be hit in one word, but never so that nothing is left of it.

    The function is asked once for every distinct character.
    """

    level = "character"
    arguments = ("char",)

    def draw(self, sentence: Sentence, draws: Random) -> list[Edit]:
        return _without_blank_tokens(sentence, super().draw(sentence, draws))

    @cached_property
    def _options(self) -> Callable[[str], Sequence[str]]:
        @lru_cache(_REMEMBERED)
        def options(char: str) -> Sequence[str]:
            choices = self._listed(self.function(char, **self.params), char)
            for choice in choices:
                if not isinstance(choice, str):
                    raise TypeError(f"{self.name}({char!r}) gave the option {choice!r}; expected a string")
            return [choice for choice in choices if choice != char]

        return options

    def _places(self, sentence: Sentence) -> Places:
        return _Characters(sentence.tokens)

    def _choices(self, sentence: Sentence, place: tuple[int, int]) -> Sequence[str]:
        i, a = place
        token = sentence.tokens[i]
        choices = self._options(token[a])
        alone = token.strip() == token[a]
        return [choice for choice in choices if choice.strip()] if alone else choices

    def _edit(self, place: tuple[int, int], choice: str) -> Edit:
        i, a = place
        return Edit(i, i + 1, (choice,), None, (a, a + 1))


@dataclass(frozen=True)
class WordLevel(Perturbation):
    """Sites are tokens: replaced, or followed by inserted ones when ``place`` is "after".

    The function is asked once for every distinct word.
    """

    place: Literal["instead", "after"] = "instead"

    level = "word"
    arguments = ("word",)

    @cached_property
    def _options(self) -> Callable[[str], Sequence[tuple[str, ...]]]:
        @lru_cache(_REMEMBERED)
        def options(word: str) -> Sequence[tuple[str, ...]]:
            given = self._listed(self.function(word, **self.params), word)
            choices = [(choice,) if isinstance(choice, str) else self._words(choice, word) for choice in given]
            return [choice for choice in choices if choice != ((word,) if self.place == "instead" else ())]

        return options

    def _places(self, sentence: Sentence) -> range:
        return range(len(sentence))

    def _choices(self, sentence: Sentence, place: int) -> Sequence[tuple[str, ...]]:
        return self._options(sentence.tokens[place])

    def _edit(self, place: int, choice: tuple[str, ...]) -> Edit:
        return Edit(place + 1 if self.place == "after" else place, place + 1, choice)


class EntityLevel(Perturbation):
    """Sites are the entities that the tags mark; each option is an entity of the same type in its place."""

    level = "entity"
    arguments = ("sentence", "span")

    def _places(self, sentence: Sentence) -> Sequence[Span]:
        return entity_spans(sentence.tags or ())

    def _choices(self, sentence: Sentence, place: Span) -> Sequence[tuple[str, ...]]:
        present = sentence.tokens[place.start : place.stop]
        given = self._listed(self.function(sentence, place, **self.params), place)
        choices = [self._words(choice, place) for choice in given]
        return [choice for choice in choices if choice != present]

    def _edit(self, place: Span, choice: tuple[str, ...]) -> Edit:
        return Edit(place.start, place.stop, choice, _entity_tags(place.type, len(choice)))


class SentenceLevel(Perturbation):
    """Sites are whatever the function says: it gives a list of edits for each, and edits of two sites never overlap."""

    level = "sentence"
    arguments = ("sentence",)

    def _places(self, sentence: Sentence) -> Sequence[Options]:
        sites = self.function(sentence, **self.params)
        if not isinstance(sites, Iterable):
            raise TypeError(f"{self.name} gave {sites!r}; expected sites, each a list or tuple of edits")
        return list(sites)

    def _choices(self, sentence: Sentence, place: Options) -> Options:
        for option in self._listed(place, sentence):
            if not isinstance(option, Edit):
                raise TypeError(f"{self.name} gave the option {option!r}; expected an Edit")
        return [edit for edit in place if _makes_a_difference(sentence, edit)]

    def _edit(self, place: Options, choice: Edit) -> Edit:
        return choice


def sample_pipeline(steps: Sequence[Perturbation], sentence: Sentence, *, seed: int) -> Perturbed | None:
    """One variant of the sentence by all ``steps`` in turn, as one step; None where nothing changes.

    The draws of every step depend on the sentence as it was in the beginning.
    """
    key = sentence_id(sentence)
    result = unchanged(sentence)
    for step, perturbation in enumerate(steps):
        perturbed = perturbation.sample(result.sentence, seed=seed, step=step, key=key)
        if perturbed is not None:
            result = compose(sentence, result, perturbed)
    return result if result.edits else None


class _Characters:
    """All characters of the tokens as (token, place in it), each made when looked up, since few of them are hit."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.ends = list(accumulate(map(len, tokens)))

    def __len__(self) -> int:
        return self.ends[-1] if self.ends else 0

    def __getitem__(self, site: int) -> tuple[int, int]:
        i = bisect_right(self.ends, site)
        return i, site - self.ends[i] + len(self.tokens[i])


def _entity_tags(kind: str, count: int) -> tuple[str, ...]:
    return (f"B-{kind}",) + (f"I-{kind}",) * (count - 1) if count else ()


def _makes_a_difference(sentence: Sentence, edit: Edit) -> bool:
    if edit.chars is not None:
        return edit.tokens[0] != sentence.tokens[edit.start][slice(*edit.chars)]
    replaced = slice(edit.start, edit.stop)
    return edit.tokens != sentence.tokens[replaced] or edit.spaces not in (None, sentence.spaces[replaced])


def _without_blank_tokens(sentence: Sentence, edits: list[Edit]) -> list[Edit]:
    """The edits, less the last ones of any token of which they would leave nothing visible."""
    if all(edit.tokens[0].strip() for edit in edits):
        return edits
    kept: list[Edit] = []
    for i, group in groupby(edits, key=lambda edit: edit.start):
        within = list(group)
        while within and not _edited(sentence.tokens[i], within).strip():
            within.pop()
        kept += within
    return kept


def _edited(token: str, edits: Sequence[Edit]) -> str:
    for edit in reversed(edits):
        assert edit.chars is not None
        token = token[: edit.chars[0]] + edit.tokens[0] + token[edit.chars[1] :]
    return token

