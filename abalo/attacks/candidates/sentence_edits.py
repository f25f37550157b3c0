"""Edits by perturbations of whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from abalo.attacks.parts import TargetSite
from perturbations import Edit, Sentence, sentence_id, stream
from perturbations.streams import sample

EditSites = Callable[[Sentence], Iterable[Sequence[Edit]]]


class SentenceEdits:
    """Draws at most ``draws`` of the possible edits at every place; an edit belongs to its first word."""

    def __init__(self, name: str, sites: EditSites, seed: int, draws: int) -> None:
        self.name = name
        self._sites = sites
        self._seed = seed
        self._draws = draws

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        found = cache(self._of)
        return [
            [edit for edit in found(target.sentence).get(place, ()) if set(target.free).issuperset(_covered(edit))]
            for target, place in sites
        ]

    def _of(self, sentence: Sentence) -> dict[int, list[Edit]]:
        found: dict[int, list[Edit]] = {}
        for options in self._sites(sentence):
            place = options[0].start
            drawn = stream(self._seed, self.name, sentence_id(sentence), place)
            few = sample(drawn, list(options), min(self._draws, len(options)))
            found.setdefault(place, []).extend(few)
        return found


def _covered(edit: Edit) -> range:
    return range(edit.start, edit.stop)
