"""Both spans exchanged for others of their type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from perturbations.catalogue import entity_level
from perturbations.families.entity.swap_ent_cross_category import swap_ent_cross_category
from perturbations.families.entity.swap_named_ent import swap_named_ent
from perturbations.families.relation.spans import gender_of, related_spans
from perturbations.languages import ANY, has
from perturbations.resources import INVENTED, STAND_INS, Entity, Pool, sort_of
from perturbations.text import Sentence, Span

By = Literal["same_type", "low_frequency", "several_types"]


@entity_level(
    title="Other spans of the same types",
    kind="syntax",
    resizes=True,
    knows=("kinds",),
    scheme="relations",
    renews=True,
    example=(
        "[Ana Silva PERSON] works in [Lima PLACE]",
        "[Rosmarim PERSON] works in [Lajeal PLACE]",
    ),
)
def swap_ent(
    sentence: Sentence,
    span: Span,
    *,
    by: By = "same_type",
    entities: Pool = STAND_INS,
    otherwise: Pool = INVENTED,
    language: str = ANY,
) -> Sequence[Entity]:
    """Other subjects and objects of the same types [TextFlint, catalogue name "SwapEnt" of relations].

    Persons, places and organisations, chosen as `swap_named_ent` does: of the "same_type"; of "low_frequency", invented
    names that no corpus has; or of "several_types", real names that are of another type elsewhere, as
    `swap_ent_cross_category` has them. Other types stay as they are, and so do persons whose given name tells no
    gender, and all other names in the sentence.
    """
    sort, related = sort_of(span.type), {(each.start, each.stop) for each in related_spans(sentence)}
    if sort is None or (span.start, span.stop) not in related:
        return ()
    told = language != ANY and has(language, "kinds")
    if told and sort == "person" and gender_of(sentence, span, language) is None:
        return ()
    found: Sequence[Entity]
    if by == "several_types":
        found = swap_ent_cross_category.function(sentence, span, entities=entities, language=language)
    else:
        first = INVENTED if by == "low_frequency" else entities
        found = swap_named_ent.function(sentence, span, entities=first, otherwise=otherwise, language=language)
    return found
