"""Other words in the sentence of the answer, outside of the answer."""

from __future__ import annotations

from perturbations.answers import answers_in, outside_answers
from perturbations.catalogue import sentence_level
from perturbations.families.grammar.insert_adverb import insert_adverb
from perturbations.families.reading.passages import holds, parts_of
from perturbations.families.word.synonym_wordnet import synonym_wordnet
from perturbations.languages import has, language_named
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Words beside the answer replaced",
    kind="lexis",
    rate=0.5,
    needs=("synonyms",),
    knows=("adverbs", "neutral_adverbs"),
    aliases=("PerturbAnswer",),
    renews=True,
    scheme="reading",
    relation="adds",
    example=(
        "[Ana answer] acarreta custos . Isso acarreta custos .",
        "[Ana answer] causa custos . Isso acarreta custos .",
    ),
)
def perturb_answer(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """Other words in the answer's sentence, outside of the answer [TextFlint, catalogue name "PerturbAnswer"].

    Words become synonyms of the same inflection, as `synonym_wordnet` makes them, and an adverb such as *actually*
    comes before the first verb that can have one, as `insert_adverb` puts it.
    """
    answers = answers_in(sentence)
    parts = [part for part in parts_of(sentence, answers) if holds(part, answers)]
    sites = [*synonym_wordnet.configured(rate=1.0, language=language).sites(sentence)]
    if has(language, "adverbs", "neutral_adverbs") and _QUOTES.isdisjoint(sentence.tokens):
        factual = language_named(language).factual_adverbs  # *obviously* comments on facts
        adverbs = insert_adverb.configured(rate=1.0, language=language).sites(sentence)
        plain = ([edit for edit in site if factual >= {*edit.tokens}] for site in adverbs)
        sites += [*filter(None, plain)][:1]
    found: list[list[Edit]] = []
    taken: list[tuple[int, int]] = []
    for site in sites:
        inside = [edit for edit in site if any(start <= edit.start < stop for start, stop in parts)]
        kept = outside_answers(sentence, inside)
        if not kept:
            continue
        first, last = min(edit.start for edit in kept), max(edit.stop for edit in kept)
        if all(last < start or stop < first for start, stop in taken):
            taken.append((first, last))
            found.append(kept)
    return found


_QUOTES = frozenset(['"', "“", "«", "\u2018"])
