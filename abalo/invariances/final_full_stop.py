"""A sentence without its full stop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from abalo.corpora import Corpus
from abalo.invariances.invariance import EditSite, FindSites, Invariance, InvarianceSettings
from perturbations import Edit, Sentence


def finder(_corpus: Corpus, _settings: InvarianceSettings) -> FindSites:
    """Deletes the full stop at the end of a sentence if it is a separate token outside labelled spans."""
    return _sites


def _sites(sentence: Sentence, free: frozenset[int]) -> Sequence[EditSite]:
    last = len(sentence) - 1
    return [partial(_edits, last)] if last > 0 and last in free and sentence.tokens[last] == "." else []


def _edits(last: int) -> Sequence[Edit]:
    return [Edit(last, last + 1, ())]


INVARIANCE = Invariance(
    "final_full_stop",
    InvarianceSettings,
    finder,
    "Leaving out the final full stop should not change any {target}.",
    title="No final full stop",
)
