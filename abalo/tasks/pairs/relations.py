"""The relations that labels of pairs stand for, and the label that is right after a change of one sentence.

A label is known by its name, in any letter case: ``entailment``, ``contradiction``, ``neutral``, and for two labels
``none`` or ``non-entailment``; of paraphrases ``paraphrase`` or ``1``, and ``0``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from perturbations.text import Relation

Role = Literal["follows", "same", "contradicts", "neutral", "not"]
"""The relation of the second sentence to the first: it follows; both say the same; it contradicts; neither of these;
or, of two labels, that it does not follow, or does not say the same."""

_NAMES: Mapping[Role, frozenset[str]] = {
    "follows": frozenset(("entailment", "entails", "entail", "entailed")),
    "same": frozenset(("paraphrase", "duplicate", "equivalent", "same", "similar", "1", "true")),
    "contradicts": frozenset(("contradiction", "contradicts", "contradict", "contradictory")),
    "neutral": frozenset(("neutral", "unknown")),
    "not": frozenset(("none", "nonentailment", "notentailment", "noentailment", "different", "0", "false"))
    | frozenset(("notduplicate", "notparaphrase", "notequivalent")),
}

POSITIVE: frozenset[Role] = frozenset(("follows", "same"))


def role_of(label: str) -> Role | None:
    """The relation that a label stands for; None for a name that is not known."""
    plain = "".join(char for char in label.lower() if char.isalnum())
    return next((role for role, names in _NAMES.items() if plain in names), None)


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations that the labels of a corpus stand for, and how similar one pair of it is.

    ``labels`` are all labels of the corpus. ``score`` is how similar the two sentences are, on the scale of the corpus;
    None where it does not say, or nobody knows after a change.
    """

    labels: tuple[str, ...] = ()
    score: float | None = None

    @property
    def positive(self) -> tuple[str, ...]:
        """The labels of sentences that follow from each other, or say the same."""
        return tuple(label for label in self.labels if role_of(label) in POSITIVE)

    @property
    def negative(self) -> str | None:
        """The label of sentences of which one contradicts the other: just that, else that of all which do not follow.

        None where there are other labels, of which any could be right.
        """
        found: dict[Role | None, str] = {role_of(label): label for label in self.labels}
        return found.get("contradicts") or (None if "neutral" in found else found.get("not"))

    @property
    def other(self) -> str | None:
        """The label of all pairs that do not follow, or do not say the same; None if there are several such labels."""
        found = [label for label in self.labels if role_of(label) not in POSITIVE]
        return found[0] if len(found) == 1 and role_of(found[0]) == "not" else None

    def after(self, label: str, first: Relation, second: Relation) -> str | None:
        """The right label after changes of the first and of the second sentence; None where nobody knows it.

        * Where a sentence says what it said, the label stays.
        * What is added to the first sentence leaves what follows from it, what contradicts it, and what does neither.
          Added to the second, it stays only true that it does not follow, or contradicts. What means the same does so
          no longer for certain.
        * What excludes or contradicts is known of sentences that followed, or meant the same, and of a change in one of
          them alone. What excludes what followed may be neutral or contradict, by the convention of the corpus: it has
          a label only where one stands for both.
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
        """The labels of the corpus that a label of a template allows: itself, else all of its relation.

        ``non-entailment`` allows all but those of what follows or means the same.
        """
        if label in self.labels:
            return (label,)
        role = role_of(label)
        if role == "not" or (role in ("contradicts", "neutral") and role not in map(role_of, self.labels)):
            return [each for each in self.labels if role_of(each) not in (None, *POSITIVE)]
        if role in POSITIVE:
            return self.positive
        return [each for each in self.labels if role is not None and role_of(each) == role]
