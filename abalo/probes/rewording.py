"""Examples put in other words and other forms, by fixed lists, and whether the predictions stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from abalo.core import words
from abalo.core.blocks import Block, Column, Row, Table, Text, meanings
from abalo.core.example import Variant
from abalo.core.gate import SEVERAL
from abalo.core.outcome import Outcome
from abalo.core.plan import Parameters, Plan
from abalo.core.preflight import percent
from abalo.core.probe import Case, Ran, RunContext
from abalo.core.results import scenario
from abalo.core.rewording import Rewording
from abalo.core.settings import Entry
from abalo.core.task import Task, tasks
from abalo.core.verdicts import Bound
from abalo.probes.configured import ConfiguredEntries, ConfiguredProbe, ConfiguredReport
from abalo.probes.meanings import OF_REWORDINGS
from abalo.probes.parameters import unknown_groups
from abalo.probes.sizes import sizes
from abalo.sources.resources import other_language


class RewordingEntries(ConfiguredEntries[Rewording[Any]]):
    """The entries of the lists of rewordings, each of which has a table."""

    meanings = OF_REWORDINGS

    def members(self, task: Task) -> Mapping[str, Rewording[Any]]:
        """The lists of rewordings of the task."""
        return task.rewordings.lists

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The settings of variants that are drawn."""
        return dict.fromkeys(("view", "seeds", "span_source"), f"{entry.name} draws nothing; leave it out")

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        """Those on a way that the case does not have."""
        assert isinstance(plan, Parameters)
        rewording: Rewording[Any] = plan.of
        try:
            possible = rewording.possible(rewording.configured(**plan.params))
        except (TypeError, ValueError):  # reported already, with its own place
            return
        for bound in bounds:
            yield from unknown_groups([bound], possible[1:] if task.metrics()[bound.metric].compares else possible)

    def skipped(self, plan: Plan, language: str) -> str | None:
        """It has no rules for the language; of several languages each example has its own."""
        assert isinstance(plan, Parameters)
        return None if language == SEVERAL else other_language(plan.of.languages, language)


class RewordingReport(ConfiguredReport):
    """Rewordings in reports."""

    tabled = True

    def remedy(self, result: Mapping[str, Any], task: Task) -> str:
        """The worst variant tells the cause."""
        return (
            "Where only reorderings change the answers, the model follows places: ask in several orders and take the "
            f"most frequent answer. Elsewhere train on {task.noun}s in several wordings."
        )

    def extent(self, result: Mapping[str, Any], task: Task) -> str:
        """How many variants of how many examples were put."""
        return f"of {words.count(result['variants'], 'variant')} of {words.count(result['changed'], task.noun)}"

    def findings(self, result: Mapping[str, Any]) -> Sequence[Block]:
        """A notice where few examples could be put in another way."""
        few = _few(result)
        return [] if few is None else [Text((few,), role="notice")]

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """The same, for pages."""
        return [few for few in map(_few, filter(_varied, results)) if few is not None]

    def blocks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[Block]:
        """How many examples each way applied to, a row per case and way."""
        noun = tasks()[results[0]["task"]].noun
        columns = (
            Column("Asked"),
            Column("Way"),
            Column(words.sentence_case(f"{noun}s"), f"how many {noun}s could be put in this way", numeric=True),
            Column("Share", f"of all {noun}s of the case", numeric=True),
        )
        rows = tuple(
            Row((scenario(result), name, f"{count:,}", percent(count / result["sentences"])))
            for result in results
            for name, count in _by_kind(result)
        )
        return [Table(columns, rows, "Coverage by way", meanings(columns), keys=2, noun="way")] if rows else []

    def detail(self, result: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[Block]:
        """The same for one case."""
        return self.blocks([result], document)


class RewordingProbe(ConfiguredProbe[Rewording[Any]]):
    """Every example as it is, and then in each other way that applies."""

    name = "rewording"
    entries = RewordingEntries()
    report = RewordingReport(entries)
    teaches = False
    result_fields: ClassVar[Mapping[str, Any]] = {"rewording": None}

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """None: variants are fixed."""
        return ()

    def asked(self, case: Case, session: RunContext) -> int:
        """Each example once in each way."""
        rewording = self.member(case)
        ways = rewording.possible(rewording.configured(**case.params))
        return len(session.examples[: case.limit]) * len(ways)

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        """Each example once in each way."""
        rewording = self.member(case)
        return f"at most {len(rewording.possible(rewording.configured(**case.params)))} inputs for each example"

    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """For each example that is taken one outcome as it is, then one for each way that applies."""
        task, rewording = session.task, self.member(case)
        settings = rewording.configured(**case.params)
        asked = session.examples[: case.limit]
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
        predicted = session.predictor.predict(inputs)
        scale, seed = session.predictor.scale(), getattr(settings, "seed", 0)
        outcomes, clean = [], None
        for (example, variant), prediction in zip(units, predicted.predictions, strict=True):
            clean = prediction if variant is None else clean
            outcomes.append(Outcome(example, seed, clean, variant, prediction, scale))
        return Ran(outcomes, asdict(settings), (seed,), sizes(examples, outcomes), predicted.forwards, facts=facts)


FEW = 0.3
"""A share of examples that could be put in another way below which a notice says so."""


def _by_kind(result: Mapping[str, Any]) -> Sequence[tuple[str, int]]:
    """The examples that could be put in any other way, then by way; none where the document is older than this."""
    kinds: Mapping[str, int] = (result["rewording"] or {}).get("kinds") or {}
    return [("any", result["changed"]), *kinds.items()] if kinds else []


def _varied(result: Mapping[str, Any]) -> bool:
    """Whether any example was put in another way; where none was, the report says so of every kind of case."""
    return bool(result["changed"])


def _few(result: Mapping[str, Any]) -> str | None:
    changed, asked = result["changed"], result["sentences"]
    if not asked or changed >= FEW * asked:
        return None
    return (
        f"{result['id']}: only {changed:,} of {words.count(asked, tasks()[result['task']].noun)} "
        f"({percent(changed / asked)}) could be put in another way; its numbers are about these alone."
    )


def _variants(task: Task, rewording: Rewording[Any], settings: Any, example: Any) -> Iterator[Variant]:
    for way in rewording.ways(example, settings):
        new = task.carry(example, way.edits)
        if new is not None:
            yield Variant(new, way.edits, way.id, way.title)


PROBE = RewordingProbe()
