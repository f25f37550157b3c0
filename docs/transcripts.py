"""Replays the commands that a page shows, and checks or remakes what it says they print.

``python -m docs.transcripts README.md docs/tutorial.md`` remakes the pages; ``--check`` names the lines that differ.
``--keep DIR`` keeps the folder of each page, such as ``DIR/readme`` with its reports.

The blocks of a page are steps, taken in order in one empty folder; ``../abalo`` is the checkout:

* A block whose first line is ``# NAME``, such as ``# thresholds.toml``, is written as that file.
* A ``diff`` block is a patch of these files.
* In a ``console`` block each line after ``$`` is a command, and the lines below it are its output. A line ``…`` stands
  for lines that the page leaves out. A ``markdown`` block right after a command without output is the output of that
  command.

Other blocks are not replayed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = "…"
"""The line of a page that stands for any number of printed lines."""

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# (\S+\.\w+)\n(.*)", re.DOTALL)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SIMILAR = 0.5
"""How alike a line of the page and a printed line must be, from 0 to 1, if the second is to replace the first."""


@dataclass(frozen=True)
class Run:
    """A command that a page shows: where its output stands in the text, what the page shows, what was printed."""

    command: str
    start: int
    end: int
    shown: list[str]
    printed: list[str]
    code: int

    @property
    def difference(self) -> str | None:
        """The first shown line that the command did not print in its place; None if the page is right."""
        place = 0
        for number, line in enumerate(self.shown):
            if line == LEFT_OUT:
                continue
            if self.skips(number):
                while place < len(self.printed) and undated(self.printed[place]) != undated(line):
                    place += 1
            if place == len(self.printed) or undated(self.printed[place]) != undated(line):
                return line
            place += 1
        whole = place == len(self.printed) or self.shown[-1:] == [LEFT_OUT]
        return None if whole else f"nothing more, but {self.printed[place]!r}"

    def skips(self, number: int) -> bool:
        """Whether lines are left out before the line of that number."""
        return number > 0 and self.shown[number - 1] == LEFT_OUT

    def remade(self) -> list[str]:
        """The shown lines as they are printed now: behind ``…`` the printed line that is most like the old one."""
        found, place = [], 0
        for number, line in enumerate(self.shown):
            if line != LEFT_OUT:
                rest = self.printed[place:]
                if not rest:
                    raise ValueError(f"$ {self.command}\nprints no line for: {line}\nedit the page")
                best = max(range(len(rest)), key=lambda each: _alike(rest[each], line)) if self.skips(number) else 0
                if self.skips(number) and _alike(rest[best], line) < _SIMILAR:
                    raise ValueError(f"$ {self.command}\nprints no line like: {line}\nedit the page")
                place += best + 1
                line = rest[best].rstrip()
            found.append(line)
        return found if self.shown[-1:] == [LEFT_OUT] else found + self.printed[place:]


def replay(page: str, folder: Path) -> Iterator[Run]:
    """Takes the steps of a page in ``folder``, an empty one, and yields each command after it ran."""
    beside = folder.parent / "abalo"
    if not beside.exists():
        beside.symlink_to(ROOT, target_is_directory=True)
    blocks = list(_BLOCK.finditer(page))
    for number, block in enumerate(blocks):
        kind, body = block.groups()
        if kind == "console":
            for each in _commands(page, block.start(2), block.end(2)):
                after = blocks[number + 1] if number + 1 < len(blocks) else None
                if each.end == block.end(2) and not each.shown and after and after[1] == "markdown":
                    yield _ran(each, folder, after)
                else:
                    yield _ran(each, folder)
        elif kind == "diff":
            subprocess.run(["git", "apply", "-"], cwd=folder, input=body.encode(), check=True)  # noqa: S607
        elif named := _FILE.fullmatch(body):
            path = folder / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(named[2], "utf-8")


def remade(page: str, runs: Sequence[Run]) -> str:
    """The text of the page with the lines that the commands print now."""
    for each in sorted(runs, key=lambda run: -run.start):
        lines = "".join(f"{line}\n" for line in each.remade())
        page = page[: each.start] + lines + page[each.end :]
    return page


def undated(line: str) -> str:
    """The line with the same day for all, since a day that passes is no difference."""
    return _DAY.sub("2026-01-01", line).rstrip()


def environment() -> Mapping[str, str]:
    """The environment of commands: programs of this Python, no colours, no downloads, always the same width."""
    paths = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return os.environ | paths | {"NO_COLOR": "1", "COLUMNS": "110", "HF_HUB_OFFLINE": "1", "PYTHONUTF8": "1"}


def _commands(page: str, start: int, end: int) -> Iterator[Run]:
    """The commands between two places of a page, before they ran."""
    for found in re.finditer(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", page[start:end], re.MULTILINE):
        command = found[1].replace("\\\n", " ")
        yield Run(command, start + found.start(2), start + found.end(2), found[2].splitlines(), [], 0)


def _ran(run: Run, folder: Path, elsewhere: re.Match[str] | None = None) -> Run:
    """The command after it ran; its output may stand in a block elsewhere."""
    done = subprocess.run(  # noqa: S603 - the pages are ours
        ["bash", "-c", run.command],  # noqa: S607
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    printed = done.stdout.splitlines()
    if elsewhere:
        start, end = elsewhere.span(2)
        return Run(run.command, start, end, elsewhere[2].splitlines(), printed, done.returncode)
    return Run(run.command, run.start, run.end, run.shown, printed, done.returncode)


def _alike(one: str, other: str) -> float:
    """How alike two lines are but for their numbers, from 0 to 1."""
    return SequenceMatcher(None, *(re.sub(r"[\d.−]+", "0", line) for line in (one, other))).ratio()


def main(arguments: Sequence[str] | None = None) -> int:
    """Remakes or checks pages; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.transcripts", description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE", help="pages to replay, such as README.md")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page differs")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="empty folder to replay in (default: a temporary one)")
    options = parser.parse_args(arguments)
    stale = 0
    for path in options.pages:
        page = path.read_text("utf-8")
        with TemporaryDirectory() as place:
            folder = (options.keep or Path(place)) / path.stem.lower()
            folder.mkdir(parents=True)
            runs = list(replay(page, folder))
        if not options.check:
            path.write_text(remade(page, runs), "utf-8")
            continue
        for each in runs:
            if each.difference is not None:
                print(f"{path}: $ {each.command}\n  does not print: {each.difference}", file=sys.stderr)
                stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
