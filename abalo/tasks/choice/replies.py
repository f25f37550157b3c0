"""The answers of one model to one question and its variants, brought together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.tasks.choice.answers import ORIG, Answer


class Reply(Protocol):
    """An answer, as far as measures look at it."""

    @property
    def pred_option(self) -> int | None:
        """The place of the option chosen in the original question; None where none was named."""
        ...

    @property
    def correct(self) -> bool:
        """Whether it is the right one."""
        ...

    @property
    def missing(self) -> bool:
        """Whether no option was named."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The answers of one model to one question under one seed, in one epoch."""

    original: Reply | None
    variants: tuple[Reply, ...]

    @property
    def comparable(self) -> bool:
        """Whether there is an original, and something to compare it with."""
        return self.original is not None and bool(self.variants)

    @property
    def answers(self) -> tuple[Reply, ...]:
        """All, that to the original first."""
        return self.variants if self.original is None else (self.original, *self.variants)


Groups = Mapping[tuple[str, str, str], Sequence[AnswerSet]]
"""By task, question and model; one `AnswerSet` per seed and epoch."""


def groups(rows: Iterable[Answer], task: str | None = None) -> Groups:
    """The answers in groups, of one task or of all; raises `AbaloError` for one that is there twice."""
    found: dict[tuple[str, str, str], dict[tuple[int | None, int], dict[str, Answer]]] = {}
    for row in rows:
        if task is not None and row.task != task:
            continue
        variants = found.setdefault((row.task, row.id, row.model), {}).setdefault((row.seed, row.epoch), {})
        if row.variant in variants:
            raise AbaloError(
                f"{row.variant} of question {shown(row.id)} is there twice for task {shown(row.task)}, model "
                f"{shown(row.model)}, seed {row.seed}, epoch {row.epoch}; keep one of them, or give each run its own "
                "seed"
            )
        variants[row.variant] = row
    return {
        key: [
            AnswerSet(answers.get(ORIG), tuple(answer for variant, answer in answers.items() if variant != ORIG))
            for answers in repeats.values()
        ]
        for key, repeats in found.items()
    }
