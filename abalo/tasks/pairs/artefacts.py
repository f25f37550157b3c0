"""How well labels can be predicted without comparing the sentences.

Baselines see one sentence or only the overlap. If they beat the most frequent label, a model need not compare sentences
[Gururangan et al. 2018, Annotation Artifacts in NLI Data; Poliak et al. 2018, Hypothesis Only Baselines]. They are
naive Bayes classifiers, cross-validated in `FOLDS` parts.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from abalo.core.records.example import Example, JsonObject, join_fields
from abalo.core.records.json_records import Json
from abalo.slices.overlap import overlap
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE

FOLDS = 10
LEAST = 50

CHECKS = {
    "commonest_label": "the commonest label",
    "premise_only": "only the first sentence",
    "hypothesis_only": "only the second sentence",
    "overlap_only": "only the share of words of the second sentence in the first",
}

_TENTHS = 10


def artefacts(examples: Sequence[Example]) -> JsonObject | None:
    """The accuracy of each baseline; None for few pairs."""
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


def suspicious(found: Json | None) -> list[str]:
    """The baselines that beat the commonest label by two standard errors and a tenth of its errors."""
    if not found:
        return []
    usual, pairs = found["commonest_label"], found["pairs"]
    noise = 2 * math.sqrt(2 * usual * (1 - usual) / pairs)
    least = usual + max(noise, 0.1 * (1 - usual))
    return [f"{said} (accuracy {found[name]:.3f})" for name, said in CHECKS.items() if found[name] > least]


def _words(example: Example, field: str) -> Sequence[str]:
    return sorted({token.lower() for token in example.fields[field].tokens})


def _share(example: Example) -> Sequence[str]:
    return [str(round(_TENTHS * (overlap(join_fields(example.fields)) or 0)))]


def _right(rows: Sequence[tuple[Sequence[str], str, str]]) -> int:
    parts: dict[int, list[tuple[Sequence[str], str]]] = defaultdict(list)
    for features, key, label in rows:
        parts[int(hashlib.blake2b(key.encode(), digest_size=4).hexdigest(), 16) % FOLDS].append((features, label))
    labels = sorted({label for _, _, label in rows})
    every, all_labels = _count_features(row for part in parts.values() for row in part)
    right = 0
    for part in parts.values():
        own, own_labels = _count_features(part)
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


def _count_features(rows: Any) -> tuple[defaultdict[str, Counter[str]], Counter[str]]:
    features: defaultdict[str, Counter[str]] = defaultdict(Counter)
    labels: Counter[str] = Counter()
    for row, label in rows:
        labels[label] += 1
        for feature in row:
            features[feature][label] += 1
    return features, labels
