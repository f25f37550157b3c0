"""The entity attack: another entity of the same type in its place [Dirkson et al., 3.1.3]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import Aims, Attack, AttackSettings, Planned
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.core.configuring import Ranges
from abalo.core.targets import Target
from abalo.corpora import Corpus
from abalo.corpora.training import load_named
from perturbations import apply, entity_spans, stream
from perturbations.levels import entity_edit
from perturbations.streams import sample

JUDGED = "corpus"
"""The value of ``entities`` that means the corpus that is judged."""

Entity = tuple[str, ...]
"""The tokens of an entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySettings(AttackSettings):
    """Further settings of the entity attack.

    ``candidates`` other entities of the type are drawn from ``entities``: a corpus, or "corpus" for the one that is
    judged.
    """

    entities: str = JUDGED
    candidates: int = 50

    ranges: ClassVar[Ranges] = {**AttackSettings.ranges, "candidates": (1, 10**9)}


def plan(aims: Aims, settings: EntitySettings) -> Planned:
    """Other entities of the type in an entity's place; of those that break the model, the most alike."""
    corpus = aims.corpus if settings.entities == JUDGED else load_named(settings.entities)
    pools = entities_of(corpus)
    drawn = [_drawn(target, pools, aims.seed, settings.candidates) for target in aims.targets]
    searches = [search(target, candidates) for target, candidates in zip(aims.targets, drawn, strict=True)]
    source = f"{corpus.name} ({sum(map(len, pools.values())):,} distinct, sha256 {corpus.sha256[:8]})"
    return Planned(searches, list(map(len, drawn)), {"entities": source})


def entities_of(corpus: Corpus) -> dict[str, list[Entity]]:
    """The distinct entities of each type, in alphabetical order, so that the order of the corpus changes no draw."""
    found: dict[str, set[Entity]] = {}
    for sentence in corpus.sentences:
        for span in entity_spans(sentence.tags or ()):
            found.setdefault(span.type, set()).add(sentence.tokens[span.start : span.stop])
    return {kind: sorted(entities) for kind, entities in sorted(found.items())}


def _drawn(target: Target, pools: Mapping[str, Sequence[Entity]], seed: int, count: int) -> list[Entity]:
    (span,) = target.spans
    own = target.sentence.tokens[span.start : span.stop]
    others = [entity for entity in pools.get(span.type, ()) if entity != own]
    return sample(stream(seed, "entity_attack", target.example.id, span.start), others, count)


def search(target: Target, candidates: Sequence[Entity]) -> Search:
    """Asks about the candidates, the most alike to the original first, until one breaks it.

    Of those that break it, the one most alike to the original; else, of those with which it is not found, the one with
    the largest share of wrong words; else the one with the largest share, of equals always the most alike. Nothing is
    changed where every word is right.
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


ATTACK = Attack("entity_attack", EntitySettings, plan, lambda _: True, of_spans=True)
