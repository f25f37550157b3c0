"""Deals the cases of a run to shards, identically on every machine."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from statistics import median
from types import MappingProxyType

from abalo.core.protocols.probe import Case
from abalo.core.records.json_records import Json
from abalo.core.statistics.plan import CaseShare
from abalo.errors import AbaloError

USUAL_COST = 100

MOST_PARTS = 16

COSTS = "costs.tsv"
"""Written by ``python -m benchmarks.costs``."""

_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class Shard:
    """A numbered part of a run, counted from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """Parses ``2/5``; raises `AbaloError` for anything else."""
        found = _SHARD.fullmatch(text)
        number, of = map(int, found.groups()) if found else (1, 0)
        if number > of:
            raise AbaloError(
                f"--abalo-shard {text}: expected the number of the shard and how many there are, such as 2/5, both up "
                "to 9999"
            )
        return cls(number, of)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True, slots=True)
class RunPart:
    """A case or record; parts of one ``group`` share a shard.

    Parts of a divided case count from 0 in ``part``.
    """

    id: str
    cost: int = USUAL_COST
    group: str = ""
    part: int = 0

    @classmethod
    def of(cls, case: Case, *, skipped: bool = False, whole: bool = False) -> list[RunPart]:
        """The parts of a case with their costs; skipped cases have the lowest.

        A search is divided by `USUAL_COST`, unless ``whole``.
        """
        found = 1 if skipped else cost(case.id)
        if whole or not case.probe.searches:
            return [cls(case.id, found, case.together)]
        count = min(MOST_PARTS, max(1, found // USUAL_COST))
        return [cls(case.id, found // count, part=k) for k in range(count)]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A part and its shard number."""

    id: str
    cost: int
    shard: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """All parts of a run in collection order, dealt to ``of`` shards."""

    of: int
    parts: tuple[Dealt, ...]
    deep: bool = False

    @property
    def by_id(self) -> Mapping[str, Sequence[int]]:
        """Shard numbers per part, by case or record id."""
        found: dict[str, list[int]] = {}
        for part in sorted(self.parts, key=lambda each: each.part):
            found.setdefault(part.id, []).append(part.shard)
        return found

    def share(self, name: str, shard: int) -> CaseShare | None:
        """The share of a case for a shard; None means the whole case."""
        numbers = self.by_id[name]
        if len(numbers) == 1:
            return None
        return CaseShare(frozenset(part for part, number in enumerate(numbers) if number == shard), len(numbers))

    @property
    def sha256(self) -> str:
        """Digest of the deal, independent of collection order."""
        parts = sorted([part.id, part.part, part.cost, part.shard] for part in self.parts)
        return hashlib.sha256(json.dumps([self.of, self.deep, parts]).encode()).hexdigest()

    def to_json(self) -> dict[str, object]:
        """Plain values for `from_json`."""
        return {"of": self.of, "deep": self.deep, "parts": [asdict(part) for part in self.parts]}

    @classmethod
    def from_json(cls, found: Json) -> Deal:
        """Reads plain values; raises KeyError, TypeError or ValueError."""
        parts = tuple(
            Dealt(str(each["id"]), int(each["cost"]), int(each["shard"]), int(each["part"])) for each in found["parts"]
        )
        return cls(int(found["of"]), parts, bool(found["deep"]))


def deal(parts: Iterable[RunPart], of: int, *, deep: bool = False) -> Deal:
    """Deals the costliest group first, each to the cheapest shard so far.

    Ties are broken by id, part and shard, so the deal depends only on ids and costs.
    """
    parts = list(parts)
    groups: dict[tuple[str, int], list[RunPart]] = {}
    for part in parts:
        groups.setdefault((part.group or part.id, part.part), []).append(part)
    loads = [0] * of
    numbers: dict[tuple[str, int], int] = {}
    in_all = {name: sum(part.cost for part in members) for name, members in groups.items()}
    firsts = {name: min((part.id, part.part) for part in members) for name, members in groups.items()}
    for name in sorted(groups, key=lambda name: (-in_all[name], firsts[name])):
        shard = loads.index(min(loads))
        loads[shard] += in_all[name]
        numbers |= {(part.id, part.part): shard + 1 for part in groups[name]}
    return Deal(of, tuple(Dealt(part.id, part.cost, numbers[part.id, part.part], part.part) for part in parts), deep)


def cost(case: str) -> int:
    """Model inputs per 100 clean examples, at least 1.

    An unlisted case costs the median of its name, such as ``ner/pipeline``, else `USUAL_COST`.
    """
    known = costs()
    return known[case] if case in known else _usual_costs().get(_name(case), USUAL_COST)


@cache
def costs() -> Mapping[str, int]:
    """The shipped cost tables, joined, by case id."""
    tables = (folder.joinpath(COSTS) for folder in files("abalo.tasks").iterdir())
    lines = (line for found in tables if found.is_file() for line in found.read_text("utf-8").splitlines())
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return MappingProxyType({case: int(inputs) for case, inputs in rows})


@cache
def _usual_costs() -> Mapping[str, int]:
    by_name: dict[str, list[int]] = {}
    for case, inputs in costs().items():
        by_name.setdefault(_name(case), []).append(inputs)
    return {name: int(median(found)) for name, found in by_name.items()}


def _name(case: str) -> str:
    return case.partition("[")[0]
