"""The relations behind labels of pairs, and the right label after a change.

Labels are recognised in any case: ``entailment``, ``contradiction``, ``neutral``; ``none`` or ``non-entailment``;
``paraphrase`` or ``1``, and ``0``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from perturbations.text import Relation

PairRole = Literal["follows", "same", "contradicts", "neutral", "not"]
"""How the second sentence relates to the first; ``not`` negates *follows* or *same*."""

_NAMES: Mapping[PairRole, frozenset[str]] = {
    "follows": frozenset(("entailment", "entails", "entail", "entailed")),
    "same": frozenset(("paraphrase", "duplicate", "equivalent", "same", "similar", "1", "true")),
    "contradicts": frozenset(("contradiction", "contradicts", "contradict", "contradictory")),
    "neutral": frozenset(("neutral", "unknown")),
    "not": frozenset(("none", "nonentailment", "notentailment", "noentailment", "different", "0", "false"))
    | frozenset(("notduplicate", "notparaphrase", "notequivalent")),
}

POSITIVE: frozenset[PairRole] = frozenset(("follows", "same"))


def role_of(label: str) -> PairRole | None:
    """The relation of a label; None if unknown."""
    plain = "".join(char for char in label.lower() if char.isalnum())
    return next((role for role, names in _NAMES.items() if plain in names), None)


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations of a corpus's labels; ``score`` is one pair's similarity, or None."""

    labels: tuple[str, ...] = ()
    score: float | None = None

    @property
    def positive(self) -> tuple[str, ...]:
        """The labels of following or equal sentences."""
        return tuple(label for label in self.labels if role_of(label) in POSITIVE)

    @property
    def negative(self) -> str | None:
        """The label of contradictions, or all that does not follow; None if ambiguous."""
        found: dict[PairRole | None, str] = {role_of(label): label for label in self.labels}
        return found.get("contradicts") or (None if "neutral" in found else found.get("not"))

    @property
    def other(self) -> str | None:
        """The only negative label; None if there are several."""
        found = [label for label in self.labels if role_of(label) not in POSITIVE]
        return found[0] if len(found) == 1 and role_of(found[0]) == "not" else None

    def after(self, label: str, first: Relation, second: Relation) -> str | None:
        """The right label after changes of the first and second sentence; None if unknown.

        * A kept meaning keeps the label.
        * An addition keeps *contradicts*, *neutral* and *not*; to the first sentence, also *follows*.
        * If only one sentence changes and excludes or contradicts, *follows* and *same* become `other` or `negative`.
        * Every other change makes the label unknown.
        """
        done, role = {first, second} - {"keeps"}, role_of(label)
        if not done:
            return label
        if role is None or "loses" in done:
            return None
        if done == {"adds"}:
            kept = role in ("contradicts", "neutral", "not") or (role == "follows" and second == "keeps")
            return label if kept else None
        if role in POSITIVE and first != second and len(done) == 1:
            return self.negative if done == {"contradicts"} else self.other
        return None

    def meant(self, label: str) -> Collection[str]:
        """The corpus labels that a template label allows, by name or relation.

        ``non-entailment`` allows all but *follows* and *same*.
        """
        if label in self.labels:
            return (label,)
        role = role_of(label)
        if role == "not" or (role in ("contradicts", "neutral") and role not in map(role_of, self.labels)):
            return [each for each in self.labels if role_of(each) not in (None, *POSITIVE)]
        if role in POSITIVE:
            return self.positive
        return [each for each in self.labels if role is not None and role_of(each) == role]
