"""Words in random order."""

from __future__ import annotations

from abalo.attacks.parts import EditOptions, Ranking, RankingSteps, Tuning
from abalo.core.records.targets import Target
from perturbations.streams import sample


def rank(_target: Target, options: EditOptions, tuning: Tuning) -> RankingSteps:
    """Shuffles the words, as a baseline [Dirkson et al., Table 5]."""
    return {place: options[place] for place in sample(tuning.draws, list(options), len(options))}
    yield


RANKING = Ranking("random", rank, drawn=True)
