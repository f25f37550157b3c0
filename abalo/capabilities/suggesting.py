"""Templates proposed by a corpus: the commonest words around each label."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from abalo.capabilities.fillers import escaped
from perturbations import UNLABELLED, Sentence, entity_spans

_LEFT, _RIGHT = 3, 2
"""How many words on either side of a label a template has at most."""

_LEAST = 2
"""How often a context has to occur to be proposed."""

_VALUES = 12
"""How many words a label of single words is given."""


def draft(task: str, sentences: Sequence[Sentence], name: str, most: int) -> str:
    """The text of a draft: for each label of the sentences at most so many templates, the commonest first.

    ``name`` is that of the corpus. Labels without a context that occurs twice are named in a comment.
    """
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
    """For each label its name, the words around it as a template with ``{x}``, and the words that have it.

    Contexts with another label in them, which a template would have to mark too, are left out.
    """
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
    return (escaped(sentence.tokens[i]).replace("{", "\\{").replace("}", "\\}") for i in places)


def _commonest(words: Counter[str]) -> list[str]:
    ranked = sorted(words, key=lambda word: (-words[word], word))
    return [escaped(word) for word in ranked[:_VALUES]]
