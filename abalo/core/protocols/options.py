"""The options of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from abalo.core.records.rates import MinuteRate, Price
from abalo.errors import REDACTED, redacted

if TYPE_CHECKING:
    from abalo.core.protocols.budget import Budget

Profile = Literal["quick", "dev", "ci", "nightly"]

QUICK: Profile = "quick"

PART = 10_000
"""Examples read and predicted at once."""

QUICK_SEEDS, QUICK_SEARCHED, QUICK_EDITS = 1, 3, 60


HUNTED: Mapping[Profile, int] = {"quick": QUICK_EDITS, "dev": 500, "ci": 1_000, "nightly": 50_000}


@dataclass(frozen=True, slots=True)
class Calling:
    """How a language model may be called.

    ``max_calls`` and ``rate`` None are unlimited. ``local_only`` refuses to send texts to other machines. ``no_cache``
    forgets replies, which are else kept in the folder ``replies``, by default in the user's cache folder.
    """

    max_calls: int | None = None
    local_only: bool = False
    no_cache: bool = False
    replies: Path | None = None
    rate: MinuteRate | None = None
    price: Price | None = None


_TOLD = frozenset(
    (
        *("attn_implementation", "base_url", "chat_template", "custom_outputs", "device", "dtype", "effort", "host"),
        *("modalities", "model_path", "quantization", "reasoning_effort", "reasoning_history", "reasoning_mode"),
        *("reasoning_summary", "revision", "stop_seqs", "system_message", "tokenizer", "tokenizer_path", "verbosity"),
    )
)
"""Settings that may be told; others could be secrets."""


HOW_FAST = frozenset(("concurrency", "retries"))
"""Arguments of a model that decide when its answers come, and not which."""


def told_args(args: Mapping[str, object]) -> dict[str, object]:
    """Settings of a model without secrets: numbers, and known ones with `redacted` words."""
    return {name: _told(value) if name in _TOLD or _is_plain(value) else REDACTED for name, value in args.items()}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float)


def _told(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _told(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    return redacted(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Designed:
    """A requested panel: a ``budget``, or the ``earlier`` run whose design is taken."""

    budget: Budget | None = None
    earlier: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The settings of a run: how to read a corpus, load and ask a model, and what to keep.

    ``pytest --help`` describes them.
    """

    model: str | None = None
    corpus: str | None = None
    model_args: Mapping[str, object] = field(default_factory=dict)
    device: str = "auto"
    dtype: str = "fp32"
    full_precision: str | None = None
    aggregation: str = "mean"
    max_length: int = 256
    stride: int = 64
    mask_token: str | None = None
    label_map: str | None = None
    types: str | None = None
    join: bool = False
    markers: str | None = None
    limit: int | None = None
    allow_pickle: bool = False
    trust_remote_code: bool = False
    model_version: str | None = None
    repeats: int | None = None
    calling: Calling = field(default_factory=Calling)
    stop_early: bool = False
    designed: Designed | None = None
    profile: Profile = "dev"
    reports: Path = Path("reports")
    with_text: bool = True


def seeds_at_most(options: RunOptions) -> int | None:
    """The largest number of seeds, if limited."""
    return QUICK_SEEDS if options.profile == QUICK or options.designed is not None else None


def searched_at_most(options: RunOptions) -> int | None:
    """The largest number of examples, if limited."""
    return QUICK_SEARCHED if options.profile == QUICK else None


def edits_at_most(options: RunOptions) -> int | None:
    """The largest number of edits, if limited."""
    return QUICK_EDITS if options.profile == QUICK else None


def mask_token_of(model: Any, options: RunOptions) -> str | None:
    """The mask token of the options, else the model's, else None."""
    own: str | None = model.mask_token
    return own if options.mask_token is None else options.mask_token
