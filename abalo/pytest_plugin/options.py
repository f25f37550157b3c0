"""The command-line options in pytest."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from abalo.config.options import OPTIONS, RUN_KEYS, Option, Options, now_a_setting, read_options, usual_profile

if TYPE_CHECKING:
    from abalo.config.thresholds import Thresholds

PREFIX = "--abalo-"

_NOT_NEEDED_AGAIN = ("reports", "latex", "resume", "save_failures", "shard")


def add_options(parser: pytest.Parser) -> None:
    """Adds all options as one group."""
    group = parser.getgroup("abalo", "behavioural tests of NLP models (abalo)")
    for option in OPTIONS:
        if option.flag:
            group.addoption(option.flag_name, action="store_true", help=option.described())
        else:
            wanted = {"metavar": option.metavar, "choices": option.choices, "type": option.type}
            given = {name: value for name, value in wanted.items() if value is not None}
            group.addoption(option.flag_name, default=_default(option), help=option.described(), **given)


def suggest(config: pytest.Config, words: Iterable[str]) -> None:
    """Adds to pytest's error for an unknown option what it is now, or the nearest one."""
    parser: object = getattr(config, "_parser", None)
    known = {option.flag_name for option in OPTIONS}
    unknown = [name for word in words if (name := word.partition("=")[0]).startswith(PREFIX) and name not in known]
    told = {name: now for name in unknown if (now := now_a_setting(name))}
    near = [found[0] for name in unknown if name not in told and (found := get_close_matches(name, known, n=1))]
    if hasattr(parser, "extra_info"):  # another pytest may have none
        parser.extra_info |= told | ({"did you mean": ", ".join(near)} if near else {})


def _default(option: Option) -> str | int | None:
    return None if option.name in RUN_KEYS else option.default


def read(config: pytest.Config) -> tuple[Options, Thresholds]:
    """Options over the thresholds file's, and the thresholds; raises `AbaloError`."""
    from abalo.config.tasks import task_called
    from abalo.config.thresholds import load, usual_path

    given = {option.name: config.getoption(option.dest) for option in OPTIONS}
    if given["task"] is not None:
        task_called(given["task"])
    here, named = config.invocation_params.dir, given["thresholds"]
    asked = any(given[name] is not None for name in ("model", "corpus"))
    path = usual_path(config.rootpath, asked=asked) if named is None else Path(named)
    thresholds = load(path, given["language"], given["least"])
    trusted = named is not None or path.parent.resolve() == here.resolve()
    options = read_options(thresholds.run.under(given, trusted=trusted), path, here)
    return replace(options, seeds=thresholds.seeds_against(options.seeds, options.against)), thresholds


def command_for(config: pytest.Config, item: pytest.Item) -> str:
    """The command that repeats this test."""
    from abalo.tasks.choice.models.loading import told_line

    words = ["pytest"]
    if config.getoption("pyargs"):
        module, _, test = item.nodeid.partition("::")
        dotted = item.module.__name__ if hasattr(item, "module") else module
        words += ["--pyargs", f"{dotted}::{test}"]
    else:
        place = os.path.relpath(item.path, config.invocation_params.dir)
        words.append("::".join([Path(place).as_posix(), *item.nodeid.split("::")[1:]]))
    for option in OPTIONS:
        if option.name in _NOT_NEEDED_AGAIN:
            continue
        value = config.getoption(option.dest)
        if option.name == "profile":
            value = value or (None if usual_profile() == "dev" else usual_profile())
        if option.flag:
            words += [option.flag_name] if value else []
        elif value != _default(option):
            words += [option.flag_name, told_line(value) if option.name == "model_args" else str(value)]
    return shlex.join(words)
