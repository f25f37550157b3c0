"""Replies kept between runs, to resume and repeat them without calls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from abalo.core.records import Json
from abalo.errors import AbaloError

FOLDER = Path(".abalo", "replies")


@dataclass(frozen=True, slots=True)
class Kept:
    """A cached reply: text, or only the parsed answer, None if unreadable."""

    text: str = ""
    parsed: object = None
    has_text: bool = True


class ReplyCache:
    """Replies by call key, in an append-only JSON Lines file.

    Lines left incomplete by a killed process are skipped.
    """

    def __init__(self, fingerprint: str, folder: Path = FOLDER) -> None:
        self._path = folder / f"{fingerprint}.jsonl"
        self._found: dict[str, Kept] = {}
        self._read_to = 0

    def get(self, key: str) -> Kept | None:
        """The reply as of the last `refresh`, or None."""
        return self._found.get(key)

    def refresh(self) -> None:
        """Reads new replies of all processes."""
        try:
            if not self._path.exists() or self._path.stat().st_size == self._read_to:
                return
            with self._path.open("rb") as file:
                file.seek(self._read_to)
                lines = file.read().split(b"\n")
        except OSError as error:
            raise AbaloError(f"{self._path}: cannot be read: {error.strerror or error}; remove it") from error
        self._read_to += sum(len(line) + 1 for line in lines[:-1])  # the last may not be finished
        for line in lines:
            entry = _entry(line)
            if entry is not None:
                self._found[entry["key"]] = (
                    Kept(entry["reply"]) if "reply" in entry else Kept(parsed=entry["parsed"], has_text=False)
                )

    def of(self, fingerprint: str) -> ReplyCache:
        """The cache for another model or prompt."""
        return ReplyCache(fingerprint, self._path.parent)

    def put(self, key: str, kept: Kept) -> None:
        """Stores a reply on disk immediately."""
        self._found[key] = kept
        line = {"key": key, "reply": kept.text} if kept.has_text else {"key": key, "parsed": kept.parsed}
        try:
            if not self._path.parent.exists():
                self._path.parent.mkdir(parents=True, exist_ok=True)
                (self._path.parent / ".gitignore").write_text("*\n", encoding="utf-8")
            with FileLock(f"{self._path}.lock"), self._path.open("ab") as file:
                file.write(b"\n" + json.dumps(line).encode() + b"\n")  # an unfinished line before it ends there
                file.flush()
        except OSError as error:
            raise AbaloError(
                f"{self._path}: replies cannot be kept: {error.strerror or error}; make the folder writable, or pass "
                "--abalo-no-cache"
            ) from error


class NoCache(ReplyCache):
    """Keeps replies for one run, as with ``--abalo-no-cache``."""

    def put(self, key: str, kept: Kept) -> None:
        self._found[key] = kept

    def refresh(self) -> None: ...

    def of(self, fingerprint: str) -> ReplyCache:  # noqa: ARG002 - as above
        """Returns itself: keys distinguish models and prompts."""
        return self


def _entry(line: bytes) -> Json | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("key"), str):
        return None
    return entry if isinstance(entry.get("reply"), str) or "parsed" in entry else None
