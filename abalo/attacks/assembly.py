"""Plans of attacks that combine parts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import groupby

from abalo.attacks.attack import Aims, Started
from abalo.attacks.checking import checked_ranking
from abalo.attacks.parts import Candidates, EditOptions, Ranking, SearchMethod, Tuning
from abalo.core.records.targets import Target
from perturbations import stream


def assemble(
    name: str,
    aims: Aims,
    candidates: Candidates,
    ranking: Ranking,
    method: SearchMethod,
    tuning: Tuning,
    stops: Collection[str],
    sources: Mapping[str, str],
) -> Started:
    """A search for each target; draws depend on the attack's ``name``.

    Examples are handled one by one, so others cannot change their candidates, even in a model's last bits.
    """
    places = [
        [place for place in target.free if target.sentence.tokens[place].lower() not in stops]
        for target in aims.targets
    ]
    sites = ((target, place) for target, own in zip(aims.targets, places, strict=True) for place in own)
    by_example = groupby(sites, key=lambda site: site[0].example.id)
    found = (edits for _, own in by_example for edits in candidates.of(list(own)))
    options: list[EditOptions] = [{place: edits for place in own if (edits := next(found))} for own in places]
    ranked = checked_ranking(ranking)
    searches = [
        method.search(target, own, ranked, _own(tuning, name, target, aims.seed))
        for target, own in zip(aims.targets, options, strict=True)
    ]
    return Started(searches, list(map(len, options)), sources, list(map(tuple, options)))


def _own(tuning: Tuning, name: str, target: Target, seed: int) -> Tuning:
    return replace(tuning, draws=stream(seed, name, target.example.id, target.start))
