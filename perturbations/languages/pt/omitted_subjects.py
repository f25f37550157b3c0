"""Portuguese sentences whose subject the sentence before has."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.pt import verbs


def lacks_subject(lowered: Sequence[str]) -> bool:
    """Whether a sentence begins with its verb, or with its verb behind an adverb or a phrase of time or place."""
    comma = lowered.index(",") if "," in lowered[:_PHRASE] else -1
    behind = "".join(lowered[comma + 1 : comma + 2])
    if comma > 0 and lowered[0] in _PREPOSITIONS and verbs.could_be_finite(behind):
        return True
    led = lowered[0] in ("não", "nunca", "já") or lowered[0].endswith("mente")
    return verbs.could_be_finite(lowered[0]) or (led and any(map(verbs.could_be_finite, lowered[1:3])))


_PHRASE = 10
"""Words of a phrase of time or place at the beginning of a sentence."""

_PREPOSITIONS = frozenset(["em", "no", "na", "nos", "nas", "após", "desde", "a", "com"])
