"""Greedy search over single words: the most important first, until the target is lost or no word is left.

The search is that of A. Dirkson, S. Verberne and W. Kraaij, Breaking BERT: Understanding its Vulnerabilities for Named
Entity Recognition through Adversarial Attack, 2021, 3.1.2, who took it from D. Jin et al., Is BERT Really Robust?
(TextFooler), 2020, for classification. Where a target is the one label of a text, the two are the same.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from abalo.attacks.attack import Aims, Planned, Settings
from abalo.attacks.search import Answer, Ask, Found, Search, State
from abalo.core.configuring import Lists, Ranges
from abalo.core.targets import Reading, Target
from abalo.sources import Synonym
from abalo.sources.loading import load_synonyms
from perturbations import Edit, apply, stream
from perturbations.languages import with_parts
from perturbations.lexicons import words
from perturbations.streams import sample

DECIMALS = 4
"""Scores of one sentence differ by some 1e-7 from batch to batch; what differs by no more than that is equal."""

Options = Mapping[int, Sequence[Synonym]]
"""For each place that can be changed, the words that could stand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionSettings(Settings):
    """Further settings of attacks that replace single words.

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


LISTS: Lists = {
    code: {"synonyms": f"lexicon:near_synonyms_{code}", "stop_words": f"stop_words_{code}"}
    for code in with_parts("letters", "near_synonyms", "stop_words")
}
"""The word lists by language."""


def draws(settings: SubstitutionSettings) -> bool:
    """Whether anything is drawn under these settings."""
    return settings.ranking == "random"


def planned(name: str, aims: Aims, settings: SubstitutionSettings) -> Planned:
    """A search for each target; ``name`` is that of the attack, which its draws depend on."""
    source = load_synonyms(settings.synonyms, most=settings.most_synonyms, least=settings.least_synonym_similarity)
    stops = words(settings.stop_words)
    places = [
        [place for place in target.free if target.sentence.tokens[place].lower() not in stops]
        for target in aims.targets
    ]
    sites = dict.fromkeys(
        (target.sentence, place) for target, own in zip(aims.targets, places, strict=True) for place in own
    )
    found = dict(zip(sites, source.of(list(sites)), strict=True))
    options = [
        {place: found[target.sentence, place] for place in own if found[target.sentence, place]}
        for target, own in zip(aims.targets, places, strict=True)
    ]
    searches = [
        search(target, own, _order(name, target, own, aims.seed) if draws(settings) else None)
        for target, own in zip(aims.targets, options, strict=True)
    ]
    named = {"synonyms": source.name, "stop words": settings.stop_words}
    return Planned(searches, list(map(len, options)), named, list(map(tuple, options)))


def _order(name: str, target: Target, options: Options, seed: int) -> list[int]:
    """The places in random order."""
    drawn = stream(seed, name, target.example.id, target.start)
    return sample(drawn, list(options), len(options))


def search(target: Target, options: Options, order: Sequence[int] | None = None) -> Search:
    """Changes one word after the other, in ``order`` or by importance, until the target is lost or no word is left."""
    places = order if order is not None else (yield from _by_importance(target, options))
    edits: list[Edit] = []
    now = target.read(target.clean)
    last: Answer | None = None
    hardest: tuple[Answer, Reading] | None = None
    for place in places:
        made = [[*edits, Edit(place, place + 1, (option.word,))] for option in options[place]]
        answers = yield Ask(target, [apply(target.sentence, each) for each in made])
        chosen = best(now, [(answer, target.read(answer.prediction, answer.perturbed)) for answer in answers])
        if chosen is None:
            continue
        last, now = chosen
        edits = list(last.perturbed.edits)
        if hardest is None or now.damage >= hardest[1].damage:
            hardest = chosen
        if now.broken:
            break
    if last is None or hardest is None:
        return Found(None, target.clean)
    reached = None if hardest[0] is last else State(hardest[0].perturbed, hardest[0].prediction)
    return Found(last.perturbed, last.prediction, last.similarity, reached)


def best(now: Reading, answers: Sequence[tuple[Answer, Reading]]) -> tuple[Answer, Reading] | None:
    """The answer to go on from; None where none helps [Dirkson et al., 3.1.2, step 4].

    Parts that are wrong already have no say, so a later step may put one right again.

    Of those that break the target, the one most alike to the original; else, of those that turn most of the parts
    that are still right, the one that lowers the scores of the others most; else the one that lowers the scores of all
    that are still right, if any does. Of equals the first.
    """
    broken = [pair for pair in answers if pair[1].broken]
    if broken:
        return max(broken, key=lambda pair: pair[0].similarity)
    still_right = now.open_parts()
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
    answers = yield Ask(target, without, probe=True)
    found = {
        place: target.importance(answer.prediction, answer.perturbed)
        for place, answer in zip(places, answers, strict=False)
    }
    return sorted(found, key=lambda place: (-round(found[place], DECIMALS), place))
