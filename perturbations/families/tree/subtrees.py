"""Parts of a dependency tree, by the arcs of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.layers import HEADS, Arcs
from perturbations.text import Sentence

OPENING = {"(": ")", "[": "]"}
QUOTES = frozenset("\"'“”«»‘’„")
"""Marks that are counted, so that no pair is broken."""

CLAUSES = frozenset(["acl", "acl:relcl", "advcl", "appos", "parataxis", "conj"])
"""Relations of parts that commas set off."""

ADJUNCTS = frozenset(["obl", "nmod", "advmod", "obl:tmod", "nmod:tmod", "nmod:npmod", "discourse", "vocative"])
"""Relations of parts that commas set off where they stand first or between others."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree of a sentence: heads and relations, and for each word the first and the last word of its subtree.

    ``sizes`` holds the number of words in each subtree: it is without gaps where that is its width.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int | None, ...]
    relations: tuple[str, ...]
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, sentence: Sentence) -> Tree | None:
        """The tree of the sentence; None if it has none, or the head of a word is not known."""
        arcs = next((each for each in sentence.layers if isinstance(each, Arcs) and each.name == HEADS), None)
        if arcs is None or None in arcs.heads:
            return None
        count = len(sentence)
        firsts, lasts, sizes = list(range(count)), list(range(count)), [1] * count
        for word in range(count):
            above, steps = arcs.heads[word], 0
            while above is not None and above >= 0:
                firsts[above], lasts[above] = min(firsts[above], word), max(lasts[above], word)
                sizes[above] += 1
                above, steps = arcs.heads[above], steps + 1
                if steps > count:
                    return None
        tags = sentence.tags or ("",) * count
        return cls(sentence.tokens, tags, arcs.heads, arcs.relations, tuple(firsts), tuple(lasts), tuple(sizes))

    def is_whole(self, word: int) -> bool:
        """Whether the subtree of the word has no gaps."""
        return self.lasts[word] - self.firsts[word] + 1 == self.sizes[word]

    def opens_set_off_part(self, place: int) -> bool:
        """Whether a part that needs a comma before it begins there: a clause, or what a comma ends too."""
        for word in range(place, len(self.tokens)):
            if self.firsts[word] not in (place, place - 1):
                continue
            behind = self.tokens[min(self.lasts[word] + 1, len(self.tokens) - 1)]
            if self.relations[word] == "conj" or (self.relations[word] in CLAUSES and behind in _ENDS):
                return True
            if self.relations[word] in ADJUNCTS and behind == ",":
                return True
        return False

    def needs_comma(self, place: int) -> bool:
        """Whether what ends with a word is set off from what comes later: it is fronted, or stands behind a comma."""
        word, head = place, self.heads[place]
        while True:
            behind_comma = self.firsts[word] > 0 and self.tokens[self.firsts[word] - 1] == ","
            behind_comma |= self.tokens[self.firsts[word]] == ","
            if behind_comma and self.relations[word] in CLAUSES | ADJUNCTS:
                return True
            if head is None or not 0 <= head <= place:
                break
            word, head = head, self.heads[head]
        tied = self.relations[word] in _TIED or self.tokens[word].lower() in _ASKING
        return head is not None and head > place and not tied

    def is_clause(self, word: int) -> bool:
        """Whether a word heads a clause."""
        verbal = self.tags[word] in ("VERB", "AUX")
        return verbal or any(head == word and self.relations[k] in _OF_CLAUSES for k, head in enumerate(self.heads))

    def children(self, word: int) -> list[int]:
        """The words that depend on it."""
        return [k for k, head in enumerate(self.heads) if head == word]


_TIED = frozenset(
    ("nsubj", "nsubj:pass", "csubj", "csubj:pass", "obj", "iobj", "mark", "aux", "aux:pass", "cop", "cc", "det", "case")
)
"""Relations of words that no comma separates from a head behind them."""

_ASKING = frozenset(
    ["how", "when", "where", "why", "what", "which", "who", "como", "quando", "onde", "comment", "quand", "où", "dont"]
)
"""Words that open a clause, behind which no comma stands."""

_ENDS = (",", ".", "!", "?", ";", "...", "…")

_OF_CLAUSES = frozenset(["nsubj", "nsubj:pass", "csubj", "cop"])


def is_balanced(tokens: Sequence[str]) -> bool:
    """Whether brackets and quotes come in pairs."""
    quotes = sum(token in QUOTES for token in tokens)
    return quotes % 2 == 0 and all(tokens.count(one) == tokens.count(other) for one, other in OPENING.items())
