"""How functions become perturbations, and finding one by name.

Five lifts turn a small function into a perturbation:

* `character_level`: ``function(char)`` gives the strings that could replace a character;
* `word_level`: ``function(word)`` gives the strings that could replace a word, or follow it;
* `entity_level`: ``function(sentence, span)`` gives the token sequences that could replace an entity;
* `target_level`: ``function(word)`` gives the strings that could stand in or around target spans;
* `sentence_level`: ``function(sentence)`` gives, site by site, the edits possible there, or a function that makes them.

Keyword-only parameters of the function are parameters of the perturbation. ``rate`` belongs to all of them, and so does
``at_least``: where it is 1, a sentence in which chance hits no site is changed at one, if it has any.
``inside_entities`` belongs to all on characters and words: where it is false, entities stay as they are, and where it
is "only", all else does.

Functions depend on their arguments alone, and give options as a list or tuple, never as a set: the order is part of the
draw. For words that have too many to list there is `perturbations.numbered`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, TypedDict, TypeVar, Unpack, get_type_hints

from perturbations.languages import Called, further_names, has, language_named
from perturbations.levels import CharacterLevel, EntityLevel, SentenceLevel, TargetLevel, Where, WordLevel
from perturbations.notation import parse
from perturbations.parameters import check_value
from perturbations.perturbation import LANGUAGE, Cost, Example, Kind, Labels, Perturbation, Scheme
from perturbations.resources import Invented, Pool
from perturbations.suggestions import did_you_mean
from perturbations.text import Meaning, Relation

Function = Callable[..., Any]
P = TypeVar("P", bound=Perturbation)


class Declared(TypedDict, total=False):
    """The declarations that a lift accepts: fields of `Perturbation`."""

    rate: float
    labels: Labels
    cost: Cost
    languages: tuple[str, ...]
    needs: tuple[str, ...]
    knows: tuple[str, ...]
    alphabetic: bool
    scripts: tuple[str, ...]
    title: str
    aliases: tuple[str, ...]
    monotone: bool
    kind: Kind
    resizes: bool
    scheme: Scheme
    renews: bool
    meaning: Meaning
    relation: Relation
    at_least: Literal[0, 1]


class DeclaredOfCharacters(Declared, total=False):
    """The same for `character_level`, with the fields of `CharacterLevel`."""

    asked_as: Callable[..., Any]


class DeclaredOfWords(Declared, total=False):
    """The same for `word_level`, with the fields of `WordLevel`."""

    place: Literal["instead", "after"]
    across: Callable[..., Any]


class DeclaredOfTargets(Declared, total=False):
    """The same for `target_level`, with the fields of `TargetLevel`."""

    where: Where
    spares: Callable[..., Collection[int]]


def character_level(
    *, example: tuple[str, str], **declared: Unpack[DeclaredOfCharacters]
) -> Callable[[Function], CharacterLevel]:
    """Make ``function(char, *, …)``, the strings that could replace a character, a perturbation.

    ``example`` is a checked pair before, after in the bracket notation, as for every lift. With ``asked_as``, the
    function is given what ``asked_as(sentence, char)`` gives.
    """
    return lambda function: _register(CharacterLevel, function, example, declared)


def word_level(*, example: tuple[str, str], **declared: Unpack[DeclaredOfWords]) -> Callable[[Function], WordLevel]:
    """Make ``function(word, *, …)``, the strings that could replace a word, a perturbation.

    A tuple of strings stands for several words, an empty one for none. With ``place="after"`` they follow the word.
    """
    return lambda function: _register(WordLevel, function, example, declared)


def entity_level(*, example: tuple[str, str], **declared: Unpack[Declared]) -> Callable[[Function], EntityLevel]:
    """Make ``function(sentence, span, *, …)``, the token sequences that could replace an entity, a perturbation.

    They may come in groups, a tuple each, of which one is drawn first, or as `OneWordOff`.
    """
    return lambda function: _register(EntityLevel, function, example, declared)


def target_level(
    *, example: tuple[str, str], **declared: Unpack[DeclaredOfTargets]
) -> Callable[[Function], TargetLevel]:
    """Make ``function(word, *, …)``, the strings that could stand where ``where`` says, a perturbation.

    Targets are the anchors of a sentence or, without any, its entities. For a gap the word is empty. Strings may come
    in groups, a tuple each, of which one is drawn first.
    """
    return lambda function: _register(TargetLevel, function, example, declared)


def sentence_level(*, example: tuple[str, str], **declared: Unpack[Declared]) -> Callable[[Function], SentenceLevel]:
    """Make ``function(sentence, *, …)``, which gives the edits possible at each site, a perturbation.

    Edits of different sites must not overlap, since all may be hit at once.
    """
    return lambda function: _register(SentenceLevel, function, example, declared)


class UnknownPerturbation(LookupError):  # noqa: N818 - it says what is wrong already
    """No perturbation of that name; the message names the nearest ones."""


ELSEWHERE: Mapping[str, str] = {
    "Overlap": "suites of capabilities: bundled:pairs-en, bundled:pairs-pt or bundled:pairs-zh in capabilities.toml",
    "CnSwapSynWordEmbedding": "synonyms by lists in Chinese: use CnSynonym",
    "LengthSubPopulation": "the slice length: use [[TASK.slice]]",
    "LMSubPopulation": "the slice perplexity: use [[TASK.slice]]",
    "PhraseSubPopulation": "the slice phrase: use [[TASK.slice]]",
    "PrejudiceSubPopulation": "the slice gender_words: use [[TASK.slice]]",
    "EditDistance": "the validator edit_distance: name it in require",
    "MaxWordsPerturbed": "the validator words_changed: name it in require",
    "GPT2Perplexity": "the validator perplexity_ratio: name it in require",
    "SentenceEncoding": "the validator similarity: name it in require",
    "TranslateScore": "the validators bleu and chrf: name one in require",
}
"""Published names that stand for something else than a perturbation, or for none of their own, with what they are."""


def members() -> Mapping[str, Perturbation]:
    """Every perturbation by name: those of `perturbations.families` and those decorated elsewhere so far."""
    _load_families()
    return MappingProxyType(dict(sorted(_members.items())))


@contextmanager
def restore_after() -> Iterator[None]:
    """The perturbations in the end are those of before."""
    before = members()
    try:
        yield
    finally:
        _members.clear()
        _members.update(before)


def find(name: str) -> Perturbation:
    """The perturbation of that name or alias; raises `UnknownPerturbation`.

    By a name that it has for one language alone, such as ``zh_antonym``, it is set to that language.
    """
    _load_families()
    if name in _members:
        return _members[name]
    known = {called: member for member in _members.values() for called in (member.name, *member.aliases)}
    of_languages = further_names()
    if name in known:
        return known[name]
    if name in of_languages:
        return _in_language(known[of_languages[name][1].name], *of_languages[name], drawn_as=name)
    if name in ELSEWHERE:
        raise UnknownPerturbation(f"{name} is no perturbation here, but {ELSEWHERE[name]}")
    raise UnknownPerturbation(f"no perturbation {name!r}{did_you_mean(name, [*known, *of_languages])}")


def _in_language(member: Perturbation, code: str, meant: Called, *, drawn_as: str) -> Perturbation:
    """The perturbation that a further name stands for: in its language, with names of that, drawn as ever."""
    params = {**language_named(code).usual.get(member.name, {}), **meant.params}
    if LANGUAGE in member.params:
        params[LANGUAGE] = code
    if has(code, "names"):
        params |= {name: Invented(code, table="names") for name, kind in member.resources().items() if kind is Pool}
    return replace(member.configured(**params), drawn_as=drawn_as)


_members: dict[str, Perturbation] = {}


_FAMILIES = "perturbations.families"


@cache
def _load_families() -> None:
    families = importlib.import_module(_FAMILIES)
    for module in pkgutil.walk_packages(families.__path__, f"{families.__name__}."):
        importlib.import_module(module.name)


_FIELDS = {"languages": "only_for"}
"""The fields of `Perturbation` that are declared by another name: its ``languages`` follow from what it needs, too."""


def _register(level: type[P], function: Function, example: tuple[str, str], declared: Mapping[str, Any]) -> P:
    if not f"{function.__module__}.".startswith(f"{_FAMILIES}."):
        _load_families()  # or a name of one of them would be refused there, whenever they are asked for
    _check_signature(level, function)
    before, after = example
    said = {_FIELDS.get(field, field): _check_field(function, field, value) for field, value in declared.items()}
    member = level(name=function.__name__, function=function, example=Example(before, after), **said)
    for text in example:
        parse(text)
    _check_names(member)
    _members[member.name] = member
    return member


@cache
def _declarable() -> Mapping[str, Any]:
    """The type of each field that a level can be declared with."""
    lifts = (DeclaredOfCharacters, DeclaredOfWords, DeclaredOfTargets)
    return {field: kind for lift in lifts for field, kind in get_type_hints(lift).items()}


def _check_field(function: Function, field: str, value: Any) -> Any:
    hints = _declarable()
    if field not in hints:
        raise TypeError(f"{function.__name__}: nothing to declare as {field!r}{did_you_mean(field, hints)}")
    try:
        return check_value(value, hints[field])
    except TypeError as error:
        raise TypeError(f"{function.__name__}: {field} is {error}") from None


def _check_signature(level: type[Perturbation], function: Function) -> None:
    parameters = inspect.signature(function).parameters.values()
    taken = [p for p in parameters if p.kind is not p.KEYWORD_ONLY]
    plain = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in taken)
    if not plain or len(taken) != len(level.arguments):
        raise TypeError(
            f"{function.__name__} takes ({', '.join(map(str, taken))}); {level.level}_level wants a function of "
            f"({', '.join(level.arguments)}), with parameters, if any, after a *"
        )
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and (p.default is p.empty or p.name == "rate"):
            raise TypeError(f"{function.__name__}: parameter {p.name!r} needs a default, and 'rate' belongs to all")
        if p.name in level.common:
            raise TypeError(f"{function.__name__}: {p.name!r} belongs to all of {level.level}_level; name it otherwise")


def _check_names(member: Perturbation) -> None:
    if not member.name.isidentifier():
        raise TypeError(f"{member.name!r} cannot name a perturbation: write a function with def")
    for known in [*_members.values()]:
        shared = {known.name, *known.aliases} & {member.name, *member.aliases}
        if shared and known.function.__module__ == member.function.__module__ == "__main__":
            del _members[known.name]  # a cell of a notebook runs again, perhaps edited: the last definition wins
        elif shared and _definition(known) != _definition(member):
            both = f"{_definition(known)} and {_definition(member)}"
            raise ValueError(f"two perturbations are called {min(shared)!r}: {both}; rename one")


def _definition(member: Perturbation) -> str:
    function = inspect.unwrap(member.function)
    return f"{function.__qualname__} in {function.__code__.co_filename}"
