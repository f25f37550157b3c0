"""Words put in beside a word."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Site
from abalo.models.masked_lm import MaskedLM
from perturbations import Edit, Sentence, apply

_HELD = "x"
"""A word that holds the place of the new one; the model does not see it."""


class Insertions:
    """The words that a masked language model would put right before or right after a word: the ``most`` likeliest."""

    def __init__(self, model: MaskedLM, most: int) -> None:
        self._model = model
        self._most = most
        self.name = f"put in by masked LM {model.name}, the {most} likeliest"

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """Insertions on both sides of each word, the likeliest first, of equally likely ones that before it."""
        gaps = dict.fromkeys((target.sentence, place + side) for target, place in sites for side in (0, 1))
        proposals = self._model.proposals([(_with_room(*gap), gap[1]) for gap in gaps], self._most)
        found = dict(zip(gaps, proposals, strict=True))
        return [self._of(target.sentence, place, found) for target, place in sites]

    def _of(
        self, sentence: Sentence, place: int, found: dict[tuple[Sentence, int], list[tuple[str, float]]]
    ) -> list[Edit]:
        proposed = [
            (-probability, gap, word) for gap in (place, place + 1) for word, probability in found[sentence, gap]
        ]
        return [Edit(gap, gap, (word,)) for _, gap, word in sorted(proposed)[: self._most]]


def _with_room(sentence: Sentence, gap: int) -> Sentence:
    return apply(sentence, [Edit(gap, gap, (_HELD,))]).sentence
