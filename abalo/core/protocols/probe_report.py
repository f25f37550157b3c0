"""A probe's results in reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from abalo.core.documents.blocks import Block
from abalo.core.documents.document import Document
from abalo.core.documents.found import DrawnFields, Result
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.task import Task
from abalo.core.records import words


class ProbeReport:
    """A probe's results in words and blocks; by default for perturbed examples."""

    tabled: ClassVar[bool] = False
    """Whether its blocks list all its cases."""

    def title(self, result: Result) -> str:
        """A case in words, without its settings."""
        return words.sentence_case(words.identifier_in_words(result.name))

    def settings(self, result: Result) -> Sequence[str]:
        """The unusual settings of a case, in words."""
        return words.parameters(result.params)

    def scores(self, task: Task) -> Sequence[str]:
        """The metrics beside the headline number in tables."""
        return task.report.scores or (task.floor,)

    def extent(self, result: Result, task: Task) -> str:
        """How much a case was measured on, in words."""
        over_all = f"{task.floor}_drop"
        found = result.metrics.get(over_all) if result.headline == f"{over_all}_changed" else None
        judged = any(each.bound.partition("_")[2] == over_all for each in result.judgements)
        if found is None or judged or result.changed in (0, result.sentences):
            return _changes(result, task)
        return f"{_changes(result, task)}, {words.number(found.value)} over all"

    def remarks(self, results: Sequence[Result], document: Document) -> Sequence[str]:
        """Remarks to read before trusting the results."""
        return ()

    def remedy(self, result: Result, task: Task) -> str:
        """How to make a failed case pass, in a sentence or two."""
        return f"Train on {task.noun}s of this kind, then run the case again."

    def findings(self, result: Result) -> Sequence[Block]:
        """Blocks shown wherever the result is named, such as a counterexample."""
        return ()

    def blocks(self, results: Sequence[Result], document: Document) -> Sequence[Block]:
        """Summary blocks about all results of one task."""
        return ()

    def detail(self, result: Result, document: Document) -> Sequence[Block]:
        """Blocks about one result beyond the common part."""
        return ()


class CleanReport(ProbeReport):
    """The report of a probe without changes or settings."""

    def settings(self, result: Result) -> Sequence[str]:
        return ()

    def extent(self, result: Result, task: Task) -> str:
        return f"of {words.count(result.sentences, task.noun)}"


def changed_share(result: Result) -> str:
    """The number of changed examples, such as ``180/200``."""
    own = DrawnFields.of(result)
    filtered = f", {words.count(own.filtered, 'variant')} filtered out" if own.filtered else ""
    placeless = ", no place for this change" * (0 < result.sentences == own.nothing_fits)
    return f"{result.changed:,}/{result.sentences:,}{filtered}{early_stop(result)}{placeless}"


def _changes(result: Result, task: Task) -> str:
    """Such as ``changes 54 % of the texts``."""
    own, noun, share = DrawnFields.of(result), task.noun, result.changed / max(1, result.sentences)
    if result.sentences and own.nothing_fits == result.sentences:
        return f"no {noun} has a place for this change"
    if not result.changed:
        said = f"changes no {noun}"
    elif result.changed == result.sentences:
        said = f"changes every {noun}"
    else:
        said = f"changes {percent(share)} of the {noun}s"
    filtered = f", {words.count(own.filtered, 'variant')} filtered out" if own.filtered else ""
    return f"{said}{early_stop(result)}{filtered}"


def early_stop(result: Result) -> str:
    """How far a stopped case went, such as `` (of 490, 1 of 3 seeds)``."""
    far = result.taken
    if far is None or (far.sentences, far.seeds) == (far.of, far.of_seeds):
        return ""
    seeds = f", {far.seeds} of {far.of_seeds} seeds" if far.seeds < far.of_seeds else ""
    return f" (of {far.of:,}{seeds})"
