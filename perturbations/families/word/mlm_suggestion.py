"""Words replaced by what a masked language model would put in their place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

from perturbations.catalogue import sentence_level
from perturbations.families.word.fitting import content_words, listed_kinds, of_one_kind, propose_words
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
    """Replaces a word with one that a masked language model suggests [TextFlint, catalogue name "MLMSuggestion"].

    Uses the ``most`` likeliest words with a probability above ``least``, in the letter case of the word. They fit the
    sentence, but may mean something else: labels of entities hold, labels of the meaning need not. It never suggests
    the word itself, a stop word or a piece of a word. The list of word classes of the ``language`` must give a
    suggestion a kind and number that it also gives the word. With ``parts_of_speech``, a suggestion must have the part
    of speech of the word, each judged in its place.

    ``model`` is a folder, an id on the Hugging Face hub, or "bundled": the Portuguese head beside the default model.
    The bundled model is small, and many of its suggestions make no sense, so the perturbation is experimental and not
    in the default gate. Raises ValueError unless ``most`` is at least 1, ``least`` is 0 to 1, and the model is for the
    language.
    """
    if most < 1 or not 0 <= least <= 1:
        raise ValueError(f"most is {most} and least is {least}; expected a whole number from 1, and one from 0 to 1")
    if language != "pt" and model.name == BUNDLED and model is not _EXAMPLES:
        raise ValueError(f"model {BUNDLED!r} knows no {language!r}; give the folder of a masked language model")

    def options(place: int) -> list[Edit]:
        token = sentence.tokens[place]
        others = propose_words(token, model.suggestions(sentence, place), language, least)
        kept = islice(of_one_kind(sentence, place, others, language, parts_of_speech, known=True), most)
        return swaps_at(sentence, place, list(kept), language)

    listed = listed_kinds(language)
    return [
        partial(options, place)
        for place in content_words(sentence, language, inside_entities=inside_entities)
        if parts_of_speech is not None or sentence.tokens[place].lower() in listed
    ]
