"""Plans of attacks that are put together from parts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import groupby

from abalo.attacks.attack import Aims, Planned
from abalo.attacks.parts import Candidates, Options, Ranking, SearchMethod, Tuning
from abalo.core.targets import Target
from perturbations import stream


def assembled(
    name: str,
    aims: Aims,
    candidates: Candidates,
    ranking: Ranking,
    method: SearchMethod,
    tuning: Tuning,
    stops: Collection[str],
    sources: Mapping[str, str],
) -> Planned:
    """A search for each target; ``name`` is that of the attack, which its draws depend on.

    ``stops`` are words in small letters that are never touched. ``sources`` names resources for reports. Candidates are
    asked for example by example, so that those of one depend on no other, not even in the last bits of a model.
    """
    places = [
        [place for place in target.free if target.sentence.tokens[place].lower() not in stops]
        for target in aims.targets
    ]
    sites = ((target, place) for target, own in zip(aims.targets, places, strict=True) for place in own)
    by_example = groupby(sites, key=lambda site: site[0].example.id)
    found = (edits for _, own in by_example for edits in candidates.of(list(own)))
    options: list[Options] = [{place: edits for place in own if (edits := next(found))} for own in places]
    searches = [
        method.search(target, own, ranking, _own(tuning, name, target, aims.seed))
        for target, own in zip(aims.targets, options, strict=True)
    ]
    return Planned(searches, list(map(len, options)), sources, list(map(tuple, options)))


def _own(tuning: Tuning, name: str, target: Target, seed: int) -> Tuning:
    """The settings with the draws of the search for a target."""
    return replace(tuning, draws=stream(seed, name, target.example.id, target.start))
