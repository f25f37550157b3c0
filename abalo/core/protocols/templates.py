"""Templates of a task and their fillings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from abalo.core.protocols.subject import Subject
from abalo.core.records.example import Example, Variant
from abalo.core.records.filling import Filled, Filling


class Templates:
    """The templates of a task's examples; by default none."""

    fields: ClassVar[Mapping[str, str]] = {}
    """The fields of a template, with meanings; plain text is the first. Empty without capabilities."""
    gold: ClassVar[str] = ""
    """The optional field with gold; "" if missing."""

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        """The filled template as an example with gold; raises ValueError if invalid.

        Labels that the ``corpus`` does not judge are dropped.
        """
        raise ValueError("the task has no templates")

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        """Pairs of the example and itself with ``new`` for ``old``, as filled templates.

        If places have labels, each place gives a pair.
        """
        return iter(())

    def variant(self, before: Filling, after: Filling) -> Variant:
        """The second filling as a variant of the first."""
        return Variant(after.example, {})

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        """Why no model could get gold or expected ``labels`` right; "" if one could."""
        return ""

    def fault(self, filling: Filling, prediction: Any) -> str:
        """The error of a prediction in words; "" if right."""
        raise NotImplementedError

    def differing(self, before: Filling, first: Any, after: Filling, second: Any, free: Collection[str] = ()) -> str:
        """How two predictions differ, in words; "" if only in ``free`` slots."""
        raise NotImplementedError

    def predicted(self, filling: Filling, prediction: Any, key: str = "") -> Collection[str]:
        """The labels predicted in the slot ``key``; "" means anywhere."""
        raise NotImplementedError

    def confidence(self, filling: Filling, prediction: Any, label: str, scale: Any) -> float | None:
        """The mean probability of a gold label, 0 to 1; None if unscored.

        Raises ValueError if the filling lacks the label.
        """
        return None

    def said(self, example: Example, prediction: Any = None) -> str:
        """The example with a prediction, or gold for None, in one line."""
        raise NotImplementedError
