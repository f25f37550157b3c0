"""The options of a run, from pytest's command line, a command of ``abalo`` or Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from abalo.bundled import CORPUS, QUESTIONS
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.core.task import Task

Profile = Literal["dev", "ci", "nightly"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option as argparse wants it; ``default`` None means that the run decides."""

    name: str
    help: str
    default: str | int | None = None
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    type: Callable[[str], Any] | None = None
    flag: bool = False

    def value(self, value: Any) -> Any:
        """The value as a run has it, a path as a string; raises `AbaloError` for one of another type."""
        if value is None and self.default is None and not self.flag:
            return None
        if isinstance(value, os.PathLike) and self.takes_text and self.choices is None:
            value = os.fspath(value)
        if self.flag:
            fits, wanted = isinstance(value, bool), "True or False"
        elif self.choices is not None:
            fits, wanted = value in self.choices, f"one of {', '.join(self.choices)}"
        elif self.takes_text:
            fits, wanted = isinstance(value, str), "a string"
        else:
            fits, wanted = isinstance(value, int) and not isinstance(value, bool), "a whole number"
        if not fits:
            raise AbaloError(f"{self.name}: {value!r}; expected {wanted}")
        return value

    @property
    def takes_text(self) -> bool:
        """Whether its values are strings."""
        return self.type is None and not self.flag

    @property
    def flag_name(self) -> str:
        """The name on pytest's command line."""
        return f"--abalo-{self.name.replace('_', '-')}"

    @property
    def dest(self) -> str:
        """The name among pytest's options."""
        return f"abalo_{self.name}"


OPTIONS = (
    Option("task", "the task to judge (default: that of the selected tests, else of the corpus)", None, "NAME"),
    Option(
        "model", "checkpoint folder, module:factory, spacy:NAME or hub id (default: the bundled one)", None, "MODEL"
    ),
    Option(
        "corpus", f"CoNLL or JSONL file, bundled:NAME, or hub:DATASET:SPLIT[:N] (default: {CORPUS})", None, "CORPUS"
    ),
    Option("thresholds", "cases and bounds (default: thresholds.toml here, else the bundled one)", None, "FILE"),
    Option("device", "where the model runs", "auto", choices=("auto", "cpu", "cuda", "mps")),
    Option("dtype", "precision of the model", "fp32", choices=("fp32", "bf16", "fp16")),
    Option("aggregation", "scores of a word: mean over its pieces, or its first", "mean", choices=("mean", "first")),
    Option("max_length", "longest window, in pieces", 256, "N", type=int),
    Option("stride", "pieces that neighbouring windows share", 64, "N", type=int),
    Option("mask_token", "what stands for a masked word (default: the tokenizer's own)", None, "TOKEN"),
    Option("label_map", "the model's types in the corpus's words: PER=PESSOA,LOC=LOCAL, or a JSON file", None, "MAP"),
    Option("limit", "first N sentences of the corpus, first N questions", None, "N", type=int),
    Option("seeds", "seeds of the random draws, such as 1,2,4 (default: those of the thresholds)", None, "SEEDS"),
    Option("scheme", "labelling scheme of the corpus (default: found out)", None, choices=("bio", "iob1", "bioes")),
    Option("lenient", "repair what can be repaired in the corpus, and say how much", flag=True),
    Option("allow_pickle", "load weights that are pickled; they can run any code", flag=True),
    Option("trust_remote_code", "run Python code that comes with the model", flag=True),
    Option("reports", "where robustness.json and robustness.md go", "reports", "DIR"),
    Option("no_text", "keep corpus text out of all reports", flag=True),
    Option("latex", "write the tables as LaTeX too, to robustness.tex", flag=True),
    Option("resume", "go on with attacks that were stopped, from their logs in the reports", flag=True),
    Option("save_failures", "add what attacks and edits broke to this regression corpus", None, "FILE"),
    Option(
        "profile",
        "how hard to look for edits that break promises; nightly is random (default: ci where CI is set, else dev)",
        None,
        choices=("dev", "ci", "nightly"),
    ),
    Option(
        "questions", f"JSONL file of multiple-choice questions, or bundled:NAME (default: {QUESTIONS})", None, "FILE"
    ),
    Option(
        "choice_model",
        "what answers them: module:factory, or a model of Inspect, such as hf/ORG/MODEL (default: a baseline)",
        None,
        "MODEL",
    ),
    Option("choice_args", "settings of a model of Inspect, such as device=cpu,max_tokens=8", None, "ARGS"),
    Option("against", "judge losses against this accepted run: its folder, or its robustness.json", None, "RUN"),
    Option("regressions", "try again, a test each, what this regression corpus holds", None, "FILE"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that a run is asked for; paths are absolute, or relative to the working directory."""

    task: str | None
    model: str | None
    corpus: str | None
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
    questions: str | None
    choice_model: str | None
    against: Path | None
    choice_args: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def with_defaults(cls, *, thresholds: Path, seeds: tuple[int, ...] | None = None, **given: Any) -> Options:
        """The options that are given, and the defaults of all others; ``with_text`` is the contrary of ``no_text``.

        Paths may be strings or path objects. Raises `AbaloError` for an option that is not known and for a value of
        another type.
        """
        from perturbations.suggestions import did_you_mean

        known = {option.name: option for option in OPTIONS}
        if not_known := sorted(set(given) - {*known, "with_text"}):
            near = did_you_mean(not_known[0], known)
            raise AbaloError(f"option {not_known[0]!r}: no such option{near}; there are {', '.join(known)}")
        if "with_text" in given:
            with_text = given.pop("with_text")
            if not isinstance(with_text, bool) or given.get("no_text", not with_text) is with_text:
                raise AbaloError(f"with_text: {with_text!r}; expected True or False, and the contrary of no_text")
            given["no_text"] = not with_text
        usual = {name: False if option.flag else option.default for name, option in known.items()}
        asked = {name: known[name].value(value) for name, value in given.items()}
        return cls.read({**usual, **asked}, thresholds, Path.cwd(), seeds)

    @classmethod
    def read(
        cls, given: Mapping[str, Any], thresholds: Path, folder: Path, seeds: tuple[int, ...] | None = None
    ) -> Options:
        """The options with these values by name; paths of reports are relative to ``folder``.

        Raises `AbaloError` for a value out of range.
        """
        from abalo.core.configuring import seeds_of
        from abalo.models.label_maps import parse_label_map
        from abalo.models.options import ModelOptions
        from abalo.tasks.choice.models.loading import parse_args

        if given["mask_token"] is not None and not given["mask_token"].strip():
            raise AbaloError("--abalo-mask-token is blank: expected a visible word, such as [MASK]")
        if not str(given["reports"]).strip():
            raise AbaloError("--abalo-reports is empty: expected a folder, such as reports")
        ModelOptions(given["device"], max_length=given["max_length"], stride=given["stride"])
        if given["label_map"] is not None:
            parse_label_map(given["label_map"])
        if given["limit"] is not None and given["limit"] < 1:
            raise AbaloError(f"--abalo-limit {given['limit']}: expected a whole number from 1")
        for name in ("resume", "save_failures"):
            if given["no_text"] and given[name]:
                flag = name.replace("_", "-")
                raise AbaloError(f"--abalo-{flag} needs text, which --abalo-no-text withholds; drop one")
        asked = given.get("seeds")
        values = {name: given[name] for name in (each.name for each in fields(cls)) if name in given}
        return cls(
            **values
            | {
                "thresholds": thresholds,
                "seeds": seeds_of("--abalo-seeds", asked) if asked is not None else seeds,
                "reports": folder / given["reports"],
                "with_text": not given["no_text"],
                "choice_args": parse_args(given["choice_args"]),
                "profile": given["profile"] or usual_profile(),
                "save_failures": _path(folder, given["save_failures"]),
                "regressions": _path(folder, given["regressions"]),
                "against": _path(folder, given["against"]),
            }
        )

    def corpus_of(self, task: Task) -> str:
        """The corpus that is asked for, else the one that ships with the task; raises `AbaloError` without any."""
        asked: str | None = getattr(self, task.corpus_option)
        if asked is None and not task.default_corpus:
            flag = task.corpus_option.replace("_", "-")
            raise AbaloError(f"task {task.name} has no corpus of its own: give one with --abalo-{flag}")
        return task.default_corpus if asked is None else asked

    def about(self, task: Task) -> Options:
        """The options of a run about that task alone: the model and the corpus that are asked for are for it."""
        own = {task.model_option: self.model, task.corpus_option: self.corpus}
        missing: dict[str, Any] = {name: value for name, value in own.items() if getattr(self, name) is None}
        return replace(self, task=task.name, **missing)


def usual_profile() -> Profile:
    """``ci`` where CI is set, else ``dev``."""
    return "dev" if os.environ.get("CI", "").lower() in ("", "0", "false") else "ci"


def _path(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / name
