"""Words in the form that fits a value: *an Oslo street*, *do Supremo*, *da Corte*, *em Natal*."""

from __future__ import annotations

from abalo.capabilities.fillers import Row
from perturbations.languages import has, optional_rules
from perturbations.languages.parts import Agreement, Articles, Gender
from perturbations.lexicons import pairs, rows
from perturbations.sites import in_case_of

GENDER, ARTICLE = "gender", "article"
"""The names under which a value can say its gender, ``f`` or ``m``, and the article that it takes, perhaps none."""

_GENDERS: dict[str, Gender] = {"f": "woman", "m": "man"}


def fitted(word: str, row: Row, language: str) -> str:
    """The word in the form that fits the value, in its own letter case; empty for an article that the value has not.

    A word is an article that depends on the sound behind it, where the language has such; a preposition, which then
    contracts with the article of the value; or a determiner in any gender, such as *o*, *uma*, *do*, *este*. Raises
    ValueError where the language has no such word, or the gender of the value is not known.
    """
    lowered, first = word.lower(), row.value.split()[:1]
    articles = optional_rules(language, "articles", Articles)
    if articles is not None and first and (form := articles.article_for(lowered, first[0].lower())) is not None:
        return in_case_of(word, form)
    agreement = optional_rules(language, "agreement", Agreement)
    if agreement is None:
        raise ValueError(f"{{{word}:…}}: {_unknown(word, language)}")
    if lowered in agreement.determiners("woman") or lowered in agreement.determiners("man"):
        return _cased(word, _determiner(lowered, row, language, agreement))
    if f"{lowered} o" in _contractions(language):
        article = _article(row, language)
        return _cased(word, _contractions(language)[f"{lowered} {article}"] if article else lowered)
    raise ValueError(f"{{{word}:…}}: {_unknown(word, language)}")


def _unknown(word: str, language: str) -> str:
    return (
        f"{language} has no rule for the form of {word!r} before a word; write the forms beside the values, as in "
        '{key = "…", form = "…"}, and {key.form} in the template'
    )


def _cased(word: str, form: str) -> str:
    return in_case_of(word, form) if form else form


def _contractions(language: str) -> dict[str, str]:
    return dict(pairs(f"contractions_{language}")) if has(language, "contractions") else {}


def _determiner(word: str, row: Row, language: str, agreement: Agreement) -> str:
    """The determiner in the gender of the value; empty before a place that takes none, of *o* and *a* alone."""
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


def _article(row: Row, language: str) -> str:
    """The definite article of the value, which may be none."""
    if ARTICLE in row.more:
        return row.more[ARTICLE]
    found = _place_article(row, language)
    return {"woman": "a", "man": "o"}[_gender(row, language)] if found is None else found


def _gender(row: Row, language: str) -> Gender:
    """The gender that the value says, else that of its first word by the tables of the language."""
    said = row.more.get(GENDER)
    if said is not None and said in _GENDERS:
        return _GENDERS[said]
    if said is not None:
        raise ValueError(f'{GENDER} of {row.value!r} is {said!r}; expected "f" or "m"')
    found = _known_gender(row, language)
    if found is None:
        raise ValueError(
            f'the gender of {row.value!r} is not known; write it as a table with {GENDER} = "f" or "m" beside the value'
        )
    return found


def _known_gender(row: Row, language: str) -> Gender | None:
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


def _place_article(row: Row, language: str) -> str | None:
    """The article of a place, empty where it takes none; None for what is no place that the language lists."""
    if not has(language, "places"):
        return None
    found = {name: rest[1] for name, *rest in rows(f"places_{language}") if len(rest) > 1}.get(row.value)
    return None if found is None else "" if found == "none" else found
