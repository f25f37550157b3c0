"""Tries the distributions in empty environments: the oldest Python with the oldest pytest, the newest with the newest.

``python -m release.corners dist`` installs the wheel, then the sdist, in an environment of its own for each corner, and
runs a short gate there from an empty directory. Which versions are the oldest and the newest, the wheel itself says.
Interpreters are found as ``python3.11`` and the like on the path, or named in ``ABALO_PYTHONS``, colons between them.
It needs the standard library alone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

GATE = "(baseline or accents or stability or stop_word_case or rev_tgt) and not pipeline"
"""Two or three cases of each task, for pytest's -k: baselines, perturbations, a promise and a rewording."""


@dataclass(frozen=True)
class Corner:
    """A Python, such as "3.11", and the requirement of pytest beside it, such as "pytest==8.4.*"."""

    python: str
    pytest: str

    def __str__(self) -> str:
        return f"Python {self.python}, {self.pytest}"


def corners(metadata: Message) -> tuple[Corner, Corner]:
    """The oldest and the newest corner, by the metadata of a wheel; raises ValueError where they do not name them."""
    named = [value.rpartition(" ")[2] for value in metadata.get_all("Classifier", []) if ":: Python :: 3." in value]
    minors = sorted(int(version.removeprefix("3.")) for version in named)
    required = "\n".join(metadata.get_all("Requires-Dist", []))
    oldest = re.findall(r"^pytest>=([\d.]+)$", required, re.MULTILINE)
    if not minors or len(oldest) != 1:
        raise ValueError("the wheel: expected classifiers of Python versions and one requirement pytest>=…")
    return Corner(f"3.{minors[0]}", f"pytest=={oldest[0]}.*"), Corner(f"3.{minors[-1]}", "pytest")


def interpreters(wanted: Sequence[str], named: str | None) -> dict[str, Path]:
    """The interpreters of the versions that are wanted, by version, of those named or else of the path."""
    programs = named.split(os.pathsep) if named else [f"python{version}" for version in wanted]
    found = {}
    for program in programs:
        path = shutil.which(program)
        if path is None:
            continue
        asked = [path, "-c", "import sys; print('{}.{}'.format(*sys.version_info))"]
        done = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False)
        if done.returncode == 0:  # else a mere stub, as version managers have them for what is not switched on
            found[done.stdout.strip()] = Path(path)
    return {version: found[version] for version in wanted if version in found}


@dataclass(frozen=True)
class Environment:
    """A virtual environment and, beside it, empty directories."""

    folder: Path

    def run(self, *command: str, cwd: Path | None = None) -> str:
        """What a command of the environment prints, which is shown, too; raises CalledProcessError where it fails."""
        print(f"$ {shlex.join(command)}", flush=True)
        words = [str(self.folder / "venv" / "bin" / command[0]), *command[1:]]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
        lines = []
        with subprocess.Popen(words, cwd=cwd or self.folder, env=_clean(os.environ), **pipes) as started:
            for line in started.stdout or ():
                print(f"  {line}", end="", flush=True)
                lines.append(line)
        if started.returncode:
            raise subprocess.CalledProcessError(started.returncode, command)
        return "".join(lines)


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment through which nothing of a checkout comes in, and in which nothing is downloaded from a hub."""
    foreign = ("ABALO_", "PYTEST_", "PYTHON", "VIRTUAL_ENV")
    return {name: value for name, value in environment.items() if not name.startswith(foreign)} | {
        "HF_HUB_OFFLINE": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def judged(environment: Environment, version: str, name: str) -> str:
    """Runs the gate from an empty directory; how many cases of how many tasks it judged."""
    empty = environment.folder / name
    empty.mkdir()
    where = environment.run("python", "-c", "import abalo; print(abalo.__version__, abalo.__file__)", cwd=empty).split()
    if where[0] != version or not Path(where[1]).is_relative_to(environment.folder):
        raise RuntimeError(f"expected {version} from {environment.folder}, got {' from '.join(where)}")
    environment.run("pytest", "--pyargs", "tests_behavioral", "-q", "-k", GATE, cwd=empty)
    environment.run("abalo", "verdict", "reports", cwd=empty)
    tasks = environment.run(
        "python", "-c", "from abalo.core.protocols.task import tasks; print(*tasks())", cwd=empty
    ).split()
    results = json.loads(empty.joinpath("reports", "robustness.json").read_text("utf-8"))["results"]
    missing = {*tasks} - {result["id"].partition("/")[0] for result in results}
    if missing:
        raise RuntimeError(f"the gate judged nothing of {', '.join(sorted(missing))}: add a case of it to GATE")
    return f"{len(results)} cases of {len(tasks)} tasks"


def tried(corner: Corner, python: Path, wheel: Path, sdist: Path, version: str, torch: str) -> list[str]:
    """Installs the wheel, then the sdist, and judges with each; a line about each."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(Path(folder).resolve())
        made = [str(python), "-m", "venv", str(environment.folder / "venv")]
        subprocess.run(made, env=_clean(os.environ), check=True)
        environment.run("pip", "install", "--quiet", torch)
        for name, distribution in (("wheel", wheel), ("sdist", sdist)):
            started = time.monotonic()
            if name == "wheel":
                environment.run("pip", "install", "--quiet", str(distribution), corner.pytest)
            else:
                environment.run("pip", "uninstall", "--quiet", "--yes", "abalo")
                environment.run("pip", "install", "--quiet", "--no-deps", "--no-cache-dir", str(distribution))
            environment.run("pip", "check")
            used = environment.run("pytest", "--version").split()[-1]
            outcome = judged(environment, version, name)
            seconds = time.monotonic() - started
            lines.append(f"Python {corner.python}, pytest {used}, {name}: {outcome}, PASS, {seconds:.0f} s")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries every corner; 0 where all hold, 1 where one does not or, unless that is allowed, has no interpreter."""
    parser = argparse.ArgumentParser(prog="python -m release.corners", description=__doc__.partition("\n")[0])
    parser.add_argument("dist", type=Path, help="the folder with one wheel and one sdist")
    parser.add_argument("--torch", default="torch==2.13.0", help="what is installed first; %(default)s by default")
    parser.add_argument("--allow-missing", action="store_true", help="leave out a Python that is not there")
    options = parser.parse_args(arguments)
    (wheel,), (sdist,) = options.dist.resolve().glob("*.whl"), options.dist.resolve().glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(packed.read(name).decode("utf-8"))
    wanted = corners(metadata)
    found = interpreters([corner.python for corner in wanted], os.environ.get("ABALO_PYTHONS"))
    lines = []
    for corner in wanted:
        if corner.python in found:
            print(f"\n== {corner}: {found[corner.python]}", flush=True)
            try:
                lines += tried(corner, found[corner.python], wheel, sdist, metadata["Version"], options.torch)
            except (subprocess.CalledProcessError, RuntimeError) as error:
                print(f"FAIL: {corner}: {error}", file=sys.stderr)
                return 1
        else:
            lines.append(f"NOT TRIED: {corner}: no such Python on the path; name it in ABALO_PYTHONS")
            print(lines[-1], file=sys.stderr)
            if not options.allow_missing:
                return 1
    print("", *lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
