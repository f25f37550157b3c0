"""Other documents behind a document."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.document.outline import others, put_behind
from perturbations.families.document.rnd_insert import EXAMPLES
from perturbations.languages import ANY
from perturbations.numbered import OnDemand
from perturbations.resources import Passages
from perturbations.streams import sample, stream
from perturbations.text import Edit, Sentence, sentence_id

_DRAWS = 64
_MOST = 10


@sentence_level(
    title="Other documents appended",
    kind="pragmatics",
    labels="moves",
    scheme="documents",
    relation="adds",
    knows=("pronouns", "anaphors"),
    aliases=("RndConcat",),
    example=("[Ana a] saiu .", "[Ana a] saiu . Nada mais foi dito ."),
)
def rnd_concat(
    sentence: Sentence, *, documents: int = 2, passages: Passages = EXAMPLES, language: str = ANY
) -> list[Sequence[Edit]]:
    """Puts so many other documents of the corpus behind a document [TextFlint, catalogue name "RndConcat"].

    None has a name that the document has, too, nor a pronoun before what it stands for. What is predicted in them
    counts for nothing. Raises ValueError unless ``documents`` is 1 to 10.
    """
    if not 1 <= documents <= _MOST:
        raise ValueError(f"documents is {documents}; expected a number from 1 to {_MOST}")
    found = others(sentence, passages, language)
    if not found or not sentence.tokens:
        return []
    key = sentence_id(sentence)

    def made(number: int) -> Edit:
        return put_behind(sentence, sample(stream(number, "rnd_concat", key), found, documents))

    return [OnDemand(1 if len(found) == 1 else _DRAWS, made)]
