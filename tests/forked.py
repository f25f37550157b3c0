"""Commands as a user would run them, each in a process forked from one that has imported what they need.

A process takes four CPU seconds to import PyTorch and transformers, and one to import `abalo` of most commands.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryFile, mkdtemp
from typing import Any

import pytest

import abalo
import tests_behavioral
from tests import counting, forking

CLIENT = """#!{python} -IS
import json, os, socket, sys

with socket.socket(socket.AF_UNIX) as forking:
    forking.connect({place!r})
    socket.send_fds(forking, [b"."], [0, 1, 2])
    asked = dict(words=[{program!r}, *sys.argv[1:]], folder=os.getcwd(), environment=dict(os.environ))
    forking.sendall(json.dumps(asked).encode())
    forking.shutdown(socket.SHUT_WR)
    code = int(forking.recv(8))
if code < 0:
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


class Forking:
    """Runs commands in forks of one process."""

    def __init__(self, folder: str) -> None:
        self._place = f"{folder}/socket"
        self._python = self.programs(Path(folder), python="python") / "python"

    def run(
        self, words: list[str], folder: Path, environment: Mapping[str, str] = os.environ
    ) -> subprocess.CompletedProcess[str]:
        """Runs ``python -m WORDS`` in the folder."""
        counting.add([sys.executable, "-m", *words])
        asked = {"words": words, "folder": str(folder), "environment": dict(environment)}
        with (
            socket.socket(socket.AF_UNIX) as to,
            TemporaryFile() as none,
            TemporaryFile() as out,
            TemporaryFile() as err,
        ):
            to.connect(self._place)
            socket.send_fds(to, [b"."], [none.fileno(), out.fileno(), err.fileno()])
            to.sendall(json.dumps(asked).encode())
            to.shutdown(socket.SHUT_WR)
            code = int(to.recv(8))
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(words, code, out.read().decode(), err.read().decode())

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_setupnodes(self, specs: Any) -> None:
        """As a plugin of pytest: its workers are forks."""
        for spec in specs:
            spec.python = str(self._python)

    def programs(self, folder: Path, **programs: str) -> Path:
        """The folder with programs for a shell: by name, the module or the path of the script that each runs."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, program in programs.items():
            path = folder / name
            path.write_text(CLIENT.format(python=sys.executable, place=self._place, program=program), "utf-8")
            path.chmod(0o755)
        return folder


FRAMEWORKS = (
    "hypothesis",
    "scipy.stats",
    "seqeval.metrics",
    "torch",
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.modernbert.modeling_modernbert",
)
"""They start no threads, which a fork would not have."""

SCRIPTS = {name: str(Path(sys.executable).with_name(name)) for name in ("abalo", "pytest")}
"""What a shell finds by these names: unlike ``python -m``, they put no folder of the user's on the path."""


@pytest.fixture(scope="session")
def forks() -> Iterator[Forking]:
    """A process that forks; what a model needs and ``abalo`` is imported in it."""
    ours = [
        each.name
        for package in (abalo, tests_behavioral)
        for each in walk_packages(package.__path__, f"{package.__name__}.")
    ]
    ours = [name for name in ours if not name.endswith((".__main__", ".cli", ".inspected"))]
    folder = mkdtemp(prefix="abalo-")  # short, as the name of a socket must be
    command = [sys.executable, "-P", forking.__file__, f"{folder}/socket", *FRAMEWORKS, *ours]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"HF_HUB_OFFLINE": "1"}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        counting.lasting.append(process.pid)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield Forking(folder)
        process.communicate()
        counting.lasting.remove(process.pid)
    shutil.rmtree(folder)
