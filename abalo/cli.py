"""The command ``abalo``."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
import sys
from collections.abc import Sequence, Set
from typing import NoReturn

from abalo.commands import (
    accept,
    aggregate,
    audit,
    augment,
    calibrate,
    capabilities,
    comment,
    compare,
    harden,
    history,
    init,
    listing,
    log_mlflow,
    merge,
    pairs,
    perturb,
    ratings,
    rejudge,
    replay,
    scale,
    schema,
    sheet,
    show,
    suspects,
    verdict,
)
from abalo.errors import AbaloError, visible_lines
from abalo.version import __version__

_COMMANDS = (
    listing,
    init,
    calibrate,
    capabilities,
    perturb,
    pairs,
    augment,
    harden,
    accept,
    compare,
    history,
    show,
    comment,
    log_mlflow,
    verdict,
    merge,
    rejudge,
    replay,
    scale,
    schema,
    sheet,
    ratings,
    aggregate,
    suspects,
    audit,
)
"""In the order in which --help tells of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; 0 when all is well, 2 when it could not be done, with the reason on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Options of pytest have the same names here without the prefix; who copies them need not know.
    options = parser().parse_args([re.sub("^--abalo-", "--", each) for each in given])
    try:
        code: int = options.run(options, shlex.join(["abalo", *given]))
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("abalo: interrupted", file=sys.stderr)
        return 130
    except AbaloError as error:
        print(f"abalo: {visible_lines(_as_here(str(error), {*vars(options)}))}", file=sys.stderr)
        return 2
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        print("abalo: a path of the command, or of [run], holds a null byte; give one that does not", file=sys.stderr)
        return 2
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            print(f"abalo: {visible_lines(error.filename)}: {error.strerror}; give a shorter path", file=sys.stderr)
            return 2
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno == errno.EPIPE:  # the reader of the output, such as head, has closed it
            return 1
        print(f"abalo: the output cannot be written: {error.strerror}; make room where it goes", file=sys.stderr)
        return 2
    return code


def _as_here(message: str, known: Set[str]) -> str:
    """The message with the options that the command has in its spelling.

    Options of another name stay, and so does a command of pytest at the end.
    """
    ours = known - {"reports", "corpus"}  # which some commands take without a flag
    said, command, rest = message.partition("pytest --pyargs ")
    here = re.sub(
        "--abalo-([a-z-]+)", lambda found: f"--{found[1]}" if found[1].replace("-", "_") in ours else found[0], said
    )
    return here + command + rest


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(visible_lines(message))


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    made = _Parser(prog="abalo", description="Behavioural tests of NLP models. The tests themselves run under pytest.")
    made.add_argument("--version", action="version", version=f"abalo {__version__}")
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add(commands)
    return made
