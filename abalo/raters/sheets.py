"""From attack results to a sheet for each rater, and a key that raters do not get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.files import check_writable, write_text
from abalo.reporting.cells import to_csv
from perturbations import Sentence, stream
from perturbations.streams import pick, sample

T = TypeVar("T")

ORIGINAL = "original"
"""The kind of a sentence that no attack has changed."""

README = "README.txt"
KEY = "key.csv"
KEY_COLUMNS = ("rater", "id", "pair", "kind")
SHEET_COLUMNS = ("id", "sentence", "rating")

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Of ids: one with digits may be taken for a number by a spreadsheet program, one with vowels for a word by a rater."""

_ELSEWHERE = "choose another folder with --out FOLDER"


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


def shuffled(values: Sequence[T], draws: Random) -> list[T]:
    """The values in random order, each order equally likely."""
    return sample(draws, values, len(values))


def new_ids(count: int, draws: Random) -> list[str]:
    """As many different ids, which say nothing of what they stand for."""
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids["".join(pick(draws, _LETTERS) for _ in range(6))] = None
    return list(ids)


def write(sheets: Iterable[Sheet], folder: Path) -> None:
    """A CSV file for each sheet and README.txt for the raters, and key.csv, which they do not get.

    As `write_new` has it.
    """
    texts = {README: instructions("instructions.txt")}
    key = []
    for sheet in sheets:
        rows = [(name, item.text, "") for name, item in sheet.items.items()]
        texts[f"{sheet.rater}.csv"] = to_csv(SHEET_COLUMNS, rows)
        key += [(sheet.rater, name, item.pair, item.kind) for name, item in sheet.items.items()]
    texts[KEY] = to_csv(KEY_COLUMNS, key)
    write_new(texts, folder)


def instructions(name: str) -> str:
    """The text for raters that ships under this name."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def write_new(texts: Mapping[str, str], folder: Path) -> None:
    """The texts as files of the folder by name: all are there or none.

    Raises `AbaloError` where one is there already, since it may hold ratings, and where the folder cannot be written.
    """
    check_writable(folder, _ELSEWHERE)
    if there := [name for name in texts if (folder / name).exists()]:
        raise AbaloError(f"{folder}: already holds {', '.join(there)}; {_ELSEWHERE}")
    try:
        for name, text in texts.items():
            write_text(folder / name, text, _ELSEWHERE)
    except AbaloError:
        for name in texts:
            (folder / name).unlink(missing_ok=True)
        raise
