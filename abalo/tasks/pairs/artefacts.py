"""How far one gets on a corpus without reading both sentences: by one of them alone, and by their overlap alone.

What beats the commonest label shows that labels can be told by how sentences were written, so that a model need not
compare them [Gururangan et al. 2018, Annotation Artifacts in NLI Data; Poliak et al. 2018, Hypothesis Only Baselines].
The baselines are naive Bayes classifiers, fitted on the corpus that is judged, in `FOLDS` parts, each labelled by what
the others show.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from abalo.core.example import Example, Json, joined
from abalo.slices.overlap import overlap
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE

FOLDS = 10
LEAST = 50
"""Distinct pairs with labels from which on the baselines are made."""

CHECKS = {
    "commonest_label": "the commonest label",
    "premise_only": "the first sentence alone",
    "hypothesis_only": "the second sentence alone",
    "overlap_only": "the share of words of the second in the first alone",
}
"""The baselines by name, in words."""

_TENTHS = 10


def artefacts(examples: Sequence[Example]) -> Json | None:
    """The accuracy of each baseline over distinct pairs, 0 to 1, with how many there are; None where they are few."""
    distinct = {example.cluster: example for example in examples if len(example.gold or ()) == 1}
    found = [(example, example.gold[0]) for _, example in sorted(distinct.items())]
    if len(found) < LEAST:
        return None
    looks: Mapping[str, Callable[[Example], Sequence[str]]] = {
        "premise_only": lambda example: _words(example, PREMISE),
        "hypothesis_only": lambda example: _words(example, HYPOTHESIS),
        "overlap_only": _share,
    }
    usual = max(Counter(label for _, label in found).values())
    right = {name: _right([(look(each), each.cluster, label) for each, label in found]) for name, look in looks.items()}
    return {"pairs": len(found), "commonest_label": usual / len(found)} | {
        name: count / len(found) for name, count in right.items()
    }


def suspicious(found: Mapping[str, Any] | None) -> list[str]:
    """The baselines, in words with their accuracy, that beat the commonest label by more than chance explains.

    By more than two standard errors of the difference, taken for that of independent shares, and a tenth of the rest.
    """
    if not found:
        return []
    usual, pairs = found["commonest_label"], found["pairs"]
    noise = 2 * math.sqrt(2 * usual * (1 - usual) / pairs)
    least = usual + max(noise, 0.1 * (1 - usual))
    return [f"{said} ({found[name]:.3f})" for name, said in CHECKS.items() if found[name] > least]


def _words(example: Example, field: str) -> Sequence[str]:
    return sorted({token.lower() for token in example.fields[field].tokens})


def _share(example: Example) -> Sequence[str]:
    return [str(round(_TENTHS * (overlap(joined(example.fields)) or 0)))]


def _right(rows: Sequence[tuple[Sequence[str], str, str]]) -> int:
    """How many rows of features, id and label a naive Bayes classifier labels right that was fitted on other parts."""
    parts: dict[int, list[tuple[Sequence[str], str]]] = defaultdict(list)
    for features, key, label in rows:
        parts[int(hashlib.blake2b(key.encode(), digest_size=4).hexdigest(), 16) % FOLDS].append((features, label))
    labels = sorted({label for _, _, label in rows})
    every, all_labels = _counted(row for part in parts.values() for row in part)
    right = 0
    for part in parts.values():
        own, own_labels = _counted(part)
        known = {name: math.log(1 + all_labels[name] - own_labels[name]) for name in labels}
        totals = {name: all_labels[name] - own_labels[name] + 2 for name in labels}
        for features, label in part:
            scores = dict(known)
            for feature in features:
                if every[feature].total() == own[feature].total():
                    continue
                for name in labels:
                    scores[name] += math.log((every[feature][name] - own[feature][name] + 1) / totals[name])
            right += max(labels, key=lambda name: scores[name]) == label
    return right


def _counted(rows: Any) -> tuple[defaultdict[str, Counter[str]], Counter[str]]:
    """How often each feature stands with each label, and how often each label."""
    features: defaultdict[str, Counter[str]] = defaultdict(Counter)
    labels: Counter[str] = Counter()
    for row, label in rows:
        labels[label] += 1
        for feature in row:
            features[feature][label] += 1
    return features, labels
