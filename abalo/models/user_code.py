"""A user's own code: finding ``module:factory``, and calling it so that each error names its line."""

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
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from abalo.errors import AbaloError, ends_the_run, visible
from abalo.files import read_bytes
from perturbations.suggestions import did_you_mean, did_you_mean_path

Input = TypeVar("Input")
Output = TypeVar("Output")

OnProgress = Callable[[int, int], None]
"""Called with the number of inputs done and of all."""


@dataclass(frozen=True, slots=True)
class UserCode:
    """The code that the user called ``spec``.

    ``folder`` comes first among the places it imports from, whenever it runs. ``file`` is its source; None where there
    is none, or none is known yet.
    """

    spec: str
    folder: Path
    file: Path | None = None

    @property
    def digest(self) -> str:
        """BLAKE2b digest of the spec and of the bytes of the file, 32 hexadecimal digits."""
        source = b"" if self.file is None else read_bytes(self.file)
        return hashlib.blake2b(self.spec.encode() + b"\x1f" + source, digest_size=16).hexdigest()

    def call(self, doing: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """The function's result; raises `AbaloError` that names what it was ``doing`` and the line that failed.

        That holds for every exception, ``SystemExit`` and others below ``BaseException`` included, but for those that
        end the whole run. The function can neither change the working directory for longer than the call nor return in
        two processes.
        """
        try:
            with _alone_and_here(), _first_on_path(self.folder), warnings.catch_warnings():
                warnings.simplefilter("default")  # a warning of the user's model is no failure of the gate
                return function(*arguments)
        except AbaloError:
            raise
        except BaseException as error:
            if ends_the_run(error):
                raise
            raise AbaloError(
                f"model {self.spec}: {doing} raised {type(error).__name__}: {_message(error)} ({self._place(error)})"
            ) from error

    def attribute(self, made: object, name: str) -> Any:
        """An attribute of what a factory returned, None where there is none; raises `AbaloError` as `call` does."""
        return self.call(f"its attribute {name}", getattr, made, name, None)

    def _place(self, error: BaseException) -> str:
        """The deepest line in the user's own file, else the deepest that has a file; where a file cannot be parsed,
        the line there.
        """
        if isinstance(error, SyntaxError) and error.filename and error.lineno:
            return f"{error.filename}:{error.lineno}"
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
        own = [frame for frame in frames if self.file is not None and Path(frame.filename) == self.file]
        frame = (own or frames)[-1]
        return f"{frame.filename}:{frame.lineno}"


@dataclass(frozen=True, slots=True)
class _Imports:
    """The digests of files of code that may be run, None for any, and of those that were."""

    allowed: Collection[str] | None
    found: set[str] = field(default_factory=set)


_IMPORTS: ContextVar[_Imports | None] = ContextVar("_IMPORTS", default=None)


@contextmanager
def imports(allowed: Collection[str] | None = None) -> Iterator[set[str]]:
    """The digests of the files whose code models run while they are loaded, in a set that grows.

    A file whose digest is not among those ``allowed``, here or around, is refused by `AbaloError` before it runs; None
    allows any.
    """
    around = _IMPORTS.get()
    own = _Imports(around.allowed if allowed is None and around is not None else allowed)
    token = _IMPORTS.set(own)
    try:
        yield own.found
    finally:
        _IMPORTS.reset(token)


def will_run(spec: str, files: Iterable[Path | None]) -> None:
    """Takes note of files whose code runs next, None for one that was not found; to be called before it does.

    Raises `AbaloError` for one that must not run, as `imports` says.
    """
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


def made_by(spec: str) -> tuple[Any, UserCode]:
    """The result of the factory called ``module:factory`` or ``path/to/file.py:factory``, and the code it came from.

    A module is sought first in the directory of the invocation, ``folder/module`` in that folder alone, what a file
    imports first in its own.
    """
    module, name, code = _module(spec)
    return code.call("its factory", _factory(module, name, spec)), code


def function_of(spec: str) -> tuple[Callable[..., Any], UserCode]:
    """The function called ``module:function`` or ``path/to/file.py:function``, and the code it stands in."""
    module, name, code = _module(spec)
    found = getattr(module, name, None)
    if not callable(found):
        raise AbaloError(f"{spec}: {name} is no function there{did_you_mean(name, _public(module))}")
    function: Callable[..., Any] = found
    return function, code


def _module(spec: str) -> tuple[ModuleType, str, UserCode]:
    """The module that a spec names, the name of what is meant in it, and the code that it is."""
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


def optional_text(made: Any, attribute: str, code: UserCode) -> str | None:
    """The attribute of what a factory returned; None where there is none. Raises `AbaloError` where it is no string."""
    value = code.attribute(made, attribute)
    if value is not None and not isinstance(value, str):
        raise AbaloError(f"model {code.spec}: its {attribute} is {value!r}; expected a string, or none at all")
    return value


def mask_token_of(made: Any, code: UserCode) -> str | None:
    """The mask token of what a factory returned; None without one. Raises `AbaloError` for one of several words."""
    mask_token = optional_text(made, "mask_token", code)
    if mask_token is not None and len(mask_token.split()) != 1:
        raise AbaloError(f"model {code.spec}: its mask_token is {mask_token!r}; expected one word, or none at all")
    return mask_token


def identity(made: Any, code: UserCode, version: str | None) -> tuple[str, str | None]:
    """The fingerprint and the version of what a factory returned.

    The fingerprint is the attribute ``fingerprint``, else the digest of the code, with the attribute ``version`` and
    the ``version`` given; the version is the one given, else the attribute.
    """
    own = optional_text(made, "version", code)
    versions = "".join(f"+version={each}" for each in dict.fromkeys((own, version)) if each is not None)
    return (optional_text(made, "fingerprint", code) or code.digest) + versions, own if version is None else version


def in_batches(
    inputs: Sequence[Input],
    size: int,
    predict: Callable[[Sequence[Input]], Sequence[Output]],
    on_progress: OnProgress | None = None,
) -> list[Output]:
    """One output per input, in order, predicted in batches of ``size`` inputs; reports progress after each batch."""
    outputs: list[Output] = []
    for start in range(0, len(inputs), size):
        outputs += predict(inputs[start : start + size])
        if on_progress is not None:
            on_progress(len(outputs), len(inputs))
    return outputs


@contextmanager
def _alone_and_here() -> Iterator[None]:
    """Afterwards the working directory is as before, and a copy of the process, made by a fork within, has ended.

    Files of the run are named relative to the working directory, and two processes would write each of them twice.
    """
    process, here = os.getpid(), Path.cwd()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(1)
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
    """The module of that name in the folder; raises `AbaloError` where it is elsewhere, or nowhere."""
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
    """The file of the module of that name in the folder, whatever else can be imported; None where there is none."""
    importlib.invalidate_caches()  # the file may be newer than what Python remembers of its folder
    found = _files(name, [str(folder)])
    return found[-1] if found else None


def _files(name: str, places: Sequence[str] | None = None) -> list[Path | None]:
    """The files that run when a module is imported, its own last, None if it has none; empty if there is no module.

    It is sought in these places, None for wherever Python looks. Nothing is imported.
    """
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
    """Whether a module, or package, has been imported from the folder."""
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


def _factory(module: ModuleType, name: str, spec: str) -> Callable[[], Any]:
    factory = getattr(module, name, None)
    if factory is None:
        where = Path(spec.rpartition(":")[0]).name
        raise AbaloError(f"model {spec}: {where} has no {name!r}{did_you_mean(name, _public(module))}")
    if not callable(factory) or not _takes_nothing(factory):
        raise AbaloError(
            f"model {spec}: {name} is not a function that can be called without arguments; name a factory whose "
            f"result is the model, such as: def make(): return {name}"
        )
    found: Callable[[], Any] = factory
    return found


def _public(module: ModuleType) -> list[str]:
    """The names of what can be called in a module."""
    return [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]


def _file_of(module: ModuleType) -> Path | None:
    """The source of a module; None for one that is built in, or a folder."""
    file = getattr(module, "__file__", None)
    return Path(file) if file else None


def _takes_nothing(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


def _modules_here() -> list[str]:
    return [module.name for module in pkgutil.iter_modules([str(Path.cwd())])]


_LONGEST = 400


def _message(error: BaseException) -> str:
    """The message of an exception, on one line that can be shown; cut where a model has put a whole batch into it."""
    message = "(which cannot say why)"
    with suppress(Exception):  # its own code may fail too
        message = visible(error)
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
