"""From attack results to a sheet for each rater, and a key that raters do not get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.raters import forms
from abalo.raters.forms import SENTENCES, new_ids, shuffled
from perturbations import Sentence, stream
from perturbations.streams import pick

ORIGINAL = "original"
"""The kind of a sentence that no attack has changed."""


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """A sentence to be rated. ``pair`` is the id of the original that it is or came from; ``kind`` names the attack."""

    pair: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The items of a rater by id, in this order. An item has the same id on all sheets."""

    rater: str
    items: Mapping[str, Item]


_Pools = dict[str, dict[str, list[Item]]]
"""Items by kind, then by original: an original can have been attacked in several places."""


def items_of(records: Iterable[Any], place: str = "attack result") -> list[Item]:
    """The distinct adversarial sentences of attacks that succeeded and all originals, without white space around them.

    Raises `AbaloError` for anything but an attack result, with
    ``place`` and its number from 1.
    """
    items: dict[Item, None] = {}
    for number, record in enumerate(records, start=1):
        try:
            items |= dict.fromkeys(_items(record))
        except (KeyError, TypeError, ValueError) as error:
            raise AbaloError(
                f"{place} {number}: {type(error).__name__}: {error}; expected an object with the strings sentence_id "
                "and attack, the lists tokens and spaces, and adversarial: null or an object with such lists"
            ) from error
    return list(items)


def _items(record: Any) -> Iterator[Item]:
    pair, attack = record["sentence_id"], record["attack"]
    if not isinstance(pair, str) or not isinstance(attack, str) or attack == ORIGINAL:
        raise ValueError(f"sentence_id {shown(pair)}, attack {shown(attack)}")
    yield Item(pair, ORIGINAL, _text(record))
    if record["adversarial"] is not None and record.get("broken", True):
        yield Item(pair, attack, _text(record["adversarial"]))


def _text(sentence: Any) -> str:
    tokens, spaces = sentence["tokens"], sentence["spaces"]
    if not tokens or not isinstance(tokens, list) or not isinstance(spaces, list):
        raise ValueError(f"tokens {shown(tokens)}, spaces {shown(spaces)}")
    return Sentence(tuple(tokens), spaces=tuple(spaces)).text.strip()


def deal(
    items: Iterable[Item], raters: int = 2, per_rater: int = 100, overlap: float = 0.2, seed: int = 1
) -> list[Sheet]:
    """A sheet for each rater with ``per_rater`` sentences of each kind, shuffled, under random ids.

    No two sentences of a sheet come from the same original. A share ``overlap`` of each kind, 0 to 1, to the nearest
    whole sentence, is on every sheet; no other sentence is on two. The draws depend on the seed and the set of items.
    Raises `AbaloError` where these are too few.
    """
    if raters < 1 or per_rater < 1 or not 0 <= overlap <= 1:
        given = f"--raters {raters} --per-rater {per_rater} --overlap {overlap}"
        raise AbaloError(f"{given}: expected two whole numbers from 1 and a share from 0 to 1")
    draws = stream(seed, "raters")
    drawn = _drawn(_pools(items), raters, per_rater, round(overlap * per_rater), draws)
    different = shuffled(sorted({item for sheet in drawn for item in sheet.values()}), draws)
    ids = dict(zip(different, new_ids(len(different), draws), strict=True))
    shown_to = [shuffled(list(sheet.values()), draws) for sheet in drawn]
    return [Sheet(f"rater-{n}", {ids[item]: item for item in one}) for n, one in enumerate(shown_to, start=1)]


def _pools(items: Iterable[Item]) -> _Pools:
    pools: _Pools = {}
    for item in sorted(set(items)):
        pools.setdefault(item.kind, {}).setdefault(item.pair, []).append(item)
    if len(pools) < 2 or ORIGINAL not in pools:
        raise AbaloError("no adversarial sentences to rate beside originals; give results of attacks that succeeded")
    return pools


def _drawn(pools: _Pools, raters: int, per_rater: int, shared: int, draws: Random) -> list[dict[str, Item]]:
    """For each rater one item for each of the originals drawn; the kind with the fewest has the first choice."""
    drawn: list[dict[str, Item]] = [{} for _ in range(raters)]
    kinds = sorted(pools, key=lambda kind: (len(pools[kind]), kind))
    free = {kind: shuffled(list(pools[kind]), draws) for kind in kinds}
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
    """The sheets and their key, as `forms.write` does; in the key, originals and what became of them have one pair."""
    dealt = list(sheets)
    items = {name: item for sheet in dealt for name, item in sheet.items.items()}
    forms.write(
        SENTENCES,
        {},
        {name: {"pair": item.pair, "kind": item.kind} for name, item in items.items()},
        {sheet.rater: {name: (item.text,) for name, item in sheet.items.items()} for sheet in dealt},
        folder,
    )
