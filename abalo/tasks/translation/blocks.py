"""Report blocks of translations with differences marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from abalo.core.documents.blocks import Block, Examples, Item, Mark, Marked, Piece, ShownExample, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.core.protocols.results import probe_of
from abalo.core.records import words
from abalo.corpora.parallel import words_of
from abalo.tasks.tokens.marked import EDITS, TITLE, original_words, perturbed_words

_NONE = "None: no translation got worse, or the report was made with --abalo-no-text."


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    perturbs = probe_of(result).perturbs
    if result.examples:
        shown = (_shown(number, each, perturbs=perturbs) for number, each in enumerate(result.examples, start=1))
        return [Examples(tuple(shown), TITLE, EDITS)]
    return [Text((_NONE,), TITLE)] if result.bound is not None and perturbs else []


def scores(document: Document) -> Sequence[Block]:
    """Clean sacreBLEU scores, 0 to 100, with signatures."""
    facts = document.tasks.get("translation")
    if facts is None:
        return []
    clean, signed = facts.baseline.more, facts.corpus.more["signatures"]
    known = {name: each.value for name in signed if (each := clean.get(name)) is not None and each.value is not None}
    lines = (Item(f"{100 * value:.1f} ({signed[name]})", name) for name, value in known.items())
    return [Text(tuple(lines), "Clean scores by sacreBLEU", role="facts")] if known else []


def _shown(number: int, example: WorstExample, *, perturbs: bool) -> ShownExample:
    seed = f"seed {example.seed}, " if perturbs else ""
    said = f"chrF {'falls by' if perturbs else 'lacks'} {example.lost:.3f} ({seed}id {example.sentence_id})"
    return ShownExample(Item(said, f"{number}."), tuple(_lines(example, perturbs=perturbs)))


def _lines(example: WorstExample, *, perturbs: bool) -> Iterator[Marked]:
    if not perturbs:
        yield Marked("text", tuple(example.tokens))
        yield from (Marked("reference", (each,)) for each in example.gold)
        yield Marked("translation", (example.clean,))
        yield from _reply(example)
        return
    yield Marked("original", tuple(original_words(example)))
    yield Marked("perturbed", tuple(perturbed_words(example)))
    for old, new in zip(example.gold, example.new_gold, strict=True):
        yield Marked("reference", (old,))
        if old != new:
            yield Marked("now", _differing(old, new)[1])
    before, after = _differing(example.clean, example.predicted)
    yield Marked("translation", before)
    yield Marked("now", after)
    yield from _reply(example)


def _reply(example: WorstExample) -> Iterator[Marked]:
    if example.reply is not None:
        yield Marked(words.reply(unreadable=example.unreadable), (example.reply,))


def _differing(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    sides = words_of(old).tokens, words_of(new).tokens
    before: list[Piece] = []
    after: list[Piece] = []
    for kind, *ends in SequenceMatcher(None, *sides, autojunk=False).get_opcodes():
        first, second = sides[0][ends[0] : ends[1]], sides[1][ends[2] : ends[3]]
        equal = kind == "equal"
        before += first if equal else [Mark("removed", (word,)) for word in first]
        after += second if equal else [Mark("edited", (word,)) for word in second]
    return tuple(before), tuple(after)
