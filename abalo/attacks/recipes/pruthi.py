"""Adversarial misspellings [Pruthi et al., 2019].

D. Pruthi, B. Dhingra and Z. C. Lipton, Combating Adversarial Misspellings with Robust Word Recognition, ACL 2019.

Published: two neighbouring letters swapped, a letter deleted or inserted, or a neighbouring key hit, inside words of
four letters or more; stop words, first and last letters stay, so readers still read the word. All such slips are tried,
one or two in a text. TextAttack's recipe changes one word by default, and draws one letter to insert at each place.

Here one word changes, and every letter of the alphabet is inserted at every place. A swap exchanges different letters.
Keyboards follow the language. ``most_words = 2`` is the paper's stronger attack.

Two readers rated the grammar of 34 successes, English and Portuguese, 4.0 of 5; all keep their label.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.attacks.candidates.slips import Slips, check_layout
from abalo.attacks.candidates.together import Together
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import STOP_WORDS, RecipeSettings, recipe
from abalo.core.records.configuring import Lists
from perturbations import find
from perturbations.languages import language_named, with_parts

TYPED: Lists = {
    code: {**STOP_WORDS.get(code, {"stop_words": ""}), "layout": next(iter(language_named(code).keyboard))}
    for code in with_parts("keyboard")
}
"""Keyboard and stop words by language."""

SHORTEST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruthi(RecipeSettings):
    """The published settings, and a budget that suffices."""

    budget: int = 10_000
    search: str = "greedy_all"
    most_words: int = 1
    layout: str = "qwerty"

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_layout(self.layout)


def candidates(settings: Pruthi, seed: int) -> Candidates:
    """Tries every slip inside one word: letters swapped, deleted, inserted, or hit on the next key."""
    typos = find("typos")
    slips = [
        *(typos.configured(mode=mode) for mode in ("swap", "delete", "insert")),
        find("keyboard").configured(layout=settings.layout, min_length=SHORTEST, digits=False),
    ]
    return Together(*(Slips(each, seed, draws=0, shortest=SHORTEST, inner=True) for each in slips))


ATTACK = recipe("pruthi", Pruthi, candidates, title="Pruthi", lists=TYPED)
