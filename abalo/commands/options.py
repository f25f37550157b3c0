"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from abalo.commands.output import say
from abalo.config.options import OPTIONS
from abalo.errors import AbaloError
from abalo.files import check_writable, refuse_devices

if TYPE_CHECKING:
    from abalo.api import Session
    from abalo.config.options import Options
    from abalo.config.thresholds import Thresholds
    from abalo.core.task import Task

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command adds its parser."""

RUN_HERE = ("pytest", "--pyargs", "tests_behavioral")
"""The command that judges what the thresholds file here names."""

_ALONE = ("allow_pickle", "trust_remote_code")
"""Options that no file can set."""

ANOTHER_FILE = "choose another file with --out FILE"


_PATHS = ("thresholds", "against", "save_failures")
"""The shared options whose values are paths."""

_OF_MODEL = (
    "model",
    "model_args",
    "label_map",
    "types",
    "join",
    "device",
    "dtype",
    "aggregation",
    "max_length",
    "stride",
    "allow_pickle",
    "trust_remote_code",
    "model_version",
)

FOUND = "found by the words of the corpus"
"""The default of the language for commands about a corpus alone."""

_READ = "Options not given are read from addopts of pytest here, then from [run] of the thresholds file."


def add_shared(parser: argparse._ActionsContainer, *names: str, **otherwise: str) -> None:
    """Adds options of pytest without their prefix ``--abalo-``, with the help that pytest shows.

    ``otherwise`` says in words the default of an option if this command has another than pytest. None of them has a
    default of argparse, so that files here can fill in what is not given.
    """
    known = {option.name: option for option in OPTIONS}
    for name in names:
        option, flag = known[name], f"--{name.replace('_', '-')}"
        said = option.described(otherwise.get(name))
        if option.flag:
            parser.add_argument(flag, action="store_true", help=said)
        else:
            kind = Path if name in _PATHS else option.type
            parser.add_argument(flag, type=kind or str, choices=option.choices, metavar=option.metavar, help=said)


def add_model_options(parser: argparse.ArgumentParser, said: str = _READ, **otherwise: str) -> None:
    """How the model is loaded; ``said`` stands below the title, ``otherwise`` is as for `add_shared`."""
    add_shared(parser.add_argument_group("the model", said), *_OF_MODEL, **otherwise)


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """How the model is checked before it is judged."""
    add_shared(parser.add_argument_group("how the model is checked"), "check_twice", "allow_random")


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """Which corpus is read, and how."""
    group = parser.add_argument_group("the corpus")
    add_shared(group, "corpus")
    add_reading_options(group)
    add_shared(group, "language", "mask_token")


def add_reading_options(parser: argparse._ActionsContainer) -> None:
    """How a corpus is read."""
    add_shared(parser, "limit", "scheme", "lenient")


def add_report_argument(parser: argparse._ActionsContainer) -> None:
    """The finished run that is read."""
    parser.add_argument(
        "reports", type=Path, metavar="REPORTS", help="folder of the run, such as reports, or its robustness.json"
    )


def add_task_option(parser: argparse._ActionsContainer, otherwise: str = "task of the corpus") -> None:
    """The task; ``otherwise`` says the default in words."""
    add_shared(parser, "task", task=otherwise)


def as_pytest_here(given: argparse.Namespace) -> argparse.Namespace:
    """The options of a command; in place of those not given, those of pytest's ``addopts`` here."""
    from abalo.pytest_plugin.addopts import given_here

    found = {name: value for name, value in given_here().items() if vars(given).get(name, value) in (None, False)}
    if "thresholds" in found:
        found["thresholds"] = Path(found["thresholds"])
    return argparse.Namespace(**{**vars(given), **found})


def for_run_table(given: argparse.Namespace, asked: Sequence[Task], folder: Path) -> tuple[dict[str, Any], list[str]]:
    """The values for ``[run]`` of a file in the folder, and the options that every run must be given besides."""
    from abalo.config.run_table import KEYS, for_file

    values: dict[str, Any] = {"task": asked[0].name} if len(asked) == 1 else {}
    alone: list[str] = []
    found = vars(given)
    for name, option in KEYS.items():
        value = found.get(name)
        if name == "task" or value in (None, False, option.default):
            continue
        written = for_file(name, value, folder)
        if written is None:
            alone += [option.flag_name, str(value)]
        else:
            values[name] = written
    return values, alone + [f"--abalo-{name.replace('_', '-')}" for name in _ALONE if found.get(name)]


def with_run(given: argparse.Namespace, thresholds: Thresholds) -> argparse.Namespace:
    """The options of a command; those not given are as ``[run]`` of the thresholds file says, else the defaults.

    Raises `AbaloError` for a value of the file that is needed and cannot be used.
    """
    from abalo.config.run_table import KEYS

    asked = {name: value for name, value in vars(given).items() if name in KEYS}
    filled = thresholds.run.under(asked)
    found = {**vars(given), **filled}
    usual = {option.name: option.default for option in OPTIONS if found.get(option.name, "") is None}
    return argparse.Namespace(**{**found, **usual})


def corpus_here(given: argparse.Namespace, name: str = "--corpus") -> argparse.Namespace:
    """The same for a command about a corpus alone: the thresholds file here counts only if no corpus is given.

    The language is then that of its ``[gate]``, if the command takes one. Raises `AbaloError` if neither names one;
    ``name`` is the argument that does.
    """
    from abalo.commands.here import thresholds_here
    from abalo.config.thresholds import load

    given = as_pytest_here(given)
    if given.corpus:
        return given
    thresholds = load(thresholds_here())
    found = with_run(given, thresholds)
    if not found.corpus:
        raise AbaloError(f"{name}: missing; name one, such as dev.conll, or write it in [run] of thresholds.toml here")
    if getattr(found, "language", "") is None:
        found.language = told_by(thresholds)
    return found


def named_here() -> tuple[Task | None, str | None]:
    """The task and the language of the corpus that addopts of pytest or the thresholds file here name.

    Each is None if they name no corpus; the language may then still be that of ``[gate]``. Says which language was
    found. Raises `AbaloError` for a corpus that cannot be read.
    """
    from abalo.commands.here import thresholds_here
    from abalo.config.run_table import KEYS
    from abalo.config.tasks import corpus_named
    from abalo.config.thresholds import load

    nothing = argparse.Namespace(**dict.fromkeys({"language", *KEYS} - set(_OF_MODEL)))
    given, thresholds = as_pytest_here(nothing), load(thresholds_here())
    given = with_run(given, thresholds)
    language = given.language or told_by(thresholds)
    if not given.corpus:
        return None, language
    task, corpus = corpus_named(given.corpus, options_of(given, thresholds.path))
    return task, spoken(language, corpus)


def told_by(thresholds: Thresholds) -> str | None:
    """The language that ``[gate]`` of the file says; None if it is found in each corpus."""
    from abalo.core.gate import AUTO

    return None if thresholds.gate.language == AUTO else thresholds.gate.language


def options_of(given: argparse.Namespace, thresholds: Path) -> Options:
    """The options of a run as a command was given them; the seeds are those of the thresholds.

    Raises `AbaloError` for a value out of range.
    """
    from abalo.config.options import make_options

    names = {option.name for option in OPTIONS} - {"thresholds", "reports", "task"}
    known = {name: value for name, value in vars(given).items() if name in names and value is not None}
    return make_options(thresholds=thresholds, task=getattr(given, "task", None), **known)


def check_limit(limit: int | None) -> None:
    """Raises `AbaloError` for a limit that leaves nothing."""
    if limit is not None and limit < 1:
        raise AbaloError(f"--limit {limit}: expected a whole number from 1")


def check_language(language: str) -> None:
    """Raises `AbaloError` for what is no code of a language."""
    from abalo.core.gate import AUTO
    from abalo.core.settings import GATE_SETTINGS, LANGUAGE

    if language == AUTO or not GATE_SETTINGS[LANGUAGE].fits(language):
        raise AbaloError(f"--language {language}: expected the code of a language, such as pt, en or zh")


def spoken(language: str | None, corpus: Any) -> str:
    """The language that was told, else that of the corpus, as a run finds it; says on stderr what was found."""
    from abalo.core.engine import language_of
    from abalo.core.gate import Gate

    if language:
        return language
    found = language_of(corpus, Gate())
    say_language(found, corpus.name)
    return found


def say_language(found: str, name: str) -> None:
    """Says on stderr which language was found in the corpus of that name."""
    from abalo.core.gate import SEVERAL, UNDETERMINED

    said = {
        UNDETERMINED: f"The language of {name} was not found: perturbations for some languages alone are refused; name "
        "it with --language CODE",
        SEVERAL: f"The examples of {name} are in several languages.",
    }
    say(said.get(found, f"The language of {name} is {found}, found in the corpus."), sys.stderr)


def say_language_of(session: Session) -> None:
    """Says on stderr which language was found in the corpus of a session, unless the language was told."""
    if told_by(session.thresholds) is None:
        say_language(session.language, session.corpus.name)


def check_out(out: Path, corpus: str) -> None:
    """Raises `AbaloError` where the file cannot be written, or would take the place of the corpus."""
    if out.resolve() == Path(corpus).resolve():
        raise AbaloError(f"--out {out}: is the corpus itself; {ANOTHER_FILE}")
    if out.is_dir():
        raise AbaloError(f"--out {out}: is a folder; {ANOTHER_FILE}")
    refuse_devices(out)
    check_writable(out.parent, ANOTHER_FILE)
