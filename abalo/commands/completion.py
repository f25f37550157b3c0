"""``abalo --completion``: the script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError

SHELLS = ("bash", "zsh", "tcsh")


def add_completion_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option, which prints the script and ends the command."""
    parser.add_argument(
        "--completion",
        action=_Print,
        choices=SHELLS,
        metavar="SHELL",
        default=argparse.SUPPRESS,
        help='print the script that completes commands in bash, zsh or tcsh, such as eval "$(abalo --completion bash)"',
    )


class _Print(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, _given: Any, shell: Any, _option: str | None = None) -> None:
        """Prints the script for the shell; raises `AbaloError` if shtab is not installed."""
        sys.stdout.write(f"{completion(parser, shell)}\n")
        parser.exit()


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for one of `SHELLS`; raises `AbaloError` if shtab is not installed."""
    try:
        shtab = import_module("shtab")
    except ImportError:
        raise AbaloError("--completion needs shtab: pip install 'abalo[completion]'") from None
    _complete_paths(parser, shtab.FILE)
    script: str = shtab.complete(parser, shell=shell)
    return script


def _complete_paths(parser: argparse.ArgumentParser, files: object) -> None:
    for action in parser._actions:
        if action.type is Path:
            vars(action)["complete"] = files
        elif isinstance(action, argparse._SubParsersAction):
            for command in {id(each): each for each in action.choices.values()}.values():
                _complete_paths(command, files)
