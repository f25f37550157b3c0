"""The entity context attack: synonyms around an entity until the model no longer sees it [Dirkson et al., 3.1.2].

A. Dirkson, S. Verberne and W. Kraaij, Breaking BERT: Understanding its Vulnerabilities for Named Entity Recognition
through Adversarial Attack, 2021.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from abalo.attacks.attack import Aims, Attack, Planned, Settings
from abalo.attacks.search import Answer, Ask, Found, Search, State
from abalo.attacks.targets import Reading, Target, score_of
from abalo.core.configuring import Ranges
from abalo.sources import Synonym
from abalo.sources.loading import load_synonyms
from abalo.tasks.tokens.alignment import accepted
from perturbations import Edit, Sentence, apply, sentence_id, stream
from perturbations.languages import with_parts
from perturbations.lexicons import words
from perturbations.streams import sample

DECIMALS = 4
"""Scores of one sentence differ by some 1e-7 from batch to batch; what differs by no more than that is equal."""

Options = Mapping[int, Sequence[Synonym]]
"""For each place that can be changed, the words that could stand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings(Settings):
    """Further settings of the context attack.

    ``synonyms`` names their source; of each word at most ``most_synonyms`` are tried, those with a similarity above
    ``least_synonym_similarity``. Words of the list ``stop_words`` are never touched. ``ranking`` is the order in which
    words are tried: by importance, or at random, which shows what the ranking is worth (Table 5).
    """

    synonyms: str = "lexicon:near_synonyms_pt"
    most_synonyms: int = 50
    least_synonym_similarity: float = 0.5
    stop_words: str = "stop_words_pt"
    ranking: Literal["importance", "random"] = "importance"

    ranges: ClassVar[Ranges] = {**Settings.ranges, "most_synonyms": (1, 10**9), "least_synonym_similarity": (-1, 1)}

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        words(self.stop_words)  # says so where there is no such list


def plan(aims: Aims, settings: ContextSettings) -> Planned:
    """Synonyms for words around an entity, the most important first, until it is lost with every word of it."""
    source = load_synonyms(settings.synonyms, most=settings.most_synonyms, least=settings.least_synonym_similarity)
    stops = words(settings.stop_words)
    places = {target.sentence: _places(target.sentence, stops) for target in aims.targets}
    sites = [(sentence, place) for sentence, those in places.items() for place in those]
    found = dict(zip(((sentence, place) for sentence, place in sites), source.of(sites), strict=True))
    options = {
        sentence: {place: found[sentence, place] for place in those if found[sentence, place]}
        for sentence, those in places.items()
    }
    searches = [
        search(target, options[target.sentence], _order(target, options[target.sentence], aims.seed, settings.ranking))
        for target in aims.targets
    ]
    open_places = [tuple(options[target.sentence]) for target in aims.targets]
    named = {"synonyms": source.name, "stop words": settings.stop_words}
    return Planned(searches, list(map(len, open_places)), named, open_places)


def _places(sentence: Sentence, stops: frozenset[str]) -> list[int]:
    """Words that may be changed: outside all entities, and no stop words."""
    tags = sentence.tags or ()
    return [i for i, word in enumerate(sentence.tokens) if tags[i] == "O" and word.lower() not in stops]


def _order(target: Target, options: Options, seed: int, ranking: str) -> list[int] | None:
    """The places in random order; None where importance is to rank them."""
    if ranking == "importance":
        return None
    draws = stream(seed, "context_attack", sentence_id(target.sentence), target.span.start)
    return sample(draws, list(options), len(options))


def search(target: Target, options: Options, order: Sequence[int] | None = None) -> Search:
    """Changes one word after the other, in ``order`` or by importance, until the entity is lost or no word is left."""
    places = order if order is not None else (yield from _by_importance(target, options))
    gold = (target.sentence.tags or ())[target.span.start : target.span.stop]
    edits: list[Edit] = []
    now = target.read(target.clean, target.words, gold)
    last: Answer | None = None
    hardest: tuple[Answer, Reading] | None = None
    for place in places:
        made = [[*edits, Edit(place, place + 1, (option.word,))] for option in options[place]]
        answers = yield Ask(target.sentence, [apply(target.sentence, each) for each in made])
        chosen = best(now, [(answer, target.read(answer.prediction, target.words, gold)) for answer in answers])
        if chosen is None:
            continue
        last, now = chosen
        edits = list(last.perturbed.edits)
        if hardest is None or now.seen.damage >= hardest[1].seen.damage:
            hardest = chosen
        if now.broken:
            break
    if last is None or hardest is None:
        return Found(None, target.clean)
    reached = None if hardest[0] is last else State(hardest[0].perturbed, hardest[0].prediction)
    return Found(last.perturbed, last.prediction, last.similarity, reached)


def best(now: Reading, answers: Sequence[tuple[Answer, Reading]]) -> tuple[Answer, Reading] | None:
    """The answer to go on from; None where none helps [Dirkson et al., 3.1.2, step 4].

    Words that are wrong already have no say, so a later step may put one right again.

    Of those that break the entity, the one most alike to the original; else, of those that turn most of the words
    that are still right, the one that lowers the scores of the others most; else the one that lowers the scores of all
    that are still right, if any does. Of equals the first.
    """
    broken = [pair for pair in answers if pair[1].broken]
    if broken:
        return max(broken, key=lambda pair: pair[0].similarity)
    still_right = now.open_words()
    turned = [sum(reading.turned[k] for k in still_right) for _, reading in answers]
    most = max(turned, default=0)

    def reduction(pair: tuple[Answer, Reading]) -> float:
        left = [k for k in still_right if not pair[1].turned[k]]
        return round(now.total(left) - pair[1].total(left), DECIMALS)

    candidates = [pair for pair, count in zip(answers, turned, strict=True) if count == most]
    chosen = max(candidates, key=reduction, default=None)
    return chosen if chosen is not None and (most or reduction(chosen) > 0) else None


def _by_importance(target: Target, options: Options) -> Generator[Ask, Sequence[Answer], list[int]]:
    """The places, the most important first; of equals the leftmost."""
    places = list(options)
    without = [apply(target.sentence, [Edit(place, place + 1, ())]) for place in places]
    answers = yield Ask(target.sentence, without, probe=True)
    found = {place: importance(target, answer, place) for place, answer in zip(places, answers, strict=False)}
    return sorted(found, key=lambda place: (-round(found[place], DECIMALS), place))


def importance(target: Target, answer: Answer, place: int) -> float:
    """The effect of deleting the word at ``place`` on the right labels of the entity [Dirkson et al., equation 1].

    For each word of the entity, the score that its right label loses, the larger of I-T and B-T where gold is I-T, and,
    where the label becomes wrong, what the wrong label gains. The paper's wording would also allow the wrong label's
    whole score there; its released code takes the difference.
    """
    total = 0.0
    for word in target.words:
        after = word - (place < word)
        right = accepted((target.sentence.tags or ())[word])
        total += score_of(target.clean, word, right, target.labels)
        total -= score_of(answer.prediction, after, right, target.labels)
        label = answer.prediction.tags[after]
        if label not in right:
            total += score_of(answer.prediction, after, (label,), target.labels)
            total -= score_of(target.clean, word, (label,), target.labels)
    return total


ATTACK = Attack(
    "context_attack",
    ContextSettings,
    plan,
    lambda settings: settings.ranking == "random",
    lists={
        code: {"synonyms": f"lexicon:near_synonyms_{code}", "stop_words": f"stop_words_{code}"}
        for code in with_parts("letters", "near_synonyms", "stop_words")
    },
)
