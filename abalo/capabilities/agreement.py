"""Word forms that agree with a value: *an Oslo street*, *do Supremo*, *da Corte*, *em Natal*."""

from __future__ import annotations

from abalo.capabilities.fillers import FillerRow
from perturbations.languages import has, optional_rules
from perturbations.languages.parts import Articles, Gender, GenderAgreement
from perturbations.lexicons import pairs, rows
from perturbations.sites import in_case_of

GENDER, ARTICLE = "gender", "article"
"""Keys of a value's gender, ``f`` or ``m``, and article, possibly ""."""

_GENDERS: dict[str, Gender] = {"f": "woman", "m": "man"}


def agree_word(word: str, row: FillerRow, language: str) -> str:
    """Returns the form of an article, preposition or determiner that fits the value; "" for no article.

    The letter case stays. Raises ValueError if the word or the gender is unknown.
    """
    lowered, first = word.lower(), row.value.split()[:1]
    articles = optional_rules(language, "articles", Articles)
    if articles is not None and first and (form := articles.article_for(lowered, first[0].lower())) is not None:
        return in_case_of(word, form)
    agreement = optional_rules(language, "agreement", GenderAgreement)
    if agreement is None:
        raise ValueError(f"{{{word}:…}}: {_unknown(word, language)}")
    if lowered in agreement.determiners("woman") or lowered in agreement.determiners("man"):
        return _match_case(word, _determiner(lowered, row, language, agreement))
    if f"{lowered} o" in _contractions(language):
        article = _article(row, language)
        return _match_case(word, _contractions(language)[f"{lowered} {article}"] if article else lowered)
    raise ValueError(f"{{{word}:…}}: {_unknown(word, language)}")


def _unknown(word: str, language: str) -> str:
    return (
        f"{language} has no rule for the form of {word!r} before a word; write the forms beside the values, as in "
        '{key = "…", form = "…"}, and {key.form} in the template'
    )


def _match_case(word: str, form: str) -> str:
    return in_case_of(word, form) if form else form


def _contractions(language: str) -> dict[str, str]:
    return dict(pairs(f"contractions_{language}")) if has(language, "contractions") else {}


def _determiner(word: str, row: FillerRow, language: str, agreement: GenderAgreement) -> str:
    definite = word in ("o", "a", "os", "as")
    if definite and ARTICLE in row.more:
        return row.more[ARTICLE]
    if definite and _place_article(row, language) == "":
        return ""
    gender = _gender(row, language)
    other: Gender = "man" if gender == "woman" else "woman"
    if word in agreement.determiners(other):  # it is of the gender wanted
        return word
    return agreement.determiners(gender)[word]


def _article(row: FillerRow, language: str) -> str:
    if ARTICLE in row.more:
        return row.more[ARTICLE]
    found = _place_article(row, language)
    return {"woman": "a", "man": "o"}[_gender(row, language)] if found is None else found


def _gender(row: FillerRow, language: str) -> Gender:
    said = row.more.get(GENDER)
    if said is not None and said in _GENDERS:
        return _GENDERS[said]
    if said is not None:
        raise ValueError(f'{GENDER} of {row.value!r} is {said!r}; expected "f" or "m"')
    found = _gender_of_row(row, language)
    if found is None:
        raise ValueError(
            f'the gender of {row.value!r} is not known; write it as a table with {GENDER} = "f" or "m" beside the value'
        )
    return found


def _gender_of_row(row: FillerRow, language: str) -> Gender | None:
    place = _place_article(row, language)
    if place:
        return "woman" if place == "a" else "man"
    first = next(iter(row.value.lower().split()), "")
    if has(language, "gendered_words"):
        table = pairs(f"gendered_words_{language}")
        if first in table:
            return "man"
        if first in table.values():
            return "woman"
    named = pairs(f"given_names_{language}").get(first) if has(language, "given_names") else None
    return "woman" if named == "woman" else "man" if named == "man" else None


def _place_article(row: FillerRow, language: str) -> str | None:
    if not has(language, "places"):
        return None
    found = {name: rest[1] for name, *rest in rows(f"places_{language}") if len(rest) > 1}.get(row.value)
    return None if found is None else "" if found == "none" else found
