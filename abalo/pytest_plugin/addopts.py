"""Our options in pytest's ``addopts``, for commands."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abalo.config.options import OPTIONS, now_a_setting
from abalo.errors import AbaloError
from abalo.pytest_plugin.rootdir import setup_of

_OF_A_RUN = ("reports", "no_text", "latex", "resume", "save_failures", "profile", "against", "regressions", "shard")


def options_here() -> dict[str, Any]:
    """The ``addopts`` that affect measurements, by name; raises `AbaloError`.

    ``PYTEST_ADDOPTS`` overrides the configuration file.
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    for option in OPTIONS:
        if option.flag:
            parser.add_argument(option.flag_name, dest=option.name, action="store_true", default=None)
        else:
            parser.add_argument(option.flag_name, dest=option.name, type=option.type or str, choices=option.choices)
    found, others = parser.parse_known_args(list(_words()))
    for name in (word.partition("=")[0] for word in others):
        if told := now_a_setting(name):
            parser.error(f"{name} {told}")
    return {name: value for name, value in vars(found).items() if value is not None and name not in _OF_A_RUN}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise AbaloError(f"addopts of pytest: {message}")


def _words() -> Iterator[str]:
    nothing = argparse.Namespace(inifilename=None, file_or_dir=[], rootdir=None, override_ini=[])
    try:
        settings = setup_of(nothing, Path.cwd())[2]
    except pytest.UsageError as error:  # a file that is not valid
        raise AbaloError(str(error)) from error
    found = settings.get("addopts", ())
    value = getattr(found, "value", found)  # as pytest 9 has it
    for words in (value, os.environ.get("PYTEST_ADDOPTS", "")):
        yield from shlex.split(words) if isinstance(words, str) else words
