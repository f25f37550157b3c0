"""The command-line options, as pytest has them."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from abalo.config.options import OPTIONS, Options, usual_profile

_NOT_NEEDED_AGAIN = ("reports", "latex", "resume", "save_failures", "shard")
"""Options that change nothing but where things are written, and which cases are run beside one."""


def add_options(parser: pytest.Parser) -> None:
    """Adds every option in a group of its own."""
    group = parser.getgroup("abalo", "behavioural tests of NLP models (abalo)")
    for option in OPTIONS:
        if option.flag:
            group.addoption(option.flag_name, action="store_true", help=option.help)
        else:
            wanted = {"metavar": option.metavar, "choices": option.choices, "type": option.type}
            given = {name: value for name, value in wanted.items() if value is not None}
            shown = option.help + (f" (default: {option.default})" if option.default is not None else "")
            group.addoption(option.flag_name, default=option.default, help=shown, **given)


def options_of(config: pytest.Config) -> Options:
    """Read from pytest's configuration; raises `AbaloError` for a value out of range."""
    from abalo.config.thresholds import usual_path

    given = {option.name: config.getoption(option.dest) for option in OPTIONS}
    thresholds = given["thresholds"]
    asked = any(given[name] is not None for name in ("model", "corpus", "choice_model", "questions"))
    path = usual_path(config.rootpath, asked=asked) if thresholds is None else Path(thresholds)
    return Options.read(given, path, config.invocation_params.dir)


def command_for(config: pytest.Config, item: pytest.Item) -> str:
    """The one command that runs this test again with the same model, corpus and settings."""
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
        elif value != option.default:
            words += [option.flag_name, str(value)]
    return shlex.join(words)
