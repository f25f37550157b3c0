"""Agreement with the published variants of ARTS: ``python -m benchmarks.aspect_oracle --data DATA/absa``.

``arts_laptop.json`` has for aspects of a test set what the published system made of their sentences: RevTgt (``adv1``),
RevNon (``adv2``) and AddDiff (``adv3``) [Xing et al. 2020, section 2]. Of each aspect and change it is counted who
changes it and, where both do: whether the label is the same, whether a word of the original is changed by both, and
whether in the same way: by other words, by a negation that comes or goes, or at the end alone. Ours may choose among
several opposites; one that agrees is enough. Then follow differences drawn under a fixed seed: of what both changed,
and of what is changed there alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from random import Random
from typing import Any

from abalo.corpora.running_text import running_text
from abalo.tasks.aspects.sentences import Aspect, polarity_of, tag_sentence, target_in
from benchmarks.arguments import Parser
from perturbations import Sentence, apply, find
from perturbations.families.aspect.opinions_on import target_of
from perturbations.languages import rules
from perturbations.languages.parts import AspectOpinions

CHANGES = {"adv1": "rev_tgt", "adv2": "rev_non", "adv3": "add_diff"}
SHOWN = 30
SEED = 1
NEGATIONS = frozenset(["not", "n't", "no", "never", "cannot"])
DO = frozenset(["do", "does", "did"])
JOINTS = frozenset(["and", "but", ",", "although", "though"])


@dataclass(frozen=True)
class Change:
    """A changed text: its label, the places of words changed in the original, and how."""

    text: str
    label: str
    places: frozenset[int]
    ways: frozenset[str]


def originals(known: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Sentence]]:
    """The id of each original aspect with its sentence, in which it is the target among all aspects of the text."""
    ids = [key for key in known if not key.rpartition("_")[2].startswith("adv")]
    of: dict[str, list[str]] = {}
    for key in ids:
        of.setdefault(known[key]["sentence"], []).append(key)
    for key in ids:
        every = {
            each: Aspect(*(known[each][name] for name in ("from", "to", "polarity")))
            for each in of[known[key]["sentence"]]
        }
        yield key, tag_sentence(known[key]["sentence"], list(every.values()), every[key])


def compared(original: str, text: str, label: str) -> Change:
    """A text beside its original."""
    old, new = (running_text(each.replace("n't", " n't")).tokens for each in (original, text))
    old, new = (tuple(token.lower() for token in each) for each in (old, new))
    places, ways = set[int](), set[str]()
    for kind, start, stop, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = set(old[start:stop]), set(new[begin:end])
        if kind == "equal" or (gone | come) <= JOINTS | DO:
            continue
        if start >= len(old) - 1 and not any(map(str.isalnum, gone)):
            ways.add("at the end")
            continue
        places.update(range(start, max(stop, start + 1)))
        ways.add("negation" if (gone | come) & NEGATIONS else "other words")
    return Change(text, label, frozenset(places), frozenset(ways))


def ours(name: str, sentence: Sentence) -> list[Change]:
    """The changes that ours could make."""
    found = []
    for site in find(name).sites(sentence):
        for edit in site:
            made = apply(sentence, [edit]).sentence
            target = target_in(made)
            assert target is not None
            found.append(compared(sentence.text, made.text, polarity_of(made, target)))
    return found


def seen(sentence: Sentence) -> str:
    """The opinion that ours sees on the target of a sentence: none, one among others that could judge, or one alone."""
    rule = rules("en", "aspect_opinions", AspectOpinions)
    aspects, target = target_of(sentence) or ((), 0)
    opinions = rule.opinions(sentence, aspects)
    own = [opinion for opinion in opinions if target in opinion.aspects]
    if not own:
        return "no opinion is found"
    clear = all(rule.is_clear(sentence, aspects, opinions, opinion) for opinion in own)
    return "it is clear" if clear else "something else could judge"


def _flips(known: Mapping[str, Mapping[str, Any]], own: str) -> bool:
    given = known.get(f"{own}_adv1")
    return given is not None and given["polarity"] != known[own]["polarity"]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA/absa"))
    parser.add_argument("--data", type=Path, required=True, help="folder with arts_laptop.json")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table, and differences of each change."""
    options = parser().parse_args(given)
    known = json.loads((options.data / "arts_laptop.json").read_text(encoding="utf-8"))
    aspects = list(originals(known))
    print(f"{len(aspects)} aspects\n")
    print("| change | published | label flips there | ours | both | same label | a word changed by both | same way |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    differing: dict[str, list[str]] = {}
    alone: dict[str, list[str]] = {}
    for key, name in CHANGES.items():
        counts = Counter[str]()
        for own, sentence in aspects:
            given, mine = known.get(f"{own}_{key}"), ours(name, sentence)
            counts["published"] += given is not None
            counts["ours"] += bool(mine)
            if given is None:
                continue
            theirs = compared(known[own]["sentence"], given["sentence"], given["polarity"])
            counts["flips"] += theirs.label != known[own]["polarity"]
            term = f"{known[own]['term']}, {known[own]['polarity']}"
            shown = f"- [{term}] {known[own]['sentence']}\n  published ({theirs.label}): {theirs.text}"
            if not mine:
                alone.setdefault(name, []).append(f"{shown}\n  ours: {seen(sentence)}")
                continue
            same = [each.label == theirs.label for each in mine]
            places = [not (each.places or theirs.places) or bool(each.places & theirs.places) for each in mine]
            ways = [each.ways == theirs.ways for each in mine]
            counts.update({"both": 1, "label": any(same), "places": any(places), "ways": any(ways)})
            best = max(mine, key=lambda each: (each.label == theirs.label, len(each.places & theirs.places)))
            if not any(a and b and c for a, b, c in zip(same, places, ways, strict=True)):
                differing.setdefault(name, []).append(f"{shown}\n  ours ({best.label}): {best.text}")
        both = counts["both"]
        shares = " | ".join(f"{counts[each]} ({counts[each] / both:.0%})" for each in ("label", "places", "ways"))
        print(f"| {name} | {counts['published']} | {counts['flips']} | {counts['ours']} | {both} | {shares} |")
    flipping = Counter(seen(sentence) for own, sentence in aspects if _flips(known, own))
    print(f"\nWhose label flips there: {', '.join(f'{each} ({count})' for each, count in flipping.most_common())}.")
    for what, found in (("differ", differing), ("are changed there alone", alone)):
        for name, listed in found.items():
            print(f"\n{name}: {len(listed)} {what}, of which\n")
            print("\n".join(Random(SEED).sample(listed, min(SHOWN, len(listed)))))


if __name__ == "__main__":
    main()
