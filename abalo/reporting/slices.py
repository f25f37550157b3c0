"""Parts of the corpus, as the reports tell of them."""

from __future__ import annotations

from abalo.reporting.selection import Json, cases, is_slice

TITLE = "Slices: parts of the corpus by themselves"

COLUMNS = ("Slice", "What is in it", "Sentences", "F1", "F1 of the rest", "Gap", "Bound", "Verdict")

NOTES = {
    "Sentences": "distinct ones in the slice, of all",
    "Gap": "F1 of the rest less F1 of the slice: positive where the model is worse on the slice",
}
"""What the headings mean."""


def sliced(document: Json) -> list[Json]:
    """The results about slices, in document order."""
    return [result for result in cases(document) if is_slice(result)]


def size(result: Json) -> str:
    """How many distinct sentences are in the slice, of all, such as ``102/490``."""
    return f"{result['distinct']:,}/{result['distinct'] + result['slice']['rest']['distinct']:,}"
