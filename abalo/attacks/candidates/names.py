"""Given names and places in text without labels."""

from __future__ import annotations

from abalo.attacks.candidates.sentence_edits import EditSites
from perturbations import Edit, Sentence
from perturbations.families.entity.places import Region, listed_places, move_places
from perturbations.lexicons import pairs
from perturbations.sites import begins_sentence

REGIONS: tuple[Region, ...] = ("africa", "america", "asia", "europe", "oceania")


def given_names(language: str) -> EditSites:
    """Exchanges given names of the language's list within a gender.

    A name has a capital, comes first in a row of capitalised words, and occurs once.
    """
    genders = pairs(f"given_names_{language}")
    common = pairs(f"word_classes_{language}")
    by_gender = {
        gender: [name.title() for name, own in genders.items() if own == gender] for gender in set(genders.values())
    }

    def sites(sentence: Sentence) -> list[list[Edit]]:
        tokens = sentence.tokens
        in_places = {i for start, stop in listed_places(tokens, language) for i in range(start, stop)}

        def is_name(i: int) -> bool:
            word = tokens[i]
            first = begins_sentence(tokens, i)
            return (
                word.istitle()
                and word.lower() in genders
                and i not in in_places
                and tokens.count(word) == 1
                and not (first and word.lower() in common)
                and (first or not tokens[i - 1][0].isupper())
            )

        return [
            [Edit(i, i + 1, (other,)) for other in by_gender[genders[word.lower()]] if other not in tokens]
            for i, word in enumerate(tokens)
            if is_name(i)
        ]

    return sites


def places(language: str) -> EditSites:
    """Exchanges places of the language's list with places of the same kind from all regions."""

    def sites(sentence: Sentence) -> list[list[Edit]]:
        found: dict[int, list[Edit]] = {}
        for region in REGIONS:
            for site in move_places(sentence, region, language):
                own = (edit for edit in site if edit.tokens != sentence.tokens[edit.start : edit.stop])
                found.setdefault(site[0].start, []).extend(own)
        return list(found.values())

    return sites
