"""The opposite said of the aspect that is asked about."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.aspect.opinions_on import judged, reversed_opinions
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
    """The opinion on the target aspect reversed, and its polarity with it [TextFlint, catalogue name "RevTgt"].

    An opposite takes the place of each word of praise or blame that grammar ties to the aspect, or a negation goes or,
    where there is no opposite, comes. So what a praised aspect does is denied, and what a thing has becomes what it
    lacks. *And* becomes *but* where the opinions beside it differ now, and the other way round; what alone differs
    amid others has *though* before it. Other aspects keep their polarity, but for those of which the same words
    speak. Where a sentence could say more of the aspect, denies, compares or wishes, it stays as it is.
    """
    given = judged(sentence, language)
    opinion = None if given is None else given.on(given.target)
    if given is None or opinion is None:
        return []
    others = [number for number, aspect in enumerate(given.aspects) if aspect.type == opinion.polarity]
    if not all(given.on(number) or given.is_apart(number, opinion) for number in others):
        return []  # what is good of one may be all that is good of another
    made = reversed_opinions(given, [opinion], [], language)
    return [made] if made else []
