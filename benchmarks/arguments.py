"""Arguments of a benchmark. ``--smoke`` stands for those of its smallest size, which needs no data of others.

A benchmark has two functions::

    def parser() -> Parser:
        parser = Parser(__doc__, smoke=("--data", "DATA/sst2", "--runs", "2"))
        parser.add_argument("--data", type=Path, required=True, help="folder with train.tsv")
        parser.add_argument("--runs", type=int, default=200, help="default: 200")
        return parser


    def main(given: Sequence[str] | None = None) -> None:
        options = parser().parse_args(given)

In ``smoke``, DATA is a folder laid out as the published corpora are, with sentences that ship (`benchmarks.stand_ins`),
and OUT an empty folder. tests/benchmarks runs ``main(["--smoke"])`` of every module that is a command, and parses the
commands in the documentation.
"""

from __future__ import annotations

import argparse
import atexit
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import results, stand_ins

ROOT = Path(__file__).parents[1]


class Lacks(SystemExit):
    """Ends a benchmark that needs a package, a program or a device that is not here; its argument is the reason."""


def need(package: str, remedy: str) -> None:
    """Raises `Lacks` if a package is not installed."""
    if find_spec(package) is None:
        raise Lacks(f"{package} is not installed; {remedy}")


class Parser(argparse.ArgumentParser):
    """Parses the arguments of a benchmark; ``smoke`` are those that ``--smoke`` stands for."""

    def __init__(self, description: str | None, smoke: Sequence[str] = ()) -> None:
        super().__init__(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        self._smoke = smoke
        self.add_argument("--smoke", action="store_true", help="the smallest size; its figures are not kept")

    def add_limit(self) -> None:
        """Adds ``--limit``, how many sentences or texts of a corpus that ships are used."""
        self.add_argument("--limit", type=int, help="sentences or texts of the corpus; default: all")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Replaces ``--smoke`` by its arguments. The figures of that run are printed, but not kept."""
        given = list(sys.argv[1:] if args is None else args)
        small = "--smoke" in given
        results.keep(figures=not small)
        return super().parse_known_args([*given, *map(_placed, self._smoke)] if small else given, namespace)


def _placed(argument: str) -> str:
    for name, folder in (("DATA", _data), ("OUT", _out)):
        if argument == name or argument.startswith(f"{name}/"):
            return str(folder()) + argument.removeprefix(name)
    return argument


@cache
def _data() -> Path:
    folder = _out()
    stand_ins.write(folder)
    return folder


def _out() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
