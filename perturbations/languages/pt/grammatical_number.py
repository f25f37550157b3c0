"""The number of Portuguese words, by their endings."""

from __future__ import annotations

import re

from perturbations.languages.parts import BOTH, PLURAL, SINGULAR, Number
from perturbations.lexicons import pairs

_OF_BOTH = re.compile(r".*[^aeiouáéíóú]us|.*[áéíóúâêô].*[^aeiouáéíóú]is|.*x")
"""*ônibus*, *lápis*, *tórax*; not *graus*, *civis* or *fáceis*."""
_SINGULAR_ONLY = re.compile(r".*ês")
"""*mês*, *português*; the few plurals that end so are in the table."""
_SINGULAR_VERB = re.compile(r".*[iuô]s|.*ém|tem|vem")
"""*pus*, *quis*, *pôs*, *contém*, *tem*."""


def numbers_of(word: str, kind: str) -> frozenset[Number]:
    """The numbers that the word, in lower case, can have; adverbs have none and go with both."""
    if kind == "ADV":
        return BOTH
    if kind == "VERB":
        singular = not word.endswith(("s", "m")) or _SINGULAR_VERB.fullmatch(word) is not None
        return SINGULAR if singular else PLURAL
    said = pairs("irregular_numbers_pt").get(word, pairs("nouns_pt").get(word))
    if said is not None:
        return {"singular": SINGULAR, "plural": PLURAL, "either": BOTH}[said]
    if _OF_BOTH.fullmatch(word):
        return BOTH
    return PLURAL if word.endswith("s") and not _SINGULAR_ONLY.fullmatch(word) else SINGULAR
