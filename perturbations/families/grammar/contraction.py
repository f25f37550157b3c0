"""Words contracted, and contractions taken apart: "is not" and "isn't", "em um" and "num"."""

from __future__ import annotations

from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.languages import rules
from perturbations.languages.parts import Contractions
from perturbations.sites import disjoint
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Contractions",
    kind="morphology",
    needs=("contractions",),
    aliases=("Contraction",),
    example=(
        "recorreu em um caso da [Corte de Contas ORGANIZACAO]",
        "recorreu num caso da [Corte de Contas ORGANIZACAO]",
    ),
)
def contraction(
    sentence: Sentence, *, language: str = "pt", which: Literal["both", "contract", "expand"] = "contract"
) -> list[list[Edit]]:
    """Contracts two words or expands them: "is not" to "isn't", "em um" to "num" [TextFlint, "Contraction"].

    Contracts only if both words are in the same entity or in none, and the language allows it: not "how proud I am",
    not "o fato de um réu ter". Cases in English contract and expand unless they set ``which``. Contractions may span
    several tokens, "do" "n't" or "don" "'" "t", and ’ counts as '. The words around *'s* and *'d* decide what they
    stand for; nothing changes if they do not, as with a possessive. In Portuguese, only optional contractions change:
    "num" and "noutro", not "do".
    """
    rules_of = rules(language, "contractions", Contractions)
    edits: list[Edit] = []
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    if which != "expand":
        edits += rules_of.contracted(sentence, lowered)
    if which != "contract":
        edits += rules_of.expanded(sentence, lowered)
    return disjoint(edits)
