"""Words of the same meaning in targets and right around them."""

from collections.abc import Collection

from perturbations.catalogue import target_level
from perturbations.families.word.synonyms import same_gender, spared
from perturbations.families.word.word_lists import shipped
from perturbations.languages import with_parts
from perturbations.resources import REVIEWED, Senses
from perturbations.sites import in_case_of
from perturbations.text import Sentence


def _spared(sentence: Sentence, *, lexicon: Senses) -> Collection[int]:
    return spared(sentence, lexicon)


@target_level(
    title="Synonyms in and near a target",
    where="near",
    needs=("legal", "legal_signs"),
    kind="lexis",
    renews=True,
    spares=_spared,
    example=(
        "no recurso , o juiz ouviu a advogada [Ana Sá PESSOA]",
        "no recurso , o juiz ouviu a causídica [Ana Sá PESSOA]",
    ),
)
def synonym_attack(word: str, *, lexicon: Senses = REVIEWED) -> tuple[str, ...]:
    """The synonym of the same gender, inside a target or within three tokens of it [stage 4, "synonym"].

    Citations, fixed phrases and names stay, but for the noun that heads a name, as they do with `synonyms`; so does
    text that is not legal, unless a ``lexicon`` is named: one of those that `synonyms` takes.
    """
    legal = (shipped(f"legal_{code}") for code in with_parts("legal", "legal_signs"))
    lexicons = [lexicon] if lexicon is not REVIEWED else legal
    synonyms = (same_gender(word, each) for each in lexicons)
    synonym = next((each for each in synonyms if each is not None), None)
    return () if synonym is None else (in_case_of(word, synonym),)
