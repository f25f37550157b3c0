"""The entity context attack: synonyms around an entity [Dirkson et al., 3.1.2]; see `abalo.attacks.searches.greedy`."""

from __future__ import annotations

from abalo.attacks.attack import Aims, Attack, Planned
from abalo.attacks.substitution import LISTS, SubstitutionSettings, draws, plan_substitution


def plan(aims: Aims, settings: SubstitutionSettings) -> Planned:
    """Replaces words around an entity by synonyms, the most important first, until the model loses the whole entity."""
    return plan_substitution("context_attack", aims, settings)


ATTACK = Attack("context_attack", SubstitutionSettings, plan, draws, of_spans=True, lists=LISTS)
