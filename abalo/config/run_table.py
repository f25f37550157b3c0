"""The table ``[run]`` of a thresholds file: options that the command line need not give.

    [run]
    model = "./checkpoint"
    corpus = "dev.conll"
    label_map = {PERSON = "PER"}

Options of the command line win, key by key. Paths are relative to the folder of the file. No key lets code that comes
with a model run, loads a pickle or reaches the network: those are options alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abalo.config.options import OPTIONS, RUN_KEYS, Option, Options, make_options, recorded_thresholds
from abalo.config.tasks import task_called
from abalo.errors import AbaloError, visible
from abalo.files import expanded
from abalo.models.user_code import module_in
from perturbations.suggestions import did_you_mean

if TYPE_CHECKING:
    from abalo.core.settings import Problems
    from abalo.core.task import Task

RUN = "run"
"""The name of the table."""

KEYS: Mapping[str, Option] = {option.name: option for option in OPTIONS if option.name in RUN_KEYS}
"""The keys of the table, each with the option of the same name."""

_IN_GATE = ("language", "least", "seeds", "against")
"""The options that are keys of another table."""

_BUNDLED, _HUB, _SPACY, _ASKED, _OURS = "bundled:", "hub:", "spacy:", "inspect:", "abalo/"
_OF_CODE = ".py"


@dataclass(frozen=True, slots=True)
class Run:
    """The options of a table, by name, as the command line takes them; paths lead from the working directory.

    ``code`` holds the path of the file for each option whose value names Python code. ``refused`` says of an option why
    its value cannot be used.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    code: Mapping[str, Path] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    def under(self, given: Mapping[str, Any], *, trusted: bool = True) -> dict[str, Any]:
        """The options that are ``given`` and, in place of those that are not, the options of the table.

        An option that is None or False is not given. Only a ``trusted`` file may name code: one that was asked for, or
        that lies in the working directory. Raises `AbaloError` for a value of the table that is needed and cannot be
        used.
        """
        filled = dict(given)
        for name, value in self.values.items():
            if name not in given or given[name] not in (None, False):
                continue
            if name in self.refused:
                raise AbaloError(self.refused[name])
            if name in self.code and not trusted:
                file = self.code[name]
                raise AbaloError(
                    f"{file} [run] {name}: {value!r} is Python code, and the file is not in the working directory; "
                    f"pass --abalo-thresholds {os.path.relpath(file)} if you trust it, or {KEYS[name].flag_name}"
                )
            filled[name] = value
        return filled

    def over(self, base: Run) -> Run:
        """This table laid over another, key by key."""
        kept = {name: value for name, value in base.values.items() if name not in self.values}
        return Run(
            {**kept, **self.values},
            {**{name: path for name, path in base.code.items() if name in kept}, **self.code},
            {**{name: reason for name, reason in base.refused.items() if name in kept}, **self.refused},
        )


def run_of(table: Any, base: Run, problems: Problems) -> Run:
    """The table of a file over that of its base, as far as its values fit; one problem more for each that does not."""
    if not isinstance(table, dict):
        problems.add("[run]", f"{table!r} is not a table; write [run]")
        return base
    values: dict[str, Any] = {}
    code: dict[str, Path] = {}
    refused: dict[str, str] = {}
    for key, value in table.items():
        place = f"[run] {key}"
        if key not in KEYS:
            problems.add(place, _no_such_key(key))
            continue
        try:
            values[key] = _placed(key, _as_option(key, value), problems.path.parent)
        except _UnusableError as error:
            values[key], refused[key] = value, f"{problems.path.name} {place}: {visible(error)}"
        except AbaloError as error:
            problems.add(place, str(error).removeprefix(f"{key}: "))
            continue
        if key == "model" and any(map(_is_code, str(values[key]).split(","))):
            code[key] = problems.path
    found = Run(values, code, refused).over(base)
    _check(found, problems)
    return found


class _UnusableError(AbaloError):
    """A value that the table may have, and that a run cannot use."""


def _no_such_key(key: str) -> str:
    if key in _IN_GATE:
        return f"is no key of [run]; write it in [gate]: {key} = …"
    option = next((option for option in OPTIONS if option.name == key), None)
    if option is not None:
        value = "" if option.flag else f" {option.metavar or 'VALUE'}"
        return f"is an option alone, and no file can set it; pass {option.flag_name}{value}"
    return f"no such key{did_you_mean(key, KEYS)}; there are {', '.join(KEYS)}"


def _as_option(key: str, value: Any) -> Any:
    """The value as the option has it; raises `AbaloError` for one of another type."""
    if key == "label_map" and isinstance(value, dict):
        return _renaming(value)
    try:
        found = KEYS[key].value(value)
    except AbaloError:
        if key == "label_map":
            raise AbaloError(f'{value!r}; expected a table, such as {{PERSON = "PER"}}, or a string') from None
        raise
    if isinstance(found, str) and not found.strip():
        raise AbaloError(f"{value!r} is blank; expected a value, or no such key")
    if key == "task":
        task_called(found)
    return found


def _renaming(table: Mapping[str, Any]) -> str:
    if not table:
        raise AbaloError("an empty table; write at least one name, or leave it out")
    for own, wanted in table.items():
        if not isinstance(wanted, str):
            raise AbaloError(f'{own} = {wanted!r}; expected a name of the corpus, such as "PER"')
        if any(mark in name for name in (own, wanted) for mark in ",="):
            raise AbaloError(f"{own} = {wanted!r}: a name with a comma or an equals sign; give the map as a JSON file")
    return ",".join(f"{own}={wanted}" for own, wanted in table.items())


def _placed(key: str, value: Any, folder: Path) -> Any:
    """The value with its paths leading from the working directory; raises `AbaloError` for what no file can name."""
    if key == "model":
        names = [value] if _is_there(folder, value) else [name.strip() for name in value.split(",")]
        return ",".join(_model(name, folder) for name in names)
    if key == "corpus":
        if value.startswith(_HUB):
            raise AbaloError(_of_network(value, key, "a file, or bundled:NAME"))
        return value if value.startswith(_BUNDLED) else _from_here(value, folder)
    return _from_here(value, folder) if key == "label_map" and "=" not in value else value


def _model(spec: str, folder: Path) -> str:
    if spec.startswith(_OURS):
        return spec
    if spec.startswith(_ASKED):
        raise AbaloError(_of_network(spec, "model", "a folder, spacy:NAME or module:factory"))
    if _is_there(folder, spec):
        return _from_here(spec, folder)
    if spec.startswith(_SPACY):
        target, mark, reading = spec.removeprefix(_SPACY).partition("?")
        return f"{_SPACY}{_from_here(target, folder)}{mark}{reading}" if _is_there(folder, target) else spec
    if ":" in spec:
        return _code(spec, folder)
    if spec.startswith((".", "/", "~")) or spec.count("/") > 1:
        return _from_here(spec, folder)
    raise _UnusableError(_of_network(spec, "model", "a file or folder that is there, spacy:NAME or module:factory"))


def _of_network(value: str, key: str, expected: str) -> str:
    return (
        f"{value!r}; expected {expected}; what is asked of a network is an option alone: pass "
        f"{KEYS[key].flag_name} {value}"
    )


def _code(spec: str, folder: Path) -> str:
    """The factory, by the path of its module, which is in the folder of the file or below."""
    module, _, factory = spec.rpartition(":")
    if module.endswith(_OF_CODE):
        path = os.path.normpath(folder / module)
        if not Path(path).is_relative_to(os.path.normpath(folder)):
            raise AbaloError(f"{spec!r}; expected a file in the folder of this one, or below")
        return f"{_from_here(module, folder)}:{factory}"
    if not all(part.isidentifier() for part in [*module.split("."), factory]):
        raise AbaloError(f"{spec!r}; expected module:factory, the module in the folder of this file")
    found = f"{_from_here(module, folder)}:{factory}"
    return found if found.startswith("../") else f"./{found}"


def _is_code(spec: str) -> bool:
    return ":" in spec and not spec.strip().startswith(_SPACY)


def _is_there(folder: Path, name: str) -> bool:
    try:
        return bool(name.strip()) and (folder / expanded(name)).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _from_here(name: str, folder: Path) -> str:
    """The path in the folder, seen from the working directory."""
    if name.startswith("~") or Path(name).is_absolute() or folder.resolve() == Path.cwd().resolve():
        return name
    return os.path.relpath(folder / name)


def for_file(key: str, value: Any, folder: Path) -> Any:
    """The value that a file in the folder gives the option, whose paths lead from the working directory.

    None where no file there can: a model of the hub, or code that lies elsewhere.
    """
    if not isinstance(value, str):
        return value
    if key == "model":
        names = [value] if _is_there(Path(), value) else [name.strip() for name in value.split(",")]
        found = ",".join(_model_from(folder, name) for name in names)
    elif key == "corpus":
        found = value if value.startswith((_BUNDLED, _HUB)) else _path_from(folder, value)
    elif key == "label_map" and "=" not in value:
        found = _path_from(folder, value)
    else:
        return value
    try:
        _placed(key, found, folder)
    except AbaloError:
        return None
    return found


def means(key: str, value: Any, folder: Path) -> Any:
    """The option that a file in the folder gives by this value, as in `Run.values`; the value if it cannot be used."""
    try:
        return _placed(key, _as_option(key, value), folder)
    except AbaloError:
        return value


def _model_from(folder: Path, spec: str) -> str:
    """A model whose path or module is found from the working directory, as a file in the folder names it."""
    if _is_there(Path(), spec):
        return _path_from(folder, spec)
    if spec.startswith(_SPACY):
        target, mark, reading = spec.removeprefix(_SPACY).partition("?")
        found = _path_from(folder, target) if _is_there(Path(), target) else target
        return f"{_SPACY}{found}{mark}{reading}"
    module, colon, factory = spec.rpartition(":")
    if not colon:
        return spec
    if module.endswith(_OF_CODE):
        return f"{_path_from(folder, module)}:{factory}"
    parent, _, own = module.rpartition("/")
    here, there = module_in(Path(parent or "."), own), module_in(folder, own)
    lies_there = here is not None and there is not None and here.resolve() == there.resolve()
    return f"{own}:{factory}" if lies_there else f"./{module}:{factory}"  # which no file can name


def _path_from(folder: Path, name: str) -> str:
    at_home = folder.resolve() == Path.cwd().resolve()
    fixed = name.startswith("~") or Path(name).is_absolute()
    return name if at_home or fixed else os.path.relpath(name, folder)


def _check(found: Run, problems: Problems) -> None:
    """One problem more where the options are out of range, or do not go together."""
    try:
        make_options(thresholds=problems.path, **found.values)
    except AbaloError as error:
        said = re.sub("--abalo-([a-z-]+)", lambda name: name[1].replace("-", "_"), str(error))
        problems.add("[run]", said)


def told(options: Options, asked: Sequence[Task]) -> str:
    """The line that names the thresholds file, the model and the corpus of a run about these tasks."""
    file = recorded_thresholds(options.thresholds) or "default cases"
    if len(asked) == 1:
        places = {"model": options.model, "corpus": options.corpus}
        said = [f"{name} {value or 'that ships'}" for name, value in places.items()] + [f"task {asked[0].name}"]
    else:
        said = ["models and corpora that ship"]
    return visible(" · ".join([file, *said]))
