"""Names that can stand for an entity: of a kind that its language admits there, and in its letter case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from perturbations.languages import ANY, has, rules
from perturbations.languages.parts import SURNAME, Kinds
from perturbations.resources import LEAST_IN_POOL, Entities, Entity, Sort, sort_of
from perturbations.text import OnceEach, Sentence, Span, entity_spans, fold_case

NameCase = Literal["capitals", "small", "mixed"]


class Demand(NamedTuple):
    """The demands of a place: the ``kinds`` of names that can stand there, None for any; and their letter case."""

    language: str
    sort: Sort | None
    kinds: frozenset[str] | None
    case: NameCase


def demand(sentence: Sentence, span: Span, language: str) -> Demand:
    """The demands of the place of the entity. No kind can stand there where the old name would be left beside the new.

    Kinds are those of the folder of the ``language``: of persons, places and organisations, and forms for other types.
    """
    sort = sort_of(span.type)
    kinds: frozenset[str] | None = None
    if language != ANY and has(language, "kinds"):
        stays = _has_other_form(sentence, span) or _is_left(sentence, span)
        told = () if stays else rules(language, "kinds", Kinds).kinds_at(sentence, span, sort)
        kinds = frozenset(told)
    return Demand(language, sort, kinds, _case_of("".join(sentence.tokens[span.start : span.stop])))


def with_surnames(demanded: Demand) -> Demand:
    """The demand that a surname alone meets too, where a person can be named."""
    if demanded.sort != "person" or not demanded.kinds:
        return demanded
    return demanded._replace(kinds=demanded.kinds | {SURNAME})


def meeting(pools: Iterable[Sequence[Entity]], demanded: Demand, least: int = 1) -> Entities:
    """The names of ``least`` tokens that meet the demand, in its letter case.

    They are of the first pool with `LEAST_OF_KIND` of them, else of the one with the most.

    A pool with fewer than `LEAST_IN_POOL` names is left out.
    """
    met = Entities()
    for names in pools:
        found = [_match_case(name, demanded.case) for name in names if len(name) >= least and _meets(name, demanded)]
        if len(names) >= LEAST_IN_POOL and len(met) < min(LEAST_OF_KIND, len(found)):
            met = Entities(dict.fromkeys(found))
    return met


LEAST_OF_KIND = 5
"""The smallest number of names of a kind with which no further pool is asked for more."""


def _meets(name: Entity, demanded: Demand) -> bool:
    if demanded.kinds is None:
        return True
    if demanded.case == "mixed" and _case_of("".join(name)) != "mixed":
        return False
    return rules(demanded.language, "kinds", Kinds).kind_of(name, demanded.sort) in demanded.kinds


def _case_of(text: str) -> NameCase:
    text = text.replace("º", "").replace("ª", "")
    return "capitals" if text.isupper() else "small" if text.islower() else "mixed"


def _match_case(name: Entity, case: NameCase) -> Entity:
    """The name in capitals or in small letters where the place is; else as it is."""
    return name if case == "mixed" else tuple(map(str.upper if case == "capitals" else str.lower, name))


def _is_left(sentence: Sentence, span: Span) -> bool:
    """Whether the name occurs once more where it is no entity of the type, and so would not change."""
    known = _facts_of(sentence)
    name = known.words[span.start : span.stop]
    key = span.type, name
    if key not in known.left:
        changing = known.spans[span.type] if span.type in known.spans else set[tuple[int, int]]()
        starts = (start for start in known.places(name) if known.words[start : start + len(name)] == name)
        known.left[key] = [*islice((start for start in starts if (start, start + len(name)) not in changing), 2)]
    return any(start != span.start for start in known.left[key])


def _has_other_form(sentence: Sentence, span: Span) -> bool:
    """Whether the name is explained by another, as in *Supremo Tribunal Federal ( STF )*, or explains one."""
    tokens, is_person = sentence.tokens, sort_of(span.type) == "person"
    marks = _BRACKETS if is_person else _MARKS
    if span.stop + 1 < len(tokens) and tokens[span.stop] in marks:
        is_short = not is_person and tokens[span.stop + 1].isupper()
        return is_short or (span.type, span.stop + 1) in _facts_of(sentence).starts
    if span.start == 0 or tokens[span.start - 1] not in marks:
        return False
    return (span.type, span.start - 1) in _facts_of(sentence).stops


class _Facts:
    """What the entities of a sentence ask of it: its ``words`` without letter case, and where its entities are."""

    def __init__(self, sentence: Sentence) -> None:
        found = entity_spans(sentence.entity_tags or ())
        self.words = fold_case(sentence.tokens)
        self.starts = {(span.type, span.start) for span in found}
        self.stops = {(span.type, span.stop) for span in found}
        self.spans: dict[str, set[tuple[int, int]]] = {}
        for span in found:
            self.spans.setdefault(span.type, set()).add((span.start, span.stop))
        self.left: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        self._places: dict[int, dict[tuple[str, ...], list[int]]] = {}

    def places(self, name: tuple[str, ...]) -> Sequence[int]:
        """Where the first words of a name stand."""
        size = min(len(name), _LONGEST_INDEXED)
        if size not in self._places:
            index = self._places[size] = {}
            for start in range(len(self.words) - size + 1):
                index.setdefault(self.words[start : start + size], []).append(start)
        return self._places[size].get(name[:size], ())


_facts_of = OnceEach(_Facts)

_LONGEST_INDEXED = 4


_BRACKETS = frozenset("(（")
_MARKS = _BRACKETS | frozenset("-–—")
