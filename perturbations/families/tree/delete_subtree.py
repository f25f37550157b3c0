"""A part of the tree that commas or brackets set off is left out."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.tree.subtrees import OPENING, Tree, is_balanced
from perturbations.layers import ROOT
from perturbations.text import Edit, Sentence

_RELATIONS = ("acl", "acl:relcl", "advcl", "appos", "parataxis", "nmod", "obl")
_FEWEST, _MOST = 3, 15
_ENDS = (".", "!", "?", "...", "…")
_JOINING = ("e", "ou", "and", "or", "et", "ou")


@sentence_level(
    title="A set-off part deleted",
    kind="syntax",
    scheme="heads",
    meaning="loses",
    aliases=("DeleteSubTree",),
    example=(
        (
            "[Ana =PROPN/7/nsubj] [, =PUNCT/4/punct] [que =PRON/4/nsubj] [mora =VERB/1/acl:relcl] [aqui =ADV/4/advmod] "
            "[, =PUNCT/4/punct] [saiu =VERB/0/root] [. =PUNCT/7/punct]"
        ),
        "[Ana =PROPN/2/nsubj] [saiu =VERB/0/root] [. =PUNCT/2/punct]",
    ),
)
def delete_subtree(sentence: Sentence) -> list[list[Edit]]:
    """A subtree that marks set off goes, and the marks with it [TextFlint, "DeleteSubTree"].

    It is a clause, an apposition or an adjunct of 3 to 15 words without gaps, between commas or brackets, or behind a
    comma at the end of the sentence. No word that stays depends on it. A comma that the next part needs stays.
    """
    tree = Tree.of(sentence)
    if tree is None:
        return []
    found: list[Edit] = []
    for word in range(len(sentence)):
        edit = _removal(tree, word)
        if edit is not None and all(edit.start >= each.stop or edit.stop <= each.start for each in found):
            found.append(edit)
    # Neighbours share a comma, so that one of two that touch is left.
    apart: list[Edit] = []
    for edit in sorted(found):
        if not apart or edit.start > apart[-1].stop + 1:
            apart.append(edit)
    return [[edit] for edit in apart]


def _removal(tree: Tree, word: int) -> Edit | None:
    """The edit that leaves out the subtree of a word; None where it cannot go."""
    if tree.relations[word] not in _RELATIONS or not tree.is_whole(word) or tree.heads[word] in (None, -1):
        return None
    start, stop = tree.firsts[word], tree.lasts[word] + 1
    tokens, count = tree.tokens, len(tree.tokens)
    while start < word and tokens[start] == ",":
        start += 1
    while stop - 1 > word and tokens[stop - 1] == ",":
        stop -= 1
    bracketed = tokens[start] in OPENING and tokens[stop - 1] == OPENING[tokens[start]]
    if bracketed:
        start, stop = start + 1, stop - 1
    before = tokens[start - 1] if start else ""
    after = tokens[stop] if stop < count else ""
    inside = tokens[start:stop]
    words = sum(tag != "PUNCT" for tag in tree.tags[start:stop])
    if not _FEWEST <= stop - start <= _MOST or words < 2 or not is_balanced(inside) or start < 2:
        return None
    if before in OPENING and after == OPENING[before]:
        return Edit(start - 1, stop + 1, ())
    if before != "," or not _stays_whole(tree, start - 1, stop) or not _can_go(tree, word):
        return None
    if after in _ENDS or not after:
        return Edit(start - 1, stop, ()) if stop >= count - 1 else None
    if after != ",":
        return None
    if stop + 1 >= count:
        return None
    keeps = tree.needs_comma(start - 2) or _begins_apart(tree, stop + 1)
    return Edit(start - 1, stop, ()) if keeps else Edit(start - 1, stop + 1, ())


def _begins_apart(tree: Tree, place: int) -> bool:
    """Whether the part that begins there needs a comma before it."""
    if tree.tags[place] not in ("CCONJ", "CONJ"):
        return tree.opens_set_off_part(place)
    head = tree.heads[place]
    return tree.tokens[place].lower() not in _JOINING or (head is not None and tree.is_clause(head))


def _can_go(tree: Tree, word: int) -> bool:
    """Whether nothing is missing without the subtree: it is no infinitive, no item of a list, and no main clause."""
    relation, head, first = tree.relations[word], tree.heads[word], tree.firsts[word]
    if head is None:
        return False
    opening = next((k for k in range(first, word + 1) if tree.tokens[k] != ","), word)
    if relation == "acl":
        return tree.tags[opening] not in ("ADP", "SCONJ")
    if relation == "appos":
        listed = [k for k in tree.children(word) if tree.relations[k] == "conj"]
        return not any(tree.tokens[tree.firsts[k] - 1] == "," or tree.tokens[tree.firsts[k]] == "," for k in listed)
    if relation == "parataxis":
        inserted = (
            tree.tokens[min(tree.lasts[word] + 1, len(tree.tokens) - 1)] == "," or tree.tokens[tree.lasts[word]] == ","
        )
        linked = inserted or tree.tags[opening] in ("ADV", "CCONJ", "SCONJ", "DET")
        return linked and tree.heads[head] == ROOT and not any(tree.relations[k] == "mark" for k in tree.children(head))
    if relation in ("nmod", "obl"):
        own = _cases(tree, word)
        others = [k for k in tree.children(head) if k != word and tree.relations[k] in (relation, "conj")]
        return not any(_cases(tree, other) & own for other in others)
    return True


def _cases(tree: Tree, word: int) -> frozenset[str]:
    """The prepositions of a word, in lower case."""
    return frozenset(tree.tokens[k].lower() for k in tree.children(word) if tree.relations[k] == "case")


def _stays_whole(tree: Tree, start: int, stop: int) -> bool:
    """Whether no word outside, but for marks, depends on one inside, and the words around stay in pairs of marks."""
    outside = [*range(start), *range(stop, len(tree.tokens))]
    inside = range(start, stop)
    return is_balanced([tree.tokens[k] for k in outside]) and not any(
        tree.heads[k] in inside and tree.tags[k] != "PUNCT" for k in outside
    )
