"""The opposite said of the aspects beside the one that is asked about."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.aspect.opinions_on import judge_sentence, reverse_opinions
from perturbations.languages.opinion import OPPOSITE
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Opinions on other aspects reversed",
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
    """Sets the opinions on all other aspects against the target's [TextFlint, catalogue name "RevNon"].

    Opinions that agree with the polarity of the target are reversed, and so are the polarities of their aspects.
    Opinions that contradict it are strengthened with *really* and the like. The opinion on the target stays, and so
    does its polarity. *And* and *but* are adapted as in `rev_tgt`.
    """
    given = judge_sentence(sentence, language)
    if given is None:
        return []
    own, polarity = given.on(given.target), given.aspects[given.target].type
    others = [opinion for opinion in given.opinions if opinion is not own]
    if polarity not in OPPOSITE or (
        own is None and not all(given.is_apart(given.target, opinion) for opinion in others)
    ):
        return []
    alike = [opinion for opinion in others if opinion.polarity == polarity and opinion.reversals]
    against = [opinion for opinion in others if opinion.polarity != polarity and opinion.exaggerations]
    made = reverse_opinions(given, alike, against, language) if alike or against else []
    return [made] if made else []
