"""An adverb that says little, right before verbs."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.word.insertion import single_words
from perturbations.languages import rules
from perturbations.languages.parts import Adverbs
from perturbations.languages.readings import PartsOfSpeech
from perturbations.lexicons import rows
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Adverbs inserted",
    kind="syntax",
    rate=0.5,
    needs=("adverbs", "neutral_adverbs"),
    aliases=("InsertAdv",),
    relation="adds",
    example=("[Ana Sá PESSOA] não se manifestou", "[Ana Sá PESSOA] realmente não se manifestou"),
)
def insert_adverb(
    sentence: Sentence,
    *,
    language: str = "pt",
    adverbs: tuple[str, ...] = (),
    parts_of_speech: PartsOfSpeech | None = None,
) -> Sequence[Sequence[Edit]]:
    """Inserts a neutral adverb before a finite verb [TextFlint, catalogue name "InsertAdv"].

    The adverb is chosen uniformly from a list. It never goes inside an entity, a set phrase, a question or a wish, nor
    near another adverb. In Portuguese it precedes "não" and the pronouns of the verb. In English it follows
    auxiliaries. In Chinese it goes between a subject that begins its clause and a verb that claims something.

    Verbs are found by tables of forms and by endings, or by ``parts_of_speech`` if given. ``adverbs`` replaces the list
    of the language. Raises ValueError if an adverb is not a word.
    """
    usual = tuple(adverb for (adverb,) in rows(f"neutral_adverbs_{language}"))
    listed = single_words(adverbs, "adverbs") if adverbs else usual
    return rules(language, "adverbs", Adverbs).adverbial(sentence, listed, parts_of_speech)
