"""Words by their importance: the effect of an unknown token in the place of each."""

from __future__ import annotations

from abalo.attacks.parts import Options, Ranked, Ranking, Tuning
from abalo.attacks.rankings.deletion import by_importance
from abalo.core.targets import Target


def rank(target: Target, options: Options, tuning: Tuning) -> Ranked:
    """The most important word first; of equals the leftmost [J. Gao et al., DeepWordBug, 2018, Replace-1 score]."""
    return (yield from by_importance(target, options, (tuning.unknown,)))


RANKING = Ranking("unknown", rank)
