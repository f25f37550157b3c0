"""Reads a directory's commit from git's files."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_NAME = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")

_PATIENCE = 10
"""Seconds before ``dirty`` stays unknown."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of 40 or 64 hexadecimal digits.

    ``dirty`` is True if tracked files differ, None if unknown.
    """

    name: str
    dirty: bool | None


def commit_of(folder: Path) -> Commit | None:
    """The commit checked out in the folder or a parent, else GitHub Actions' ``GITHUB_SHA``, else None.

    Never raises.
    """
    try:
        found = _repository(folder)
        if found is None:
            name = os.environ.get("GITHUB_SHA", "") if os.environ.get("GITHUB_ACTIONS") == "true" else ""
            return Commit(name, None) if _NAME.fullmatch(name) else None
        root, own = found
        name = _head(own) or (_ask_git(root, "rev-parse", "HEAD") or b"").decode("ascii", "replace").strip()
        return Commit(name, _dirty(root)) if _NAME.fullmatch(name) else None
    except (OSError, ValueError):
        return None


def _repository(folder: Path) -> tuple[Path, Path] | None:
    folder = folder.resolve()
    for root in (folder, *folder.parents):
        git = root / ".git"
        if git.is_file():  # of a worktree or a submodule
            key, _, place = git.read_text(encoding="utf-8").strip().partition(": ")
            git = root / place if key == "gitdir" else git
        if (git / "HEAD").is_file():
            return root, git
    return None


def _head(own: Path) -> str | None:
    head = (own / "HEAD").read_text(encoding="utf-8").strip()
    branch = head.removeprefix("ref: ")
    if branch == head:
        return head if _NAME.fullmatch(head) else None
    shared = own / "commondir"
    common = own / shared.read_text(encoding="utf-8").strip() if shared.is_file() else own
    for file in (own / branch, common / branch):
        if file.is_file():
            name = file.read_text(encoding="utf-8").strip()
            return name if _NAME.fullmatch(name) else None
    packed = common / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []
    return next((name for name, _, of in (line.partition(" ") for line in lines) if of == branch), None)


def _dirty(root: Path) -> bool | None:
    found = _ask_git(root, "--no-optional-locks", "status", "--porcelain", "--untracked-files=no")
    return None if found is None else bool(found.strip())


def _ask_git(root: Path, *words: str) -> bytes | None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(root), *words]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE, env=environment)  # noqa: S603 - fixed words
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
