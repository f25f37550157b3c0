"""How tasks are prompted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from abalo.errors import AbaloError
from abalo.models.prompts.names import NamedForm
from abalo.models.prompts.protocol import A, I_contra, PromptForm
from abalo.models.prompts.wording import ReplyForm, Shot, Worded, Wording


@dataclass(frozen=True, slots=True)
class Prompting:
    """How a task is prompted.

    ``form`` raises ValueError for an unsupported kind of reply. ``judged`` returns inputs that prompts must not
    contain.
    """

    form: Callable[[ReplyForm], PromptForm[Any, Any]]
    shots: Callable[[str], Sequence[Shot]]
    judged: Callable[[], Collection[Any]]


def wants_json(reply: ReplyForm) -> bool:
    """True for JSON; raises ValueError for marked text."""
    if reply == "marked":
        raise ValueError('reply = "marked" is for entities; expected "json", or leave it out')
    return reply == "json"


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of a model for a task."""

    spec: str
    prompting: Prompting

    def worded(self, said: Wording, shots: Sequence[Shot] | None = None) -> Worded:
        """The prompt of a wording, with ``shots`` or its own examples.

        Raises `AbaloError` if it does not fit the task, or if its own examples are in the judged corpus.
        """
        try:
            form = self.prompting.form(said.reply)
        except ValueError as error:
            raise AbaloError(f"model {self.spec}: its prompt: {error}") from None
        if said.order:
            form = replace(form, labels=said.order)  # type: ignore[type-var]
        if said.names:
            form = NamedForm(form, said.names)
        return Worded(self.spec, said, form, self._first_shots(said, form) if shots is None else shots)

    def pool(self, said: Wording) -> list[Shot]:
        """The wording's examples outside the judged corpus."""
        if not said.examples:
            return []
        form = self.prompting.form(said.reply)
        judged = {_plain(form, each) for each in self.prompting.judged()}
        return [shot for shot in self.prompting.shots(said.examples) if _plain(form, shot.given) not in judged]

    def _first_shots(self, said: Wording, form: PromptForm[Any, Any]) -> Sequence[Shot]:
        if not said.examples:
            return ()
        shots = [*self.prompting.shots(said.examples)][: said.shown]
        if not shots:
            raise AbaloError(f"model {self.spec}: {said.examples} holds no example for the prompt")
        judged = {_plain(form, each) for each in self.prompting.judged()}
        for number, shot in enumerate(shots, start=1):
            if _plain(form, shot.given) in judged:
                raise AbaloError(
                    f"model {self.spec}: example {number} of {said.examples} is in the judged corpus, which would show "
                    "the model its answer; take examples from training data"
                )
        return shots


def _plain(form: PromptForm[I_contra, A], given: I_contra) -> str:
    return " ".join(" ".join(form.parts(given).values()).casefold().split())
