"""Pipeline steps: ``--with NAME``, each followed by its ``--rate`` and ``--param``."""

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
    from abalo.core.protocols.task import Task
    from abalo.sources.resources import Resources
    from perturbations import Perturbation

_Word = tuple[str, str]


def add_step_options(
    parser: argparse.ArgumentParser,
    title: str = "perturbations, in the order in which they apply",
    again: str = "; repeat for the next step of a pipeline",
) -> None:
    """Adds the step options, collected in order in ``steps``."""
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
    """Configured perturbations or rewordings; raises `AbaloError`."""
    from abalo.augmentation.variants import Put, Steps

    requested, lists = _parse_steps(words), task.rewordings.lists
    listed = next((step for step in requested if step.name in lists), None)
    if listed is None:
        steps = tuple(_configure_step(step, resources) for step in requested)
        for step in steps:
            if not task.accepts(step):
                able = f"; {task.name} has {', '.join(lists)}" if lists else ""
                raise AbaloError(f"--with {step.name}: does nothing to examples of the task {task.name}{able}")
        return Steps(steps)
    if len(requested) > 1 or listed.rate is not None:
        raise AbaloError(f"--with {listed.name}: a list of rewordings; give it as the only --with, without --rate")
    rewording = lists[listed.name]
    try:
        return Put(rewording, rewording.configured(**{name: _read(text) for name, text in listed.params.items()}))
    except (TypeError, ValueError) as error:
        raise AbaloError(f"--with {listed.name}: {error}") from error


def labelled_steps_of(words: Sequence[_Word], resources: Resources) -> dict[str, Perturbation]:
    """Distinct perturbations by name and settings; raises `AbaloError`."""
    found: dict[str, Perturbation] = {}
    for step in _parse_steps(words):
        if step.label in found:
            raise AbaloError(f"--with {step.label}: given twice; drop one")
        found[step.label] = _configure_step(step, resources)
    return found


def _word(option: str) -> Callable[[str], _Word]:
    return lambda text: (option, text)


@dataclass(slots=True)
class _Step:
    name: str
    rate: str | None = None
    params: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        rate = {} if self.rate is None else {"rate": self.rate}
        return " ".join([self.name, *(f"{key}={value}" for key, value in (rate | self.params).items())])


def _parse_steps(words: Sequence[_Word]) -> list[_Step]:
    steps: list[_Step] = []
    for option, text in words:
        if option == "--with":
            steps.append(_Step(text))
        elif not steps:
            raise AbaloError(f"{option} {text}: no --with before it; put it after the --with that it belongs to")
        elif option == "--rate":
            if steps[-1].rate is not None:
                raise AbaloError(f"--rate {text}: {steps[-1].name} has the rate {steps[-1].rate} already; drop one")
            steps[-1].rate = text
        else:
            name, equals, value = text.partition("=")
            if not equals or not name.strip():
                raise AbaloError(f"--param {text}: expected NAME=VALUE, such as lexicon=legal_pt")
            if name.strip() == "rate":
                raise AbaloError(f"--param {text}: the rate has its own option; write --rate {value.strip()}")
            if name.strip() in steps[-1].params:
                raise AbaloError(f"--param {text}: {steps[-1].name} has a {name.strip()} already; drop one")
            steps[-1].params[name.strip()] = value.strip()
    if not steps:
        raise AbaloError("--with: missing; name a perturbation, such as --with accents")
    return steps


def _configure_step(step: _Step, resources: Resources) -> Perturbation:
    from abalo.sources.resources import AUTO, why_unfit
    from perturbations import UnknownPerturbation, find, members, parse

    try:
        perturbation = find(step.name)
    except UnknownPerturbation as error:
        raise AbaloError(f"--with {step.name}: {error}; there are {', '.join(members())}") from None
    try:
        if step.rate is not None:
            perturbation = perturbation.configured(rate=_number(step.rate))
        values = _values(perturbation, step.params)
        reason = why_unfit(perturbation, values, resources.language)
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
    from perturbations.parameters import check_value

    known = perturbation.parameters()
    values: dict[str, object] = {}
    for name, text in params.items():
        values[name] = text
        if name in known:
            try:
                check_value(text, known[name].annotation)
            except TypeError:
                values[name] = _read(text)
    return values


def _read(text: str) -> object:
    try:
        found = tomllib.loads(f"value = {text}")
        json.dumps(found, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return text
    return found["value"] if len(found) == 1 else text
