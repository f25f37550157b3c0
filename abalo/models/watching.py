"""What user code depends on: modules of its project, files that it reads, variables that the modules name.

Not seen: code and files of other processes, files that compiled code opens, and variables whose names are computed.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import perturbations
from abalo.files import open_regular

FILE, VARIABLE = "file:", "variable:"

ABSENT = "absent"

_SECRET = re.compile("KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_NAME = re.compile("[A-Z][A-Z0-9_]+")
_READERS = frozenset(("environ", "getenv", "environb", "getenvb"))
_PLACES = ("site-packages", "dist-packages")
_LIBRARIES = frozenset(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_OURS = frozenset((Path(__file__).parents[1], Path(perturbations.__file__).parent))


@dataclass(frozen=True, slots=True)
class _Source:
    imports: frozenset[str] = frozenset()
    """Absolute names; those relative to the file begin with a dot for each level."""
    variables: frozenset[str] = frozenset()


@dataclass
class Watched:
    """User code in ``file``, with ``folder`` first on its import path, and what its calls read."""

    folder: Path
    file: Path | None = None
    _read: dict[Path, None] = field(default_factory=dict)
    _written: set[Path] = field(default_factory=set)
    _parsed: tuple[object, dict[Path, tuple[bytes, _Source]]] | None = None

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Records the files that are read and written."""
        _install()
        _ACTIVE.append(self)
        try:
            yield
        finally:
            _ACTIVE.remove(self)

    @cached_property
    def project(self) -> Path:
        """The outermost of the folder, the working directory and the folder of a repository or package around it."""
        here, folder = Path.cwd(), self.folder
        marked = [each for each in (folder, *folder.parents) if any((each / name).exists() for name in _MARKS)]
        around = [folder, *marked[:1], *([here] if folder.is_relative_to(here) else [])]
        around = [each for each in around if each not in (Path(each.anchor), _home())] or [folder]
        return min(around, key=lambda each: len(each.parts))

    def modules(self) -> dict[Path, bytes]:
        """The sources of the project's modules that the file imports, directly or not, as of now."""
        self._parsed = None
        return {path: source for path, (source, _) in self._sources().items() if path != self.file}

    def name_of(self, path: Path) -> str:
        """The path below the project."""
        return path.relative_to(self.project).as_posix()

    def names(self) -> list[str]:
        """The names of files that were read so far, and of variables."""
        files = [path for path in tuple(self._read) if path not in self._written]  # other threads may read files
        names = [f"{FILE}{self.name_of(path)}" for path in files]
        return sorted([*names, *(f"{VARIABLE}{name}" for name in self._variables())])

    def digest(self, name: str, salt: bytes) -> str:
        """The digest of a file of the project or of a variable, as of now; "absent" if there is none."""
        found = hashlib.blake2b(key=salt, digest_size=16)
        if name.startswith(VARIABLE):
            value = os.environ.get(name.removeprefix(VARIABLE))
            if value is None or _SECRET.search(name):
                return ABSENT
            found.update(os.fsencode(value))
            return found.hexdigest()
        path = self.project / name.removeprefix(FILE)
        if not _is_below(path, self.project):
            return ABSENT
        try:
            with open_regular(path, follow=True) as file:
                while part := file.read(2**20):
                    found.update(part)
        except OSError:
            return ABSENT
        return found.hexdigest()

    def note(self, path: Path, *, written: bool) -> None:
        """Records a file, if it belongs to the project."""
        if path.parent.name == "__pycache__":
            with suppress(ValueError):
                path, written = Path(importlib.util.source_from_cache(str(path))), False
        if self._owns(path):
            if written:
                self._written.add(path)
            else:
                self._read[path] = None

    def _owns(self, path: Path) -> bool:
        libraries = any(_is_below(path, each) for each in (*_LIBRARIES, *_OURS))
        inner = path.relative_to(self.project).parts if _is_below(path, self.project) else _PLACES
        return not libraries and not {*_PLACES} & {*inner}

    def _variables(self) -> set[str]:
        found = {name for _, source in self._sources().values() for name in source.variables}
        return {name for name in found if not _SECRET.search(name)}

    def _sources(self) -> dict[Path, tuple[bytes, _Source]]:
        about = self.file, len(self._read), len(self._written)
        if self._parsed is not None and self._parsed[0] == about:
            return self._parsed[1]
        found: dict[Path, tuple[bytes, _Source]] = {}
        read = [path for path in tuple(self._read) if path.suffix == ".py" and path not in self._written]
        waiting = [*([self.file] if self.file is not None else []), *read]
        while waiting:
            path = waiting.pop()
            if path in found:
                continue
            source = b""
            with suppress(OSError), open_regular(path, follow=True) as file:
                source = file.read()
            found[path] = source, _read_source(source)
            waiting += [each for name in sorted(found[path][1].imports) for each in self._files(name, path)]
        self._parsed = about, found
        return found

    def _files(self, name: str, importer: Path) -> Iterator[Path]:
        level = len(name) - len(name.lstrip("."))
        if level > len(importer.parents):
            return
        parts = name.lstrip(".").split(".")
        if level:
            places = [importer.parents[level - 1]]
        else:
            below = [Path(each) for each in sys.path if each and _is_below(Path(each), self.project)]
            places = [self.folder, self.project, *below]
            for stop in range(1, len(parts) + 1):
                known = getattr(sys.modules.get(".".join(parts[:stop])), "__file__", None)
                if isinstance(known, str) and self._owns(Path(known)) and Path(known).suffix == ".py":
                    yield Path(known)
        for place in places:
            for stop in range(0 if level else 1, len(parts) + 1):
                base = place.joinpath(*parts[:stop])
                for path in (base / "__init__.py", Path(f"{base}.py")):
                    if path.is_file() and self._owns(path):
                        yield path


_MARKS = (".git", "pyproject.toml")


def _home() -> Path:
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - that of pathlib raises where there is none


def _is_below(path: Path, folder: Path) -> bool:
    return Path(os.path.normpath(path)).is_relative_to(folder)


def _read_source(source: bytes) -> _Source:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _Source()
    imports, constants, reads = set[str](), set[str](), False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            dot = "" if base.endswith(".") else "."
            imports |= {base, *(f"{base}{dot}{alias.name}" for alias in node.names)}
            reads |= any(alias.name in _READERS for alias in node.names)
        elif isinstance(node, ast.Attribute):
            reads |= node.attr in _READERS
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME.fullmatch(node.value):
            constants.add(node.value)
        elif isinstance(node, ast.Subscript | ast.Call) and (name := _asked(node)) is not None:
            constants.add(name)
    return _Source(frozenset(imports), frozenset(constants if reads else ()))


def _asked(node: ast.Subscript | ast.Call) -> str | None:
    """The constant in ``environ["name"]``, ``environ.get("name")`` and ``getenv("name")``."""
    first = node.slice if isinstance(node, ast.Subscript) else next(iter(node.args), None)
    of = ast.unparse(node.value if isinstance(node, ast.Subscript) else node.func).split(".")
    is_name = isinstance(first, ast.Constant) and isinstance(first.value, str) and not _READERS.isdisjoint(of)
    return str(first.value) if is_name and isinstance(first, ast.Constant) else None


_ACTIVE: list[Watched] = []

_INSTALLED: list[bool] = []


def _install() -> None:
    if not _INSTALLED:
        _INSTALLED.append(True)
        sys.addaudithook(_hook)  # which stays for good


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _hook(event: str, args: tuple[object, ...]) -> None:
    if not _ACTIVE or event not in ("open", "os.rename"):
        return
    with suppress(Exception):  # what is raised here would fail the user's call
        name = args[1 if event == "os.rename" else 0]
        if not isinstance(name, str | bytes | os.PathLike):
            return
        path = Path(os.path.normpath(Path.cwd() / os.fsdecode(name)))
        mode, flags = (args[1], args[2]) if event == "open" else ("w", 0)
        written = (isinstance(flags, int) and bool(flags & _WRITING)) or not {*str(mode or "r")}.isdisjoint("wax+")
        for each in tuple(_ACTIVE):
            each.note(path, written=written)


_KNOWN: dict[tuple[Path, str], Watched] = {}


def watched(folder: Path, spec: str) -> Watched:
    """The record of user code; the same for the same folder and spec."""
    return _KNOWN.setdefault((folder, spec), Watched(folder))


def state_id(state: Mapping[str, str]) -> str:
    """BLAKE2b digest of a state, 32 hexadecimal digits."""
    said = "\x1f".join(f"{name}\x1e{value}" for name, value in sorted(state.items()))
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
