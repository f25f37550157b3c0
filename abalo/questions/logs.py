"""Reads Inspect logs of multiple-choice tasks as answers, but no text of models or questions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from abalo.core.records.json_records import Json
from abalo.corpora.findings import SHOWN, show_value
from abalo.errors import AbaloError, visible
from abalo.files import read_bytes
from abalo.questions.answers import ORIG, ChoiceAnswer
from abalo.questions.question import reorders

SUFFIXES = (".eval", ".json")

_UNUSED = {"messages", "events", "store", "attachments"}

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9:_.+-]{0,63}")
_REASON = 200

REMEDY = "; run it again and remove this log, or leave such out with --leave-out-failed"


@dataclass(frozen=True, slots=True)
class LogAnswers:
    """Sorted answers of a folder.

    ``logs`` are the source files, ``left_out`` the reasons for omitted files and samples.
    """

    answers: tuple[ChoiceAnswer, ...]
    logs: tuple[Path, ...]
    left_out: tuple[str, ...]


def load_all_results(logs: Path | str, *, leave_out_failed: bool = False) -> list[ChoiceAnswer]:
    """The answers in all logs under a folder; raises as `collect` does."""
    return list(collect(Path(logs), leave_out_failed=leave_out_failed).answers)


def collect(folder: Path, *, leave_out_failed: bool = False, remedy: str = REMEDY) -> LogAnswers:
    """The answers in all Inspect logs under a folder, and what was left out.

    Other files and tasks without variants are skipped. ``leave_out_failed`` also skips unreadable, failed or
    invalidated logs and failed samples, which otherwise raise AbaloError. So do incomplete samples, duplicate answers,
    no answers, and a missing Inspect.
    """
    if not folder.is_dir():
        raise AbaloError(f"{folder}: no such folder; give the one that Inspect writes its logs to")
    read = _Logs(_reader(), leave_out_failed, remedy)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        read.add(path)
    read.raise_any()
    if not read.answers:
        reasons = "".join(f"\n  {line}" for line in read.left_out)
        raise AbaloError(
            f"{folder}: no answers to aggregate; run the tasks with: inspect eval TASK --log-dir {folder}{reasons}"
        )
    return LogAnswers(tuple(sorted(read.answers.values(), key=_place_in_table)), tuple(read.logs), tuple(read.left_out))


@dataclass(slots=True)
class _Logs:
    reader: Callable[..., Any]
    leave_out_failed: bool
    remedy: str
    answers: dict[tuple[object, ...], ChoiceAnswer] = field(default_factory=dict)
    sources: dict[tuple[object, ...], Path] = field(default_factory=dict)
    targets: dict[tuple[str, str, str], int] = field(default_factory=dict)
    logs: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, path: Path) -> None:
        raw = _json(path) if path.suffix == ".json" else None
        if path.suffix not in SUFFIXES or (raw is not None and not _claims_to_be_a_log(raw)):
            self.left_out.append(f"{path}: not an Inspect log")
            return
        try:
            log = _read(self.reader, path, header_only=True)
            if log.status != "success":
                reason = f": {visible(log.error.message)[:_REASON]}" if log.error is not None else ""
                self._fail(f"{path}: the evaluation ended with status {log.status!r}", reason)
                return
            if log.invalidated:
                self._fail(f"{path}: the evaluation was declared invalid")
                return
            log = _read(self.reader, path, header_only=False)
        except AbaloError as error:
            self._fail(f"{path}: {error}")
            return
        top = _top_level(raw)
        seen = [_Seen(sample, _score(sample), top.get((sample.id, sample.epoch), {})) for sample in log.samples or ()]
        if all(each.field("variant") is None for each in seen):
            self.left_out.append(f"{path}: no sample has a variant, so it is the log of another task")
            return
        self.logs.append(path)
        broken = sum(each.sample.error is not None for each in seen)
        if broken:
            self._fail(f"{path}: {broken} of {len(seen)} samples ended with an error")
        for each in seen:
            if each.sample.error is None:
                self._take(path, log.eval, each)

    def raise_any(self) -> None:
        if self.problems:
            rest = len(self.problems) - SHOWN
            more = [f"and {rest:,} more"] if rest > 0 else []
            raise AbaloError("\n  ".join([*self.problems[:SHOWN], *more]))

    def _fail(self, failure: str, reason: str = "") -> None:
        """The skip list omits ``reason``, which may quote a question."""
        if self.leave_out_failed:
            self.left_out.append(failure)
        else:
            self.problems.append(f"{failure}{reason}{self.remedy}")

    def _take(self, path: Path, evaluation: object, seen: _Seen) -> None:
        place = f"{path}: sample {show_value(seen.sample.id)}"
        try:
            taken = _take_answer(evaluation, seen)
        except AbaloError as error:
            self.problems.append(f"{place}: {error}")
            return
        answer = taken.answer
        key = answer.task, answer.model, answer.id, answer.seed, answer.variant, answer.epoch
        if key in self.answers:
            where = "twice in one epoch; give each sample an id of its own"
            if self.sources[key] != path:
                where = (
                    f"by the same task, model and seed in {self.sources[key]}; give each run a folder of its own, or "
                    "repeat it in one run with --epochs"
                )
            self.problems.append(f"{place}: answered {where}")
            return
        target = self.targets.setdefault((answer.task, answer.model, answer.id), taken.target_option)
        if target != taken.target_option:
            self.problems.append(
                f"{place}: its target is option {taken.target_option} of the original, counted from 0, and {target} in "
                "another variant; its order or target is wrong, or two questions have the same id"
            )
            return
        self.answers[key] = answer
        self.sources[key] = path


@dataclass(frozen=True, slots=True)
class _Taken:
    answer: ChoiceAnswer
    target_option: int


@dataclass(frozen=True, slots=True)
class _Seen:
    sample: Any
    score: Any
    top: Json

    def field(self, name: str) -> Any:
        return next((place[name] for place in self._places() if place.get(name) is not None), None)

    def has(self, name: str) -> bool:
        return any(name in place for place in self._places())

    def _places(self) -> tuple[Json, ...]:
        scored = (self.score.metadata or {}) if self.score is not None else {}
        return self.top, scored, self.sample.metadata

    def label(self, name: str) -> str | None:
        found = self.field(name)
        if found is not None and not (isinstance(found, str) and _LABEL.fullmatch(found)):
            raise AbaloError(f"{name} {show_value(found)}: expected at most 64 letters, digits and : _ . + - signs")
        return found


def _place_in_table(answer: ChoiceAnswer) -> tuple[str | int | bool, ...]:
    seed = answer.seed
    variant = answer.variant != ORIG, answer.variant
    return answer.task, answer.model, answer.id, seed is not None, seed or 0, *variant, answer.epoch


def _reader() -> Callable[..., object]:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise AbaloError("reading Inspect logs needs inspect-ai: pip install 'abalo[mcq]'") from error
    return read_eval_log


def _read(reader: Callable[..., object], path: Path, *, header_only: bool) -> Any:
    try:
        return reader(str(path.resolve()), header_only=header_only, exclude_fields=_UNUSED)
    except Exception as error:
        reason = visible(str(error).partition("\n")[0])[:_REASON]
        raise AbaloError(f"cannot be read as an Inspect log: {type(error).__name__}: {reason}") from error


def _json(path: Path) -> object:
    try:
        return json.loads(read_bytes(path))
    except (OSError, ValueError, RecursionError):
        return None


def _claims_to_be_a_log(raw: object) -> bool:
    return isinstance(raw, dict) and {"eval", "status"} <= raw.keys()


def _top_level(raw: object) -> dict[tuple[object, object], Mapping[str, object]]:
    """Inspect drops unknown fields of JSON logs."""
    samples = (raw.get("samples") or ()) if isinstance(raw, dict) else ()
    return {(sample["id"], sample["epoch"]): sample for sample in samples}  # read by Inspect, so they have both


def _take_answer(evaluation: Any, seen: _Seen) -> _Taken:
    variant = seen.label("variant")
    if variant is None:
        raise AbaloError("has no variant, unlike others of its log; take all samples from the same task")
    if seen.score is None and not seen.has("pred_index"):
        raise AbaloError("was not scored; score its log with: inspect score LOG --scorer choice")
    pred = seen.field("pred_index") if seen.score is None else _place("answer", seen.score.answer)
    target = seen.field("target_index")
    seed = seen.field("seed")
    answer = ChoiceAnswer(
        id=_question(seen.sample.id, variant),
        task=str(evaluation.task).rpartition("/")[2],  # what stands before it is the package it comes from
        model=str(evaluation.model),
        pred_index=pred,
        target_index=_place("target", _only(seen.sample.target)) if target is None else target,
        correct=seen.field("correct") if seen.score is None else seen.score.value in ("C", 1),
        confidence=seen.field("confidence"),
        seed=evaluation.task_args.get("seed") if seed is None else seed,
        variant=variant,
        paraphrase_id=seen.label("paraphrase_id"),
        perturbation_kind=seen.label("perturbation_kind"),
        pred_option=pred,
        epoch=seen.sample.epoch,
    )
    right, count = answer.target_index, len(seen.sample.choices or ())
    if right is None:
        raise AbaloError("has no target; expected the letter of the right option")
    for name, place in (("answer", answer.pred_index), ("target", right)):
        if place is not None and place >= count:
            raise AbaloError(f"its {name} is option {place}, counted from 0; expected one of its {count} choices")
    order = _order(seen, variant, count)
    if answer.pred_index is not None:
        answer = replace(answer, pred_option=order[answer.pred_index])
    return _Taken(answer, order[right])


def _score(sample: Any) -> Any:
    scores = sample.scores or {}
    return scores.get("choice") or (next(iter(scores.values())) if len(scores) == 1 else None)


def _question(sample: object, variant: str) -> str:
    return str(sample).removesuffix(f"|{variant}")


def _only(target: str | list[str]) -> str:
    return target if isinstance(target, str) else ", ".join(target)


def _place(name: str, letter: str | None) -> int | None:
    if not letter:
        return None
    if re.fullmatch("[A-Z]", letter):
        return ord(letter) - ord("A")
    if re.fullmatch("[1-9][0-9]{0,3}", letter):
        return 25 + int(letter)
    raise AbaloError(f"{name} {show_value(letter)}: expected the letter of one option")


def _order(seen: _Seen, variant: str, count: int) -> list[int]:
    order = seen.field("order")
    if order is None:
        if reorders(variant):
            raise AbaloError(f"has no order, so what {variant} answered cannot be told; make its log again")
        return list(range(count))
    if not isinstance(order, list) or sorted(map(repr, order)) != sorted(map(repr, range(count))):
        raise AbaloError(f"order {show_value(order)}: expected the places 0 to {count - 1} of its options, each once")
    return order
