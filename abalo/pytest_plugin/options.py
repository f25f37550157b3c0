"""The command-line options, and what they ask for."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from abalo.bundled import CORPUS, QUESTIONS, bundled
from abalo.core.configuring import seeds_of
from abalo.errors import AbaloError
from abalo.models.label_maps import parse_label_map
from abalo.models.options import ModelOptions

Profile = Literal["dev", "ci", "nightly"]


@dataclass(frozen=True, slots=True)
class _Option:
    """An option as argparse wants it; ``default`` None means that the run decides."""

    name: str
    help: str
    default: str | int | None = None
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    type: type[Any] | None = None
    flag: bool = False

    @property
    def dest(self) -> str:
        return self.name.lstrip("-").replace("-", "_")


_OPTIONS = (
    _Option(
        "--abalo-model",
        "checkpoint folder, module:factory, spacy:NAME or hub id (default: the bundled one)",
        None,
        "MODEL",
    ),
    _Option("--abalo-corpus", "CoNLL or JSONL file, bundled:NAME, or hub:DATASET:SPLIT[:N]", CORPUS, "CORPUS"),
    _Option(
        "--abalo-thresholds", "cases and bounds (default: thresholds.toml here, else the bundled one)", None, "FILE"
    ),
    _Option("--abalo-device", "where the model runs", "auto", choices=("auto", "cpu", "cuda", "mps")),
    _Option("--abalo-dtype", "precision of the model", "fp32", choices=("fp32", "bf16", "fp16")),
    _Option(
        "--abalo-aggregation", "scores of a word: mean over its pieces, or its first", "mean", choices=("mean", "first")
    ),
    _Option("--abalo-max-length", "longest window, in pieces", 256, "N", type=int),
    _Option("--abalo-stride", "pieces that neighbouring windows share", 64, "N", type=int),
    _Option("--abalo-mask-token", "what stands for a masked word (default: the tokenizer's own)", None, "TOKEN"),
    _Option(
        "--abalo-label-map",
        "the model's types in the corpus's words: PER=PESSOA,LOC=LOCAL, or a JSON file",
        None,
        "MAP",
    ),
    _Option("--abalo-limit", "first N sentences of the corpus, first N questions", None, "N", type=int),
    _Option(
        "--abalo-seeds", "seeds of the random draws, such as 1,2,4 (default: those of the thresholds)", None, "SEEDS"
    ),
    _Option(
        "--abalo-scheme", "labelling scheme of the corpus (default: found out)", None, choices=("bio", "iob1", "bioes")
    ),
    _Option("--abalo-lenient", "repair what can be repaired in the corpus, and say how much", flag=True),
    _Option("--abalo-allow-pickle", "load weights that are pickled; they can run any code", flag=True),
    _Option("--abalo-trust-remote-code", "run Python code that comes with the model", flag=True),
    _Option("--abalo-reports", "where robustness.json and robustness.md go", "reports", "DIR"),
    _Option("--abalo-no-text", "keep corpus text out of all reports", flag=True),
    _Option("--abalo-latex", "write the tables as LaTeX too, to robustness.tex", flag=True),
    _Option("--abalo-resume", "go on with attacks that were stopped, from their logs in the reports", flag=True),
    _Option("--abalo-save-failures", "add what attacks and edits broke to this regression corpus", None, "FILE"),
    _Option(
        "--abalo-profile",
        "how hard to look for edits that break promises; nightly is random (default: ci where CI is set, else dev)",
        None,
        choices=("dev", "ci", "nightly"),
    ),
    _Option("--abalo-questions", "JSONL file of multiple-choice questions, or bundled:NAME", QUESTIONS, "FILE"),
    _Option(
        "--abalo-choice-model",
        "what answers them: module:factory, or a model of Inspect, such as hf/ORG/MODEL (default: a baseline)",
        None,
        "MODEL",
    ),
    _Option("--abalo-choice-args", "settings of a model of Inspect, such as device=cpu,max_tokens=8", None, "ARGS"),
    _Option("--abalo-regressions", "try again, a test each, what this regression corpus holds", None, "FILE"),
)


_NOT_NEEDED_AGAIN = ("--abalo-reports", "--abalo-latex", "--abalo-resume", "--abalo-save-failures")
"""Options that change nothing but where things are written."""


def add_options(parser: pytest.Parser) -> None:
    """Adds every option in a group of its own."""
    group = parser.getgroup("abalo", "behavioural tests of NLP models (abalo)")
    for option in _OPTIONS:
        if option.flag:
            group.addoption(option.name, action="store_true", help=option.help)
        else:
            wanted = {"metavar": option.metavar, "choices": option.choices, "type": option.type}
            given = {name: value for name, value in wanted.items() if value is not None}
            shown = option.help + (f" (default: {option.default})" if option.default is not None else "")
            group.addoption(option.name, default=option.default, help=shown, **given)


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for; paths are relative to where pytest was started."""

    model: str
    bundled_model: bool
    corpus: str
    thresholds: Path
    device: str
    dtype: str
    aggregation: str
    max_length: int
    stride: int
    mask_token: str | None
    label_map: str | None
    limit: int | None
    seeds: tuple[int, ...] | None
    scheme: str | None
    lenient: bool
    allow_pickle: bool
    trust_remote_code: bool
    reports: Path
    with_text: bool
    latex: bool
    resume: bool
    save_failures: Path | None
    profile: Profile
    regressions: Path | None
    questions: str
    choice_model: str | None
    choice_args: Mapping[str, Any]

    @classmethod
    def of(cls, config: pytest.Config) -> Options:
        """Read from pytest's configuration; raises `AbaloError` for a value out of range."""
        from abalo.tasks.choice.models.loading import parse_args

        given: dict[str, Any] = {
            option.dest.removeprefix("abalo_"): config.getoption(option.dest) for option in _OPTIONS
        }
        thresholds, model = given.pop("thresholds"), given.pop("model")
        if given["mask_token"] is not None and not given["mask_token"].strip():
            raise AbaloError("--abalo-mask-token is blank: expected a visible word, such as [MASK]")
        if not given["reports"].strip():
            raise AbaloError("--abalo-reports is empty: expected a folder, such as reports")
        ModelOptions(given["device"], max_length=given["max_length"], stride=given["stride"])
        if given["label_map"] is not None:
            parse_label_map(given["label_map"])
        return cls(
            **given
            | {
                "model": str(bundled("fixtures/model")) if model is None else model,
                "bundled_model": model is None,
                "thresholds": _thresholds_path(config) if thresholds is None else Path(thresholds),
                "limit": _at_least_one("--abalo-limit", given["limit"]),
                "seeds": None if given["seeds"] is None else seeds_of("--abalo-seeds", given["seeds"]),
                "reports": config.invocation_params.dir / given["reports"],
                "with_text": _with_text(given.pop("no_text"), given),
                "choice_args": parse_args(given["choice_args"]),
                "profile": given["profile"] or _usual_profile(),
                "save_failures": _path(config, given["save_failures"]),
                "regressions": _path(config, given["regressions"]),
            }
        )


def _usual_profile() -> Profile:
    return "dev" if os.environ.get("CI", "").lower() in ("", "0", "false") else "ci"


def _with_text(withheld: bool, given: Mapping[str, Any]) -> bool:
    for name in ("resume", "save_failures"):
        if withheld and given[name]:
            raise AbaloError(f"--abalo-{name.replace('_', '-')} needs text, which --abalo-no-text withholds; drop one")
    return not withheld


def _path(config: pytest.Config, name: str | None) -> Path | None:
    return None if name is None else config.invocation_params.dir / name


def _thresholds_path(config: pytest.Config) -> Path:
    own = config.rootpath / "thresholds.toml"
    return own if own.is_file() else bundled("thresholds.toml")


def _at_least_one(name: str, value: int | None) -> int | None:
    if value is not None and value < 1:
        raise AbaloError(f"{name} {value}: expected a whole number from 1")
    return value


def command_for(config: pytest.Config, item: pytest.Item) -> str:
    """The one command that runs this test again with the same model, corpus and settings."""
    words = ["pytest"]
    if config.getoption("pyargs"):
        module, _, test = item.nodeid.partition("::")
        dotted = item.module.__name__ if hasattr(item, "module") else module
        words += ["--pyargs", f"{dotted}::{test}"]
    else:
        place = os.path.relpath(item.path, config.invocation_params.dir)
        words.append("::".join([Path(place).as_posix(), *item.nodeid.split("::")[1:]]))
    for option in _OPTIONS:
        if option.name in _NOT_NEEDED_AGAIN:
            continue
        value = config.getoption(option.dest)
        if option.name == "--abalo-profile":
            value = value or (None if _usual_profile() == "dev" else _usual_profile())
        if option.flag:
            words += [option.name] if value else []
        elif value != option.default:
            words += [option.name, str(value)]
    return shlex.join(words)
