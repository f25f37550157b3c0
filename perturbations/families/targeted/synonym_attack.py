"""Words of the same meaning in targets and right around them."""

from collections.abc import Collection

from perturbations.catalogue import target_level
from perturbations.families.word.synonyms import same_gender, spared_places
from perturbations.families.word.word_lists import shipped_list
from perturbations.languages import with_parts
from perturbations.resources import REVIEWED, Senses
from perturbations.sites import in_case_of
from perturbations.text import Sentence


def _spared_places(sentence: Sentence, *, lexicon: Senses) -> Collection[int]:
    return spared_places(sentence, lexicon)


@target_level(
    title="Synonyms in and near a target",
    where="near",
    needs=("legal", "legal_signs"),
    kind="lexis",
    renews=True,
    spares=_spared_places,
    example=(
        "no recurso , o juiz ouviu a advogada [Ana Sá PESSOA]",
        "no recurso , o juiz ouviu a causídica [Ana Sá PESSOA]",
    ),
)
def synonym_attack(word: str, *, lexicon: Senses = REVIEWED) -> tuple[str, ...]:
    """Replaces a word in a target, or up to three tokens from it, with its synonym [stage 4, "synonym"].

    The synonym has the same gender. As in `synonyms`, citations, fixed phrases and names stay, except the noun that
    heads a name. Text that is not legal stays too, unless ``lexicon`` names one of the lexicons that `synonyms` takes.
    """
    legal = (shipped_list(f"legal_{code}") for code in with_parts("legal", "legal_signs"))
    lexicons = [lexicon] if lexicon is not REVIEWED else legal
    synonyms = (same_gender(word, each) for each in lexicons)
    synonym = next((each for each in synonyms if each is not None), None)
    return () if synonym is None else (in_case_of(word, synonym),)
