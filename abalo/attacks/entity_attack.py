"""The entity attack: another entity of the same type [Dirkson et al., 3.1.3]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import Aims, Attack, AttackSettings, Started
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.core.records.configuring import Ranges
from abalo.core.records.targets import Target
from abalo.corpora import Corpus
from abalo.corpora.training import load_named
from perturbations import apply, entity_spans, stream
from perturbations.levels import entity_edit
from perturbations.streams import sample

JUDGED = "corpus"

EntityTokens = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySettings(AttackSettings):
    """Further settings of the entity attack."""

    entities: str = JUDGED
    candidates: int = 50

    ranges: ClassVar[Ranges] = {**AttackSettings.ranges, "candidates": (1, 10**9)}


def start(aims: Aims, settings: EntitySettings) -> Started:
    """Replaces an entity by others of its type; of those that break the model, the most similar wins."""
    corpus = aims.corpus if settings.entities == JUDGED else load_named(settings.entities)
    pools = entities_of(corpus)
    drawn = [_draw_entities(target, pools, aims.seed, settings.candidates) for target in aims.targets]
    searches = [search(target, candidates) for target, candidates in zip(aims.targets, drawn, strict=True)]
    source = f"{corpus.name} ({sum(map(len, pools.values())):,} distinct, sha256 {corpus.sha256[:8]})"
    return Started(searches, list(map(len, drawn)), {"entities": source})


def entities_of(corpus: Corpus) -> dict[str, list[EntityTokens]]:
    """Distinct entities by type, sorted, which makes draws independent of corpus order."""
    found: dict[str, set[EntityTokens]] = {}
    for sentence in corpus.sentences:
        for span in entity_spans(sentence.tags or ()):
            found.setdefault(span.type, set()).add(sentence.tokens[span.start : span.stop])
    return {kind: sorted(entities) for kind, entities in sorted(found.items())}


def _draw_entities(
    target: Target, pools: Mapping[str, Sequence[EntityTokens]], seed: int, count: int
) -> list[EntityTokens]:
    (span,) = target.spans
    own = target.sentence.tokens[span.start : span.stop]
    others = [entity for entity in pools.get(span.type, ()) if entity != own]
    return sample(stream(seed, "entity_attack", target.example.id, span.start), others, count)


def search(target: Target, candidates: Sequence[EntityTokens]) -> Search:
    """Tries the candidates, the most similar to the original first, until one breaks the target.

    Otherwise the most damaging candidate wins: one that leaves the entity unfound, or with most wrong words. Ties go to
    the most similar.
    """
    (span,) = target.spans
    made = [apply(target.sentence, [entity_edit(span, entity)]) for entity in candidates]

    def breaks(answer: Answer) -> bool:
        return target.read(answer.prediction, answer.perturbed).broken

    answers = yield Ask(target, made, enough=breaks)
    read = [(target.read(answer.prediction, answer.perturbed), answer) for answer in answers]
    ranked = max(read, key=lambda pair: (pair[0].damage, pair[1].similarity), default=None)
    if ranked is None or not any(ranked[0].damage):
        return Found(None, target.clean)
    return Found(ranked[1].perturbed, ranked[1].prediction, ranked[1].similarity)


ATTACK = Attack("entity_attack", EntitySettings, start, lambda _: True, of_spans=True)
