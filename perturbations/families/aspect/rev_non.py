"""The opposite said of the aspects beside the one that is asked about."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.aspect.opinions_on import Judged, judged, reversed_opinions
from perturbations.languages.opinion import OPPOSITE, Opinion
from perturbations.text import Edit, Sentence


@sentence_level(
    kind="lexis",
    needs=("aspect_opinions", "opinion_words"),
    aliases=("RevNon",),
    labels="changes",
    scheme="aspects",
    renews=True,
    example=(
        "the [screen positive] is bright and the [keyboard positive] is quiet",
        "the [screen positive] is bright but the [keyboard negative] is noisy",
    ),
)
def rev_non(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """Opinions on the other aspects set against the target's [TextFlint, catalogue name "RevNon"].

    Those that agree with the polarity of the target are reversed, with the polarity of their aspects; those that
    contradict it are said more strongly, with *really* and the like. The target keeps its polarity, and what is said of
    it stays. *And* and *but* are made to fit as `rev_tgt` does.
    """
    given = judged(sentence, language)
    if given is None:
        return []
    own, polarity = given.on(given.target), given.aspects[given.target].type
    others = [opinion for opinion in given.opinions if opinion is not own]
    if polarity not in OPPOSITE or (own is None and not all(_is_apart(given, opinion) for opinion in others)):
        return []
    alike = [opinion for opinion in others if opinion.polarity == polarity and opinion.reversals]
    against = [opinion for opinion in others if opinion.polarity != polarity and opinion.exaggerations]
    made = reversed_opinions(given, alike, against, language) if alike or against else []
    return [made] if made else []


_JOINTS = frozenset([",", ";", "and", "but", "/"])


def _is_apart(given: Judged, opinion: Opinion) -> bool:
    """Whether a target, of which no opinion is found, stands in another part of its sentence than an opinion."""
    span = given.aspects[given.target]
    start, stop = (opinion.stop, span.start) if opinion.stop <= span.start else (span.stop, opinion.start)
    between = [*map(str.lower, given.sentence.tokens[start:stop])]
    return not _JOINTS.isdisjoint(between) and "which" not in between
