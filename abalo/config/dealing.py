"""The cases of a run, dealt to shards that several machines run: every machine deals alike."""

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
from typing import Any

from abalo.core.plan import Share
from abalo.core.probe import Case
from abalo.errors import AbaloError

USUAL_COST = 100
"""The cost of what the table says nothing about: as if each example of the corpus were changed once."""

MOST_PARTS = 16
"""In how many parts a case is cut at most."""

COSTS = "costs.tsv"
"""The table of costs that a task may have in its folder; ``python -m benchmarks.costs`` writes it."""

_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many parts of a run, counted from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """The shard that ``2/5`` means; raises `AbaloError` for anything else."""
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
class Part:
    """A part of a run: a case, or a record that is tried again; parts of one ``group`` go to the same shard.

    A case may be cut into several: they have its id, and their numbers from 0 for ``part``.
    """

    id: str
    cost: int = USUAL_COST
    group: str = ""
    part: int = 0

    @classmethod
    def of(cls, case: Case, *, skipped: bool = False, whole: bool = False) -> list[Part]:
        """The parts of a case, with the cost that the table has of it; the least for one known to be skipped.

        A search is cut into parts that each cost `USUAL_COST` or more, unless it is to stay whole.
        """
        found = 1 if skipped else cost(case.id)
        if whole or not case.probe.searches:
            return [cls(case.id, found, case.together)]
        count = min(MOST_PARTS, max(1, found // USUAL_COST))
        return [cls(case.id, found // count, part=k) for k in range(count)]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A part, and the number of the shard that runs it."""

    id: str
    cost: int
    shard: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """All parts of a run in the order in which they were collected, dealt to ``of`` shards.

    ``deep`` says whether deep cases are among them.
    """

    of: int
    parts: tuple[Dealt, ...]
    deep: bool = False

    @property
    def by_id(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the shards by the id of a case or record, one for each of its parts in order."""
        found: dict[str, list[int]] = {}
        for part in sorted(self.parts, key=lambda each: each.part):
            found.setdefault(part.id, []).append(part.shard)
        return found

    def share(self, name: str, shard: int) -> Share | None:
        """The share of a case that a shard runs; None where it is not cut."""
        numbers = self.by_id[name]
        if len(numbers) == 1:
            return None
        return Share(frozenset(part for part, number in enumerate(numbers) if number == shard), len(numbers))

    @property
    def sha256(self) -> str:
        """Digest of the deal, whatever the order in which its parts were collected."""
        parts = sorted([part.id, part.part, part.cost, part.shard] for part in self.parts)
        return hashlib.sha256(json.dumps([self.of, self.deep, parts]).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """As plain values, for `from_json`."""
        return {"of": self.of, "deep": self.deep, "parts": [asdict(part) for part in self.parts]}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Deal:
        """The deal in plain values; raises KeyError, TypeError or ValueError for anything else."""
        parts = tuple(
            Dealt(str(each["id"]), int(each["cost"]), int(each["shard"]), int(each["part"])) for each in found["parts"]
        )
        return cls(int(found["of"]), parts, bool(found["deep"]))


def deal(parts: Iterable[Part], of: int, *, deep: bool = False) -> Deal:
    """The parts dealt to so many shards: the costliest group first, each to the shard with the least so far.

    Of groups that cost the same that with the first id comes first, of parts of a case the first, and of shards the one
    with the lowest number. So the deal hangs on ids and costs alone, not on the order of the parts.
    """
    parts = list(parts)
    groups: dict[tuple[str, int], list[Part]] = {}
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
    """The cost of the case with that id: model inputs for 100 of the clean corpus, at least 1.

    Where the table does not have it, the median over the cases of the same name, such as ``ner/pipeline``; where it has
    none of these either, `USUAL_COST`.
    """
    known = costs()
    return known[case] if case in known else _usual_costs().get(_name(case), USUAL_COST)


@cache
def costs() -> Mapping[str, int]:
    """The tables of costs of the tasks that ship, as one, by the id of a case."""
    tables = (folder.joinpath(COSTS) for folder in files("abalo.tasks").iterdir())
    lines = (line for found in tables if found.is_file() for line in found.read_text("utf-8").splitlines())
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return MappingProxyType({case: int(inputs) for case, inputs in rows})


@cache
def _usual_costs() -> Mapping[str, int]:
    """The median cost of the cases of a name, rounded down."""
    by_name: dict[str, list[int]] = {}
    for case, inputs in costs().items():
        by_name.setdefault(_name(case), []).append(inputs)
    return {name: int(median(found)) for name, found in by_name.items()}


def _name(case: str) -> str:
    """The id without what sets cases of one name apart."""
    return case.partition("[")[0]
