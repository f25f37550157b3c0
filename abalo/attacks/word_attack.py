"""The word attack: synonyms until the label changes [Jin et al., 2020]; see `abalo.attacks.recipes.textfooler`."""

from __future__ import annotations

from abalo.attacks.attack import Aims, Attack, Started
from abalo.attacks.substitution import LISTS, SubstitutionSettings, draws, start_substitution


def start(aims: Aims, settings: SubstitutionSettings) -> Started:
    """Replaces words of a text by synonyms, the most important first, until the model gives it another label."""
    return start_substitution("word_attack", aims, settings)


ATTACK = Attack("word_attack", SubstitutionSettings, start, draws, of_spans=False, lists=LISTS)
