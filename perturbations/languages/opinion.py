"""Praise and blame of aspects, such as the food and the service of a restaurant."""

from __future__ import annotations

from dataclasses import dataclass

from perturbations.text import Edit

POSITIVE, NEGATIVE = "positive", "negative"

OPPOSITE = {POSITIVE: NEGATIVE, NEGATIVE: POSITIVE}


@dataclass(frozen=True, slots=True)
class Opinion:
    """An opinion on one aspect or several, which the grammar of its sentence ties to them.

    ``aspects`` are their numbers among those of the sentence. Tokens [``start``, ``stop``) hold the opinion, its
    negation and the aspects. ``polarity`` is "positive" or "negative". Each of ``reversals`` is a list of edits that
    make it its opposite, and each of ``exaggerations`` of edits that say it more strongly; one of them is to be made.
    """

    aspects: frozenset[int]
    start: int
    stop: int
    polarity: str
    reversals: tuple[tuple[Edit, ...], ...]
    exaggerations: tuple[tuple[Edit, ...], ...]
