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
    """Two words made one, "is not" to "isn't", "em um" to "num", or back [TextFlint, catalogue name "Contraction"].

    Contracted only where both words are in one entity or in none, and where the language has it: not "how proud I am",
    not "o fato de um réu ter". English is contracted and taken apart where a case does not say. It understands
    contractions in several tokens, "do" "n't" or "don" "'" "t", and takes ’ for '. What *'s* and *'d* stand for is told
    by the words around them; where these do not tell, as of a possessive, nothing changes. In Portuguese only what
    may be written either way changes: "num" and "noutro", not "do".
    """
    rules_of = rules(language, "contractions", Contractions)
    edits: list[Edit] = []
    lowered = [token.lower().replace("’", "'") for token in sentence.tokens]
    if which != "expand":
        edits += rules_of.contracted(sentence, lowered)
    if which != "contract":
        edits += rules_of.expanded(sentence, lowered)
    return disjoint(edits)
