"""Templates of a task: how they are filled, and what a prediction has wrong in a filling."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from abalo.core.example import Example, Variant
from abalo.core.filling import Filled, Filling
from abalo.core.subject import Subject


class Templates:
    """The templates that examples of a task are written by; this is those of a task without any."""

    fields: ClassVar[Mapping[str, str]] = {}
    """The fields of a template, each with what it holds in words; a template that is a mere text is the first of them.
    Empty for a task that has no capabilities."""
    gold: ClassVar[str] = ""
    """The field that holds gold and may be missing where predictions are compared with each other; empty if none."""

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        """The example that a filled template is, with its gold; raises ValueError for what is none.

        ``filled`` has some of the `fields`. Gold that the ``corpus`` is not judged for is left out.
        """
        raise ValueError("the task has no templates")

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        """The example of a corpus beside itself with ``new`` in the place of ``old``, both as a template writes them.

        Where labels are those of places, once for each place, which is then under ``key`` in both; else once, with all
        places changed.
        """
        return iter(())

    def variant(self, before: Filling, after: Filling) -> Variant:
        """The one filling as a variant of the other."""
        return Variant(after.example, {})

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        """The reason why no model could have the gold of fillings right here, or predict one of the ``labels``.

        Empty where there is none. ``labels`` are those that expectations name.
        """
        return ""

    def fault(self, filling: Filling, prediction: Any) -> str:
        """The fault of a prediction in words; empty where it is wholly right."""
        raise NotImplementedError

    def differing(self, before: Filling, first: Any, after: Filling, second: Any, free: Collection[str] = ()) -> str:
        """How two predictions differ, in words; empty where they do not, or only in the slots ``free`` to change."""
        raise NotImplementedError

    def predicted(self, filling: Filling, prediction: Any, key: str = "") -> Collection[str]:
        """The labels that are predicted: in the slot of that key, for an empty one anywhere."""
        raise NotImplementedError

    def confidence(self, filling: Filling, prediction: Any, label: str, scale: Any) -> float | None:
        """The mean probability of a label where the filling has it in gold, 0 to 1; None from a model without scores.

        Raises ValueError for a label that the filling has nowhere.
        """
        return None

    def said(self, example: Example, prediction: Any = None) -> str:
        """An example with what was predicted, in one line of text; with its gold for None."""
        raise NotImplementedError
