"""A panel: a run with each sentence in only a few cases.

New sentences tell more than repeated ones (``python -m benchmarks.budget``). A smaller panel begins a larger one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from abalo.core.records.json_records import Count, JsonRecord, Name, Positive, declared
from abalo.core.statistics.evidence import PANEL
from abalo.core.statistics.sequential import POWER as SPENT_AS
from abalo.core.statistics.sequential import known_tail
from abalo.core.statistics.spending import boundaries, level_of
from perturbations.streams import lot, sample, stream

EACH = 3

SMALLEST = 64
"""Comparisons need 50 changed sentences."""

LOOKS = 5

_CASES, _SEEN, _SENTENCES, _LOOKS = (f"{PANEL}: {name}" for name in ("cases", "seen", "sentences", "looks"))


@dataclass(frozen=True, slots=True)
class Panel(JsonRecord):
    """The part of the corpus that each case is run on; sentences are in the order of `order_clusters`."""

    groups: Sequence[Sequence[Name]] = declared("Ids of the cases; those of a group see the same examples.")
    each: Positive = declared("Groups of cases that each distinct example is seen in.")
    sentences: Positive = declared("Distinct examples of the design.")
    seed: Count = declared("Seed of the order of examples and of the deal; the only one.")
    looks: Positive = declared("Looks at the mean loss; 1 for a run that does not stop early.")

    @property
    def cases(self) -> tuple[str, ...]:
        """The ids of all cases."""
        return tuple(case for group in self.groups for case in group)

    @property
    def ends(self) -> tuple[int, ...]:
        """The number of sentences at each look."""
        return tuple(-(-self.sentences * look // self.looks) for look in range(1, self.looks + 1))

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The parts to run, as sentences and groups."""
        first = min(self.each, EACH) if self.looks == 1 else self.each
        ends = sorted({-(-self.sentences * part // LOOKS) for part in range(1, LOOKS + 1)})
        more = ((self.sentences, each) for each in range(first + 1, self.each + 1))
        return (*((end, first) for end in ends), *more)

    def clusters_by_case(self, clusters: Iterable[str]) -> dict[str, list[str]]:
        """The clusters of each case, in order."""
        return {case: [*own] for case, own in self.layers_by_case(clusters).items()}

    def layers_by_case(self, clusters: Iterable[str]) -> dict[str, dict[str, int]]:
        """The clusters of each case, each with the number of its earlier groups."""
        ordered = order_clusters(clusters, self.seed)[: self.sentences]
        found: dict[str, dict[str, int]] = {case: {} for case in self.cases}
        dealt_to = deal_groups(len(self.groups), len(ordered), self.each, self.seed)
        for cluster, dealt in zip(ordered, dealt_to, strict=True):
            for layer, group in enumerate(dealt):
                for case in self.groups[group]:
                    found[case][cluster] = layer
        return found


def group_cases(cases: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Groups ids by key, from (key, id) pairs."""
    found: dict[str, list[str]] = defaultdict(list)
    for key, case in cases:
        found[key].append(case)
    return tuple(sorted(tuple(sorted(own)) for own in found.values()))


def order_clusters(clusters: Iterable[str], seed: int) -> list[str]:
    """The distinct clusters, ordered by the seed."""
    return sorted(set(clusters), key=lambda cluster: (lot(seed, PANEL, cluster), cluster))


def deal_groups(groups: int, sentences: int, each: int, seed: int) -> list[tuple[int, ...]]:
    """The groups of each sentence, dealt by Latin squares."""
    each, found = min(each, groups), list[tuple[int, ...]]()
    offsets = _spread(groups)
    for block in range(-(-sentences // groups)):
        drawn = sample(stream(seed, PANEL, "deal", block), range(groups), groups)
        rows = ([drawn[(row + offset) % groups] for offset in offsets[:each]] for row in range(groups))
        found += map(tuple, islice(rows, sentences - len(found)))
    return found


def _spread(groups: int) -> list[int]:
    first = [groups * k // EACH for k in range(min(EACH, groups))] if groups >= EACH else []
    return [*first, *(number for number in range(groups) if number not in first)]


def sizes(sentences: int, groups: int) -> list[tuple[int, int]]:
    """The panels of a corpus as sentences and groups, smallest first."""
    found, size = list[tuple[int, int]](), SMALLEST
    while size < sentences:
        found.append((size, min(EACH, groups)))
        size *= 2
    return [*found, *((sentences, each) for each in range(min(EACH, groups), groups + 1))]


# Notes ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PanelNotes:
    """The notes about a panel in evidence."""

    cases: int
    seen: int
    sentences: int
    looks: int

    def to_json(self) -> dict[str, int]:
        return {_CASES: self.cases, _SEEN: self.seen, _SENTENCES: self.sentences, _LOOKS: self.looks}

    @property
    def stopped(self) -> bool:
        return self.looks > 1 and self.seen < self.sentences

    def level(self, level: float) -> float:
        """The part of a one-sided level for the last look."""
        return level_at_look(self.seen, Panel((), 1, self.sentences, 0, self.looks).ends, level)


def notes_of(notes: Mapping[str, int]) -> PanelNotes | None:
    """The panel of these notes, if any."""
    if _CASES not in notes:
        return None
    return PanelNotes(notes[_CASES], notes[_SEEN], notes[_SENTENCES], notes[_LOOKS])


def level_at_look(seen: int, ends: Sequence[int], level: float) -> float:
    """The one-sided level of the look at ``seen`` sentences; all looks stay within ``level``."""
    done = [end for end in ends if end <= seen]
    if len(ends) == 1:
        return level
    if not done:
        return 0.0
    shares = [end / max(ends) for end in ends]
    return level_of(boundaries(shares, level, SPENT_AS, [*map(known_tail, ends)])[len(done) - 1])
