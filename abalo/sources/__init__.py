"""Resources of perturbations and attacks: synonyms, similarity of sentences, parts of speech, models, names."""

from abalo.sources.protocols import PartsOfSpeech, Similarity, Synonym, Synonyms

__all__ = ["PartsOfSpeech", "Similarity", "Synonym", "Synonyms"]
