"""States and predictions for searches with populations."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import accumulate
from random import Random

from abalo.attacks.parts import apply_edits, match_answers
from abalo.attacks.search import Answer, Ask, Found
from abalo.attacks.searches.beam import Changes, badness
from abalo.core.records.targets import Effect, Target
from perturbations import Edit

StateKey = frozenset[tuple[int, Edit]]


class ShownStates:
    """The distinct states that the model was shown, of at most ``steps`` words; 0 for any number."""

    def __init__(self, target: Target, steps: int) -> None:
        self._target = target
        self._steps = steps
        self._clean = target.read(target.clean)
        self._known: dict[StateKey, tuple[Answer, Effect]] = {}

    def show(self, states: Iterable[Changes]) -> Generator[Ask, Sequence[Answer], Answer | None]:
        """Shows new states; returns the most similar answer that breaks the target."""
        allowed = (each for each in states if not self._steps or len(each) <= self._steps)
        fresh = {key: each for each in allowed if (key := _key(each)) and key not in self._known}
        asked = [(key, apply_edits(self._target, each.values())) for key, each in fresh.items()]
        answers = match_answers(asked, (yield Ask(self._target, [made for _, made in asked])))
        self._known |= {
            key: (answer, self._target.read(answer.prediction, answer.perturbed)) for key, answer in answers
        }
        broken = [answer for key, answer in answers if self._known[key][1].broken]
        return max(broken, key=lambda answer: answer.similarity, default=None)

    def holds(self, state: Changes) -> bool:
        """Whether the state is the original or was shown."""
        return not state or _key(state) in self._known

    def effect(self, state: Changes) -> Effect:
        """The effect of this state on the target."""
        return self._known[_key(state)][1] if state else self._clean

    def fall(self, state: Changes) -> float:
        """The score that the target has lost in this state."""
        return _total(self._clean) - _total(self.effect(state))

    def worst(self, states: Sequence[Changes]) -> Changes:
        """The worst shown state for the model, or the original; the first of ties."""
        shown = [each for each in states if self.holds(each)]
        return max(shown, key=lambda each: badness(self.effect(each)), default={})

    def found(self, state: Changes) -> Found:
        """The result of a search that ends in this state."""
        if not state:
            return Found(None, self._target.clean)
        return result_of(self._known[_key(state)][0])


def result_of(answer: Answer) -> Found:
    """The result of a search that ends with this answer."""
    return Found(answer.perturbed, answer.prediction, answer.similarity)


def draw_place(weights: Sequence[float], draws: Random) -> int:
    """Draws an index in proportion to the weights."""
    sums = list(accumulate(weights))
    lot = draws.random() * sums[-1]
    return next(k for k, total in enumerate(sums) if lot < total)


def _total(effect: Effect) -> float:
    return effect.total(range(len(effect.scores)))


def _key(state: Changes) -> StateKey:
    return frozenset(state.items())
