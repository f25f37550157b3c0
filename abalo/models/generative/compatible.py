"""Prompted models of any server that speaks OpenAI's chat completions: ``openai:MODEL?base_url=ADDRESS``."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from abalo.core.protocols.options import HOW_FAST, told_args
from abalo.errors import AbaloError
from abalo.models.generative.completions import ALTERNATIVES, LONGEST, Completion, Server, ServerError
from abalo.models.generative.server_spec import KEY, ServerSpec
from abalo.models.networks.addresses import is_local, served
from abalo.models.options import ModelOptions
from abalo.models.prompts.calls import CallLimit, Calls
from abalo.models.prompts.protocol import Call, OnReply, Reply, Setting
from abalo.models.services.service import Service
from abalo.models.user_code import UserCode
from perturbations.suggestions import did_you_mean

_TIMEOUT = "timeout"

_NUMBERS = (*("temperature", "top_p", "min_p", "frequency_penalty", "presence_penalty", "repetition_penalty"), _TIMEOUT)

_SETTINGS: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "top_k"), (int, "a whole number, such as 200")),
    **dict.fromkeys(_NUMBERS, (int | float, "a number, such as 0.7, and of seconds one above 0")),
    "reasoning_effort": (str, "a word, such as low"),
}
"""Arguments by name, with their types and what is expected; all but the timeout go into each request."""

_REFUSED = frozenset((400, 422, 501))
"""Statuses that a server gives to a field that it does not have; others count if the message names the field."""

_WORDS: Mapping[str, tuple[str, ...]] = {
    "response_format": ("response_format", "json_schema", "schema", "structured", "guided", "grammar"),
    "logprobs": ("logprob",),
    "seed": ("seed",),
}
"""The fields that a server may lack, and how its refusal names them."""

_LOST: Mapping[str, str] = {
    "response_format": "replies are read without structured outputs",
    "logprobs": "labels have no scores",
    "seed": "repeats have no seed",
}


class CompatibleSource:
    """A `ReplySource` for a server of chat completions.

    Structured outputs are asked for if the reply is JSON, and the alternatives of tokens if labels have scores. A
    server that refuses a field is asked without it from then on, and a warning says so.
    """

    def __init__(self, named: ServerSpec, options: ModelOptions, calls: Calls) -> None:
        self.name, args = named.spec, options.model_args
        settings = {name: value for name, value in args.items() if name in _SETTINGS and name != _TIMEOUT}
        _check(self.name, args)
        key = os.environ.get(KEY, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise AbaloError(f"model {self.name}: {KEY} holds characters that no key has; set it again")
        timeout = float(str(args.get(_TIMEOUT, LONGEST)))
        self._server = Server(self.name, named.model, named.base_url, settings, key, timeout)
        self.settings: Mapping[str, Setting] = {
            "base_url": named.base_url,
            **{name: value for name, value in told_args(settings).items() if isinstance(value, str | int | float)},
        }
        here = is_local(named.base_url)
        self.sends_to = "" if here else self._server.host
        self.draws: bool | None = not (here and settings.get("temperature") == 0)
        self.version = options.model_version
        own = {name: value for name, value in args.items() if name in HOW_FAST}
        self._options, self._calls = replace(options, model_args=own), calls
        self._lacks, self._has = set[str](), set[str]()
        self._known: set[frozenset[str]] = set()
        self._first, self._cut = threading.Lock(), False

    @cached_property
    def service(self) -> Service:
        """Makes the calls; the server is asked first which model it serves."""
        server = self._server
        known = served(f"openai/{server.model}", {"base_url": server.base_url, "api_key": server.key})
        about = json.dumps([server.model, server.base_url, dict(server.settings), known], sort_keys=True)
        made = _Asked(server, hashlib.blake2b(about.encode(), digest_size=16).hexdigest())
        return Service(made, UserCode(self.name, Path.cwd()), self._options, self._calls)

    @property
    def fingerprint(self) -> str:
        """Asks the server which model it serves."""
        return self.service.fingerprint

    def share(self, limit: CallLimit, folder: Path | None) -> None:
        """Shares limits with other processes of the run."""
        self.service.share(limit, folder)

    def replies(self, calls: Sequence[Call], schema: Mapping[str, object] | None, on_reply: OnReply) -> None:
        def take(first: int, replies: Sequence[Reply]) -> None:
            for place, reply in enumerate(replies, start=first):
                on_reply(place, reply)

        def replied(batch: Sequence[Call]) -> list[Reply]:
            return [self._replied(call, schema) for call in batch]

        self.service.in_batches(calls, 1, replied, take=take)

    def _replied(self, call: Call, schema: Mapping[str, object] | None) -> Reply:
        wanted: dict[str, Mapping[str, object]] = {"seed": {"seed": call.seed}}
        if schema is not None:
            form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
            wanted["response_format"] = {"response_format": form}
        if call.scored:
            wanted["logprobs"] = {"logprobs": True, "top_logprobs": ALTERNATIVES}
        found = self._first_of_its_kind(call, wanted) or self._with_what_it_has(call, wanted)
        if found.cut and not self._cut:
            self._cut = True
            self._tell("a reply was cut off at its greatest length; raise max_tokens by --abalo-model-args")
        return found.reply

    def _first_of_its_kind(self, call: Call, wanted: Mapping[str, Mapping[str, object]]) -> Completion | None:
        """The answer to the first call with these fields, before others are in flight; None for later calls."""
        kind = frozenset(wanted)
        if kind in self._known:
            return None
        with self._first:
            if kind in self._known:
                return None
            found = self._with_what_it_has(call, wanted)
            self._known.add(kind)
            return found

    def _with_what_it_has(self, call: Call, wanted: Mapping[str, Mapping[str, object]]) -> Completion:
        refused, found = {*self._lacks}, None
        while found is None:
            left = {name: field for name, field in wanted.items() if name not in refused}
            try:
                found = self._asked(call, left)
            except ServerError as error:
                said = error.said.lower()
                named = {name for name in left if any(word in said for word in _WORDS[name])}
                unsure = [name for name in left if name not in self._has]
                if not named and (error.status_code not in _REFUSED or not unsure):
                    raise
                guess, found = (named, None) if named else self._guessed(call, left, unsure)
                refused |= guess
        self._has |= wanted.keys() - refused
        for name in sorted(refused - self._lacks):
            self._lacks.add(name)
            self._tell(f"{self._server.host} refuses {name}, so {_LOST[name]}")
        return found

    def _guessed(
        self, call: Call, fields: Mapping[str, Mapping[str, object]], unsure: Sequence[str]
    ) -> tuple[set[str], Completion]:
        """The fewest of the ``unsure`` fields without which the server answers, and its answer.

        Raises `ServerError` if it refuses the request without all of them, too.
        """
        found = self._asked(call, {name: field for name, field in fields.items() if name not in unsure})
        for out in (each for count in range(1, len(unsure)) for each in combinations(unsure, count)):
            with suppress(ServerError):
                return {*out}, self._asked(call, {name: field for name, field in fields.items() if name not in out})
        return {*unsure}, found

    def _asked(self, call: Call, fields: Mapping[str, Mapping[str, object]]) -> Completion:
        messages = [{"role": role, "content": text} for role, text in call.messages]
        extra = {name: value for each in fields.values() for name, value in each.items()}
        found: Completion = self.service.ask("its server", self._server.complete, messages, extra)
        return found

    def _tell(self, said: str) -> None:
        self.service.code.call("a warning", warnings.warn, f"model {self.name}: {said}", UserWarning)


class _Asked:
    """What the service knows of the server."""

    def __init__(self, server: Server, fingerprint: str) -> None:
        self.replies, self.fingerprint = server.complete, fingerprint


def _check(spec: str, args: Mapping[str, object]) -> None:
    expected = (*_SETTINGS, *sorted(HOW_FAST))
    for name, value in args.items():
        place = f"model {spec}: --abalo-model-args {name}"
        if name not in expected:
            near = did_you_mean(name, expected)
            raise AbaloError(f"{place}: no setting of a chat completion{near}; expected {', '.join(expected)}")
        kind, wanted = _SETTINGS.get(name, (object, ""))
        if not isinstance(value, kind) or isinstance(value, bool) or (name == _TIMEOUT and value <= 0):
            raise AbaloError(f"{place}={value!r}: expected {wanted}")
