"""Constraints on variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abalo.attacks.limits import Limit
from abalo.attacks.search import Refusal
from abalo.sources import PosSource, Similarity
from abalo.validators import Required, passing
from perturbations import Perturbed, Sentence


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Checks limits, similarity of at least ``least``, parts of speech outside entities, then requirements.

    The first failure ends the check. A variant that fails what is ``required`` counts as beyond a limit.
    """

    similarity: Similarity
    least: float
    parts_of_speech: PosSource | None = None
    limits: Sequence[Limit] = ()
    required: Required = ()

    def __call__(self, pairs: Sequence[tuple[Sentence, Perturbed]]) -> list[float | Refusal]:
        """The similarity of each variant to its original, or the reason of its refusal."""
        near: list[float | Refusal] = [Refusal.LIMIT] * len(pairs)
        within = [k for k, pair in enumerate(pairs) if all(keeps(*pair) for keeps in self.limits)]
        alike = self.similarity.of([(original, made.sentence) for original, made in (pairs[k] for k in within)])
        for k, value in zip(within, alike, strict=True):
            near[k] = float(value) if value >= self.least else Refusal.SIMILARITY
        if self.parts_of_speech is not None:
            left = _unrefused(near)
            kept = self._kept(self.parts_of_speech, [pairs[k] for k in left])
            _refuse(near, left, kept, Refusal.PART_OF_SPEECH)
        if self.required:
            left = _unrefused(near)
            kept = passing(self.required, [(original, made.sentence) for original, made in (pairs[k] for k in left)])
            _refuse(near, left, kept, Refusal.LIMIT)
        return near

    def _kept(self, source: PosSource, pairs: Sequence[tuple[Sentence, Perturbed]]) -> list[bool]:
        distinct = list(dict.fromkeys(sentence for original, made in pairs for sentence in (original, made.sentence)))
        known = dict(zip(distinct, source.of(distinct), strict=True))
        return [_same_kinds(original, made, known[original], known[made.sentence]) for original, made in pairs]


def _unrefused(near: Sequence[float | Refusal]) -> list[int]:
    return [k for k, value in enumerate(near) if isinstance(value, float)]


def _refuse(near: list[float | Refusal], left: Sequence[int], kept: Sequence[bool], why: Refusal) -> None:
    for k, stays in zip(left, kept, strict=True):
        if not stays:
            near[k] = why


def _same_kinds(original: Sentence, made: Perturbed, before: Sequence[str], after: Sequence[str]) -> bool:
    places = made.positions(len(original))
    words = [edit.start for edit in made.edits if edit.stop == edit.start + 1 and len(edit.tokens) == 1]
    tags = original.tags or ("O",) * len(original)
    return all(before[i] == after[place] for i in words if tags[i] == "O" and (place := places[i]) is not None)
