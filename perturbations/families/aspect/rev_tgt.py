"""The opposite said of the aspect that is asked about."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.aspect.opinions_on import judge_sentence, reverse_opinions
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Opinion about the aspect reversed",
    kind="lexis",
    needs=("aspect_opinions", "opinion_words"),
    aliases=("RevTgt",),
    labels="changes",
    scheme="aspects",
    renews=True,
    example=(
        "the [screen positive] is bright and the [keyboard positive] is quiet",
        "the [screen negative] is dim but the [keyboard positive] is quiet",
    ),
)
def rev_tgt(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """Reverses the opinion on the target aspect, and its polarity [TextFlint, catalogue name "RevTgt"].

    Each word of praise or blame that grammar ties to the aspect becomes its opposite. If it has no opposite, a negation
    is added; if it is negated, the negation is removed. So what a praised aspect does is denied, and what a thing has
    becomes what it lacks.

    *And* becomes *but* if the opinions that it joins now differ, and the reverse. An opinion that is the only different
    one gets *though* before it. Other aspects keep their polarity, unless the same words describe them. A sentence
    stays if it may say more about the aspect, denies, compares or wishes.
    """
    given = judge_sentence(sentence, language)
    opinion = None if given is None else given.on(given.target)
    if given is None or opinion is None:
        return []
    others = [number for number, aspect in enumerate(given.aspects) if aspect.type == opinion.polarity]
    if not all(given.on(number) or given.is_apart(number, opinion) for number in others):
        return []  # what is good of one may be all that is good of another
    made = reverse_opinions(given, [opinion], [], language)
    return [made] if made else []
