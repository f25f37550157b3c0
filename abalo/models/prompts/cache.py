"""Replies kept between runs, to resume and repeat them without calls.

Whoever can write to the folder decides what models reply, so the folder is the user's own.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path

from filelock import FileLock

from abalo.core.records.json_records import Json
from abalo.errors import AbaloError, visible
from abalo.files import expand_home, open_regular
from abalo.models.prompts.json_replies import LONGEST
from abalo.models.watching import Watched, state_id

LARGEST = 2**30
"""Bytes of a file of kept replies."""

_KEY = re.compile("[0-9a-f]{32}")

_REMEDY = "remove it, choose another folder with --abalo-replies, or pass --abalo-no-cache"


def usual_folder() -> Path:
    """``abalo/replies`` in the user's cache folder."""
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    base = Path(os.environ.get(variable, ""))
    base = base if base.is_absolute() else expand_home("~/.cache")
    if not base.is_absolute():
        raise AbaloError(f"no home folder to keep replies in; name one with {variable} or --abalo-replies")
    return base / "abalo" / "replies"


@dataclass(frozen=True, slots=True)
class Kept:
    """A cached reply: text, or only the parsed answer, None if unreadable.

    ``day`` is the day of the call, in UTC, such as 2026-11-29. ``scores`` are those of labels, () if unknown.
    """

    text: str = ""
    parsed: object = None
    has_text: bool = True
    day: str = ""
    scores: tuple[float, ...] = ()


class ReplyCache:
    """Replies by call key, in an append-only JSON Lines file.

    Only a regular file is opened, never a link, and what is no entry is skipped, such as lines that a killed process
    left incomplete. With ``watched``, a reply holds while all that the code read for it is as it was.
    """

    def __init__(self, fingerprint: str, folder: Path | None = None, watched: Watched | None = None) -> None:
        self._folder = usual_folder() if folder is None else folder
        self._path = self._folder / f"{fingerprint if watched is None else _of_project(fingerprint, watched)}.jsonl"
        self._watched = watched
        self._found: dict[str, Kept] = {}
        self._holds: dict[str, bool] = {}
        self._digests: dict[str, str] = {}
        self._read_to = 0

    def get(self, key: str) -> Kept | None:
        """The reply as of the last `refresh`, or None."""
        return self._found.get(key)

    def refresh(self) -> None:
        """Reads new replies of all processes."""
        try:
            if not os.path.lexists(self._path):
                return
            with open_regular(self._path) as file:
                size = os.fstat(file.fileno()).st_size
                if size > LARGEST:
                    raise AbaloError(f"{visible(self._path)}: larger than {LARGEST:,} bytes; {_REMEDY}")
                if size <= self._read_to:
                    return
                file.seek(self._read_to)
                lines = file.read(size - self._read_to).split(b"\n")
        except OSError as error:
            raise AbaloError(f"{visible(self._path)}: cannot be read: {error.strerror or error}; {_REMEDY}") from error
        self._read_to += sum(len(line) + 1 for line in lines[:-1])  # the last may not be finished
        tomorrow = (_today() + timedelta(days=1)).isoformat()
        for line in lines:
            entry = _entry(line)
            if "holds" in entry:
                self._note(entry["holds"])
            elif _is_reply(entry) and entry["day"] <= tomorrow and self._is_current(entry):
                told = {"text": entry["reply"]} if "reply" in entry else {"parsed": entry["parsed"], "has_text": False}
                self._found[entry["key"]] = Kept(**told, day=entry["day"], scores=_scores(entry))

    def of(self, fingerprint: str) -> ReplyCache:
        """The cache for another model or prompt."""
        return ReplyCache(fingerprint, self._folder, self._watched)

    def put(self, key: str, kept: Kept) -> None:
        """Stores a reply on disk immediately, while there is room."""
        day = _today().isoformat()
        self._found[key] = replace(kept, day=day)
        line: dict[str, object] = {
            "key": key,
            "day": day,
            **({"reply": kept.text} if kept.has_text else {"parsed": kept.parsed}),
            **({"scores": [*kept.scores]} if kept.scores else {}),
        }
        lines: list[dict[str, object]] = [line]
        try:
            self._make_folder()
            if self._watched is not None:
                state = self._state(self._watched)
                line["state"] = own = state_id(state)
                if own not in self._holds:
                    self._holds[own] = True
                    lines = [{"holds": state}, line]
            data = b"".join(b"\n" + json.dumps(each).encode() + b"\n" for each in lines)
            with FileLock(f"{self._path}.lock"), open_regular(self._path, _APPENDING) as file:
                if os.fstat(file.fileno()).st_size + len(data) <= LARGEST:
                    file.write(data)  # after a line break: an unfinished line before it ends there
        except OSError as error:
            raise AbaloError(
                f"{visible(self._path)}: replies cannot be kept: {error.strerror or error}; make the folder writable, "
                "choose another with --abalo-replies, or pass --abalo-no-cache"
            ) from error

    def _make_folder(self) -> None:
        if not self._folder.exists():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError), open_regular(self._folder / ".gitignore", _CREATING) as file:
                file.write(b"*\n")

    def _state(self, watched: Watched) -> dict[str, str]:
        return {name: self._digest(name, watched) for name in watched.names()}

    def _digest(self, name: str, watched: Watched) -> str:
        """As of the first time that it is asked for."""
        if name not in self._digests:
            self._digests[name] = watched.digest(name, self._salt)
        return self._digests[name]

    def _note(self, state: object) -> None:
        if self._watched is None or not isinstance(state, dict):
            return
        if all(isinstance(each, str) for each in (*state, *state.values())):
            same = all(self._digest(name, self._watched) == value for name, value in state.items())
            self._holds.setdefault(state_id(state), same)

    def _is_current(self, entry: Json) -> bool:
        return self._watched is None or self._holds.get(entry.get("state", ""), False)

    @cached_property
    def _salt(self) -> bytes:
        """Made once a folder, so that digests tell nobody else what a variable holds."""
        path = self._folder / "salt"
        self._make_folder()
        with FileLock(f"{path}.lock"):
            if not os.path.lexists(path):
                with open_regular(path, _CREATING) as file:
                    file.write(secrets.token_bytes(_SALT))
            with open_regular(path) as file:
                return file.read(_SALT)


_SALT = 32

_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT

_CREATING = _APPENDING | os.O_EXCL


class NoCache(ReplyCache):
    """Keeps replies for one run, as with ``--abalo-no-cache``."""

    def __init__(self, fingerprint: str = "") -> None:  # noqa: ARG002 - keys distinguish models and prompts
        self._found: dict[str, Kept] = {}

    def put(self, key: str, kept: Kept) -> None:
        self._found[key] = replace(kept, day=_today().isoformat())

    def refresh(self) -> None: ...

    def of(self, fingerprint: str) -> ReplyCache:  # noqa: ARG002 - keys distinguish models and prompts
        """Returns itself."""
        return self


def _of_project(fingerprint: str, watched: Watched) -> str:
    return hashlib.blake2b(
        f"{fingerprint}\x1f{watched.project}".encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def _today() -> date:
    return datetime.now(UTC).date()


def _entry(line: bytes) -> Json:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _scores(entry: Json) -> tuple[float, ...]:
    found = entry.get("scores")
    shares = [each for each in found if type(each) is float and 0 <= each <= 1] if isinstance(found, list) else []
    return tuple(shares) if shares == found else ()


def _is_reply(entry: Json) -> bool:
    """Whether the fields have the form that `ReplyCache.put` gives them."""
    key, day, state = entry.get("key"), entry.get("day"), entry.get("state", "")
    if not (isinstance(key, str) and _KEY.fullmatch(key) and isinstance(day, str) and isinstance(state, str)):
        return False
    try:
        is_day = date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False
    text = entry.get("reply")
    return is_day and ("parsed" in entry if text is None else isinstance(text, str) and len(text) <= LONGEST + 1)
