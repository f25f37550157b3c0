"""The entity attack: another entity of the same type in its place [Dirkson et al., 3.1.3]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import Aims, Attack, Planned, Settings
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.attacks.targets import Target
from abalo.core.configuring import Ranges
from abalo.corpora import Corpus, load
from abalo.corpora.training import check_training
from perturbations import apply, entity_spans, sentence_id, stream
from perturbations.levels import entity_edit
from perturbations.streams import sample

JUDGED = "corpus"
"""The value of ``entities`` that means the corpus that is judged."""

Entity = tuple[str, ...]
"""The tokens of an entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySettings(Settings):
    """Further settings of the entity attack.

    ``candidates`` other entities of the type are drawn from ``entities``: a corpus, or "corpus" for the one that is
    judged. ``training`` names the training corpus of the model, to see whether entities that break it are rarer there.
    """

    entities: str = JUDGED
    candidates: int = 50
    training: str = ""

    ranges: ClassVar[Ranges] = {**Settings.ranges, "candidates": (1, 10**9)}

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        check_training(self.training)


def plan(aims: Aims, settings: EntitySettings) -> Planned:
    """Other entities of the type in an entity's place; of those that break the model, the most alike."""
    corpus = aims.corpus if settings.entities == JUDGED else load(settings.entities)
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
    own = target.sentence.tokens[target.span.start : target.span.stop]
    others = [entity for entity in pools.get(target.span.type, ()) if entity != own]
    return sample(stream(seed, "entity_attack", sentence_id(target.sentence), target.span.start), others, count)


def search(target: Target, candidates: Sequence[Entity]) -> Search:
    """Asks about all candidates at once.

    Of those that leave no word right, the one most alike to the original; else the one with the largest share of wrong
    words, of equals the most alike; else nothing is changed.
    """
    made = [apply(target.sentence, [entity_edit(target.span, entity)]) for entity in candidates]
    answers = yield Ask(target.sentence, made)
    read = [(_share_wrong(target, answer), answer) for answer in answers]
    share, chosen = max(read, key=lambda pair: (pair[0], pair[1].similarity), default=(0.0, None))
    if chosen is None or not share:
        return Found(None, target.clean)
    return Found(chosen.perturbed, chosen.prediction, chosen.similarity)


def _share_wrong(target: Target, answer: Answer) -> float:
    """The share of the new entity's words that are labelled wrong."""
    (edit,) = answer.perturbed.edits
    places = range(edit.start, edit.start + len(edit.tokens))
    wrong = target.read(answer.prediction, places, edit.tags or ()).wrong
    return sum(wrong) / len(wrong)


ATTACK = Attack("entity_attack", EntitySettings, plan, lambda _: True)
