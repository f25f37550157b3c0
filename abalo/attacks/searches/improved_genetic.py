"""The improved genetic search [Wang et al., 2019]; see `abalo.attacks.recipes.improved_genetic`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from abalo.attacks.parts import EditOptions, Ranking, SearchMethod, Tuning
from abalo.attacks.populations import draw_place
from abalo.attacks.search import Search
from abalo.attacks.searches.genetic import Family, PopulationMember, breed
from abalo.core.records.targets import Target

V = TypeVar("V")


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Like `genetic`, but a word can change again, at most ``replacements`` times, and parents are cut in two.

    Each first state has one word's best version. A child takes the words before a drawn place from one parent, the
    others from the other. The next word is drawn in proportion to its remaining replacements.
    """
    places = [place for place, edits in options.items() if edits]

    def change(member: PopulationMember, place: int) -> Family:
        times = {**member.times, place: member.times.get(place, 0) + 1}
        others = (edit for edit in options[place] if edit != member.changes.get(place))
        return [member, *(PopulationMember({**member.changes, place: edit}, times) for edit in others)]

    def grow(member: PopulationMember) -> Family:
        is_full = bool(tuning.steps) and len(member.changes) >= tuning.steps
        left = {
            place: tuning.replacements - member.times.get(place, 0)
            for place in places
            if place in member.changes or not is_full
        }
        if not any(left.values()):
            return [member]
        return change(member, list(left)[draw_place(list(left.values()), tuning.draws)])

    def mate(first: PopulationMember, second: PopulationMember) -> PopulationMember:
        cut = places[int(tuning.draws.random() * len(places))] if places else 0

        return PopulationMember(_joined(first.changes, second.changes, cut), _joined(first.times, second.times, cut))

    first = [change(PopulationMember({}), place) for place in places[: tuning.width]]
    return (yield from breed(target, tuning, first, mate, grow))


def _joined(before: Mapping[int, V], after: Mapping[int, V], cut: int) -> dict[int, V]:
    return {
        **{place: value for place, value in before.items() if place < cut},
        **{place: value for place, value in after.items() if place >= cut},
    }


SEARCH = SearchMethod("improved_genetic", search, ranks=False, drawn=True)
