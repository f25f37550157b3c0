"""The lessons of a training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from abalo.core.protocols.probe import Case, Taught
from abalo.core.records.example import Example
from abalo.core.records.lesson import Lesson
from abalo.core.running.engine import Engine
from abalo.errors import AbaloError

FIRST_SEED = 1_000_000
"""Far from the seeds that judge models."""


@dataclass(eq=False)
class Curriculum:
    """The lessons of each epoch: the training corpus, and new variants of it.

    ``share`` is the share of variants, divided evenly among the ``cases``. Each round searches once, at most
    ``searched`` examples of each case; results of earlier rounds stay in ``found``. Clusters ``kept_back`` judge the
    model, so they are not taught.
    """

    engine: Engine
    cases: Sequence[Case]
    share: float
    seed: int
    searched: int
    kept_back: Collection[str] = ()
    round: int = 1
    found: dict[str, list[Taught]] = field(default_factory=dict)
    made: Counter[str] = field(default_factory=Counter)
    _sought: set[str] = field(default_factory=set)
    _last: tuple[int, list[Lesson]] | None = None

    def next(self, engine: Engine) -> Curriculum:
        """The next round, with searches against the newly trained model."""
        return replace(self, engine=engine, round=self.round + 1, made=Counter(), _sought=set(), _last=None)

    def __call__(self, epoch: int) -> list[Lesson]:
        """The lessons of an epoch, counted from 1; raises `AbaloError` if it has none."""
        if self._last is None or self._last[0] != epoch:
            self._last = epoch, self._lessons(epoch)
        return self._last[1]

    def _lessons(self, epoch: int) -> list[Lesson]:
        found = list(self._originals.values())
        if not found:
            raise AbaloError("--train: no example with gold labels that is not judged as well; name another corpus")
        seen, made = set(found), Counter[str]()
        for case in self.cases:
            for taught in self._of(case, epoch):
                lesson = self._lesson(taught)
                if lesson is not None and (key := replace(lesson, original=None)) not in seen:
                    seen.add(key)
                    found.append(lesson)
                    made[case.id] += 1
        self.made = made if epoch == 1 else self.made
        return found

    @property
    def originals(self) -> int:
        """Number of distinct unchanged examples that are taught."""
        return len(self._originals)

    @property
    def left_out(self) -> int:
        """Number of training examples held back for judging the model."""
        return sum(each.cluster in self.kept_back for each in self.engine.examples)

    @cached_property
    def _originals(self) -> dict[str, Lesson]:
        pairs = ((each, self.engine.task.lesson(each)) for each in self.engine.examples)
        return {each.id: lesson for each, lesson in pairs if lesson is not None and each.cluster not in self.kept_back}

    def _of(self, case: Case, epoch: int) -> Sequence[Taught]:
        room = round(self.share / (1 - self.share) * len(self._originals) / len(self.cases))
        if not room:
            return ()
        if case.probe.redrawn:
            return case.probe.lessons(case, self.engine, self._seed(epoch), room)
        known = self.found.setdefault(case.id, [])
        if case.id not in self._sought:
            self._sought.add(case.id)
            known += case.probe.lessons(case, self.engine, self._seed(1), min(room, self.searched))
        return known

    def _seed(self, epoch: int) -> int:
        return FIRST_SEED + 10_000 * self.seed + 100 * self.round + epoch

    def _lesson(self, taught: Taught) -> Lesson | None:
        lesson = self.engine.task.lesson(taught.changed)
        original: Example | None = taught.original
        if lesson is None or original is None:
            return lesson
        before = self._originals.get(original.id)
        return None if before is None else replace(lesson, original=before)
