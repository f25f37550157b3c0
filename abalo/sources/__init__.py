"""Resources of perturbations and attacks."""

from abalo.sources.protocols import PosSource, Similarity, Synonym, Synonyms

__all__ = ["PosSource", "Similarity", "Synonym", "Synonyms"]
