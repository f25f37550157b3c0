"""Part of a probe: its results in reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from abalo.core import words
from abalo.core.blocks import Block
from abalo.core.task import Task


class ProbeReport:
    """Says in words and blocks what the results of a probe are; by default those of perturbed examples."""

    tabled: ClassVar[bool] = False
    """Whether its blocks have a table of all its cases with bounds and verdicts, so that no other lists them."""

    def title(self, result: Mapping[str, Any]) -> str:
        """A case in words, without its settings."""
        return words.sentence_case(words.spoken(result["perturbation"]))

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """The settings that tell a case from others, in words; those that are as usual are left out."""
        return words.parameters(result["params"])

    def scores(self, task: Task) -> Sequence[str]:
        """The metrics that stand beside the headline number in tables."""
        return task.report.scores or (task.floor,)

    def extent(self, result: Mapping[str, Any], task: Task) -> str:
        """How much a case was measured on, in a few words."""
        over_all = f"{task.floor}_drop"
        found = result["metrics"].get(over_all) if result["headline"] == f"{over_all}_changed" else None
        if found is None or result["changed"] in (0, result["sentences"]):
            return f"changed {changed(result)}"
        return f"changed {changed(result)}, over all {words.number(found['value'])}"

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """Remarks to read before trusting the results of this kind."""
        return ()

    def remedy(self, result: Mapping[str, Any], task: Task) -> str:
        """The way from a case that failed to a model that passes it, in a sentence or two."""
        return f"Train on {task.noun}s of this kind, then run the case again."

    def findings(self, result: Mapping[str, Any]) -> Sequence[Block]:
        """The findings of a result to show wherever it is named, such as a counterexample."""
        return ()

    def blocks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks in the summary of a report about all results of this kind in one task."""
        return ()

    def detail(self, result: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks about one result beyond the common part."""
        return ()


class CleanReport(ProbeReport):
    """The same of a probe that perturbs nothing: no parameter tells its cases apart, and no example changes."""

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """None."""
        return ()

    def extent(self, result: Mapping[str, Any], task: Task) -> str:
        """How many examples there were."""
        return f"of {words.count(result['sentences'], task.noun)}"


def changed(result: Mapping[str, Any]) -> str:
    """How many examples of a case that perturbs were changed, such as ``180/200``."""
    filtered = f", {words.count(result['filtered'], 'variant')} filtered out" if result["filtered"] else ""
    missed = f", {result['not_hit']:,} not hit" if result.get("not_hit") else ""
    known = result["reach"] is not None and 0 < result["changed"] < result["sentences"]
    most = f", reach {words.number(result['reach'])}" if known else ""
    if result["sentences"] and result.get("nothing_fits") == result["sentences"]:
        most = ", nothing fits anywhere"
    return f"{result['changed']:,}/{result['sentences']:,}{missed}{filtered}{taken(result)}{most}"


def taken(result: Mapping[str, Any]) -> str:
    """How far a case went that stopped early, such as `` (of 490, 1 of 3 seeds)``; empty for one that did not."""
    far = result.get("taken")
    if far is None or (far["sentences"], far["seeds"]) == (far["of"], far["of_seeds"]):
        return ""
    seeds = f", {far['seeds']} of {far['of_seeds']} seeds" if far["seeds"] < far["of_seeds"] else ""
    return f" (of {far['of']:,}{seeds})"
