"""Names of the entity types of Chinese corpora for persons, places and organisations."""

from typing import Literal

EntityKind = Literal["person", "place", "organisation"]

_TYPES: dict[EntityKind, tuple[str, ...]] = {
    "person": ("PER", "PERS", "PERSON", "NAME", "NR", "NH", "PER.NAM"),
    "place": ("LOC", "LOCATION", "GPE", "NS", "LOC.NAM", "GPE.NAM"),
    "organisation": ("ORG", "ORGANIZATION", "ORGANISATION", "NT", "NI", "ORG.NAM"),
}


def entity_kind(type_: str) -> EntityKind | None:
    """The kind of entities of that type; None for other types, such as dates or mentions by a noun."""
    return next((kind for kind, types in _TYPES.items() if type_.upper() in types), None)
