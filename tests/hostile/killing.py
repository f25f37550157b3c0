"""Runs commands in processes that are killed at a point of their own: ``python -m tests.hostile.killing``.

One process imports everything once and forks one for each line of its input. A point is a change of a file in the
working directory, or a question to the model, which a model tells by ``sys.audit("asked", number)``.
"""

import json
import os
import pkgutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "asked")


class Points:
    """Counts the points that this process comes to, and kills it before one of them."""

    def __init__(self, kill: int | None) -> None:
        self._kill, self.passed, self.asked = kill, 0, 0

    def __call__(self, event: str, arguments: tuple) -> None:
        writes = event == "open" and {*"wax+"} & {*str(arguments[1])}  # of a handle: its file was opened before
        if not writes and event not in _CHANGES:
            return
        path = arguments[0]
        if isinstance(path, str | os.PathLike) and Path.cwd() not in Path(os.fspath(path)).absolute().parents:
            return
        if self.passed == self._kill:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed += 1
        self.asked += arguments[0] if event == "asked" else 0


def _run(job: dict, answer: int) -> None:
    os.chdir(job["folder"])
    sys.path.insert(0, job["folder"])
    said = os.open(os.devnull if job["said"] is None else job["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(said, 1)
    os.dup2(said, 2)
    points = Points(job["kill"])
    sys.addaudithook(points)
    first, *arguments = job["command"]
    if first == "pytest":
        import pytest

        code = int(pytest.main(arguments))
    else:
        from abalo.cli import main

        code = main([first, *arguments])
    sys.stdout.flush()
    os.write(answer, json.dumps({"code": code, "points": points.passed, "asked": points.asked}).encode())
    os._exit(0)


def _serve() -> None:
    import abalo

    for module in pkgutil.walk_packages(abalo.__path__, "abalo."):
        if not module.name.endswith((".__main__", ".inspected")):
            import_module(module.name)
    for line in sys.stdin:
        read, write = os.pipe()
        process = os.fork()
        if not process:
            try:
                _run(json.loads(line), write)
            finally:
                os._exit(99)
        os.close(write)
        _, status = os.waitpid(process, 0)
        found = os.read(read, 2**16) or json.dumps({"code": os.waitstatus_to_exitcode(status)}).encode()
        os.close(read)
        print(found.decode(), flush=True)


@contextmanager
def killer():
    """Gives a function that runs a command in a folder, kills it at a point if one is given, and says how it ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.killing"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def run(folder, command, kill=None):
        said = str(Path(folder).parent / "said.txt")
        job = {"folder": str(folder), "command": command, "kill": kill, "said": said}
        print(json.dumps(job), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    try:
        yield run
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    _serve()
