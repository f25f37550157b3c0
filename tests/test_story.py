"""docs/story.md happens as it is told: files are written, diffs applied, commands run, and their output is compared."""

import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT.joinpath("docs", "story.md").read_text("utf-8")
BLOCKS = [(kind, body) for kind, body in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)]
FILES = {"python", "toml", "ini"}
ELSEWHERE = "…"
"""Stands for lines that are not told."""


def commands(console: str) -> list[tuple[str, list[str]]]:
    """Each command of a transcript with the lines that it is told to print."""
    found: list[tuple[str, list[str]]] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def steps() -> list[tuple[str, str, list[str] | None]]:
    """The blocks of the page in order; a comment stands in a block of its own, after the command that prints it."""
    found: list[tuple[str, str, list[str] | None]] = []
    for kind, body in BLOCKS:
        if kind == "console":
            found += [("run", command, lines) for command, lines in commands(body)]
        elif kind == "markdown":
            assert found[-1][2] == [], "a comment stands after the command alone"
            found[-1] = (*found[-1][:2], body.splitlines())
        else:
            found.append((kind, body, None))
    return found


def undated(line: str) -> str:
    """The line with one day for all, and without what is padded by the length of a day."""
    return re.sub(r"\d{4}-\d{2}-\d{2}", "2026-11-23", line).rstrip()


def is_told(lines: list[str], told: list[str]) -> str | None:
    """The first line of the page that the program did not print where it should have; None where all were."""
    place = 0
    for before, line in pairwise([ELSEWHERE if told[:1] == [ELSEWHERE] else "", *told]):
        if line == ELSEWHERE:
            continue
        if before == ELSEWHERE:
            while place < len(lines) and undated(lines[place]) != undated(line):
                place += 1
        if place == len(lines) or undated(lines[place]) != undated(line):
            return line
        place += 1
    return None if place == len(lines) or told[-1:] == [ELSEWHERE] else f"nothing more, but {lines[place]!r}"


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    assert program in {"pytest", "abalo"}
    return subprocess.run(
        [sys.executable, "-m", program, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_lines_are_compared_in_order_and_what_is_left_out_is_told():
    lines = ["a", "b", "c 2030-01-01"]
    assert is_told(lines, ["a", "b", "c 2026-11-23"]) is None
    assert is_told(lines, ["…", "c 2026-11-23"]) is None
    assert is_told(lines, ["a", "…"]) is None
    assert is_told(lines, ["a", "c 2026-11-23"]) == "c 2026-11-23"
    assert is_told(lines, ["a", "b"]) == "nothing more, but 'c 2030-01-01'"
    assert is_told(lines, ["…", "d"]) == "d"


@pytest.mark.slow
def test_the_story_happens_as_it_is_told(tmp_path):
    ran = 0
    for kind, body, told in steps():
        if kind in FILES:
            name, _, content = body.partition("\n")
            tmp_path.joinpath(name.removeprefix("# ")).write_text(content, "utf-8")
        elif kind == "diff":
            subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=body.encode(), check=True)
        else:
            done = run(body, tmp_path)
            assert is_told((done.stdout + done.stderr).splitlines(), told or []) is None, f"{body}\n{done.stdout}"
            ran += 1
    assert ran == 10
