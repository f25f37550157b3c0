"""The entity context attack: synonyms around an entity [Dirkson et al., 3.1.2]; see `abalo.attacks.searches.greedy`."""

from __future__ import annotations

from abalo.attacks.attack import Aims, Attack, Started
from abalo.attacks.substitution import LISTS, SubstitutionSettings, draws, start_substitution


def start(aims: Aims, settings: SubstitutionSettings) -> Started:
    """Replaces words around an entity by synonyms, the most important first, until the model loses the whole entity."""
    return start_substitution("context_attack", aims, settings)


ATTACK = Attack("context_attack", SubstitutionSettings, start, draws, of_spans=True, lists=LISTS)
