"""Runs of pytest in a test, each made once in a session for all tests that ask for the same.

Two runs are the same if their arguments, the files of their folder and what the environment says to pytest and Abalo
are the same. The first is made; the others get its output, its exit code and the files that it changed. Workers of
xdist share a folder of records, and a lock for each.

A run is always made if the test has made the same one before, if something was patched since the fixture began, or if a
member is registered that others do not have: it is then no function of what is compared here.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from abalo.core.protocols.registry import Registry
from tests.counting import started

_SAID = ("ABALO", "CI", "COLUMNS", "GITHUB", "HF_", "NO_COLOR", "PYTEST_ADDOPTS", "PYTHON")


class Recorder:
    """Makes the runs of one test, or gives what was recorded of them."""

    def __init__(self, folder: Path, pytester: pytest.Pytester, patches: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._path = pytester.path
        self._patches = patches
        self._patched = self._now_patched()
        self._asked: set[str] = set()

    def instead_of(self, make: Callable[..., pytest.RunResult]) -> Callable[..., pytest.RunResult]:
        """The method of pytester, but for runs that are recorded."""

        def run(*arguments: Any, **options: Any) -> pytest.RunResult:
            if options or self._now_patched() != self._patched:
                return make(*arguments, **options)
            before = _state(self._path)
            key = _key(make.__name__, [os.fspath(each) for each in arguments], before)
            if key in self._asked:
                return make(*arguments)
            self._asked.add(key)
            record = self._folder / key
            with FileLock(f"{record}.lock"):
                found = _given(record, self._path)
                if found is None:
                    result = make(*arguments)
                    _keep(record, self._path, before, result)
                    return result
            print(*found.outlines, sep="\n")
            print(*found.errlines, sep="\n", file=sys.stderr)
            return found

        return run

    def _now_patched(self) -> tuple[int, int]:
        """How much of what a test sees is patched; `pytest.MonkeyPatch` offers no other way to know."""
        items = [name for where, name, _ in self._patches._setitem if not (where is os.environ and _is_said(str(name)))]
        return len(self._patches._setattr), len(items)


def _keep(record: Path, path: Path, before: dict[str, str], result: pytest.RunResult) -> None:
    after = _state(path)
    changed = [name for name, state in after.items() if before.get(name) != state and (path / name).is_file()]
    if any(os.fsencode(path) in (path / name).read_bytes() for name in changed):
        return  # the folder of another test would not be right in them
    for name in changed:
        (record / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path / name, record / "files" / name)
    found = {
        "path": str(path),
        "code": int(result.ret),
        "out": result.outlines,
        "err": result.errlines,
        "removed": [name for name in reversed(before) if name not in after],
        "folders": [each.relative_to(path).as_posix() for each in _folders(path)],
    }
    record.mkdir(exist_ok=True)
    (record / "run.json").write_text(json.dumps(found), encoding="utf-8")


def _given(record: Path, path: Path) -> pytest.RunResult | None:
    """Makes the changes of the record in the folder; None if there is no record."""
    if not (record / "run.json").is_file():
        return None
    found = json.loads((record / "run.json").read_text("utf-8"))
    for name in found["folders"]:
        (path / name).mkdir(parents=True, exist_ok=True)
    for name in found["removed"]:
        (path / name).rmdir() if (path / name).is_dir() else (path / name).unlink()
    for kept in (each for each in _all(record / "files") if each.is_file()):
        name = kept.relative_to(record / "files")
        (path / name).unlink(missing_ok=True)
        shutil.copy(kept, path / name)
    out, err = ([line.replace(found["path"], str(path)) for line in found[stream]] for stream in ("out", "err"))
    return pytest.RunResult(found["code"], out, err, 0.0)


def _all(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if "__pycache__" not in path.parts)


def _folders(folder: Path) -> Iterator[Path]:
    return (path for path in _all(folder) if path.is_dir())


def _state(folder: Path) -> dict[str, str]:
    """Mode and digest of each file, and mode of each folder, parents first."""
    return {
        path.relative_to(folder).as_posix(): f"{path.lstat().st_mode:o} "
        + (sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in _all(folder)
    }


def _is_said(name: str) -> bool:
    return name.startswith(_SAID)


def _key(how: str, arguments: list[str], files: dict[str, str]) -> str:
    said = {name: value for name, value in os.environ.items() if _is_said(name)}
    members = sorted([registry.noun, *sorted(registry._registered)] for registry in Registry._all)
    return sha256(json.dumps([how, arguments, files, sorted(said.items()), members]).encode()).hexdigest()[:32]


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all records of the session, whatever its workers."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "recorded"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def interpreters() -> None:
    """In a test that asks for it, workers of xdist are interpreters of their own."""


@pytest.fixture
def pytester(
    pytester: pytest.Pytester, records: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> pytest.Pytester:
    """A folder in which pytest is run; a run that another test has made is given again, and workers are forks."""
    inline_run = pytester.inline_run

    def run(*arguments: Any, **options: Any) -> pytest.HookRecorder:
        forks = started(["pytest", *arguments])["inner workers"] and "interpreters" not in request.fixturenames
        plugins = [request.getfixturevalue("forks")] if forks else []
        return inline_run(*arguments, plugins=plugins, **options)

    pytester.inline_run = run  # type: ignore[method-assign]
    recorder = Recorder(records, pytester, monkeypatch)
    for name in ("runpytest_inprocess", "runpytest_subprocess"):
        setattr(pytester, name, recorder.instead_of(getattr(pytester, name)))
    return pytester


@pytest.fixture
def once(records: Path) -> Callable[[Path, Callable[[], object]], None]:
    """Has a function write into a folder; what it wrote there for another test is given again."""

    def written(folder: Path, make: Callable[[], object]) -> None:
        before = _state(folder)
        record = records / _key(f"{make.__module__} {make.__qualname__}", [], before)
        with FileLock(f"{record}.lock"):
            if _given(record, folder) is None:
                make()
                _keep(record, folder, before, pytest.RunResult(0, [], [], 0.0))

    return written
