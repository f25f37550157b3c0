"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from abalo.commands.output import say
from abalo.config.options import OPTIONS
from abalo.core.protocols.corpus_spec import source_in
from abalo.errors import AbaloError
from abalo.files import check_writable, refuse_devices

if TYPE_CHECKING:
    from abalo.config.options import Options
    from abalo.config.thresholds import Thresholds
    from abalo.core.protocols.task import AnyCorpus, Task
    from abalo.run.opened import Opened

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

RUN_HERE = ("pytest", "--pyargs", "tests_behavioral")

_ALONE = ("allow_pickle", "trust_remote_code")
"""Security: no file can set these options."""

ANOTHER_FILE = "choose another file with --out FILE"


_PATHS = ("thresholds", "against", "save_failures")

_OF_MODEL = (
    "model",
    "model_args",
    "label_map",
    "types",
    "join",
    "markers",
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

_READ = "Options not given are read from addopts of pytest here, then from [run] of the thresholds file."


def add_shared(parser: argparse._ActionsContainer, *names: str, **otherwise: str) -> None:
    """Adds pytest's options without the prefix ``--abalo-``.

    ``otherwise`` describes other defaults. Files here can set options that are not given.
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
    """Adds options for loading the model."""
    add_shared(parser.add_argument_group("the model", said), *_OF_MODEL, **otherwise)


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Adds options for model calls and network access."""
    group = parser.add_argument_group("how the model is run")
    add_shared(group, "repeats", "max_calls", "rate", "price", "local_only", "no_cache", "replies")


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """Adds options for choosing and reading a corpus."""
    group = parser.add_argument_group("the corpus")
    add_shared(group, "corpus", "limit", "language", "mask_token")


def add_report_argument(parser: argparse._ActionsContainer) -> None:
    """Adds the argument for a finished run."""
    parser.add_argument(
        "reports", type=Path, metavar="REPORTS", help="folder of the run, such as reports, or its robustness.json"
    )


def add_task_option(parser: argparse._ActionsContainer, otherwise: str = "task of the corpus") -> None:
    """Adds the task option; ``otherwise`` describes its default."""
    add_shared(parser, "task", task=otherwise)


def as_pytest_here(given: argparse.Namespace) -> argparse.Namespace:
    """Fills missing options from pytest's ``addopts`` here."""
    from abalo.pytest_plugin.addopts import options_here

    found = {name: value for name, value in options_here().items() if vars(given).get(name, value) in (None, False)}
    if "thresholds" in found:
        found["thresholds"] = Path(found["thresholds"])
    return argparse.Namespace(**{**vars(given), **found})


def for_run_table(
    given: argparse.Namespace, asked: Sequence[Task], folder: Path
) -> tuple[dict[str, object], list[str]]:
    """Values for ``[run]`` in the folder, and options needed besides."""
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
    """Fills missing options from ``[run]``, else with defaults; raises `AbaloError`."""
    from abalo.config.run_table import KEYS

    asked = {name: value for name, value in vars(given).items() if name in KEYS}
    filled = thresholds.run.under(asked)
    found = {**vars(given), **filled}
    usual = {option.name: option.default for option in OPTIONS if found.get(option.name, "") is None}
    return argparse.Namespace(**{**found, **usual})


def corpus_here(given: argparse.Namespace, name: str = "--corpus") -> argparse.Namespace:
    """Like `with_run`, for a corpus only; the file here counts if no corpus is given.

    ``name`` is the argument that errors show.
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
        found.language = language_told(thresholds)
    return found


def task_and_language_here() -> tuple[Task | None, str | None]:
    """Task and language of the corpus named here; None if unknown.

    Prints a detected language; raises `AbaloError` for an unreadable corpus.
    """
    from abalo.commands.here import thresholds_here
    from abalo.config.run_table import KEYS
    from abalo.config.tasks import corpus_named
    from abalo.config.thresholds import load

    nothing = argparse.Namespace(**dict.fromkeys({"language", *KEYS} - set(_OF_MODEL)))
    given, thresholds = as_pytest_here(nothing), load(thresholds_here())
    given = with_run(given, thresholds)
    language = given.language or language_told(thresholds)
    if not given.corpus:
        return None, language
    task, corpus = corpus_named(given.corpus, options_of(given, thresholds.path))
    return task, language_of_run(language, corpus)


def language_told(thresholds: Thresholds) -> str | None:
    """The language in ``[gate]``; None if detected per corpus."""
    from abalo.core.records.gate import AUTO

    return None if thresholds.gate.language == AUTO else thresholds.gate.language


def options_of(given: argparse.Namespace, thresholds: Path) -> Options:
    """The run options of a command; raises `AbaloError`."""
    from abalo.config.options import make_options

    names = {option.name for option in OPTIONS} - {"thresholds", "reports", "task"}
    known = {name: value for name, value in vars(given).items() if name in names and value is not None}
    return make_options(thresholds=thresholds, task=getattr(given, "task", None), **known)


def check_limit(limit: int | None) -> None:
    """Raises `AbaloError` for a limit below 1."""
    if limit is not None and limit < 1:
        raise AbaloError(f"--limit {limit}: expected a whole number from 1")


def check_language(language: str) -> None:
    """Raises `AbaloError` for an invalid language code."""
    from abalo.core.records.gate import AUTO
    from abalo.core.records.settings import GATE_SETTINGS, LANGUAGE

    if language == AUTO or not GATE_SETTINGS[LANGUAGE].fits(language):
        raise AbaloError(f"--language {language}: expected the code of a language, such as pt, en or zh")


def language_of_run(language: str | None, corpus: AnyCorpus) -> str:
    """The given language, else the detected one, printed on stderr."""
    from abalo.core.records.gate import Gate
    from abalo.core.running.engine import language_of

    if language:
        return language
    found = language_of(corpus, Gate())
    say_language(found, corpus.name)
    return found


def say_language(found: str, name: str) -> None:
    """Prints a detected language on stderr."""
    from abalo.core.records.gate import SEVERAL, UNDETERMINED

    said = {
        UNDETERMINED: (
            f"The language of {name} was not recognised, so perturbations for single languages are "
            "refused; name it with --language CODE"
        ),
        SEVERAL: f"The examples of {name} are in several languages.",
    }
    say(said.get(found, f"The language of {name} is {found} (found in the corpus)."), sys.stderr)


def say_language_of(opened: Opened) -> None:
    """Prints the language of a corpus on stderr, if detected."""
    if language_told(opened.spec.thresholds) is None:
        say_language(opened.language, opened.corpus.name)


def check_out(out: Path, corpus: str) -> None:
    """Raises `AbaloError` if the file is unwritable or is the corpus."""
    from abalo.core.protocols.corpus_spec import asked_reader

    source = source_in(corpus)
    found = asked_reader(source)
    path = Path(source if found is None else found[1]).resolve()
    if out.resolve() == path or (out.is_file() and out.resolve().is_relative_to(path)):
        raise AbaloError(f"--out {out}: is the corpus itself; {ANOTHER_FILE}")
    if out.is_dir():
        raise AbaloError(f"--out {out}: is a folder; {ANOTHER_FILE}")
    refuse_devices(out)
    check_writable(out.parent, ANOTHER_FILE)
