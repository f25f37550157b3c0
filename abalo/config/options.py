"""Run options from pytest, a command of ``abalo`` or Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from abalo.bundled import CASES, CORPUS, bundled_path
from abalo.core.protocols.options import (
    HOW_FAST,
    QUICK,
    QUICK_EDITS,
    QUICK_SEARCHED,
    Calling,
    Designed,
    Profile,
    RunOptions,
    told_args,
)
from abalo.errors import REDACTED, AbaloError, written

if TYPE_CHECKING:
    from abalo.config.dealing import Shard
    from abalo.core.protocols.task import Task
    from abalo.core.records.example import JsonObject
    from abalo.core.records.json_records import Json

QUICK_LIMIT = 200


def quick_omissions(limit: int, *, compared: bool) -> str:
    """One line on what a quick run with this limit omits, ``compared`` with another or not."""
    both = "--abalo-profile quick" if limit == QUICK_LIMIT else "--abalo-profile quick and --abalo-limit"
    return (
        f"The quick profile uses the first {limit:,} examples, one seed, {QUICK_EDITS} edits for each invariance "
        f"and {QUICK_SEARCHED} examples for each attack. It leaves out cases that cannot fail the run. "
        + ("For everything, compare full runs." if compared else f"For everything, leave out {both}.")
    )


@dataclass(frozen=True, slots=True)
class Option:
    """An option for argparse, with one ``help`` everywhere.

    If ``default`` is None, the run decides as ``otherwise`` describes. ``within``: least and largest whole number.
    """

    name: str
    help: str
    default: str | int | None = None
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    type: Callable[[str], Any] | None = None
    flag: bool = False
    otherwise: str = ""
    within: tuple[int, int | None] = (1, None)

    def described(self, otherwise: str | None = None) -> str:
        """The help with the default, or ``otherwise``; "" for none."""
        usual = self.otherwise if self.default is None else str(self.default)
        said = usual if otherwise is None else otherwise
        return f"{self.help} (default: {said})" if said else self.help

    def value(self, value: object) -> Any:
        """The typed value, paths as strings; raises `AbaloError`."""
        if value is None and self.default is None and not self.flag:
            return None
        if isinstance(value, os.PathLike) and self.takes_text and self.choices is None:
            value = os.fspath(value)
        from abalo.core.records.values import valid

        try:
            return valid(value, self.values)
        except ValueError:
            if self.type is type(value) is int:
                self.check(value)
            number = self._whole_number if self.type is int else "a number"
            text = f"one of {', '.join(self.choices)}" if self.choices else "a string"
            wanted = "True or False" if self.flag else text if self.takes_text else number
            raise AbaloError(f"{self.name}: {written(value)}; expected {wanted}") from None

    @property
    def values(self) -> Any:
        """The annotation of its values."""
        from annotated_types import Ge, Le

        from abalo.core.records.values import AS_WHOLE

        least, most = self.within
        whole = Annotated[int, Ge(least), *([] if most is None else [Le(most)]), AS_WHOLE]
        found = whole if self.type is int else self.type or str
        return bool if self.flag else Literal[*self.choices] if self.choices else found

    @property
    def _whole_number(self) -> str:
        least, most = self.within
        return f"a whole number from {least}{'' if most is None else f' to {most}'}"

    def check(self, number: Any) -> None:
        """Raises `AbaloError` for a whole number out of range."""
        least, most = self.within
        if number is not None and not least <= number <= (number if most is None else most):
            raise AbaloError(f"{self.flag_name} {number}: expected {self._whole_number}")

    @property
    def takes_text(self) -> bool:
        """True if values are strings."""
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
        "checkpoint folder, such as ./checkpoint, module:factory, spacy:NAME, openai:NAME?base_url=ADDRESS or hub id; "
        "several trained models, separated by commas, are judged by their mean",
        metavar="MODEL",
        otherwise="as [run] of the thresholds file says, else the bundled model",
    ),
    Option(
        "corpus",
        "corpus file, such as dev.conll: columns such as CoNLL; CoNLL-U (.conllu); tables (.tsv, .csv); JSON (.jsonl, "
        ".ndjson, .json); XML of ASSIN (.xml); each also packed (.gz). Or bundled:NAME, hub:DATASET:SPLIT[:N], or a "
        "folder that save_to_disk wrote, or READER:PATH (abalo list readers). abalo list tasks shows the settings that "
        "may follow, as FILE?name=value",
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
    Option("stride", "pieces that neighbouring windows share", 64, "N", type=int, within=(0, None)),
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
        "markers",
        "four marks around subject and object in the text that a model of relations reads, such as '<s>,</s>,<o>,</o>'",
        metavar="MARKS",
        otherwise="[E1],[/E1],[E2],[/E2]",
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
        otherwise="those of the thresholds file, else 1 against an accepted run and 1,2,4 without one",
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
        "budget",
        "cost of the run, the clean corpus included: a time, such as 5m; inputs, such as 20000f; calls of a language "
        "model, such as 2000c. The run is cut to it: one seed, each sentence in three cases",
        metavar="BUDGET",
        otherwise="none: every case on every sentence",
    ),
    Option(
        "design",
        "run the design of an earlier run with a budget again: its folder of reports, or its robustness.json",
        metavar="RUN",
        otherwise="none",
    ),
    Option("allow_pickle", "load pickled weights; they can run any code", flag=True),
    Option("trust_remote_code", "run Python code that comes with the model", flag=True),
    Option(
        "model_version",
        "version of a service or another black box, such as 2026-11-01; the report stores it",
        metavar="VERSION",
        otherwise="none",
    ),
    Option(
        "repeats",
        "times that each input is put to the model, such as 5, to measure how much its answers vary",
        metavar="R",
        type=int,
        otherwise="as [gate] of the thresholds file says, else 3 for a model that draws its answers, 1 for others",
        within=(1, 100),
    ),
    Option(
        "max_calls",
        "calls to a language model or service that the run may make, such as 2000; a run that needs more ends before "
        "the first if its calls can be counted, else where it needs them",
        metavar="N",
        type=int,
        otherwise="any number",
    ),
    Option(
        "rate",
        "calls and tokens a minute that services in Python and prompted models get, such as 600c,90000t",
        metavar="RATE",
        otherwise="any number",
    ),
    Option(
        "price",
        "price of a million tokens in prompts and in replies, such as 0.15,0.6; the report then tells the cost of each "
        "case",
        metavar="PRICE",
        otherwise="none",
    ),
    Option("local_only", "refuse a model that sends the texts of the corpus to another machine", flag=True),
    Option("no_cache", "ask a language model again, and keep none of its replies", flag=True),
    Option(
        "replies",
        "folder of the kept replies of language models, such as ../replies; whoever can write there decides the "
        "verdict. With CI=true, replies of a model without a version are not kept",
        metavar="DIR",
        otherwise="abalo/replies in the user's cache folder",
    ),
    Option("reports", "folder of robustness.json, report.html and the other reports", "reports", "DIR"),
    Option("no_text", "keep the text of the corpus out of all reports", flag=True),
    Option("latex", "also write the tables as LaTeX, to robustness.tex", flag=True),
    Option(
        "resume",
        "go on with a run that was stopped, from the finished cases and searches in the folder of reports",
        flag=True,
    ),
    Option(
        "save_failures",
        "add the sentences that attacks and edits broke to this regression corpus, such as regressions.jsonl",
        metavar="FILE",
        otherwise="not saved",
    ),
    Option(
        "profile",
        "effort of the search for edits that break invariances; nightly draws other edits in every run; quick is a "
        "first "
        f"look at {QUICK_LIMIT} examples and one seed, the cases that cost most first",
        choices=("quick", "dev", "ci", "nightly"),
        otherwise="ci if the variable CI is set, else dev",
    ),
    Option(
        "model_args",
        "settings of a language model, such as temperature=0,max_tokens=8; of a model in Python, batch=64 (inputs a "
        "call); of both, unless Inspect calls it, concurrency=16 (calls in flight), retries=1000 (of failed calls)",
        metavar="ARGS",
        otherwise="none",
    ),
    Option(
        "against",
        "compare with this accepted run, such as references/1.0, and judge the losses: its folder, or its "
        "robustness.json",
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


_MOVED = {"negative": "negative=LABEL", "singletons": "singletons=false", "scheme": "scheme=bio", "lenient": "lenient"}
"""Former options that are settings of a corpus."""

_DECIDING = (
    "model",
    "corpus",
    "limit",
    "label_map",
    "mask_token",
    "dtype",
    "aggregation",
    "max_length",
    "stride",
    "model_version",
    "language",
    "types",
    "join",
    "least",
)

_SAID_IF_GIVEN = ("stop_early", "repeats", "markers")

RUN_KEYS = (
    "task",
    *(name for name in _DECIDING if name not in ("language", "least")),
    "markers",
    "model_args",
    "local_only",
)
"""Language, seeds and least belong to ``[gate]``."""

_RECORDED = (*_DECIDING, "model_args", "thresholds", "seeds", "no_text")
"""Security: excludes options that let a model's code run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(RunOptions):
    """All options of a run; relative paths start at the working directory."""

    task: str | None
    thresholds: Path
    threads: int | None
    seeds: tuple[int, ...] | None
    language: str | None
    least: float | None
    resume: bool
    save_failures: Path | None
    regressions: Path | None
    against: Path | None
    shard: Shard | None


def now_a_setting(name: str) -> str:
    """What a former option is now, after its name in an error; "" for other names."""
    new = _MOVED.get(name.removeprefix("--").removeprefix("abalo-"))
    return f'is a setting of the corpus now: --abalo-corpus "FILE?{new}"' if new else ""


def make_options(*, thresholds: Path, seeds: tuple[int, ...] | None = None, **given: object) -> Options:
    """The given options over defaults; raises `AbaloError` for an unknown option or wrong type.

    ``with_text`` is the opposite of ``no_text``.
    """
    from perturbations.suggestions import did_you_mean

    known = {option.name: option for option in OPTIONS}
    if not_known := sorted(set(given) - {*known, "with_text"}):
        told = f"no such option{did_you_mean(not_known[0], known)}; there are {', '.join(known)}"
        raise AbaloError(f"option {not_known[0]!r}: {now_a_setting(not_known[0]) or told}")
    if "with_text" in given:
        with_text = given.pop("with_text")
        if not isinstance(with_text, bool) or given.get("no_text", not with_text) is with_text:
            raise AbaloError(f"with_text: {with_text!r}; expected True or False, and the opposite of no_text")
        given["no_text"] = not with_text
    usual = {name: False if option.flag else option.default for name, option in known.items()}
    asked = {name: known[name].value(value) for name, value in given.items()}
    return read_options({**usual, **asked}, thresholds, Path.cwd(), seeds)


def read_options(
    given: Mapping[str, Any], thresholds: Path, folder: Path, seeds: tuple[int, ...] | None = None
) -> Options:
    """Options by name, None means the default; raises `AbaloError`.

    Report paths are relative to ``folder``.
    """
    from abalo.config.dealing import Shard
    from abalo.core.records.configuring import seeds_of
    from abalo.core.records.rates import MinuteRate, Price
    from abalo.tasks.choice.models.loading import parse_args

    given = {**given, **{option.name: option.default for option in OPTIONS if given[option.name] is None}}
    if not str(given["reports"]).strip():
        raise AbaloError("--abalo-reports is empty: expected a folder, such as reports")
    profile, limit, asked = given["profile"] or usual_profile(), given["limit"], given.get("seeds")
    values = {name: given[name] for name in (each.name for each in fields(Options)) if name in given}
    options = Options(
        **values
        | {
            "thresholds": thresholds,
            "seeds": seeds_of("--abalo-seeds", asked) if asked is not None else seeds,
            "reports": folder / given["reports"],
            "with_text": not given["no_text"],
            "calling": Calling(
                given["max_calls"],
                given["local_only"],
                given["no_cache"],
                _path(folder, given["replies"]),
                None if given["rate"] is None else MinuteRate.read(given["rate"]),
                None if given["price"] is None else Price.read(given["price"]),
            ),
            "model_args": parse_args(given["model_args"]),
            "profile": profile,
            "limit": QUICK_LIMIT if profile == QUICK and limit is None else limit,
            "save_failures": _path(folder, given["save_failures"]),
            "regressions": _path(folder, given["regressions"]),
            "against": _path(folder, given["against"]),
            "designed": _designed(given["budget"], _path(folder, given["design"])),
            "shard": None if given["shard"] is None else Shard.read(given["shard"]),
        }
    )
    _check_values(options)
    _check_together(options)
    return options


def _check_values(options: Options) -> None:
    """Raises `AbaloError` for a value out of range."""
    from abalo.core.records.settings import GATE_SETTINGS, LANGUAGE, LEAST
    from abalo.corpora.types import parse_types
    from abalo.models.generative.server_spec import ServerSpec
    from abalo.models.labelling.maps import parse_label_map
    from abalo.models.options import ModelOptions
    from abalo.models.prompts.protocol import OPENAI

    for spec in (options.model or "").split(","):
        if spec.strip().startswith(OPENAI):  # before a line shows it, since it may hold a key
            ServerSpec.of(spec.strip())
    known = {option.name: option for option in OPTIONS}
    token, version = options.mask_token, options.model_version
    if token is not None and not token.strip():
        raise AbaloError("--abalo-mask-token is blank: expected a visible word, such as [MASK]")
    if token is not None and len(token.split()) > 1:
        raise AbaloError(f"--abalo-mask-token {token!r}: expected one word, such as [MASK]")
    if version is not None and not version.strip():
        raise AbaloError("--abalo-model-version is blank: expected a name for its state, such as 2026-11-01")
    if version is not None and not version.isprintable():
        raise AbaloError(f"--abalo-model-version {version!r}: expected characters that can be seen, on one line")
    ModelOptions(options.device, max_length=options.max_length, stride=options.stride)
    if options.label_map is not None:
        parse_label_map(options.label_map)
    if options.language is not None and not GATE_SETTINGS[LANGUAGE].fits(options.language):
        raise AbaloError(f"--abalo-language {options.language}: expected {GATE_SETTINGS[LANGUAGE].words}")
    if options.types is not None:
        parse_types(options.types)
    if options.least is not None and not LEAST.fits(options.least):
        raise AbaloError(f"--abalo-least {options.least}: expected {LEAST.words}")
    told = {name: getattr(options, name, None) for name in known} | {"max_calls": options.calling.max_calls}
    for name, option in known.items():
        if option.type is int:
            option.check(told[name])


def _check_together(options: Options) -> None:
    """Raises `AbaloError` for options that exclude each other."""
    designed = options.designed or Designed()
    if options.join and options.label_map is None:
        raise AbaloError(
            "--abalo-join: nothing to join without a label map; give one with --abalo-label-map, such as "
            "GIVEN_NAME=PER,SURNAME=PER, or leave --abalo-join out"
        )
    for name, given in (("resume", options.resume), ("save-failures", options.save_failures)):
        if given and not options.with_text:
            raise AbaloError(f"--abalo-{name} needs text, which --abalo-no-text withholds; drop one")
    if designed.earlier is not None and options.stop_early:
        raise AbaloError("--abalo-stop-early: a design says itself whether its run may stop early; drop one")
    panel = "budget" if designed.budget is not None else "design"
    if options.designed is not None and options.resume:
        raise AbaloError(f"--abalo-resume: a run with --abalo-{panel} takes few minutes and is run again; drop one")
    if designed.budget is not None and designed.earlier is not None:
        raise AbaloError("--abalo-budget makes a design, and --abalo-design has one; drop one")
    if designed.budget is not None and options.shard is not None:
        raise AbaloError(
            "--abalo-shard: shards that each measure their speed would differ; run --abalo-budget once, and "
            "give all shards the design of that run with --abalo-design"
        )
    if options.designed is not None and options.profile == QUICK:
        raise AbaloError(f"--abalo-{panel}: --abalo-profile quick has a size of its own; drop one")


def _designed(budget: str | None, design: Path | None) -> Designed | None:
    from abalo.core.protocols.budget import Budget

    if budget is None and design is None:
        return None
    return Designed(None if budget is None else Budget.read(budget), design)


def remake_options(recorded: Mapping[str, Any], instead: Mapping[str, Any]) -> Options:
    """The `recorded_options` of a document, some replaced by ``instead``; raises `AbaloError`."""
    from abalo.core.records.settings import SEEDS

    if "corpus" not in instead and (old := next((name for name in _MOVED if recorded.get(name)), None)):
        raise AbaloError(f"{old}: {now_a_setting(old)}")
    told = (*_RECORDED, *(name for name in _SAID_IF_GIVEN if name in recorded))
    given = {**{name: recorded[name] for name in told}, **instead}
    seeds, args, thresholds = (given.pop(name) for name in ("seeds", "model_args", "thresholds"))
    if seeds is not None and not SEEDS.fits(seeds):
        raise AbaloError(f"seeds: {seeds!r}; expected {SEEDS.words}, or null for those of the thresholds file")
    if untold := [name for name, value in args.items() if REDACTED in str(value)]:
        raise AbaloError(
            f"model_args: {', '.join(untold)}: not recorded, since it may be a secret; run the gate again, and give "
            "secrets in the environment"
        )
    path = bundled_path(CASES) if thresholds is None else Path(thresholds)
    made = make_options(thresholds=path, seeds=None if seeds is None else tuple(seeds), **given)
    return replace(made, model_args=dict(args))


def recorded_schema() -> JsonObject:
    """The JSON Schema of `recorded_options`."""
    from abalo.core.records.values import schema_of

    meanings = {option.name: option.help for option in OPTIONS} | {
        "deep": "whether deep cases were part of the run",
        "selection": "words of pytest that chose the tests; absent for all",
    }
    said = {name: schema_of(values) | {"description": meanings[name]} for name, values in _recorded_values().items()}
    return {"type": "object", "required": list(_RECORDED), "properties": said, "additionalProperties": False}


def check_recorded(options: Json) -> None:
    """Raises TypeError that names misfits among `recorded_options` and those that are missing."""
    from abalo.core.records.json_records import check_fields

    check_fields(options, _recorded_values(), _RECORDED, "options")


def _recorded_values() -> dict[str, Any]:
    from abalo.core.records.values import Whole

    known = {option.name: option for option in OPTIONS}
    told: dict[str, Any] = {
        name: known[name].values if known[name].flag or known[name].default is not None else known[name].values | None
        for name in (*_RECORDED, *_SAID_IF_GIVEN, "budget")
    }
    told |= {"label_map": str | dict[str, Any] | None, "model_args": dict[str, Any], "seeds": list[Whole] | None}
    return told | {"deep": bool, "selection": list[str]}


def recorded_options(options: Options) -> dict[str, object]:
    """The options that affect results, as JSON values.

    Null means the shipped model, corpus or file, or the file's seeds.
    """
    return {
        **{name: getattr(options, name) for name in _DECIDING},
        "model_args": told_args({name: value for name, value in options.model_args.items() if name not in HOW_FAST}),
        "thresholds": recorded_thresholds(options.thresholds),
        "seeds": None if options.seeds is None else list(options.seeds),
        "no_text": not options.with_text,
        **{name: value for name in _SAID_IF_GIVEN if (value := getattr(options, name))},
        **({} if (budget := (options.designed or Designed()).budget) is None else {"budget": budget.text}),
    }


def corpus_of(options: Options, task: Task) -> str:
    """The given corpus, else the task's own; raises `AbaloError` without any."""
    if options.corpus is None and not task.default_corpus:
        raise AbaloError(f"task {task.name} has no corpus of its own: give one with --abalo-corpus")
    return task.default_corpus if options.corpus is None else options.corpus


def trainings_of(options: Options) -> tuple[str | None, ...]:
    """The models, split at commas, None means the shipped one; raises `AbaloError`."""
    if options.model is None or not has_trainings(options):
        return (options.model,)
    names = tuple(name.strip() for name in options.model.split(","))
    if not all(names):
        raise AbaloError(f"--abalo-model {options.model}: an empty name; expected trainings separated by single commas")
    return names


def has_trainings(options: Options) -> bool:
    """True if several trainings of a model are given."""
    return options.model is not None and "," in options.model and not Path(options.model).exists()


def recorded_thresholds(path: Path) -> str | None:
    """The path from the working directory; None means the default cases."""
    if path.resolve() == bundled_path(CASES).resolve():
        return None
    return Path(os.path.relpath(path)).as_posix()


def usual_profile() -> Profile:
    """``ci`` if CI is set, else ``dev``."""
    return "dev" if os.environ.get("CI", "").lower() in ("", "0", "false") else "ci"


def _path(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / name
