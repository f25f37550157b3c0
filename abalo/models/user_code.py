"""Finds and calls user code; errors name the failing line."""

from __future__ import annotations

import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import pkgutil
import sys
import traceback
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from abalo.errors import AbaloError, ends_the_run, redacted, visible
from abalo.files import read_bytes
from abalo.models.model_scheme import scheme_of
from abalo.models.watching import Watched, watched
from perturbations.suggestions import did_you_mean, did_you_mean_path

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class UserCode:
    """The user's code ``spec``.

    ``folder`` is first on its import path. ``file`` is its source, or None; ``text`` is the source without a file.
    """

    spec: str
    folder: Path
    file: Path | None = None
    text: str = ""

    @property
    def digest(self) -> str:
        """BLAKE2b digest of spec, file and the project's modules that it imports, 32 hexadecimal digits."""
        source = self.text.encode("utf-8", "backslashreplace") if self.file is None else read_bytes(self.file)
        found = hashlib.blake2b(self.spec.encode() + b"\x1f" + source, digest_size=16)
        known = self.watched
        for name, module in sorted((known.name_of(path), each) for path, each in known.modules().items()):
            found.update(f"\x1f{name}\x1f{len(module)}\x1f".encode() + module)
        return found.hexdigest()

    @property
    def watched(self) -> Watched:
        """What its calls have read."""
        known = watched(self.folder, self.spec)
        known.file = self.file or known.file
        return known

    def call(self, doing: str, function: Callable[..., object], *arguments: object) -> Any:
        """Calls the function; errors say what it was ``doing`` and the failing line.

        Every exception becomes `AbaloError`, even ``SystemExit``, except those that end the run.
        """
        process = os.getpid()
        try:
            with self.calling():
                try:
                    return function(*arguments)
                finally:
                    if os.getpid() != process:  # a forked copy of the process would write each file twice
                        os._exit(1)
        except AbaloError:
            raise
        except BaseException as error:
            if ends_the_run(error):
                raise
            raise AbaloError(
                f"model {self.spec}: {doing} raised {type(error).__name__}: {_message(error)} ({self._place(error)})"
            ) from error

    @contextmanager
    def calling(self) -> Iterator[None]:
        """What its calls need: once around calls from several threads, which copy the context."""
        if _CALLING.get() == self:
            yield
            return
        token = _CALLING.set(self)
        try:
            with _staying_here(), _first_on_path(self.folder), self.watched.recording(), warnings.catch_warnings():
                warnings.simplefilter("default")  # a warning of the user's model is no failure of the gate
                yield
        finally:
            _CALLING.reset(token)

    def attribute(self, made: object, name: str) -> Any:
        """An attribute of the factory's result, or None."""
        return self.call(f"its attribute {name}", getattr, made, name, None)

    def _place(self, error: BaseException) -> str:
        if isinstance(error, SyntaxError) and error.filename and error.lineno:
            return f"{error.filename}:{error.lineno}"
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
        own = [frame for frame in frames if self.file is not None and Path(frame.filename) == self.file]
        frame = (own or frames)[-1]
        return f"{frame.filename}:{frame.lineno}"


_CALLING: ContextVar[UserCode | None] = ContextVar("_CALLING", default=None)


@dataclass(frozen=True, slots=True)
class _Imports:
    allowed: Collection[str] | None
    found: set[str] = field(default_factory=set)


_IMPORTS: ContextVar[_Imports | None] = ContextVar("_IMPORTS", default=None)


@contextmanager
def imports(allowed: Collection[str] | None = None) -> Iterator[set[str]]:
    """Collects digests of code files that models run while loading.

    Raises `AbaloError` before a file outside ``allowed`` runs; None allows any.
    """
    around = _IMPORTS.get()
    own = _Imports(around.allowed if allowed is None and around is not None else allowed)
    token = _IMPORTS.set(own)
    try:
        yield own.found
    finally:
        _IMPORTS.reset(token)


def will_run(spec: str, files: Iterable[Path | None]) -> None:
    """Records files before their code runs, or raises `AbaloError` as `imports` says."""
    known = _IMPORTS.get()
    if known is None:
        return
    for file in files:
        digest = None if file is None else hashlib.sha256(file.read_bytes()).hexdigest()
        if known.allowed is not None and digest not in known.allowed:
            raise AbaloError(
                f"model {spec}: its code, {file or 'in no file that was found'}, has the digest {digest}, expected is "
                f"{' or '.join(known.allowed) or 'a model without code of its own'}; it is not run; put back the code "
                "that was accepted, or run the gate and accept that with abalo accept REPORTS --as NAME"
            )
        if digest is not None:
            known.found.add(digest)


_AT_HAND: ContextVar[tuple[str, object] | None] = ContextVar("_AT_HAND", default=None)


@contextmanager
def at_hand(spec: str | None, model: object) -> Iterator[None]:
    """Gives the ``model``, unless None, to whoever loads the spec meanwhile."""
    token = _AT_HAND.set(None if model is None or spec is None else (spec, model))
    try:
        yield
    finally:
        _AT_HAND.reset(token)


def spec_of(model: object) -> str:
    """The name of a model at hand, such as ``__main__:predict``.

    Raises `AbaloError` for a class, and for a function that takes no list of inputs.
    """
    named: Any = _defined(model)
    name = f"{getattr(named, '__module__', None) or '__main__'}:{named.__qualname__}"
    if isinstance(model, type):
        raise AbaloError(f"model {name}: is a class; expected the model itself: model={named.__name__}()")
    if inspect.isroutine(model) and not _accepts(model, []):
        raise AbaloError(
            f"model {name}: cannot be called with a list of inputs alone; expected a function that can, or what makes "
            f"one, called: model={named.__name__}()"
        )
    return name


def _defined(model: Any) -> Any:
    """What has the code of a model: a function, also below `functools.partial`, or else a class."""
    while isinstance(model, partial):
        model = model.func
    return model if inspect.isroutine(model) or isinstance(model, type) else type(model)


def _code_of(spec: str, model: object) -> UserCode:
    defined = _defined(inspect.unwrap(model) if callable(model) else model)
    file, text = None, ""
    with suppress(TypeError, OSError):
        file = Path(inspect.getfile(defined))
    if file is None or not file.is_file():
        file = None
        with suppress(TypeError, OSError):
            text = inspect.getsource(defined)
    return UserCode(spec, Path.cwd() if file is None else file.parent, file, text)


def made_by(spec: str) -> tuple[object, UserCode]:
    """The result of ``module:factory``, ``path/to/file.py:factory`` or ``scheme:name``, and its code.

    Modules are looked up in the working directory first, a file's imports in its own folder first. Raises `AbaloError`
    naming the failing line.
    """
    known = _AT_HAND.get()
    if known is not None and known[0] == spec:
        return known[1], _code_of(*known)
    if (scheme := scheme_of(spec)) is not None:
        if not (rest := spec.partition(":")[2]).strip():
            raise AbaloError(f"model {visible(spec)}: expected a name after {scheme.name}:")
        will_run(spec, [scheme.file])
        code = UserCode(spec, Path.cwd() if scheme.file is None else scheme.file.parent, scheme.file)
        return code.call(f"its scheme {scheme.name}", scheme.load, rest), code
    module, name, code = _module(spec)
    made = code.call("its factory", _factory(module, name, spec))
    if inspect.iscoroutine(made):
        made.close()
        raise AbaloError(
            f"model {spec}: its factory is an async def; expected a plain one, which may return an async def"
        )
    return made, code


def function_of(spec: str) -> tuple[Callable[..., object], UserCode]:
    """The function ``module:function`` or ``path/to/file.py:function``, and its code."""
    module, name, code = _module(spec)
    found = getattr(module, name, None)
    if not callable(found):
        raise AbaloError(f"{spec}: {name} is no function there{did_you_mean(name, _public(module))}")
    function: Callable[..., object] = found
    return function, code


def _module(spec: str) -> tuple[ModuleType, str, UserCode]:
    module_name, _, name = spec.rpartition(":")
    if not name or not module_name.strip("."):
        raise AbaloError(f"model {visible(spec)}: expected module:factory or path/to/file.py:factory; name both")
    if module_name.endswith(".py"):
        path = Path(module_name).resolve()
        folder, module = path.parent, _module_from_file(path, spec)
    elif "/" in module_name:
        parent, _, module_name = module_name.rpartition("/")
        folder, spec = Path(parent or "/").resolve(), f"{module_name}:{name}"
        module = UserCode(spec, folder).call(f"importing {module_name}", _import_from, folder, module_name, spec)
    else:
        folder = Path.cwd()
        module = UserCode(spec, folder).call(f"importing {module_name}", _import, module_name, spec)
    return module, name, UserCode(spec, folder, _file_of(module))


def optional_text(made: object, attribute: str, code: UserCode) -> str | None:
    """A string attribute of the factory's result, or None."""
    value = code.attribute(made, attribute)
    if value is not None and not isinstance(value, str):
        raise AbaloError(f"model {code.spec}: its {attribute} is {value!r}; expected a string, or none at all")
    return value


def draws_of(made: object, code: UserCode) -> bool | None:
    """Whether the factory's result samples its outputs, or None."""
    value = code.attribute(made, "draws")
    if value is not None and not isinstance(value, bool):
        raise AbaloError(f"model {code.spec}: its draws is {value!r}; expected True or False, or none at all")
    return value


def mask_token_of(made: object, code: UserCode) -> str | None:
    """The mask token of the factory's result, or None."""
    mask_token = optional_text(made, "mask_token", code)
    if mask_token is not None and len(mask_token.split()) != 1:
        raise AbaloError(f"model {code.spec}: its mask_token is {mask_token!r}; expected one word, or none at all")
    return mask_token


def identity(made: object, code: UserCode, version: str | None) -> tuple[str, str | None]:
    """Fingerprint and version of the factory's result.

    The fingerprint is its ``fingerprint``, else the code's digest, with all versions; the given version overrides its
    own.
    """
    own = optional_text(made, "version", code)
    versions = "".join(f"+version={each}" for each in dict.fromkeys((own, version)) if each is not None)
    return (optional_text(made, "fingerprint", code) or code.digest) + versions, own if version is None else version


@contextmanager
def _staying_here() -> Iterator[None]:
    here = Path.cwd()
    try:
        yield
    finally:
        with suppress(OSError):  # the user's code may have removed it
            os.chdir(here)


@contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):  # the user's code may have removed it
            sys.path.remove(str(folder))


def _import(name: str, spec: str) -> ModuleType:
    importlib.invalidate_caches()  # the file may be newer than what Python remembers of its folder
    if own := _files(name):
        will_run(spec, own)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there; something that it imports is not
        hint = did_you_mean(name, _modules_here())
        raise AbaloError(
            f"model {spec}: no module {error.name!r} installed or in {Path.cwd()}{hint}\n"
            "  expected module:factory, where factory() returns the model"
        ) from error


def _import_from(folder: Path, name: str, spec: str) -> ModuleType:
    file = module_in(folder, name)
    if file is None:
        near = did_you_mean(name, [module.name for module in pkgutil.iter_modules([str(folder)])])
        raise AbaloError(f"model {spec}: no module {name!r} in {folder}{near}")
    will_run(spec, _files(name, [str(folder)]))
    top = name.partition(".")[0]
    if (known := sys.modules.get(top)) is None or _lies_in(folder, known):
        found = importlib.import_module(name)
        if (own := _file_of(found)) is not None and own.resolve() == file.resolve():
            return found
    raise AbaloError(f"model {spec}: another module called {top!r} is imported already; rename that in {folder}")


def module_in(folder: Path, name: str) -> Path | None:
    """The module's file in the folder, or None."""
    importlib.invalidate_caches()  # the file may be newer than what Python remembers of its folder
    found = _files(name, [str(folder)])
    return found[-1] if found else None


def _files(name: str, places: Sequence[str] | None = None) -> list[Path | None]:
    found: list[Path | None] = []
    whole = ""
    if not all(part.isidentifier() for part in name.split(".")):
        return found
    for part in name.split("."):
        whole = f"{whole}.{part}".removeprefix(".")
        if places is None:
            spec = None
            with suppress(ValueError):  # a module that is imported, and does not say from where
                spec = importlib.util.find_spec(whole)
        else:
            spec = importlib.machinery.PathFinder.find_spec(whole, places)
        if spec is None:
            return []
        is_package = spec.submodule_search_locations is not None
        if spec.origin and spec.has_location:
            found.append(Path(spec.origin))
        elif not is_package or whole == name:
            found.append(None)
        places = list(spec.submodule_search_locations or ())
    return found


def _lies_in(folder: Path, module: ModuleType) -> bool:
    places = [*getattr(module, "__path__", ()), *filter(None, [getattr(module, "__file__", None)])]
    return any(Path(place).resolve().is_relative_to(folder) for place in places)


def _module_from_file(path: Path, spec: str) -> ModuleType:
    if not path.is_file():
        raise AbaloError(f"model {spec}: no file {path}{did_you_mean_path(path)}")
    name = f"abalo_model_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}_{path.stem}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    will_run(spec, [path])
    sys.modules[name] = module  # dataclasses and pickle look their module up there
    UserCode(spec, path.parent, path).call(f"importing {path.name}", found.loader.exec_module, module)
    return module


def _factory(module: ModuleType, name: str, spec: str) -> Callable[[], object]:
    factory = getattr(module, name, None)
    if factory is None:
        where = Path(spec.rpartition(":")[0]).name
        raise AbaloError(f"model {spec}: {where} has no {name!r}{did_you_mean(name, _public(module))}")
    if not callable(factory) or not _accepts(factory):
        raise AbaloError(
            f"model {spec}: {name} is not a function that can be called without arguments; name a factory whose "
            f"result is the model, such as: def make(): return {name}"
        )
    found: Callable[[], object] = factory
    return found


def _public(module: ModuleType) -> list[str]:
    return [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file) if file else None


def _accepts(function: Callable[..., object], *arguments: object) -> bool:
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


def _modules_here() -> list[str]:
    return [module.name for module in pkgutil.iter_modules([str(Path.cwd())])]


_LONGEST = 400


def _message(error: BaseException) -> str:
    message = "(which cannot say why)"
    with suppress(Exception):  # its own code may fail too
        message = redacted(visible(error))
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
