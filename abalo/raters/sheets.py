"""Sheets and their key, made from attack results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from abalo.attacks.record import RecordedSentence
from abalo.core.records.json_records import read
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError, in_words
from abalo.raters import forms
from abalo.raters.forms import SENTENCES, new_ids, shuffle
from perturbations import Sentence, stream
from perturbations.streams import pick

ORIGINAL = "original"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedRecord(RecordedSentence):
    """What a sheet needs of the log of an attack."""

    sentence_id: str
    attack: str
    adversarial: RecordedSentence | None
    broken: bool = True


@dataclass(frozen=True, slots=True, order=True)
class SheetSentence:
    """A sentence to rate; ``pair`` is the id of its original, ``kind`` names the attack."""

    pair: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rater's items by id, in order; ids are the same on all sheets."""

    rater: str
    items: Mapping[str, SheetSentence]


_Pools = dict[str, dict[str, list[SheetSentence]]]


def items_of(records: Iterable[object], place: str = "attack result") -> list[SheetSentence]:
    """Distinct adversarial sentences of successes, and all originals; raises `AbaloError` for other records."""
    items: dict[SheetSentence, None] = {}
    for number, record in enumerate(records, start=1):
        try:
            items |= dict.fromkeys(_items(read(RatedRecord, record)))
        except (TypeError, ValueError) as error:
            raise AbaloError(
                f"{place} {number}: {in_words(error)}; expected an object with the strings sentence_id "
                "and attack, the lists tokens and spaces, and adversarial: null or an object with such lists"
            ) from error
    return list(items)


def _items(record: RatedRecord) -> Iterator[SheetSentence]:
    pair, attack = record.sentence_id, record.attack
    if not isinstance(pair, str) or not isinstance(attack, str) or attack == ORIGINAL:
        raise ValueError(f"sentence_id {show_value(pair)}, attack {show_value(attack)}")
    yield SheetSentence(pair, ORIGINAL, _text(record))
    if record.adversarial is not None and record.broken:
        yield SheetSentence(pair, attack, _text(record.adversarial))


def _text(sentence: RecordedSentence) -> str:
    tokens, spaces = sentence.tokens, sentence.spaces
    if not tokens or not isinstance(tokens, list) or not isinstance(spaces, list):
        raise ValueError(f"tokens {show_value(tokens)}, spaces {show_value(spaces)}")
    return Sentence(tuple(tokens), spaces=tuple(spaces)).text.strip()


def deal(
    items: Iterable[SheetSentence], raters: int = 2, per_rater: int = 100, overlap: float = 0.2, seed: int = 1
) -> list[Sheet]:
    """A shuffled sheet for each rater, with ``per_rater`` sentences of each kind, all of different originals.

    The share ``overlap`` of each kind, 0 to 1, is on every sheet, any other sentence on one. Raises `AbaloError` for
    too few items.
    """
    if raters < 1 or per_rater < 1 or not 0 <= overlap <= 1:
        given = f"--raters {raters} --per-rater {per_rater} --overlap {overlap}"
        raise AbaloError(f"{given}: expected two whole numbers from 1 and a share from 0 to 1")
    draws = stream(seed, "raters")
    drawn = _draw_items(_pools(items), raters, per_rater, round(overlap * per_rater), draws)
    different = shuffle(sorted({item for sheet in drawn for item in sheet.values()}), draws)
    ids = dict(zip(different, new_ids(len(different), draws), strict=True))
    shown_to = [shuffle(list(sheet.values()), draws) for sheet in drawn]
    return [Sheet(f"rater-{n}", {ids[item]: item for item in one}) for n, one in enumerate(shown_to, start=1)]


def _pools(items: Iterable[SheetSentence]) -> _Pools:
    pools: _Pools = {}
    for item in sorted(set(items)):
        pools.setdefault(item.kind, {}).setdefault(item.pair, []).append(item)
    if len(pools) < 2 or ORIGINAL not in pools:
        raise AbaloError("no adversarial sentences to rate beside originals; give results of attacks that succeeded")
    return pools


def _draw_items(
    pools: _Pools, raters: int, per_rater: int, shared: int, draws: Random
) -> list[dict[str, SheetSentence]]:
    drawn: list[dict[str, SheetSentence]] = [{} for _ in range(raters)]
    kinds = sorted(pools, key=lambda kind: (len(pools[kind]), kind))
    free = {kind: shuffle(list(pools[kind]), draws) for kind in kinds}
    own = per_rater - shared
    for sheets, count in [(drawn, shared), *(([sheet], own) for sheet in drawn)]:
        for before, kind in enumerate(kinds):
            pairs = [pair for pair in free[kind] if not any(pair in sheet for sheet in sheets)][:count]
            if len(pairs) < count:
                # What can be in the way: all else on the sheet, and all of this kind on the other sheets.
                enough = len(kinds) * shared + (raters + before) * own
                raise AbaloError(
                    f"too few sentences of kind {kind!r} for {raters} sheets with {per_rater} of each kind, all from "
                    f"different originals: there are {len(pools[kind])}, and {enough} are needed to be sure; attack "
                    "more sentences, or ask for fewer with --per-rater or --raters"
                )
            items = {pair: pick(draws, pools[kind][pair]) for pair in pairs}
            free[kind] = [pair for pair in free[kind] if pair not in items]
            for sheet in sheets:
                sheet.update(items)
    return drawn


def write(sheets: Iterable[Sheet], folder: Path) -> None:
    """Writes the sheets and their key; raises as `forms.write`."""
    dealt = list(sheets)
    items = {name: item for sheet in dealt for name, item in sheet.items.items()}
    forms.write(
        SENTENCES,
        {},
        {name: {"pair": item.pair, "kind": item.kind} for name, item in items.items()},
        {sheet.rater: {name: (item.text,) for name, item in sheet.items.items()} for sheet in dealt},
        folder,
    )
