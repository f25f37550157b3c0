"""Examples reworded by fixed lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from abalo.core.documents.blocks import Block, Column, Row, Table, Text, meanings
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.documents.rewording import Rewording, RewordingFields, S
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext
from abalo.core.protocols.results import scenario
from abalo.core.protocols.task import Task, tasks
from abalo.core.records import words
from abalo.core.records.example import Example, Variant
from abalo.core.records.gate import SEVERAL
from abalo.core.records.outcome import Outcome
from abalo.core.records.settings import Entry
from abalo.core.statistics.plan import Parameters, Plan
from abalo.core.statistics.verdicts import Bound
from abalo.probes.configured import ConfiguredEntries, ConfiguredProbe, ConfiguredReport
from abalo.probes.meanings import OF_REWORDINGS
from abalo.probes.parameters import unknown_groups
from abalo.probes.sizes import sizes
from abalo.sources.resources import other_language


class RewordingEntries(ConfiguredEntries[Rewording[Any]]):
    """Entries of rewordings."""

    meanings = OF_REWORDINGS

    def members(self, task: Task) -> Mapping[str, Rewording[Any]]:
        return task.rewordings.lists

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        return dict.fromkeys(("view", "seeds", "span_source"), f"{entry.name} draws nothing; leave it out")

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        assert isinstance(plan, Parameters)
        rewording: Rewording[Any] = plan.of
        try:
            possible = rewording.possible(rewording.configured(**plan.params))
        except (TypeError, ValueError):  # reported already, with its own place
            return
        for bound in bounds:
            yield from unknown_groups([bound], possible[1:] if task.metrics()[bound.metric].compares else possible)

    def skipped(self, plan: Plan, language: str) -> str | None:
        assert isinstance(plan, Parameters)
        return None if language == SEVERAL else other_language(plan.of.languages, language)


class RewordingReport(ConfiguredReport):
    """Rewordings in reports."""

    tabled = True

    def settings(self, result: Result) -> Sequence[str]:
        """Names ``k`` by what it counts."""
        return [re.sub(r"^k (\d+)$", r"up to \1 variants", each) for each in super().settings(result)]

    def remedy(self, result: Result, task: Task) -> str:
        return (
            "If only reorderings change the answers, the model prefers positions: ask in several orders and take "
            f"the most frequent answer. Otherwise train on {task.noun}s in several wordings."
        )

    def extent(self, result: Result, task: Task) -> str:
        return f"of {words.count(result.variants, 'variant')} of {words.count(result.changed, task.noun)}"

    def findings(self, result: Result) -> Sequence[Block]:
        few = _few(result)
        return [] if few is None else [Text((few,), role="notice")]

    def remarks(self, results: Sequence[Result], document: Document) -> Sequence[str]:
        return [few for few in map(_few, filter(_has_variants, results)) if few is not None]

    def blocks(self, results: Sequence[Result], document: Document) -> Sequence[Block]:
        noun = tasks()[results[0].task].noun
        columns = (
            Column("Asked"),
            Column("Way"),
            Column(words.sentence_case(f"{noun}s"), f"{noun}s that could be asked in this way", numeric=True),
            Column("Share", f"of all {noun}s of the case", numeric=True),
        )
        rows = tuple(
            Row((scenario(result), name, f"{count:,}", percent(count / result.sentences)))
            for result in results
            for name, count in _by_kind(result)
        )
        return [Table(columns, rows, "Coverage by way", meanings(columns), keys=2, noun="way")] if rows else []

    def detail(self, result: Result, document: Document) -> Sequence[Block]:
        return self.blocks([result], document)


class RewordingProbe(ConfiguredProbe[Rewording[Any]]):
    """Asks about every example as it is, then in each other way that applies."""

    name = "rewording"
    entries = RewordingEntries()
    report = RewordingReport(entries)
    lessons = Probe.lessons
    result_fields = RewordingFields

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        return ()

    def asked(self, case: Case, engine: RunContext) -> int:
        rewording = self.member(case)
        settings = rewording.configured(**case.params)
        ways = len(rewording.possible(settings))
        if settings == rewording.configured(**{name: each for name, each in case.params.items() if name != "seed"}):
            ways -= 1  # the clean corpus has the originals
        return len(engine.examples[: case.limit]) * ways

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        rewording = self.member(case)
        return f"at most {len(rewording.possible(rewording.configured(**case.params)))} inputs for each example"

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        task, rewording = engine.task, self.member(case)
        settings = rewording.configured(**case.params)
        asked = engine.examples[: case.limit]
        examples = [example for example in asked if rewording.takes(example, settings)]
        unfit = Counter(way for example in examples for way in rewording.unfit(example, settings))
        units = [
            (example, variant)
            for example in examples
            for variant in (None, *_variants(task, rewording, settings, example))
        ]
        kinds = Counter(variant.title for _, variant in units if variant is not None)
        facts = {
            "rewording": {
                "excluded": len(asked) - len(examples),
                "left_out": dict(unfit),
                "kinds": dict(kinds.most_common()),
            }
        }
        show = task.rewordings.show
        assert show is not None
        inputs = [
            show(example if variant is None else variant.example, case.name, settings, variant)
            for example, variant in units
        ]
        predicted = engine.predictor.predict(inputs)
        scale, seed = engine.predictor.scale(), getattr(settings, "seed", 0)
        outcomes, clean = [], None
        for (example, variant), prediction in zip(units, predicted.predictions, strict=True):
            clean = prediction if variant is None else clean
            outcomes.append(Outcome(example, seed, clean, variant, prediction, scale))
        return Ran(outcomes, asdict(settings), (seed,), sizes(examples, outcomes), predicted.inputs, facts=facts)


FEW = 0.3


def _by_kind(result: Result) -> Sequence[tuple[str, int]]:
    asked = RewordingFields.of(result).rewording
    kinds: Mapping[str, int] = {} if asked is None else asked.kinds
    return [("any", result.changed), *kinds.items()] if kinds else []


def _has_variants(result: Result) -> bool:
    return bool(result.changed)


def _few(result: Result) -> str | None:
    changed, asked = result.changed, result.sentences
    if not asked or changed >= FEW * asked:
        return None
    return (
        f"{result.id}: only {changed:,} of {words.count(asked, tasks()[result.task].noun)} "
        f"({percent(changed / asked)}) could be asked in another way; its numbers are about these only."
    )


def _variants(task: Task, rewording: Rewording[S], settings: S, example: Example) -> Iterator[Variant]:
    for way in rewording.ways(example, settings):
        new = task.carry(example, way.edits)
        if new is not None:
            yield Variant(new, way.edits, way.id, way.title)


PROBE = RewordingProbe()
