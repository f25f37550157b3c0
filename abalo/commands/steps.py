"""The steps of a pipeline on a command line: ``--with NAME``, each with the ``--rate`` and ``--param`` after it."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.augmentation.variants import Change
    from abalo.core.task import Task
    from abalo.sources.resources import Resources
    from perturbations import Perturbation

_Word = tuple[str, str]
"""An option and its value."""


def add_step_options(
    parser: argparse.ArgumentParser,
    title: str = "perturbations, in the order in which they apply",
    again: str = "; repeat for the next step of a pipeline",
) -> None:
    """The options, which gather in ``steps`` in the order in which they were given."""
    steps = parser.add_argument_group(title)
    for option, metavar, said in (
        ("--with", "NAME", f"perturbation to apply, such as accents{again}"),
        ("--rate", "R", "share of sites that the perturbation before it changes, 0 to 1 (default: its own rate)"),
        (
            "--param",
            "NAME=VALUE",
            "parameter of the perturbation before it, such as lexicon=legal_pt; the value as TOML or as plain text",
        ),
    ):
        steps.add_argument(option, dest="steps", action="append", type=_word(option), metavar=metavar, help=said)


def change_of(words: Sequence[_Word], task: Task, resources: Resources) -> Change:
    """The perturbations, or the list of rewordings, of examples of a task, with their settings.

    Raises `AbaloError` for an unknown name, for one that is not for the task, and for a value that does not fit.
    """
    from abalo.augmentation.variants import Put, Steps

    requested, lists = _requested(words), task.rewordings.lists
    listed = next((step for step in requested if step.name in lists), None)
    if listed is None:
        steps = tuple(_configured(step, resources) for step in requested)
        for step in steps:
            if not task.accepts(step):
                able = f"; {task.name} has {', '.join(lists)}" if lists else ""
                raise AbaloError(f"--with {step.name}: does nothing to examples of the task {task.name}{able}")
        return Steps(steps)
    if len(requested) > 1 or listed.rate is not None:
        raise AbaloError(f"--with {listed.name}: a list of rewordings, which stands alone and has no --rate")
    rewording = lists[listed.name]
    try:
        return Put(rewording, rewording.configured(**{name: _read(text) for name, text in listed.params.items()}))
    except (TypeError, ValueError) as error:
        raise AbaloError(f"--with {listed.name}: {error}") from error


def labelled_steps_of(words: Sequence[_Word], resources: Resources) -> dict[str, Perturbation]:
    """Such perturbations by name and settings, as they were given; raises `AbaloError`, also for one given twice."""
    found: dict[str, Perturbation] = {}
    for step in _requested(words):
        if step.label in found:
            raise AbaloError(f"--with {step.label}: given twice; drop one")
        found[step.label] = _configured(step, resources)
    return found


def _word(option: str) -> Callable[[str], _Word]:
    return lambda text: (option, text)


@dataclass(slots=True)
class _Step:
    """A step of a pipeline as the command line has it."""

    name: str
    rate: str | None = None
    params: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name with the settings, such as ``synonyms lexicon=legal_pt``."""
        rate = {} if self.rate is None else {"rate": self.rate}
        return " ".join([self.name, *(f"{key}={value}" for key, value in (rate | self.params).items())])


def _requested(words: Sequence[_Word]) -> list[_Step]:
    """The steps, each with the rate and parameters that follow it; raises `AbaloError`."""
    steps: list[_Step] = []
    for option, text in words:
        if option == "--with":
            steps.append(_Step(text))
        elif not steps:
            raise AbaloError(f"{option} {text}: there is no --with before it; put it behind the --with it is for")
        elif option == "--rate":
            if steps[-1].rate is not None:
                raise AbaloError(f"--rate {text}: {steps[-1].name} has the rate {steps[-1].rate} already; drop one")
            steps[-1].rate = text
        else:
            name, equals, value = text.partition("=")
            if not equals or not name.strip():
                raise AbaloError(f"--param {text}: expected NAME=VALUE, such as lexicon=legal_pt")
            if name.strip() == "rate":
                raise AbaloError(f"--param {text}: the rate has an option of its own; write --rate {value.strip()}")
            if name.strip() in steps[-1].params:
                raise AbaloError(f"--param {text}: {steps[-1].name} has a {name.strip()} already; drop one")
            steps[-1].params[name.strip()] = value.strip()
    if not steps:
        raise AbaloError("--with: missing; name a perturbation, such as --with accents")
    return steps


def _configured(step: _Step, resources: Resources) -> Perturbation:
    """The perturbation with these settings; raises `AbaloError` for an unknown name or a value that does not fit."""
    from abalo.sources.resources import AUTO, unfit
    from perturbations import UnknownPerturbation, find, members, parse

    try:
        perturbation = find(step.name)
    except UnknownPerturbation as error:
        raise AbaloError(f"--with {step.name}: {error}; there are {', '.join(members())}") from None
    try:
        if step.rate is not None:
            perturbation = perturbation.configured(rate=_number(step.rate))
        values = _values(perturbation, step.params)
        reason = unfit(perturbation, values, resources.language)
        perturbation = resources.configured(perturbation, values)
        if perturbation.cost != "model":
            list(perturbation.sites(parse(perturbation.example.before)))  # what the function itself says of the values
    except Exception as error:  # a perturbation of the user's own may raise anything
        raise AbaloError(f"--with {step.name}: {error}") from error
    if values.get("mask_token") == AUTO:
        raise AbaloError(f"--param mask_token={AUTO}: there is no model here to tell its own; name it, such as [MASK]")
    if reason is not None:
        raise AbaloError(f"--with {step.name}: {reason} (--language, --param)")
    return perturbation


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _values(perturbation: Perturbation, params: Mapping[str, str]) -> dict[str, Any]:
    """Each value as the string that it is where the parameter takes one, else as TOML has it."""
    from perturbations.parameters import checked

    known = perturbation.parameters()
    values: dict[str, Any] = {}
    for name, text in params.items():
        values[name] = text
        if name in known:
            try:
                checked(text, known[name].annotation)
            except TypeError:
                values[name] = _read(text)
    return values


def _read(text: str) -> Any:
    """The value that the text is in TOML, if JSON has it too; else the text."""
    try:
        found = tomllib.loads(f"value = {text}")
        json.dumps(found, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return text
    return found["value"] if len(found) == 1 else text
