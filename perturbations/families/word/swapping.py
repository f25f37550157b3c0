"""Words swapped for others of a list, in a sentence: names are left alone, and articles are made to fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from perturbations.languages import has, optional_rules
from perturbations.languages.parts import Articles, Borders, Sites
from perturbations.lexicons import rows
from perturbations.sites import in_case_at, in_entities, is_like_a_name, one_label
from perturbations.text import Edit, Sentence

Others = Callable[[str], Sequence[str]]
"""The words that can stand for a word."""


@dataclass(frozen=True, slots=True)
class _With:
    """The words for which there are others."""

    others: Others

    def __contains__(self, word: object) -> bool:
        return bool(self.others(str(word)))


def swap_words(sentence: Sentence, others: Others, language: str, *, inside_entities: bool) -> Sites:
    """For each word with ``others`` the edits that put these there in its letter case.

    An article before it changes with it, if both are in one entity or in none. Where words are no tokens, as in
    Chinese, those in entities stay: within a name a word of a list is one by chance.
    """
    borders = optional_rules(language, "borders", Borders)
    if borders is not None:
        return across_tokens(sentence, others, borders, inside_entities=False)
    found = {place: options for place, token in enumerate(sentence.tokens) if (options := others(token))}
    free = _free(sentence, found, language, inside_entities=inside_entities) if found else ()
    return [swaps_at(sentence, place, found[place], language) for place in free]


def swap_at(
    sentence: Sentence, options: Callable[[int], Sequence[str]], language: str | None, *, inside_entities: bool
) -> Sites:
    """The same for each token with ``options``, given by its place; without a ``language`` articles stay.

    Words with a capital that look like parts of a name stay, and so do those of the fixed phrases of the language.
    """
    free = _free(sentence, range(len(sentence)), language, inside_entities=inside_entities)
    return [swaps_at(sentence, place, others, language) for place in free if (others := options(place))]


def _free(sentence: Sentence, places: Iterable[int], language: str | None, *, inside_entities: bool) -> Iterator[int]:
    """Those of the places that are no parts of names, nor of fixed phrases of the language."""
    taken = in_entities(sentence)
    fixed = set() if language is None else in_fixed_phrases([*map(str.lower, sentence.tokens)], language)
    for place in places:
        if place not in fixed and (inside_entities if taken[place] else not is_like_a_name(sentence.tokens, place)):
            yield place


def across_tokens(sentence: Sentence, others: Others, borders: Borders, *, inside_entities: bool) -> Sites:
    """The same for each word, whatever its tokens; the new word is cut into tokens like the sentence."""
    layout = borders.layout(sentence)
    if layout is None:
        return []
    return [
        [layout.replacing(start, stop, (other,)) for other in others("".join(sentence.tokens[start:stop]))]
        for start, stop in borders.occurrences(layout, _With(others))
        if inside_entities or layout.is_outside(start, stop)
    ]


def swaps_at(sentence: Sentence, place: int, others: Sequence[str], language: str | None) -> list[Edit]:
    """The edits that put other words there in the letter case of the token, with an article of the ``language``."""
    token = sentence.tokens[place]
    articles = None if language is None else optional_rules(language, "articles", Articles)
    cased = dict.fromkeys(in_case_at(sentence.tokens, place, other) for other in others)
    return [_edit(sentence, place, other, articles) for other in cased if other != token]


def _edit(sentence: Sentence, place: int, word: str, articles: Articles | None) -> Edit:
    return with_article(sentence, Edit(place, place + 1, (word,)), articles)


def with_article(sentence: Sentence, edit: Edit, articles: Articles | None) -> Edit:
    """An edit that exchanges words, with the article before them that fits the first new one."""
    place, word = edit.start, edit.tokens[0]
    if articles is None or not place or not one_label(sentence, place - 1, edit.stop):
        return edit
    article = sentence.tokens[place - 1]
    fitting = articles.article_for(article.lower(), word.lower())
    if fitting is None or fitting == article.lower():
        return edit
    old = range(place, edit.stop)
    origins = [(i,) for i in old] if len(old) == len(edit.tokens) else [tuple(old)] * len(edit.tokens)
    return Edit(
        place - 1, edit.stop, (_in_case(article, fitting, word), *edit.tokens), origins=((place - 1,), *origins)
    )


def _in_case(present: str, fitting: str, word: str) -> str:
    """In the letter case of the one there; one letter in upper case could be a capital or shouted."""
    if present.isupper() and word.isupper():
        return fitting.upper()
    return fitting.capitalize() if present[0].isupper() else fitting


def in_fixed_phrases(lowered: Sequence[str], language: str) -> set[int]:
    """The places of words in phrases that mean something else, or nothing, with another word in them.

    So are compounds whose parts are tokens that begin with a hyphen.
    """
    found = {j for i, word in enumerate(lowered) if i and word[0] == "-" and len(word) > 1 for j in (i - 1, i)}
    if not has(language, "fixed_phrases"):
        return found
    phrases = _fixed_phrases(language)
    for i, word in enumerate(lowered):
        for phrase in phrases.get(word, ()):
            if tuple(lowered[i : i + len(phrase)]) == phrase:
                found.update(range(i, i + len(phrase)))
    return found


@cache
def _fixed_phrases(language: str) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """The phrases by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for (phrase,) in rows(f"fixed_phrases_{language}"):
        words = tuple(phrase.split())
        found.setdefault(words[0], []).append(words)
    return found


def fitting_article(options: Sequence[str], before: str, language: str) -> Sequence[str]:
    """Those words that may follow the word ``before`` as it is, if that is an article."""
    articles = optional_rules(language, "articles", Articles)
    if articles is None or articles.article_for(before, "x") is None:
        return options
    return [word for word in options if articles.article_for(before, word) == before]
