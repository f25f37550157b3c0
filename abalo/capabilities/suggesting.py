"""Templates drafted from a corpus: the commonest words around each label."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from abalo.capabilities.fillers import escape_word
from perturbations import UNLABELLED, Sentence, entity_spans

_LEFT, _RIGHT = 3, 2

_LEAST = 2

_VALUES = 12


def draft(task: str, sentences: Sequence[Sentence], name: str, most: int) -> str:
    """Drafts at most ``most`` templates per label, the commonest first; ``name`` is the name of the corpus."""
    contexts: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in {each.tokens: each for each in sentences}.values():
        for label, context, said in _contexts(sentence):
            contexts[label][context] += 1
            words[label][said] += 1
    spans = any(sentence.entity_tags is not None for sentence in sentences)
    entries = [_HEAD.format(name=name)]
    for label in sorted(contexts):
        common = [(context, count) for context, count in contexts[label].items() if count >= _LEAST]
        ranked = sorted(common, key=lambda pair: (-pair[1], pair[0]))[:most]
        if not ranked:
            entries.append(f"# {label}: no words stand around it twice\n")
            continue
        values = f"pool:{label}" if spans else _commonest(words[label])
        entries.append(_entry(task, label, ranked, values))
    return "\n".join(entries)


_HEAD = """\
# A draft: the commonest words around each label in {name}. Nobody has read these templates. Make sentences
# of them, keep those in which every value can stand, and see what they make: abalo capabilities show FILE
"""


def _entry(task: str, label: str, ranked: Sequence[tuple[tuple[str, ...], int]], values: str | list[str]) -> str:
    lines = [f"  {json.dumps(' '.join(context), ensure_ascii=False)},   # {count} times" for context, count in ranked]
    return "\n".join(
        [
            f"[[{task}.capability]]",
            f"name = {json.dumps(f'common contexts of {label}', ensure_ascii=False)}",
            'capability = "common contexts"',
            "templates = [",
            *lines,
            "]",
            f"x = {json.dumps(values, ensure_ascii=False)}",
            "min_pass_rate = 0.9",
            "blocking = false",
            "",
        ]
    )


def _contexts(sentence: Sentence) -> Iterator[tuple[str, tuple[str, ...], str]]:
    if sentence.entity_tags is not None:
        spans = [
            (span.start, span.stop, span.type, f"[{{x}} {span.type}]") for span in entity_spans(sentence.tags or ())
        ]
        labelled = {i for start, stop, *_ in spans for i in range(start, stop)}
    else:
        tags = enumerate(sentence.tags or ())
        spans = [(i, i + 1, tag, f"[{{x}} ={tag}]") for i, tag in tags if tag != UNLABELLED]
        labelled = set()
    for start, stop, label, slot in spans:
        left, right = range(max(0, start - _LEFT), start), range(stop, min(len(sentence), stop + _RIGHT))
        if labelled.isdisjoint([*left, *right]) and (left or right):
            context = (*_words(sentence, left), slot, *_words(sentence, right))
            yield label, context, " ".join(sentence.tokens[start:stop])


def _words(sentence: Sentence, places: range) -> Iterator[str]:
    return (escape_word(sentence.tokens[i]).replace("{", "\\{").replace("}", "\\}") for i in places)


def _commonest(words: Counter[str]) -> list[str]:
    ranked = sorted(words, key=lambda word: (-words[word], word))
    return [escape_word(word) for word in ranked[:_VALUES]]
