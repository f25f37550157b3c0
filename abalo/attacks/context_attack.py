"""The entity context attack: synonyms around an entity until the model no longer sees it [Dirkson et al., 3.1.2].

A. Dirkson, S. Verberne and W. Kraaij, Breaking BERT: Understanding its Vulnerabilities for Named Entity Recognition
through Adversarial Attack, 2021.
"""

from __future__ import annotations

from abalo.attacks.attack import Aims, Attack, Planned
from abalo.attacks.substitution import LISTS, SubstitutionSettings, draws, planned


def plan(aims: Aims, settings: SubstitutionSettings) -> Planned:
    """Synonyms for words around an entity, the most important first, until it is lost with every word of it."""
    return planned("context_attack", aims, settings)


ATTACK = Attack("context_attack", SubstitutionSettings, plan, draws, of_spans=True, lists=LISTS)
