"""The word attack: synonyms for words of a text until the model gives it another label [Jin et al., 2020].

D. Jin, Z. Jin, J. T. Zhou and P. Szolovits, Is BERT Really Robust? A Strong Baseline for Natural Language Attack on
Text Classification and Entailment, AAAI 2020. The search is theirs; candidates and constraints are those of all attacks
here, so that attacks can be compared.
"""

from __future__ import annotations

from abalo.attacks.attack import Aims, Attack, Planned
from abalo.attacks.substitution import LISTS, SubstitutionSettings, draws, planned


def plan(aims: Aims, settings: SubstitutionSettings) -> Planned:
    """Synonyms for words of a text, the most important first, until the model gives it another label."""
    return planned("word_attack", aims, settings)


ATTACK = Attack("word_attack", SubstitutionSettings, plan, draws, of_spans=False, lists=LISTS)
