"""Prompted models of Inspect; imported only when used."""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from threading import Event
from typing import Any

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    get_model,
)
from inspect_ai.util import JSONSchema

from abalo.core.protocols.options import told_args
from abalo.errors import AbaloError, ends_the_run, redacted, visible
from abalo.files import expand_home
from abalo.models.networks.addresses import IN_PROCESS, SERVERS, is_here, served
from abalo.models.networks.inspection import GENERATION, REASON, plain, settings_of
from abalo.models.networks.silence import no_traces
from abalo.models.prompts.calls import CallLimit
from abalo.models.prompts.protocol import PREFIX, Call, OnReply, Reply, Setting
from abalo.models.services.limits import RateLimit

LOCAL = IN_PROCESS | SERVERS

_GREEDY = frozenset(("hf", "nnterp", "transformer_lens"))


class InspectSource:
    """A `ReplySource` for Inspect, which handles concurrency, rate limits and retries.

    Generation settings, such as ``max_tokens``, go to Inspect; other arguments go to the model.
    """

    def __init__(
        self, model: str, args: Mapping[str, object], version: str | None, rate: RateLimit | None = None
    ) -> None:
        self.name = f"{PREFIX}{model}"
        self.version = version
        self._model, self._args = model, settings_of(model, args)
        provider = model.partition("/")[0]
        self.draws = _draws(provider, self._args)
        self.sends_to = "" if is_here(model, self._args) else provider
        self.settings: Mapping[str, Setting] = {
            name: value if isinstance(value, str | int | float) else str(value)
            for name, value in told_args(self._args).items()
        }
        self._opened: Any = None
        self._rate = rate

    def share(self, _limit: CallLimit, folder: Path | None) -> None:
        """Shares the rate with other processes of the run."""
        if self._rate is not None and folder is not None:
            self._rate.shared = folder / "rate"

    @cached_property
    def fingerprint(self) -> str:
        """Asks the service which model it serves."""
        about = [self._model, self._args, self.version, _files(self._model), served(self._model, self._args)]
        described = json.dumps(about, sort_keys=True, default=repr)
        return hashlib.blake2b(described.encode(), digest_size=16).hexdigest()

    def replies(self, calls: Sequence[Call], schema: Mapping[str, object] | None, on_reply: OnReply) -> None:
        wanted = None
        if schema is not None:
            wanted = ResponseSchema(name="reply", json_schema=JSONSchema.model_validate(schema))
        try:
            with no_traces():
                _runner().run(self._all(calls, wanted, on_reply))
        except BaseException as error:
            if ends_the_run(error):
                raise
            inner = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error
            if isinstance(inner, AbaloError):
                raise inner from error
            reason = redacted(visible(plain(str(inner))))[:REASON]
            raise AbaloError(f"model {self.name}: Inspect cannot use it: {type(inner).__name__}: {reason}") from inner

    async def _all(self, calls: Sequence[Call], schema: ResponseSchema | None, on_reply: OnReply) -> None:
        model, stop = self._loaded(), Event()

        async def one(place: int, call: Call) -> None:
            config = GenerateConfig(seed=call.seed, response_schema=schema)
            if self._rate is not None:
                await asyncio.to_thread(self._rate.wait, stop)
            made = await model.generate([_MESSAGES[role](content=text) for role, text in call.messages], config=config)
            usage = made.usage
            if self._rate is not None and usage:
                self._rate.spent(usage.input_tokens + usage.output_tokens)
            text = "" if made.empty else made.completion
            on_reply(place, Reply(text, usage.input_tokens if usage else 0, usage.output_tokens if usage else 0))

        try:
            async with asyncio.TaskGroup() as group:
                for place, call in enumerate(calls):
                    group.create_task(one(place, call))
        finally:
            stop.set()

    def _loaded(self) -> Any:
        if self._opened is None:
            own = {name: value for name, value in self._args.items() if name not in GENERATION}
            generation = {name: value for name, value in self._args.items() if name in GENERATION}
            if self._model.startswith("mockllm/") and "custom_outputs" not in own:
                own["custom_outputs"] = mock_reply
            self._opened = get_model(self._model, config=GenerateConfig(**generation), memoize=False, **own)
        return self._opened


@cache
def _runner() -> asyncio.Runner:
    runner = asyncio.Runner()
    atexit.register(runner.close)
    return runner


def mock_reply(*_: Any) -> ModelOutput:
    """A reply with usage; otherwise Inspect downloads a vocabulary to count tokens."""
    made = ModelOutput.from_content("mockllm/model", "Default output from mockllm/model")
    made.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
    return made


_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


def _files(model: str) -> list[tuple[str, int, int]]:
    provider, _, name = model.partition("/")
    folder = expand_home(name)
    if provider not in LOCAL or not folder.is_dir():
        return []
    found = [(each.name, each.stat()) for each in sorted(folder.iterdir()) if each.is_file()]
    return [(file, state.st_size, state.st_mtime_ns) for file, state in found]


def _draws(provider: str, args: Mapping[str, object]) -> bool | None:
    if provider == "mockllm":
        return None
    if provider in _GREEDY:
        return bool(args.get("do_sample"))
    return not (provider in LOCAL and args.get("temperature") == 0)
