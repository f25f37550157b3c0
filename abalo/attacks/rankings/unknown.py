"""Words by the effect of an unknown token in their place."""

from __future__ import annotations

from abalo.attacks.parts import EditOptions, Ranking, RankingSteps, Tuning
from abalo.attacks.rankings.deletion import by_importance
from abalo.core.records.targets import Target


def rank(target: Target, options: EditOptions, tuning: Tuning) -> RankingSteps:
    """The most important word first; ties from left to right [J. Gao et al., DeepWordBug, 2018, Replace-1 score]."""
    return (yield from by_importance(target, options, (tuning.unknown,)))


RANKING = Ranking("unknown", rank)
