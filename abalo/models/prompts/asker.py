"""Turns inputs into calls and replies into answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Generic, TypeVar

from abalo.models.prompts.cache import Kept, NoCache, ReplyCache
from abalo.models.prompts.calls import Calls
from abalo.models.prompts.json_replies import LONGEST
from abalo.models.prompts.label_scores import label_scores
from abalo.models.prompts.protocol import Call, ModelAnswer, Reply, ReplySource
from abalo.models.prompts.replies import after_thoughts
from abalo.models.prompts.template import PromptTemplate
from abalo.models.user_code import OnProgress

I = TypeVar("I")  # noqa: E741 - an input
A = TypeVar("A")


class Asker(Generic[I, A]):
    """A language model that answers about inputs.

    ``fingerprint`` changes whenever answers could. ``keeps_text`` caches raw replies.
    """

    def __init__(self, source: ReplySource, prompt: PromptTemplate, calls: Calls, *, keeps_text: bool) -> None:
        self.source, self.calls = source, calls
        self.on_progress: OnProgress | None = None
        self._keeps_text = keeps_text
        self._estimated: set[str] | None = None
        self.cache: ReplyCache = NoCache()
        self._ask_by(prompt)

    def _ask_by(self, prompt: PromptTemplate) -> None:
        self.prompt, self.form = prompt, prompt.form
        self.digest = _hash_value(prompt.facts, 4)
        self.fingerprint = _hash_value([self.source.name, self.source.fingerprint, prompt.facts], 16)
        self.cache = self.cache.of(self.fingerprint)

    def answers(self, inputs: Sequence[I], repeat: int = 0) -> list[ModelAnswer[A]]:
        """One answer per input, in order.

        Unreadable replies are requested again if they can differ.
        """
        found: dict[int, ModelAnswer[A]] = {}
        open_ = dict(enumerate(inputs))
        retries = 0 if self.source.draws is False else self.prompt.retries
        for attempt in range(1 + retries):
            calls = {
                k: Call(self.prompt.conversation(given), repeat, attempt, bool(self._scored))
                for k, given in open_.items()
            }
            found |= self._answered(calls, inputs)
            open_ = {k: given for k, given in open_.items() if not found[k].valid}
            if not open_ or self._estimated is not None:
                break
        return [found[k] for k in range(len(inputs))]

    def asked_by(self, prompt: PromptTemplate) -> Asker[I, A]:
        """The same model with another prompt and a shared call count."""
        made = copy(self)
        made._ask_by(prompt)
        return made

    def estimating(self) -> Asker[I, A]:
        """A copy that records calls without making them."""
        made = copy(self)
        made._estimated, made.calls, made.on_progress = set(), Calls(), None
        return made

    @property
    def estimated(self) -> int:
        """Distinct recorded calls that are not cached."""
        return len(self._estimated or ())

    def _answered(self, calls: Mapping[int, Call], inputs: Sequence[I]) -> dict[int, ModelAnswer[A]]:
        keys = {k: call.key(self.fingerprint) for k, call in calls.items()}
        self.cache.refresh()
        known = {k: answer for k, key in keys.items() if (answer := self._known(key, inputs[k])) is not None}
        new = {key: k for k, key in reversed(keys.items()) if k not in known}
        if self._estimated is not None:
            self._estimated.update(new)  # shared with the same model asked by other prompts
            return {k: self._unread(inputs[k]) for k in calls}
        self.calls.keep([kept.day for key in {*keys.values()} - {*new} if (kept := self.cache.get(key))])
        wanted = sorted(new.values())
        wanted = wanted[: self.calls.allowed(len(wanted))]
        self._ask([(keys[k], calls[k], inputs[k]) for k in wanted])
        fresh = {k: self._known(key, inputs[k]) for k, key in keys.items() if k not in known}
        return {k: known.get(k) or fresh[k] or self._unread(inputs[k]) for k in keys}

    def _ask(self, wanted: Sequence[tuple[str, Call, I]]) -> None:
        if not wanted:
            return
        done = 0

        def keep(place: int, reply: Reply) -> None:
            nonlocal done
            key, call, given = wanted[place]
            self.calls.count(reply.input_tokens, reply.output_tokens)
            self.calls.again += call.attempt > 0
            self.cache.put(key, self._kept(reply, given))
            done += 1
            if self.on_progress is not None:
                self.on_progress(done, len(wanted))

        self.source.replies([call for _, call, _ in wanted], self.prompt.shown_form.schema, keep)

    def _kept(self, reply: Reply, given: I) -> Kept:
        text = reply.text
        read = None if self._keeps_text and not reply.tokens else self.prompt.read(text, given)
        scores = self._scores(reply, read)
        if self._keeps_text:
            return Kept(text if len(text) <= LONGEST else (after_thoughts(text) or "")[: LONGEST + 1], scores=scores)
        return Kept(parsed=None if read is None else self.form.packed(read), has_text=False, scores=scores)

    @property
    def _scored(self) -> Sequence[str]:
        """The labels that can have scores, as the model knows them."""
        names: Sequence[str] = getattr(self.prompt.shown_form, "scored", ())
        return names

    def _scores(self, reply: Reply, read: Any) -> tuple[float, ...]:
        if not (reply.tokens and self._scored and read):
            return ()
        said = self._scored[self.form.labels.index(read[0])]
        return label_scores(reply.text, reply.tokens, self._scored, said)

    def _known(self, key: str, given: I) -> ModelAnswer[A] | None:
        kept = self.cache.get(key)
        if kept is None:
            return None
        if kept.has_text:
            read = self.prompt.read(kept.text, given)
            return self._answer(given, read, kept)
        if kept.parsed is None:
            return self._unread(given)
        try:
            return self._answer(given, self.form.unpacked(kept.parsed, given), kept)
        except (TypeError, ValueError):  # no answer to this input
            return None

    def _answer(self, given: I, read: A | None, kept: Kept) -> ModelAnswer[A]:
        if read is None:
            return self._unread(given, kept.text)
        return ModelAnswer(read, kept.text, True, kept.scores if len(kept.scores) == len(self._scored) else ())

    def _unread(self, given: I, reply: str = "") -> ModelAnswer[A]:
        return ModelAnswer(self.form.nothing(given), reply, valid=False)


def _hash_value(value: object, size: int) -> str:
    return hashlib.blake2b(json.dumps(value, default=repr).encode(), digest_size=size).hexdigest()
