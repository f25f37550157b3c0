"""The levels a perturbation can act on: characters, words, entities, target spans, whole sentences."""

from __future__ import annotations

import inspect
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate, groupby
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from perturbations.documents import is_document, move_edit, part_of, sentences_of
from perturbations.graphemes import cluster_at, takes_marks
from perturbations.languages import layout_of
from perturbations.languages.layout import Layout
from perturbations.mentions import Name, NamePart, names
from perturbations.numbered import Numbered, OnDemand
from perturbations.perturbation import AT_LEAST, Options, Perturbation
from perturbations.resources import Entities, Entity, Folded
from perturbations.sites import in_case_of
from perturbations.streams import hits, pick
from perturbations.text import Edit, Sentence, Span, entity_spans, entity_starts, fold_case

_REMEMBERED = 2**16
"""For how many words at most the options are kept: about the vocabulary of a large corpus."""

_SENTENCES = 2**13
"""For how many sentences at most their sites are kept, for other seeds."""


class _Anywhere(Perturbation):
    """Sites may lie in entities, unless ``inside_entities`` is false; with "only" they lie nowhere else.

    The draws are the same in all three cases, so that a word outside becomes what it also becomes where all are hit.
    """

    common: ClassVar[Mapping[str, inspect.Parameter]] = MappingProxyType(
        {
            **Perturbation.common,
            "inside_entities": inspect.Parameter(
                "inside_entities", inspect.Parameter.KEYWORD_ONLY, default=True, annotation=bool | Literal["only"]
            ),
        }
    )

    def _sites(self, sentence: Sentence) -> Iterator[list[Edit]]:
        """The sites on the right side of the borders of entities."""
        for site in super()._sites(sentence):
            if self._allowed(sentence, [site[0]]):
                yield site

    def _allowed(self, sentence: Sentence, edits: list[Edit]) -> list[Edit]:
        """The edits, less those on the wrong side of the border of an entity."""
        wanted = self.params["inside_entities"]
        if wanted is True or not edits:
            return edits
        entities = entity_starts(sentence.entity_tags or ("O",) * len(sentence))
        return [edit for edit in edits if _is_inside(edit, entities) == (wanted == "only")]


@dataclass(frozen=True)
class CharacterLevel(_Anywhere):
    """Sites are the characters of all tokens; several may be hit in one word, but never so that nothing is left of it.

    The function is asked once for every distinct character; with ``asked_as``, a function of the sentence and a
    character, for what that gives instead. What cannot bear the marks of a character takes the place of both; emoji,
    flags and other characters of several code points change whole.
    """

    asked_as: Callable[[Sentence, str], str] | None = None

    level = "character"
    arguments = ("char",)

    def draw(self, sentence: Sentence, start: Callable[[], Random]) -> list[Edit]:
        """Edits for the characters that are hit, less those that would leave nothing visible of a token."""
        # What the base class does, in one loop without places: there are many characters, and few are hit.
        tokens, options, draws = sentence.tokens, self._options, start()
        ends = list(accumulate(map(len, tokens)))
        edits = []
        for site in hits(draws, sum(map(len, tokens)), self.rate):
            i = bisect_right(ends, site)
            token = tokens[i]
            a = site - ends[i] + len(token)
            choices = options(self._char(sentence, token[a]))
            if not token.isascii():
                choices = self._whole(token, a, choices)
            if token.strip() == token[a]:
                choices = _visible(choices)
            if choices:
                edits.append(self._edit(sentence, (i, a), pick(draws, choices)))
        return self._allowed(sentence, _without_blank_tokens(sentence, edits))

    def _char(self, sentence: Sentence, char: str) -> str:
        """The argument of the function for a character of the sentence."""
        return char if self.asked_as is None else self.asked_as(sentence, char)

    @cached_property
    def _options(self) -> Callable[[str], Sequence[tuple[str]]]:
        @cache
        def options(char: str) -> Sequence[tuple[str]]:
            given = _list_options(self, char, self._asked(char))
            for choice in given:
                if not isinstance(choice, str):
                    raise TypeError(f"{self.name}({char!r}) gave the option {choice!r}; expected a string")
            return [(choice,) for choice in given if choice != char]

        return options

    def _places(self, sentence: Sentence) -> Sequence[tuple[int, int]]:
        return [(i, a) for i, token in enumerate(sentence.tokens) for a in range(len(token))]

    def _choices(self, sentence: Sentence, place: tuple[int, int]) -> Sequence[tuple[str]]:
        i, a = place
        token = sentence.tokens[i]
        choices = self._whole(token, a, self._options(self._char(sentence, token[a])))
        return _visible(choices) if token.strip() == token[a] else choices

    def _whole(self, token: str, place: int, choices: Sequence[tuple[str]]) -> Sequence[tuple[str]]:
        """The choices after which no mark or joiner in the token has lost its base."""
        start, stop = cluster_at(token, place)
        if stop == start + 1 or not choices:
            return choices
        cluster = token[start:stop]
        keys = takes_marks(cluster[0], cluster)
        if start < place:
            return choices if keys else ()
        if keys and any(map(self._options, cluster[1:])):
            return [choice for choice in choices if takes_marks(choice[0], cluster)]
        return choices

    def _edit(self, sentence: Sentence, place: tuple[int, int], choice: tuple[str]) -> Edit:
        i, a = place
        token = sentence.tokens[i]
        start, stop = cluster_at(token, a)
        bears = start < a or takes_marks(choice[0], token[start:stop])
        return Edit(i, i + 1, choice, None, (a, a + 1 if bears else stop))


_WordChoices = Numbered | Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class WordLevel(_Anywhere):
    """Sites are tokens: replaced, or followed by inserted ones when ``place`` is "after".

    The function is asked once for every distinct word. What it gives as `Numbered` is made when drawn. In a language
    whose words are no tokens, ``across(sentence, *, …)``, with the function's parameters, gives the sites instead; in
    any other it is None.
    """

    place: Literal["instead", "after"] = "instead"
    across: Callable[..., Sequence[Options] | None] | None = None

    level = "word"
    arguments = ("word",)

    def draw(self, sentence: Sentence, start: Callable[[], Random]) -> list[Edit]:
        """Edits for the words that are hit."""
        # What the base class does, in one loop without methods and `pick`: it is most of the time that sampling takes.
        sites = self._sites_across(sentence)
        if sites is not None:
            return self._allowed(sentence, self._drawn(sentence, sites, start()) if sites else [])
        tokens, options, width = sentence.tokens, self._options, 0 if self.place == "after" else 1
        if not self._by_chance:
            every = list(map(options, tokens))
            if all(type(choices) is list and len(choices) < 2 for choices in every):
                sure = [Edit(i + 1 - width, i + 1, choices[0]) for i, choices in enumerate(every) if choices]
                return self._allowed(sentence, sure)
        draws, edits = start(), []
        for site in hits(draws, len(tokens), self.rate):
            choices = options(tokens[site])
            if isinstance(choices, Numbered):
                edits.append(Edit(site + 1 - width, site + 1, (choices.picked(draws),)))
            elif choices:
                edits.append(Edit(site + 1 - width, site + 1, choices[int(draws.random() * len(choices))]))
        return self._allowed(sentence, edits)

    @cached_property
    def _by_chance(self) -> bool:
        """Whether the stream is needed even where no word has more than one option."""
        return self.rate < 1 or bool(self.params[AT_LEAST])  # one of all edits is drawn from the rest of the stream

    def _sites_across(self, sentence: Sentence) -> Sequence[Options] | None:
        return None if self.across is None else self.across(sentence, **self.own_params)

    @cached_property
    def _options(self) -> Callable[[str], _WordChoices]:
        @lru_cache(_REMEMBERED)
        def options(word: str) -> _WordChoices:
            made = self._asked(word)
            if isinstance(made, Numbered):
                return made or ()
            given = _list_options(self, word, made)
            choices = [(choice,) if isinstance(choice, str) else _words(self, word, choice) for choice in given]
            present = (word,) if self.place == "instead" else ()
            return [choice for choice in choices if choice != present]

        return options

    def _places(self, sentence: Sentence) -> Sequence[int | Options]:
        sites = self._sites_across(sentence)
        return range(len(sentence)) if sites is None else sites

    def _choices(self, sentence: Sentence, place: int | Options) -> _WordChoices | Options:
        return self._options(sentence.tokens[place]) if isinstance(place, int) else place

    def _edit(self, _sentence: Sentence, place: Any, choice: str | tuple[str, ...] | Edit) -> Edit:
        if isinstance(choice, Edit):
            return choice
        words = (choice,) if isinstance(choice, str) else choice
        return Edit(place + 1 if self.place == "after" else place, place + 1, words)


@dataclass(frozen=True, slots=True)
class OneWordOff(Sequence[Sequence[tuple[str, ...]]]):
    """Groups of entities that are ``entity`` with one word replaced.

    Each of the ``groups`` is the place of the word, and a function that gives its replacements: at least one, and not
    the word itself. It is called when the group is drawn, since there are hundreds of replacements for each word.
    """

    entity: tuple[str, ...]
    groups: Sequence[tuple[int, Callable[[], Sequence[str]]]]

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, number: Any) -> Any:
        """A group with all its entities, or a slice of groups."""
        if isinstance(number, slice):
            return list(self)[number]
        place, words = self.groups[number]
        return [self._with(place, word) for word in words()]

    def picked(self, draws: Random) -> tuple[str, ...]:
        """An entity of one of the groups; two draws."""
        place, words = pick(draws, self.groups)
        return self._with(place, pick(draws, words()))

    def _with(self, place: int, word: str) -> tuple[str, ...]:
        return (*self.entity[:place], word, *self.entity[place + 1 :])


class _Grouped(Perturbation):
    """Options may come in groups: of the groups with an option each is equally likely, and in it each option."""

    def _sites(self, sentence: Sentence) -> Iterator[list[Edit]]:
        """Every place where the sentence could change, each as the edits possible there, whatever their group."""
        for place in self._places_once(sentence):
            choices = [choice for group in self._choices(sentence, place) for choice in group]
            if choices:
                yield [self._edit(sentence, place, choice) for choice in choices]


class _Known(NamedTuple):
    """A name, the options for each of its whole mentions, and the new names that can stand for all of these.

    New names are without their letter case; none of those in the sentence already is among them.
    """

    name: Name
    options: Sequence[Folded]
    free: Sequence[Entity]


def _know(name: Name, options: Sequence[Folded], text: str) -> _Known:
    first, *others = options
    free = first.absent(text) if first else ()
    return _Known(name, options, [new for new in free if all(new in each for each in others)] if others else free)


class EntityLevel(_Grouped):
    """Sites are the entities that the tags mark; each option is an entity of the same type in its place."""

    level = "entity"
    arguments = ("sentence", "span")

    def draw(self, sentence: Sentence, start: Callable[[], Random]) -> list[Edit]:
        """Edits for the entities that are hit. Where new ones are given, equal names get one, and each name another.

        None of them is there already. A part of a name, such as a surname, becomes that of the new name. Where no
        entity has an option, no stream is started.
        """
        if not self.renews:
            return super().draw(sentence, start)
        known = self._known_names(sentence) if self._places(sentence) else ()
        if not known:
            return []
        draws = start()
        edits, given = [], set[Entity]()
        for number in hits(draws, len(known), self.rate):
            name, options, free = known[number]
            if not options[0].keys().isdisjoint(given):
                free = [new for new in free if new not in given]
            if not free:
                continue
            new = pick(draws, free)
            given.add(new)
            whole = zip(name.whole, options, strict=True)
            edits += [self._edit(sentence, span, each[new]) for span, each in whole]
            edits += [_shorten(sentence, span, part, options[0][new]) for span, part in name.parts]
        return sorted(edits, key=lambda edit: edit.start)

    @cached_property
    def _known_names(self) -> Callable[[Sentence], Sequence[_Known]]:
        """The names in a sentence with what can stand for them; none where nothing can for any."""

        @lru_cache(_SENTENCES)
        def known(sentence: Sentence) -> Sequence[_Known]:
            places = self._places(sentence)
            options = {span.start: self._renamed(sentence, span) for span in places}
            if not any(options.values()):
                return ()
            text = "".join(fold_case(sentence.tokens))
            found = [
                _know(name, [options[span.start] for span in name.whole], text) for name in names(sentence, places)
            ]
            return found if any(each.free for each in found) else ()

        return known

    def _renamed(self, sentence: Sentence, span: Span) -> Folded:
        """The options for an entity; it may be one of them itself."""
        made = self._asked(sentence, span)
        if isinstance(made, Entities):
            return made.folded
        return Folded(_words(self, span, choice) for group in self._choices(sentence, span) for choice in group)

    def _picked(self, draws: Random, choices: Sequence[Sequence[Sequence[str]]]) -> Sequence[str]:
        """First a group is drawn, if there are several, then one of its options."""
        if isinstance(choices, OneWordOff):
            return choices.picked(draws)
        return pick(draws, choices[0] if len(choices) == 1 else pick(draws, choices))

    def _places(self, sentence: Sentence) -> Sequence[Span]:
        return entity_spans(sentence.entity_tags or ())

    def _choices(self, sentence: Sentence, place: Span) -> Sequence[Sequence[Sequence[str]]]:
        # There may be thousands of options: whether they are words is checked only of those that become edits.
        made = self._asked(sentence, place)
        if isinstance(made, OneWordOff):
            return made
        present = sentence.tokens[place.start : place.stop]
        if isinstance(made, Entities):
            others = made.but(present)
            if not "".join(present).isascii() and layout_of(present, sentence) is not None:
                others = [each for each in others if "".join(each) != "".join(present)]  # the same, cut otherwise
            return [others] if others else []
        given = _list_options(self, place, made)
        first = next((each for each in given if each), None)
        grouped = isinstance(first, list | tuple) and not isinstance(first[0], str)
        groups = [_list_options(self, place, group) for group in given] if grouped else [given]
        return [kept for group in groups if (kept := _others(group, present))]

    def _edit(self, sentence: Sentence, place: Span, choice: Sequence[str]) -> Edit:
        words = _words(self, place, choice)
        layout = None if "".join(words).isascii() else layout_of(words, sentence)
        return entity_edit(place, words) if layout is None else _cut(layout, place, words)


def _others(options: Sequence[Any], present: tuple[str, ...]) -> Sequence[Any]:
    """Those that are not ``present``, as tuple or list."""
    if list in map(type, options):
        options = [tuple(each) if isinstance(each, list) else each for each in options]
    while present in options:
        place = options.index(present)
        options = [*options[:place], *options[place + 1 :]]
    return options


def entity_edit(span: Span, tokens: tuple[str, ...]) -> Edit:
    """The edit that puts another entity of the same type in the place of this one."""
    return Edit(span.start, span.stop, tokens, _entity_tags(span.type, len(tokens)))


@lru_cache(_REMEMBERED)
def _entity_tags(type_: str, count: int) -> tuple[str, ...]:
    """The labels of an entity of ``count`` tokens."""
    return (f"B-{type_}", *(f"I-{type_}",) * (count - 1))[:count]


def _cut(layout: Layout, span: Span, words: Sequence[str]) -> Edit:
    """The same in a script without spaces, where tokens are words or characters."""
    cut = layout.replacing(span.start, span.stop, words)
    edit = entity_edit(span, cut.tokens)
    return Edit(edit.start, edit.stop, edit.tokens, edit.tags, spaces=cut.spaces)


def _shorten(sentence: Sentence, span: Span, part: NamePart, name: Sequence[str]) -> Edit:
    """The edit that puts the first or the last word of a new name in the place of a part of the old one."""
    word = name[0] if part == "first" else name[-1]
    return entity_edit(span, (in_case_of(sentence.tokens[span.start], word.lower()),))


Where = Literal["inside", "near", "beside", "slots"]
"""Which sites target spans have.

* inside: the tokens of the targets;
* near: these, and unprotected tokens at most `REACH` away from a target;
* beside: unprotected tokens right before and right after a target;
* slots: the gaps right before and right after a target.

Tokens of entities (as the tags have them) and of targets are protected; so are gaps within either.
"""

REACH = 3
"""[stage 4, "Attack Scenarios"; the distance is this project's]"""


@dataclass(frozen=True)
class TargetLevel(_Grouped):
    """Sites lie in or around target spans: the anchors of the sentence or, without any, the entities its tags mark.

    The function is asked once for every distinct word, and with the empty string for what could fill a gap. ``spares``
    says, of a sentence and with the same parameters, in which places no token may be replaced.
    """

    where: Where = "inside"
    spares: Callable[..., Collection[int]] | None = None

    level = "target"
    arguments = ("word",)

    def _picked(self, draws: Random, choices: Sequence[Sequence[str]]) -> str:
        """First a group is drawn, then one of its options."""
        return pick(draws, pick(draws, choices))

    @cached_property
    def _options(self) -> Callable[[str], Sequence[Sequence[str]]]:
        @lru_cache(_REMEMBERED)
        def options(word: str) -> Sequence[Sequence[str]]:
            given = _list_options(self, word, self._asked(word))
            groups = [given] if all(isinstance(each, str) for each in given) else given
            return list(filter(None, (self._kept(word, group) for group in groups)))

        return options

    def _kept(self, word: str, group: Any) -> Sequence[str]:
        if isinstance(group, Numbered):
            return group
        return [each for each in _words(self, word, group) if each != word and each.strip()]

    def draw(self, sentence: Sentence, start: Callable[[], Random]) -> list[Edit]:
        """Edits for the tokens and gaps that are hit."""
        # What the base class does, in one loop without methods and `pick`.
        places = self._places_once(sentence)
        if not places:
            return []
        tokens, options, draws, edits = sentence.tokens, self._options, start(), []
        for site in hits(draws, len(places), self.rate):
            begin, end = places[site]
            groups = options(tokens[begin] if begin < end else "")
            if groups:
                group = groups[int(draws.random() * len(groups))]
                edits.append(Edit(begin, end, (group[int(draws.random() * len(group))],)))
        return edits

    def _places(self, sentence: Sentence) -> Sequence[tuple[int, int]]:
        entities = tuple(entity_spans(sentence.entity_tags or ()))
        places = _beside_targets(self.where, sentence.anchors or entities, entities, len(sentence.tokens))
        if self.spares is None or not places:
            return places
        spared = self.spares(sentence, **self.own_params)
        return [place for place in places if place[0] not in spared]

    def _choices(self, sentence: Sentence, place: tuple[int, int]) -> Sequence[Sequence[str]]:
        return self._options(" ".join(sentence.tokens[slice(*place)]))

    def _edit(self, _sentence: Sentence, place: tuple[int, int], choice: str) -> Edit:
        return Edit(*place, (choice,))


@lru_cache(_SENTENCES)
def _beside_targets(
    where: Where, targets: tuple[Span, ...], entities: tuple[Span, ...], count: int
) -> Sequence[tuple[int, int]]:
    """Stretches of the ``count`` tokens to replace, empty ones for gaps."""
    if where == "slots":
        within = {i for span in (*targets, *entities) for i in range(span.start + 1, span.stop)}
        gaps = {gap for target in targets for gap in (target.start, target.stop)}
        return [(gap, gap) for gap in sorted(gaps - within)]
    inside = {i for target in targets for i in range(target.start, target.stop)}
    if where == "inside":
        return [(i, i + 1) for i in sorted(inside)]
    reach = REACH if where == "near" else 1
    around = {i for target in targets for i in range(target.start - reach, target.stop + reach)}
    protected = inside.union(*(range(span.start, span.stop) for span in entities))
    outside = around & set(range(count)) - protected
    return [(i, i + 1) for i in sorted(outside | inside if where == "near" else outside)]


Site = Options | Callable[[], Options]
"""A site of a whole sentence: the edits possible there, or a function that makes them when called."""


class SentenceLevel(Perturbation):
    """Sites are whatever the function says: it gives a list of edits for each, and edits of two sites never overlap.

    Where edits take long to find, it gives for a site a function of no arguments, which is asked when the site is hit;
    where they take long to make, an `OnDemand`.
    """

    level = "sentence"
    arguments = ("sentence",)

    def draw(self, sentence: Sentence, start: Callable[[], Random]) -> list[Edit]:
        """Edits for the sites that are hit; where nothing is left to chance, no stream is started."""
        places = self._places_once(sentence)
        if self.rate == 1 and len(places) == 1 and not callable(places[0]) and len(places[0]) == 1:
            return list(self._choices(sentence, places[0]))
        return self._drawn(sentence, places, start()) if places else []

    def _places(self, sentence: Sentence) -> Sequence[Site]:
        """The sites; of a document those of each of its sentences, unless the function looks at documents."""
        if self.scheme == "documents" or not is_document(sentence):
            return self._sites_of(sentence)
        parts = [(start, part_of(sentence, start, stop)) for start, stop in sentences_of(sentence)]
        return [_moved(site, start) for start, part in parts for site in self._sites_of(part)]

    def _sites_of(self, sentence: Sentence) -> Sequence[Site]:
        sites = self._asked(sentence)
        if not isinstance(sites, Iterable):
            raise TypeError(f"{self.name} gave {sites!r}; expected sites, each a list or tuple of edits")
        return list(sites)

    def _choices(self, sentence: Sentence, place: Site) -> Options:
        made = place() if callable(place) else place
        if isinstance(made, OnDemand):
            return made
        options = _list_options(self, sentence, made)
        for option in options:
            if not isinstance(option, Edit):
                raise TypeError(f"{self.name} gave the option {option!r}; expected an Edit")
        return [edit for edit in options if _makes_a_difference(sentence, edit)]

    def _edit(self, _sentence: Sentence, _place: Site, choice: Edit) -> Edit:
        return choice


def _moved(site: Site, by: int) -> Site:
    """A site of a part of a document as one of the whole."""
    if isinstance(site, OnDemand):
        return OnDemand(len(site), lambda number: move_edit(site[number], by))
    if callable(site):
        return lambda: [move_edit(edit, by) for edit in site()]
    return [move_edit(edit, by) for edit in site]


def _list_options(member: Perturbation, argument: object, options: Any) -> list[Any] | tuple[Any, ...]:
    """The options that the function gave for the argument, if they have an order to be drawn by."""
    if isinstance(options, list | tuple) and not isinstance(options, Edit):
        return options
    raise TypeError(f"{member.name}({argument!r}) gave {options!r}; expected a list or tuple of options")


def _words(member: Perturbation, argument: object, choice: Any) -> tuple[str, ...]:
    """An option that stands for words in a row."""
    if isinstance(choice, list | tuple) and set(map(type, choice)) <= {str}:
        return tuple(choice)
    raise TypeError(f"{member.name}({argument!r}) gave the option {choice!r}; expected a list or tuple of words")


def _visible(choices: Sequence[tuple[str]]) -> Sequence[tuple[str]]:
    """Those that may stand alone in a token."""
    return [choice for choice in choices if choice[0].strip()]


def _is_inside(edit: Edit, entities: Sequence[int | None]) -> bool:
    """Whether the edit replaces a token of an entity, or puts something between two of one."""
    if edit.start < edit.stop:
        return any(entity is not None for entity in entities[edit.start : edit.stop])
    between = entities[edit.start - 1 : edit.start + 1] if edit.start else []
    return len(between) == 2 and between[0] is not None and between[0] == between[1]


def _makes_a_difference(sentence: Sentence, edit: Edit) -> bool:
    if edit.chars is not None:
        return edit.tokens[0] != sentence.tokens[edit.start][slice(*edit.chars)]
    replaced = slice(edit.start, edit.stop)
    return edit.tokens != sentence.tokens[replaced] or edit.spaces not in (None, sentence.spaces[replaced])


def _without_blank_tokens(sentence: Sentence, edits: list[Edit]) -> list[Edit]:
    """The edits, less the last ones of any token of which they would leave nothing visible."""
    if all(map(str.strip, [edit.tokens[0] for edit in edits])):
        return edits
    kept: list[Edit] = []
    for i, group in groupby(edits, key=lambda edit: edit.start):
        within = list(group)
        while within and not _edit_token(sentence.tokens[i], within).strip():
            within.pop()
        kept += within
    return kept


def _edit_token(token: str, edits: Sequence[Edit]) -> str:
    for edit in reversed(edits):
        assert edit.chars is not None
        token = token[: edit.chars[0]] + edit.tokens[0] + token[edit.chars[1] :]
    return token
