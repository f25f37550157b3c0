"""Words replaced by what a masked language model would put in their place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

from perturbations.catalogue import sentence_level
from perturbations.families.word.fitting import content_words, listed_kinds, of_one_kind, proposed
from perturbations.families.word.swapping import swaps_at
from perturbations.languages.readings import PartsOfSpeech
from perturbations.resources import BUNDLED, Listed, Suggesting
from perturbations.text import Edit, Sentence

_EXAMPLES = Listed(BUNDLED, {"juiz": (("juiz", 0.5), ("magistrado", 0.2), ("julgador", 0.1))})


@sentence_level(
    title="Words suggested by a language model",
    kind="syntax",
    rate=0.2,
    cost="model",
    needs=("letters", "stop_words", "word_classes"),
    aliases=("MLMSuggestion",),
    renews=True,
    meaning="loses",
    example=("disse o juiz a [Ana Sá PESSOA]", "disse o magistrado a [Ana Sá PESSOA]"),
)
def mlm_suggestion(
    sentence: Sentence,
    *,
    model: Suggesting = _EXAMPLES,
    language: str = "pt",
    most: int = 5,
    least: float = 0.01,
    inside_entities: bool = False,
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[Callable[[], list[Edit]]]:
    """Words suggested by a masked language model in place of others [TextFlint, catalogue name "MLMSuggestion"].

    Of the words that it finds likelier than ``least``, the ``most`` likeliest in the letter case of the word. They fit
    the sentence, but may mean something else, so labels of its meaning need not hold; those of its entities do. Never
    the word itself, a stop word, or a piece of a word: each is in the list of word classes of the ``language``, of a
    kind that the word has there, and of its number. With ``parts_of_speech`` it is of the kind that the word is, each
    judged in its place.

    ``model`` is a folder, an id on the Hugging Face hub, or "bundled": the Portuguese head beside the default model. It
    is small, and much of what it suggests makes no sense: experimental, and no case of the default gate. Raises
    ValueError unless ``most`` is from 1, ``least`` 0 to 1, and the model of the language.
    """
    if most < 1 or not 0 <= least <= 1:
        raise ValueError(f"most is {most} and least is {least}; expected a whole number from 1, and one from 0 to 1")
    if language != "pt" and model.name == BUNDLED and model is not _EXAMPLES:
        raise ValueError(f"model {BUNDLED!r} knows no {language!r}; give the folder of a masked language model")

    def options(place: int) -> list[Edit]:
        token = sentence.tokens[place]
        others = proposed(token, model.suggestions(sentence, place), language, least)
        kept = islice(of_one_kind(sentence, place, others, language, parts_of_speech, known=True), most)
        return swaps_at(sentence, place, list(kept), language)

    listed = listed_kinds(language)
    return [
        partial(options, place)
        for place in content_words(sentence, language, inside_entities=inside_entities)
        if parts_of_speech is not None or sentence.tokens[place].lower() in listed
    ]
