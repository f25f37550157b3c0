"""The ``[run]`` table of a thresholds file: defaults for the command line.

Security: running a model's code, loading pickles and network access are options of the command line only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abalo.config.options import OPTIONS, RUN_KEYS, Option, Options, make_options, now_a_setting, recorded_thresholds
from abalo.config.tasks import task_called, tasks_for
from abalo.core.protocols.corpus_spec import with_source
from abalo.errors import AbaloError, visible
from abalo.files import expand_home
from abalo.models.model_scheme import scheme_of
from abalo.models.prompts.protocol import ASKED
from abalo.models.user_code import module_in
from perturbations.suggestions import did_you_mean

if TYPE_CHECKING:
    from abalo.core.protocols.task import Task
    from abalo.core.records.settings import Problems

RUN = "run"

KEYS: Mapping[str, Option] = {option.name: option for option in OPTIONS if option.name in RUN_KEYS}

_IN_GATE = ("language", "least", "seeds", "against")

_BUNDLED, _HUB, _SPACY, _OURS = "bundled:", "hub:", "spacy:", "abalo/"
_OF_CODE = ".py"


@dataclass(frozen=True, slots=True)
class RunTable:
    """Options by name; paths are relative to the working directory.

    ``code`` holds files of options that name Python code, ``refused`` reasons for unusable values.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    code: Mapping[str, Path] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    def under(self, given: Mapping[str, object], *, trusted: bool = True) -> dict[str, object]:
        """The given options, completed from the table; raises `AbaloError`.

        None and False count as missing. Only a ``trusted`` file, named by the user or in the working directory, may
        name code.
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

    def over(self, base: RunTable) -> RunTable:
        """This table over another, key by key."""
        kept = {name: value for name, value in base.values.items() if name not in self.values}
        return RunTable(
            {**kept, **self.values},
            {**{name: path for name, path in base.code.items() if name in kept}, **self.code},
            {**{name: reason for name, reason in base.refused.items() if name in kept}, **self.refused},
        )


def run_of(table: object, base: RunTable, problems: Problems) -> RunTable:
    """A file's valid values over its base; adds a problem per invalid one."""
    if not isinstance(table, dict):
        problems.add("[run]", f"{table!r} is not a table; write [run]")
        return base
    values: dict[str, object] = {}
    code: dict[str, Path] = {}
    refused: dict[str, str] = {}
    for key, value in table.items():
        place = f"[run] {key}"
        if key not in KEYS:
            problems.add(place, _no_such_key(key))
            continue
        try:
            values[key] = _resolve_value(key, _as_option(key, value), problems.path.parent)
        except _UnusableError as error:
            values[key], refused[key] = value, f"{problems.path.name} {place}: {visible(error)}"
        except AbaloError as error:
            problems.add(place, str(error).removeprefix(f"{key}: "))
            continue
        if key == "model" and any(map(_is_code, str(values[key]).split(","))):
            code[key] = problems.path
    found = RunTable(values, code, refused).over(base)
    _check(found, problems)
    return found


class _UnusableError(AbaloError): ...


def _no_such_key(key: str) -> str:
    if key in _IN_GATE:
        return f"is no key of [run]; write it in [gate]: {key} = …"
    if told := now_a_setting(key):
        return told
    option = next((option for option in OPTIONS if option.name == key), None)
    if option is not None:
        value = "" if option.flag else f" {option.metavar or 'VALUE'}"
        return f"is an option of the command line only; pass {option.flag_name}{value}"
    return f"no such key{did_you_mean(key, KEYS)}; there are {', '.join(KEYS)}"


def _as_option(key: str, value: object) -> Any:
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


def _renaming(table: Mapping[str, object]) -> str:
    if not table:
        raise AbaloError("an empty table; write at least one name, or leave it out")
    for own, wanted in table.items():
        if not isinstance(wanted, str):
            raise AbaloError(f'{own} = {wanted!r}; expected a name of the corpus, such as "PER"')
        if any(mark in name for name in (own, wanted) for mark in ",="):
            raise AbaloError(f"{own} = {wanted!r}: a name with a comma or an equals sign; give the map as a JSON file")
    return ",".join(f"{own}={wanted}" for own, wanted in table.items())


def _resolve_value(key: str, value: Any, folder: Path) -> object:
    if key == "model":
        names = [value] if _is_there(folder, value) else [name.strip() for name in value.split(",")]
        return ",".join(_model(name, folder) for name in names)
    if key == "corpus":
        if value.startswith(_HUB):
            raise AbaloError(_of_network(value, key, "a file, or bundled:NAME"))
        return value if value.startswith(_BUNDLED) else with_source(value, lambda name: _from_here(name, folder))
    return _from_here(value, folder) if key == "label_map" and "=" not in value else value


def _model(spec: str, folder: Path) -> str:
    if spec.startswith(_OURS):
        return spec
    if spec.startswith(ASKED):
        raise AbaloError(_of_network(spec, "model", "a folder, spacy:NAME or module:factory"))
    if _is_there(folder, spec):
        return _from_here(spec, folder)
    if spec.startswith(_SPACY):
        target, mark, settings = spec.removeprefix(_SPACY).partition("?")
        return f"{_SPACY}{_from_here(target, folder)}{mark}{settings}" if _is_there(folder, target) else spec
    if scheme_of(spec) is not None:
        return spec
    if ":" in spec:
        return _code(spec, folder)
    if spec.startswith((".", "/", "~")) or spec.count("/") > 1:
        return _from_here(spec, folder)
    raise _UnusableError(_of_network(spec, "model", "a file or folder that is there, spacy:NAME or module:factory"))


def _of_network(value: str, key: str, expected: str) -> str:
    return (
        f"{value!r}; expected {expected}; only the command line can name something on a network: pass "
        f"{KEYS[key].flag_name} {value}"
    )


def _code(spec: str, folder: Path) -> str:
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
        return bool(name.strip()) and (folder / expand_home(name)).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _from_here(name: str, folder: Path) -> str:
    if name.startswith("~") or Path(name).is_absolute() or folder.resolve() == Path.cwd().resolve():
        return name
    return os.path.relpath(folder / name)


def for_file(key: str, value: object, folder: Path) -> object:
    """An option's value with paths relative to the folder; None if a file there cannot name it."""
    if not isinstance(value, str):
        return value
    if key == "model":
        names = [value] if _is_there(Path(), value) else [name.strip() for name in value.split(",")]
        found = ",".join(_model_from(folder, name) for name in names)
    elif key == "corpus":
        found = (
            value if value.startswith((_BUNDLED, _HUB)) else with_source(value, lambda name: _path_from(folder, name))
        )
    elif key == "label_map" and "=" not in value:
        found = _path_from(folder, value)
    else:
        return value
    try:
        _resolve_value(key, found, folder)
    except AbaloError:
        return None
    return found


def means(key: str, value: object, folder: Path) -> object:
    """An option's value as read from a file there."""
    try:
        return _resolve_value(key, _as_option(key, value), folder)
    except AbaloError:
        return value


def _model_from(folder: Path, spec: str) -> str:
    if _is_there(Path(), spec):
        return _path_from(folder, spec)
    if spec.startswith(_SPACY):
        target, mark, settings = spec.removeprefix(_SPACY).partition("?")
        found = _path_from(folder, target) if _is_there(Path(), target) else target
        return f"{_SPACY}{found}{mark}{settings}"
    module, colon, factory = spec.rpartition(":")
    if not colon or scheme_of(spec) is not None:
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


def _check(found: RunTable, problems: Problems) -> None:
    try:
        make_options(thresholds=problems.path, **found.values)
    except AbaloError as error:
        said = re.sub("--abalo-([a-z-]+)", lambda name: name[1].replace("-", "_"), str(error))
        problems.add("[run]", said)


def run_line(options: Options, asked: Sequence[Task]) -> str:
    """One line with thresholds file, model and corpus of a run."""
    file = recorded_thresholds(options.thresholds) or "default cases"
    if len(asked) == 1:
        places = {"model": options.model, "corpus": options.corpus}
        said = [
            f"{'' if value else 'bundled '}{name}{f' {value}' if value else ''}" for name, value in places.items()
        ] + [f"task {asked[0].name}"]
        if options.task is None and options.corpus is not None:
            others = [each.name for each in tasks_for(options.corpus) if each is not asked[0]]
            said[-1] += "".join(f", or --abalo-task {name}" for name in others)
    else:
        said = ["bundled models and corpora"]
    return visible(" · ".join([file, *said]))
