"""The interfaces of sources and forms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from perturbations.streams import lot

I_contra = TypeVar("I_contra", contravariant=True)
A = TypeVar("A")

PREFIX, OPENAI = "inspect:", "openai:"

ASKED = (PREFIX, OPENAI)
"""How the specs of prompted models begin."""

Setting = str | int | float | bool | None


Messages = tuple[tuple[str, str], ...]
"""Roles (system, user or assistant) and texts."""


@dataclass(frozen=True, slots=True)
class Call:
    """A conversation.

    ``repeat`` counts repeats from 0, ``attempt`` calls after unreadable replies. ``scored`` asks for alternatives.
    """

    messages: Messages
    repeat: int = 0
    attempt: int = 0
    scored: bool = False

    def key(self, model: str) -> str:
        """BLAKE2b digest of the call, 32 hexadecimal digits."""
        said = [model, self.messages, self.repeat, self.attempt]
        return hashlib.blake2b(json.dumps(said).encode(), digest_size=16).hexdigest()

    @property
    def seed(self) -> int:
        """The seed of this repeat, from 0 to below 2**31."""
        return lot(0, "repeat", self.repeat, self.attempt, self.key("")) % 2**31


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a reply, and the probabilities (0 to 1) of the likeliest in its place, itself among them."""

    text: str
    alternatives: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a reply, the numbers of its tokens, 0 if unknown, and the tokens, () if unknown."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    tokens: tuple[Token, ...] = field(default=(), kw_only=True)


OnReply = Callable[[int, Reply], None]


class ReplySource(Protocol):
    """A language model or service that replies to calls.

    ``fingerprint`` changes whenever replies could; ``version`` distinguishes states. ``draws``: equal calls can differ,
    None if unknown. ``sends_to``: the service that receives texts, or "".
    """

    name: str
    version: str | None
    settings: Mapping[str, Setting]
    draws: bool | None
    sends_to: str

    @property
    def fingerprint(self) -> str: ...

    def replies(self, calls: Sequence[Call], schema: Mapping[str, object] | None, on_reply: OnReply) -> None:
        """Replies to every call, in any order.

        Args:
            calls: Distinct calls.
            schema: JSON Schema of the reply, for services that can enforce it; None if not JSON.
            on_reply: Called once per call.

        Raises:
            AbaloError: The model cannot be used.
        """
        ...


class PromptForm(Protocol[I_contra, A]):
    """Writes an input into a prompt and reads the reply."""

    @property
    def places(self) -> tuple[str, ...]:
        """Template places, such as ``{text}``."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels to choose from; empty if each input has its own."""
        ...

    @property
    def schema(self) -> Mapping[str, object] | None:
        """The JSON Schema of a reply; None if not JSON."""
        ...

    def usual(self) -> str:
        """The default template."""
        ...

    def format(self) -> str:
        """The wanted form of a reply, in words."""
        ...

    def parts(self, given: I_contra) -> Mapping[str, str]:
        """The text for each place."""
        ...

    def read(self, reply: str, given: I_contra, cue: str = "") -> A | None:
        """The answer in a reply; None if unreadable.

        ``cue`` is the word that the prompt ends in before its colon.
        """
        ...

    def said(self, given: I_contra, gold: Any) -> str:
        """The correct reply, for an example in a prompt."""
        ...

    def nothing(self, given: I_contra) -> A:
        """The answer for an unreadable reply."""
        ...

    def packed(self, answer: A) -> object:
        """The answer as a JSON value without words of the text."""
        ...

    def unpacked(self, packed: object, given: I_contra) -> A:
        """Reverses `packed`; raises TypeError or ValueError for what `read` could not give."""
        ...


@dataclass(frozen=True, slots=True)
class ModelAnswer(Generic[A]):
    """An answer, read from ``reply``; ``valid`` is False if unreadable.

    ``scores`` (0 to 1) has one for each label of the form; () if unknown.
    """

    value: A
    reply: str
    valid: bool
    scores: tuple[float, ...] = ()
