"""What attacks ask the world: synonyms of a word, similarity of sentences, parts of speech. Each names itself."""

from abalo.sources.protocols import PartsOfSpeech, Similarity, Synonym, Synonyms

__all__ = ["PartsOfSpeech", "Similarity", "Synonym", "Synonyms"]
