"""The options of a run, from pytest's command line, a command of ``abalo`` or Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abalo.bundled import CASES, CORPUS, bundled
from abalo.core.options import QUICK, QUICK_EDITS, QUICK_SEARCHED, Profile, RunOptions
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.config.dealing import Shard
    from abalo.core.task import Task

QUICK_LIMIT = 200
"""The examples of the corpus that a quick run takes where no limit is given."""


def left_out_by_quick(limit: int) -> str:
    """The parts of a run that a quick one leaves out, in a line; ``limit`` is how many examples it took at most."""
    return (
        f"Left out by --abalo-profile quick: examples after the first {limit:,}; all seeds of a case but the first; "
        f"all but {QUICK_EDITS} edits of a promise and {QUICK_SEARCHED} examples of an attack; cases that block "
        "nothing. Without it all of this is run."
    )


@dataclass(frozen=True, slots=True)
class Option:
    """An option as argparse wants it; pytest and the commands show the same ``help``.

    ``default`` None means that the run decides; ``otherwise`` then says how, in words.
    """

    name: str
    help: str
    default: str | int | None = None
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    type: Callable[[str], Any] | None = None
    flag: bool = False
    otherwise: str = ""

    def described(self, otherwise: str | None = None) -> str:
        """The help with the default; ``otherwise`` says the default of one command in words, "" for none."""
        usual = self.otherwise if self.default is None else str(self.default)
        said = usual if otherwise is None else otherwise
        return f"{self.help} (default: {said})" if said else self.help

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
        elif self.type is float:
            fits, wanted = isinstance(value, int | float) and not isinstance(value, bool), "a number"
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
    Option(
        "task",
        "name of the task, such as ner",
        metavar="NAME",
        otherwise="task of the selected tests, else of the corpus",
    ),
    Option(
        "model",
        "checkpoint folder, such as ./checkpoint, module:factory, spacy:NAME or hub id; several trained models, "
        "separated by commas, are judged by their mean",
        metavar="MODEL",
        otherwise="as [run] of the thresholds file says, else the bundled model",
    ),
    Option(
        "corpus",
        "corpus file, such as dev.conll: columns such as CoNLL; CoNLL-U (.conllu); tables (.tsv, .csv); JSON (.jsonl, "
        ".ndjson, .json); XML of ASSIN (.xml); each also packed (.gz). Or bundled:NAME, hub:DATASET:SPLIT[:N], or a "
        "folder that save_to_disk wrote",
        metavar="CORPUS",
        otherwise=f"as [run] of the thresholds file says, else {CORPUS}",
    ),
    Option(
        "thresholds",
        "file with the cases and their bounds",
        metavar="FILE",
        otherwise="thresholds.toml here, else the default cases, without bounds",
    ),
    Option("device", "device that runs the model", "auto", choices=("auto", "cpu", "cuda", "mps")),
    Option(
        "threads",
        "threads of PyTorch in each process, such as 4",
        metavar="N",
        type=int,
        otherwise="its share of the idle cores",
    ),
    Option("dtype", "precision of the model", "fp32", choices=("fp32", "bf16", "fp16")),
    Option(
        "full_precision",
        "checkpoint to compare a quantised or exported model with; the report counts the labels of the clean corpus "
        "that differ",
        metavar="MODEL",
        otherwise="the weights beside the model; with --abalo-dtype, the model itself in fp32",
    ),
    Option(
        "aggregation",
        "score of a word: the mean over its pieces, or the score of its first piece",
        "mean",
        choices=("mean", "first"),
    ),
    Option("max_length", "longest window of the model, in pieces", 256, "N", type=int),
    Option("stride", "pieces that neighbouring windows share", 64, "N", type=int),
    Option(
        "mask_token",
        "word that stands for a masked word, such as [MASK]",
        metavar="TOKEN",
        otherwise="that of the tokenizer",
    ),
    Option(
        "label_map",
        "new names for labels of the model, such as PER=PESSOA,DATE=O (O drops a type), or a JSON file with them",
        metavar="MAP",
        otherwise="the model keeps its names",
    ),
    Option(
        "types",
        "judge only these entity types, such as person,location; all others count as O",
        metavar="TYPES",
        otherwise="all types",
    ),
    Option(
        "join",
        "merge adjacent spans that the label map gives the same type, such as given name + surname",
        flag=True,
    ),
    Option(
        "limit", "read only the first N examples of the corpus, such as 200", metavar="N", type=int, otherwise="all"
    ),
    Option(
        "least",
        "smallest clean score, 0 to 1, by the floor metric of the task; a model fails if the whole interval of its "
        "score is below",
        metavar="SCORE",
        type=float,
        otherwise="as the thresholds file says, else 0.3",
    ),
    Option(
        "seeds",
        "seeds of the random draws, such as 1,2,4",
        metavar="SEEDS",
        otherwise="those of the thresholds file",
    ),
    Option(
        "language",
        "language of the corpus, such as pt, en or zh; und if Abalo does not know the language",
        metavar="CODE",
        otherwise="as [gate] of the thresholds file says, else found by the words of the corpus",
    ),
    Option(
        "stop_early",
        "go through the corpus in parts, in random order, and stop each perturbed case as soon as its bounds are "
        "decided; the run cannot be accepted as a reference",
        flag=True,
    ),
    Option(
        "scheme", "labelling scheme of the corpus", choices=("bio", "iob1", "bioes"), otherwise="found by the labels"
    ),
    Option("lenient", "repair what can be repaired in the corpus, and report the number of repairs", flag=True),
    Option("allow_pickle", "load pickled weights; they can run any code", flag=True),
    Option("trust_remote_code", "run Python code that comes with the model", flag=True),
    Option(
        "model_version",
        "version of a service or another black box, such as 2026-11-01; the report stores it",
        metavar="VERSION",
        otherwise="none",
    ),
    Option(
        "check_twice",
        "predict the first batch twice, to see whether the answers agree, even if the model is a service or another "
        "black box",
        flag=True,
    ),
    Option("allow_random", "judge a model whose answers vary from call to call; the report says so", flag=True),
    Option("reports", "folder of robustness.json, report.html and the other reports", "reports", "DIR"),
    Option("no_text", "keep the text of the corpus out of all reports", flag=True),
    Option("latex", "also write the tables as LaTeX, to robustness.tex", flag=True),
    Option("resume", "continue attacks that were stopped, from their logs in the folder of reports", flag=True),
    Option(
        "save_failures",
        "add the sentences that attacks and edits broke to this regression corpus, such as regressions.jsonl",
        metavar="FILE",
        otherwise="not saved",
    ),
    Option(
        "profile",
        "effort of the search for edits that break promises; nightly draws other edits in every run; quick is a first "
        f"look at {QUICK_LIMIT} examples and one seed, the cases that cost most first",
        choices=("quick", "dev", "ci", "nightly"),
        otherwise="ci if the variable CI is set, else dev",
    ),
    Option(
        "model_args",
        "settings of a language model that Inspect calls, such as device=cpu,max_tokens=8",
        metavar="ARGS",
        otherwise="none",
    ),
    Option(
        "against",
        "judge losses against this accepted run, such as references/1.0: its folder, or its robustness.json",
        metavar="RUN",
        otherwise="as [gate] of the thresholds file says, else no run",
    ),
    Option(
        "regressions",
        "try the failures in this regression corpus again, such as regressions.jsonl, a test each",
        metavar="FILE",
        otherwise="none",
    ),
    Option(
        "shard",
        "run only this part of the cases, such as 2/5; abalo merge judges all parts",
        metavar="K/N",
        otherwise="all cases",
    ),
)


_DECIDING = (
    "model",
    "corpus",
    "limit",
    "scheme",
    "lenient",
    "label_map",
    "mask_token",
    "dtype",
    "aggregation",
    "max_length",
    "stride",
    "model_version",
    "allow_random",
    "language",
    "types",
    "join",
    "least",
)
"""The options by which results may differ and which a document holds as they were given."""

_SAID_IF_GIVEN = ("stop_early", "check_twice")
"""Flags that a document holds only if they were given."""

RUN_KEYS = ("task", *(name for name in _DECIDING if name not in ("language", "least")), "model_args")
"""The options that ``[run]`` of a thresholds file can set; ``[gate]`` holds the language, the seeds and the least."""

_RECORDED = (*_DECIDING, "model_args", "thresholds", "seeds", "no_text")
"""All that a document holds. What lets code run that comes with a model is never taken from a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(RunOptions):
    """Everything that a run is asked for; paths are absolute, or relative to the working directory."""

    task: str | None
    thresholds: Path
    threads: int | None
    seeds: tuple[int, ...] | None
    language: str | None
    least: float | None
    latex: bool
    resume: bool
    save_failures: Path | None
    regressions: Path | None
    against: Path | None
    shard: Shard | None


def make_options(*, thresholds: Path, seeds: tuple[int, ...] | None = None, **given: Any) -> Options:
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
    return read_options({**usual, **asked}, thresholds, Path.cwd(), seeds)


def read_options(
    given: Mapping[str, Any], thresholds: Path, folder: Path, seeds: tuple[int, ...] | None = None
) -> Options:
    """The options with these values by name, None for the default; paths of reports are relative to ``folder``.

    Raises `AbaloError` for a value out of range.
    """
    from abalo.config.dealing import Shard
    from abalo.core.configuring import seeds_of
    from abalo.core.settings import GATE_SETTINGS, LANGUAGE, LEAST
    from abalo.corpora.types import parse_types
    from abalo.models.label_maps import parse_label_map
    from abalo.models.options import ModelOptions
    from abalo.tasks.choice.models.loading import parse_args

    usual = {option.name: option.default for option in OPTIONS if given[option.name] is None}
    given = {**given, **usual}
    if given["mask_token"] is not None and not given["mask_token"].strip():
        raise AbaloError("--abalo-mask-token is blank: expected a visible word, such as [MASK]")
    if given["mask_token"] is not None and len(given["mask_token"].split()) > 1:
        raise AbaloError(f"--abalo-mask-token {given['mask_token']!r}: expected one word, such as [MASK]")
    version = given["model_version"]
    if version is not None and not version.strip():
        raise AbaloError("--abalo-model-version is blank: expected a name for its state, such as 2026-11-01")
    if version is not None and not version.isprintable():
        raise AbaloError(f"--abalo-model-version {version!r}: expected characters that can be seen, on one line")
    if not str(given["reports"]).strip():
        raise AbaloError("--abalo-reports is empty: expected a folder, such as reports")
    ModelOptions(given["device"], max_length=given["max_length"], stride=given["stride"])
    if given["label_map"] is not None:
        parse_label_map(given["label_map"])
    if given["language"] is not None and not GATE_SETTINGS[LANGUAGE].fits(given["language"]):
        wanted = GATE_SETTINGS[LANGUAGE].words
        raise AbaloError(f"--abalo-language {given['language']}: expected {wanted}")
    if given["join"] and given["label_map"] is None:
        raise AbaloError(
            "--abalo-join: nothing to join, since spans are joined whose types a label map makes one; give the map "
            "with --abalo-label-map, such as GIVEN_NAME=PER,SURNAME=PER, or leave it out"
        )
    if given["types"] is not None:
        parse_types(given["types"])
    if given["least"] is not None and not LEAST.fits(given["least"]):
        raise AbaloError(f"--abalo-least {given['least']}: expected {LEAST.words}")
    if given["threads"] is not None and given["threads"] < 1:
        raise AbaloError(f"--abalo-threads {given['threads']}: expected a whole number from 1")
    if given["limit"] is not None and given["limit"] < 1:
        raise AbaloError(f"--abalo-limit {given['limit']}: expected a whole number from 1")
    for name in ("resume", "save_failures"):
        if given["no_text"] and given[name]:
            flag = name.replace("_", "-")
            raise AbaloError(f"--abalo-{flag} needs text, which --abalo-no-text withholds; drop one")
    asked, quick = given.get("seeds"), given["profile"] == QUICK
    values = {name: given[name] for name in (each.name for each in fields(Options)) if name in given}
    return Options(
        **values
        | {
            "thresholds": thresholds,
            "seeds": seeds_of("--abalo-seeds", asked) if asked is not None else seeds,
            "reports": folder / given["reports"],
            "with_text": not given["no_text"],
            "model_args": parse_args(given["model_args"]),
            "profile": given["profile"] or usual_profile(),
            "limit": QUICK_LIMIT if quick and given["limit"] is None else given["limit"],
            "save_failures": _path(folder, given["save_failures"]),
            "regressions": _path(folder, given["regressions"]),
            "against": _path(folder, given["against"]),
            "shard": None if given["shard"] is None else Shard.read(given["shard"]),
        }
    )


def remake_options(recorded: Mapping[str, Any], instead: Mapping[str, Any]) -> Options:
    """The options of a run that a document has as `recorded`, with some others ``instead``, by name.

    Raises `AbaloError` for one that is missing, not known or of another type.
    """
    from abalo.core.settings import SEEDS

    missing = [name for name in _RECORDED if name not in recorded]
    if missing:
        raise AbaloError(f"{', '.join(missing)}: missing; expected {', '.join(_RECORDED)}")
    given = {**{name: recorded[name] for name in _RECORDED}, **instead}
    seeds, args, thresholds = (given.pop(name) for name in ("seeds", "model_args", "thresholds"))
    if seeds is not None and not SEEDS.fits(seeds):
        raise AbaloError(f"seeds: {seeds!r}; expected {SEEDS.words}, or null for those of the thresholds file")
    if not isinstance(args, Mapping):
        raise AbaloError(f"model_args: {args!r}; expected an object of settings by name")
    if not isinstance(thresholds, str | os.PathLike | None):
        raise AbaloError(f"thresholds: {thresholds!r}; expected a path, or null for the default cases")
    path = bundled(CASES) if thresholds is None else Path(thresholds)
    made = make_options(thresholds=path, seeds=None if seeds is None else tuple(seeds), **given)
    return replace(made, model_args=dict(args))


def recorded_options(options: Options) -> dict[str, Any]:
    """The options by which results may differ, as values of JSON, so that the run can be made again.

    Null stands for the model and the corpus that ship, for the seeds of the thresholds file, and for that which
    ships. ``stop_early`` and ``check_twice`` are there only if they were given.
    """
    return {
        **{name: getattr(options, name) for name in _DECIDING},
        "model_args": dict(options.model_args),
        "thresholds": recorded_thresholds(options.thresholds),
        "seeds": None if options.seeds is None else list(options.seeds),
        "no_text": not options.with_text,
        **{name: True for name in _SAID_IF_GIVEN if getattr(options, name)},
    }


def corpus_of(options: Options, task: Task) -> str:
    """The corpus that is asked for, else the one that ships with the task; raises `AbaloError` without any."""
    if options.corpus is None and not task.default_corpus:
        raise AbaloError(f"task {task.name} has no corpus of its own: give one with --abalo-corpus")
    return task.default_corpus if options.corpus is None else options.corpus


def trainings_of(options: Options) -> tuple[str | None, ...]:
    """The model that is asked for, None for the one that ships; of several trainings, separated by commas, each.

    Raises `AbaloError` for an empty name among them.
    """
    if options.model is None or not has_trainings(options):
        return (options.model,)
    names = tuple(name.strip() for name in options.model.split(","))
    if not all(names):
        raise AbaloError(f"--abalo-model {options.model}: an empty name; expected trainings separated by single commas")
    return names


def has_trainings(options: Options) -> bool:
    """Whether several trainings of a model are asked for."""
    return options.model is not None and "," in options.model and not Path(options.model).exists()


def recorded_thresholds(path: Path) -> str | None:
    """The path of a thresholds file, seen from the working directory; None for the default cases."""
    if path.resolve() == bundled(CASES).resolve():
        return None
    return Path(os.path.relpath(path)).as_posix()


def usual_profile() -> Profile:
    """``ci`` where CI is set, else ``dev``."""
    return "dev" if os.environ.get("CI", "").lower() in ("", "0", "false") else "ci"


def _path(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / name
