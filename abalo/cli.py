"""The command ``abalo``."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence, Set
from types import ModuleType

from abalo.commands import (
    accept,
    aggregate,
    audit,
    augment,
    calibrate,
    capabilities,
    comment,
    compare,
    gate,
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
    view,
)
from abalo.commands.completion import add_completion_option
from abalo.commands.parsing import Parser
from abalo.commands.streams import on_any_encoding
from abalo.errors import AbaloError, visible_lines
from abalo.version import __version__

GROUPS: Mapping[str, tuple[ModuleType, ...]] = {
    "judge a model": (init, calibrate, scale, merge, rejudge, verdict),
    "compare runs": (accept, compare, gate, history),
    "explain a run": (show, view, replay, comment, log_mlflow),
    "make and check data": (perturb, sheet, ratings, suspects),
    "improve a model": (augment, harden),
    "extend Abalo": (listing, pairs, capabilities, schema),
    "multiple-choice questions": (aggregate, audit),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code; 2 for an error."""
    with on_any_encoding():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Options of pytest have the same names here without the prefix; who copies them need not know.
    options = argparse.Namespace()
    try:
        parser().parse_args([re.sub("^--abalo-", "--", each) for each in given], options)
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
    ours = known - {"reports", "corpus"}  # which some commands take without a flag
    said, command, rest = message.partition("pytest --pyargs ")
    here = re.sub(
        "--abalo-([a-z-]+)", lambda found: f"--{found[1]}" if found[1].replace("-", "_") in ours else found[0], said
    )
    return here + command + rest


def parser() -> Parser:
    """All commands with their options."""
    made = Parser(
        prog="abalo",
        description="Behavioural tests of NLP models. The tests themselves run under pytest: "
        "pytest --pyargs tests_behavioral. The commands prepare a run, and read what it wrote.",
        epilog="abalo COMMAND --help describes a command and ends with an example.",
    )
    made.add_argument("--version", action="version", version=f"abalo {__version__}", help="print the version")
    add_completion_option(made)
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    for title, modules in GROUPS.items():
        before = set(commands.choices)
        for module in modules:
            module.add(commands)
        made.groups[title] = [name for name in commands.choices if name not in before]
    return made
