"""Readings of verb forms."""

from __future__ import annotations

from typing import NamedTuple


class Reading(NamedTuple):
    """The verb a form is of, its tense, and which of the forms of that tense it is, counted from 0."""

    lemma: str
    tense: str
    person: int
