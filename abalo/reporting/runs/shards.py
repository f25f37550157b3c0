"""Merges the shards of a run and judges them once."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

from abalo.attacks.facts import AttackFields
from abalo.attacks.log import ATTACKS, log_name
from abalo.config.dealing import Deal, Shard
from abalo.config.options import Options
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import Document, Regression, ShardFacts
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import baseline_of
from abalo.core.protocols.task import tasks
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json
from abalo.core.statistics.evidence import Evidence, sha256_of
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError, visible
from abalo.files import is_file, read_bytes, read_text
from abalo.locking import LOCK_NAME, FolderLock, InUseError
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.documents.document import SHARD, in_order
from abalo.reporting.documents.origin import first_made, origin_in, run_in
from abalo.reporting.formats.files import EXAMPLES_NAME, JSON_NAME
from abalo.reporting.runs.finished import Run, check_verdict, read_document, read_run, whole
from abalo.reporting.runs.judging import RunFindings, judge
from abalo.reporting.runs.reference import Reference
from abalo.reporting.runs.rejudging import rejudge
from abalo.reporting.runs.shares import CaseFindings, join_shares

INCOMPLETE = 2
"""As for an interrupted run."""

_ENDED = (0, 1)

_BRING = "bring all files of the shard, or run it again"

_MOST = 4


def shard_facts(
    options: Options, deal: Deal, thresholds: Thresholds, reference: Reference | None, exit_code: int | None
) -> JsonObject:
    """Identifies a shard and its run, {} for a whole run; ``exit_code`` is None before the end."""
    if options.shard is None:
        return {}
    return {
        SHARD: {
            "number": options.shard.number,
            "of": options.shard.of,
            "exit_code": exit_code,
            "no_text": not options.with_text,
            "thresholds_sha256": thresholds.sha256,
            "reference_sha256": None if reference is None else sha256_of(reference.run.evidence),
            "deal_sha256": deal.sha256,
            "deal": deal.to_json(),
        }
    }


@dataclass(frozen=True, slots=True, eq=False)
class ShardRun:
    """The run of one shard, read back."""

    run: Run
    deal: Deal
    said: ShardFacts

    @property
    def folder(self) -> Path:
        return self.run.path.parent

    @property
    def document(self) -> Document:
        return self.run.document

    @property
    def shard(self) -> Shard:
        """Its number."""
        return Shard(self.said.number, self.said.of)

    @property
    def ended(self) -> bool:
        """True if it ended, whatever it found."""
        return self.said.exit_code in _ENDED


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """All shards as one run.

    Attributes:
        records: Lines of examples.jsonl; None if text is withheld.
        gaps: A message for each missing or unfinished shard.
        failed: Shards in which a test failed.
    """

    document: Document
    evidence: Mapping[str, Evidence]
    records: Sequence[str] | None
    logs: Mapping[str, bytes]
    gaps: Sequence[str]
    failed: Sequence[Shard]

    @property
    def exit_code(self) -> int:
        """2 if a shard is missing or unfinished."""
        if self.gaps:
            return INCOMPLETE
        return 1 if self.failed else conclude(self.document).exit_code


def check_own(folder: Path, shard: Shard) -> None:
    """Raises `AbaloError` if another shard's report would be overwritten."""
    try:
        said = read_document(folder / JSON_NAME).shard
    except AbaloError:  # no report, or none that is known
        return
    if said is None or said.of != shard.of or said.number == shard.number:
        return
    raise AbaloError(
        f"{folder}: holds the report of shard {said.number}/{shard.of}, which shard {shard} would overwrite; "
        "give each shard a folder of its own with --abalo-reports DIR, or remove this one"
    )


# Reading --------------------------------------------------------------------------------------------------------------


def read_shards(folders: Iterable[Path]) -> list[ShardRun]:
    """Reads the shards of one run, sorted by number.

    Raises `AbaloError` if a report is missing or in use, or if shards repeat or do not match.
    """
    found: list[ShardRun] = []
    folders = list(folders)
    try:
        places = Counter(folder.resolve() for folder in folders)
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, a loop of links
        raise AbaloError(f"{visible(error)}: no folder can be called so; give the folders of shards") from error
    for folder, times in places.items():
        if times > 1:
            raise AbaloError(f"{folder}: is given {times} times; give the folder of each shard once")
    with ExitStack() as held:
        for folder in folders:
            _hold(folder, held)
            with whole(folder / JSON_NAME):
                found.append(_read(folder))
    found.sort(key=lambda each: each.shard.number)
    first = found[0]
    for before, each in pairwise(found):
        if before.shard == each.shard:
            raise AbaloError(
                f"{before.folder} and {each.folder}: both are shard {each.shard}; leave out the one that was run again"
            )
    for each in found[1:]:
        _check_same_run(first, each)
    return found


def _hold(folder: Path, held: ExitStack) -> None:
    if not is_file(folder / LOCK_NAME):
        return
    try:
        held.enter_context(FolderLock(folder))
    except InUseError:
        raise AbaloError(f"{folder}: its run has not ended, and still writes there; wait for it to end") from None
    except AbaloError:  # a folder that cannot be written
        return


def _read(folder: Path) -> ShardRun:
    path = folder / JSON_NAME
    document = read_document(path)
    said = document.shard
    if said is None:
        why = "".join(f"; its run could not start: {each.message}" for each in document.errors[:1])
        raise AbaloError(f"{path}: is not the report of a shard; run the gate with --abalo-shard, such as 1/5{why}")
    check_verdict(path, document, held=True)
    run, deal = read_run(folder), Deal.from_json(said.deal)
    own = {part.id for part in deal.parts if part.shard == said.number}
    strangers = sorted({result.id for result in document.results} - own)
    if deal.sha256 != said.deal_sha256 or deal.of != said.of or strangers or not 1 <= said.number <= deal.of:
        raise AbaloError(f"{path}: is damaged: its shard is not that of its deal; run the shard again")
    found = ShardRun(run, deal, said)
    _check_says_whose(found)
    return found


def _check_says_whose(shard: ShardRun) -> None:
    document = shard.document
    judged = dict.fromkeys(result.task for result in document.results)
    needed: list[tuple[str, ...]] = [(name,) for name in ("versions", "options", "gate") if judged]
    needed += [("tasks", task, *names) for task in judged for names in (("corpus", "sha256"), ("model", "fingerprint"))]
    for names in needed:
        value: Any = document
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if not value:
            raise AbaloError(
                f"{shard.run.path} {'.'.join(names)}: {_show(value)}; expected what its results were measured with; "
                "run the shard again"
            )


def _check_same_run(first: ShardRun, other: ShardRun) -> None:
    found = list(_differing(_identity(first), _identity(other)))
    if not found and first.deal.sha256 != other.deal.sha256:
        found = list(_other_deal(first.deal, other.deal))
    if found:
        more = [f"and {len(found) - _MOST} more"] if len(found) > _MOST else []
        raise AbaloError(
            f"{other.folder}: is a shard of another run than {first.folder}: {'; '.join([*found[:_MOST], *more])}; "
            "merge shards of one run, with the same options, thresholds, model, corpus and versions"
        )


def _identity(shard: ShardRun) -> JsonObject:
    document = as_json(shard.document)
    known = {name: document[name] for name in ("versions", "options", "gate") if name in document}
    if "gate" in known:  # the bounds are those of the tasks that this shard has met
        known["gate"] = {name: value for name, value in known["gate"].items() if name != "bounds"}
    own = {
        name: {key: each[key] for key in each.keys() - _MEASURED} for name, each in document.get("tasks", {}).items()
    }
    return {
        "thresholds_sha256": shard.said.thresholds_sha256,
        "reference_sha256": shard.said.reference_sha256,
        **known,
        "tasks": own,
    }


_MEASURED = {"baseline", "inputs"}


def _differing(old: object, new: object, place: str = "") -> Iterator[str]:
    """Ignores missing fields, and last digits, which may depend on the processor."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [key for key in old if key in new]:
            yield from _differing(old[key], new[key], f"{place}.{key}".lstrip("."))
    elif isinstance(old, float) and isinstance(new, float) and math.isclose(old, new, rel_tol=1e-4):
        return
    elif old != new:
        yield f"{place} is {_show(new)}, there {_show(old)}"


def _show(value: object) -> str:
    text = visible(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else f"{text[:60]}…"


def _other_deal(old: Deal, new: Deal) -> Iterator[str]:
    if old.of != new.of:
        yield f"it is one of {new.of} shards, there of {old.of}"
    elif old.by_id.keys() != new.by_id.keys():
        lost, added = sorted(old.by_id.keys() - new.by_id.keys()), sorted(new.by_id.keys() - old.by_id.keys())
        yield from (f"{name} was selected there alone" for name in lost)
        yield from (f"{name} was selected here alone" for name in added)
    else:
        yield "its cases were dealt by another table of costs"


# Merging --------------------------------------------------------------------------------------------------------------


def merge_shards(
    shards: Sequence[ShardRun], thresholds: Thresholds, reference: Reference | None = None, today: date | None = None
) -> Merged:
    """Merges the shards and judges the run once, by its own thresholds.

    A missing shard makes the run incomplete. Raises `AbaloError` if thresholds or reference differ from the shards'.
    """
    _check_judges(shards, thresholds, reference)
    order = [*shards[0].deal.by_id]
    cases = {case.id: case for case in thresholds.cases if thresholds.skipped(case) is None}
    gaps, found = list(_gaps(shards)), _unite(shards, order)
    judged = [name for name in order if name in found and found[name].results]
    errors = {error.id: error for each in shards for error in each.document.errors}
    regressions: list[Regression] = [regression for each in shards for regression in each.document.regressions]
    facts = _facts(shards, order)
    evidence = {name: each.evidence for name, each in found.items()}
    measured = RunFindings(
        facts=facts,
        results=[result for name in judged for result in found[name].results],
        evidence=evidence,
        missing=[name for name in order if name in cases and name not in judged and name not in errors],
        errors=[errors[name] for name in sorted(errors)],
        regressions=sorted(regressions, key=lambda regression: regression.id),
        complete=not gaps,
    )
    document = judge(measured, None)
    records = None if _without_text(shards) else [line for each in found.values() for line in each.lines]
    if judged:
        again = rejudge(Run(document, evidence, shards[0].run.path, records), thresholds, reference, today)
        document = replace(again, versions=facts["versions"], options=facts["options"], not_run=[])
    logs = {name: log for each in found.values() for name, log in each.logs.items()}
    failed = [each.shard for each in shards if each.said.exit_code == 1]
    return Merged(document, evidence, records, logs, gaps, failed)


def _unite(shards: Sequence[ShardRun], order: Sequence[str]) -> dict[str, CaseFindings]:
    """Unites the cases of the shards, clean corpora first, and leaves out cases that lack a share."""
    parts: dict[str, list[tuple[ShardRun, CaseFindings]]] = {}
    for each in shards:
        for name, found in _findings(each, with_text=not _without_text(shards)).items():
            parts.setdefault(name, []).append((each, found))
    clean: dict[str, CaseFindings] = {}
    cases: dict[str, CaseFindings] = {}
    for name, own in parts.items():
        shares = [(each, found) for each, found in own if found.part is not None]
        if not shares:
            judged = next((found for _, found in own if found.results), None)
            (clean if judged is None else cases)[name] = judged or own[0][1]
            continue
        whole = len(shares) == len({*shards[0].deal.by_id[name]})
        _check_units(name, shares, whole=whole)
        if whole:
            cases[name] = join_shares([found for _, found in shares])
    first = {name: found for name, found in cases.items() if name.endswith(f"/{BASELINE}")}
    return in_order(clean | first, cases, order)


def _findings(shard: ShardRun, *, with_text: bool) -> dict[str, CaseFindings]:
    results: dict[str, list[Result]] = {}
    for result in shard.document.results:
        results.setdefault(result.id, []).append(result)
    lines = _lines(shard) if with_text else {}
    names = dict.fromkeys([*(baseline_of(tasks()[name]).id for name in shard.document.tasks), *results])
    return {
        name: CaseFindings(results.get(name, ()), shard.run.evidence[name], lines.get(name, ()), _logs(shard, name))
        for name in names
        if name in shard.run.evidence
    }


def _check_units(name: str, shares: Sequence[tuple[ShardRun, CaseFindings]], *, whole: bool) -> None:
    places: dict[int, ShardRun] = {}
    for each, found in shares:
        for place in found.numbers:
            if (other := places.setdefault(place, each)) is not each:
                raise AbaloError(
                    f"{each.run.path} results {name}: unit {place} is in {other.folder}, too; expected those of "
                    f"shard {each.shard} alone; run the shard again"
                )
    if whole and {*places} != {*range(sum(len(found.numbers) for _, found in shares))}:
        raise AbaloError(
            f"{shares[0][0].folder} results {name}: some of its units are in no shard; expected all of them; run the "
            "shards again"
        )


def _check_judges(shards: Sequence[ShardRun], thresholds: Thresholds, reference: Reference | None) -> None:
    said = shards[0].said
    if thresholds.sha256 != said.thresholds_sha256:
        raise AbaloError(
            f"{thresholds.path}: is not what the shards were run with: its digest is {thresholds.sha256[:12]}, that of "
            f"theirs {said.thresholds_sha256[:12]}; give their file with --thresholds FILE; to judge by other "
            "bounds, run abalo rejudge on the merged run"
        )
    wanted = said.reference_sha256
    if wanted is not None and (reference is None or sha256_of(reference.run.evidence) != wanted):
        found = "no reference is given" if reference is None else f"{reference.name} is another one"
        raise AbaloError(
            f"{shards[0].folder}: was run with --abalo-against, and {found}; give the same with --against RUN"
        )


def _gaps(shards: Sequence[ShardRun]) -> Iterator[str]:
    by_number = {each.shard.number: each for each in shards}
    for number in range(1, shards[0].deal.of + 1):
        name = str(Shard(number, shards[0].deal.of))
        if number not in by_number:
            yield f"shard {name} is missing; run it with --abalo-shard {name}, and merge again"
        elif not by_number[number].ended:
            yield f"shard {name} did not come to its end in {by_number[number].folder}; run it again, and merge again"


def _facts(shards: Sequence[ShardRun], order: Sequence[str]) -> JsonObject:
    found: JsonObject = {}
    met: JsonObject = {}
    for each in reversed(shards):
        told = as_json(each.document)
        found |= {name: told[name] for name in ("versions", "options", "gate") if name in told}
        met |= told.get("tasks", {})
    found = {**first_made(origin_in(each.document) for each in shards), **found, **run_in(shards[0].document)}
    names = dict.fromkeys([*(case.partition("/")[0] for case in order), *met])
    return {**found, "tasks": {name: met[name] for name in names if name in met}} if met else found


def _without_text(shards: Sequence[ShardRun]) -> bool:
    return any(each.said.no_text for each in shards)


def _lines(shard: ShardRun) -> dict[str, list[str]]:
    path = shard.folder / EXAMPLES_NAME
    found: dict[str, list[str]] = {}
    try:
        for line in filter(None, read_text(path).split("\n")):
            found.setdefault(str(json.loads(line)["case"]), []).append(line)
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; {_BRING}") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise AbaloError(f"{path}: is damaged: a line is no example; {_BRING}") from error
    return found


def _logs(shard: ShardRun, case: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    attacks = [AttackFields.of(each).attack for each in shard.document.results if each.id == case]
    if not attacks or attacks[-1] is None or attacks[-1].log is None:
        return found
    trainings = shard.document.tasks[case.partition("/")[0]].model.trainings
    for training in range(max(1, len(trainings))):
        path = shard.folder / ATTACKS / log_name(case, training)
        try:
            found[path.name] = read_bytes(path)
        except OSError as error:
            raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; {_BRING}") from error
    return found
