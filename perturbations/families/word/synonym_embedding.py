"""Words replaced by those with the nearest vectors."""

from __future__ import annotations

from itertools import islice

from perturbations.catalogue import sentence_level
from perturbations.families.word.fitting import content_words, of_one_kind, propose_words
from perturbations.families.word.swapping import swaps_at
from perturbations.languages.readings import PartsOfSpeech
from perturbations.lexicons import pairs
from perturbations.resources import UNNAMED, Listed, Neighbours
from perturbations.text import Edit, Sentence

_EXAMPLES = Listed(UNNAMED, {"juiz": (("magistrado", 0.8), ("julgador", 0.7))})


@sentence_level(
    title="Synonyms by word vectors",
    kind="lexis",
    rate=0.1,
    cost="model",
    needs=("letters", "stop_words", "word_classes", "antonyms"),
    aliases=("SwapSynWordEmbedding",),
    renews=True,
    example=("disse o juiz a [Ana Sá PESSOA]", "disse o julgador a [Ana Sá PESSOA]"),
)
def synonym_embedding(
    sentence: Sentence,
    *,
    vectors: Neighbours = _EXAMPLES,
    language: str = "pt",
    most: int = 5,
    least: float = 0.6,
    inside_entities: bool = False,
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """Replaces a word with one of near vector, in its letter case [TextFlint, "SwapSynWordEmbedding"].

    Uses the ``most`` nearest words with a cosine of at least ``least``. Near vectors mean similar use, not the same
    meaning. Excludes listed antonyms and stop words of the ``language``, and words to which the list of word classes
    gives another kind or number. With ``parts_of_speech``, the new word must have the part of speech of the old one,
    each judged in its place.

    ``vectors`` is a file of word vectors in the format of word2vec, GloVe or fastText, FILE:ROWS for its first rows, or
    numpy arrays in .npz. Abalo ships none. Raises ValueError unless ``most`` is 1 to 50 and ``least`` 0 to 1.
    """
    if not 1 <= most <= 50 or not 0 <= least <= 1:
        raise ValueError(f"most is {most} and least is {least}; expected a number from 1 to 50, and one from 0 to 1")
    places = content_words(sentence, language, inside_entities=inside_entities)
    opposites = pairs(f"antonyms_{language}")
    sites = []
    for place, ranked in zip(places, vectors.near([sentence.tokens[place] for place in places]), strict=True):
        token = sentence.tokens[place]
        antonyms = opposites.get(token.lower(), "").split("|")
        others = [
            other
            for other in propose_words(token, ranked, language, least)
            if other not in antonyms and token.lower() not in opposites.get(other, "").split("|")
        ]
        kept = islice(of_one_kind(sentence, place, others, language, parts_of_speech, known=False), most)
        sites.append(swaps_at(sentence, place, list(kept), language))
    return sites
