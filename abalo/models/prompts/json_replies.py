"""Finds JSON in replies, even if broken or surrounded."""

from __future__ import annotations

import json

LONGEST = 200_000

_STARTS = 50

_DECODER = json.JSONDecoder()


def json_in(reply: str) -> object:
    """The first JSON object or list, or None."""
    if len(reply) > LONGEST:
        return None
    place = -1
    for _ in range(_STARTS):
        found = [at for sign in "{[" if (at := reply.find(sign, place + 1)) >= 0]
        if not found:
            return None
        place = min(found)
        try:
            value, _ = _DECODER.raw_decode(reply, place)
        except (ValueError, RecursionError):
            continue
        return value
    return None


def entries(value: object, key: str) -> list[object] | None:
    """The list under a key, or a bare list; else None."""
    found = value.get(key) if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def label_of(said: object, labels: tuple[str, ...]) -> str | None:
    """The matching label, ignoring case, or None."""
    if not isinstance(said, str):
        return None
    if said in labels:
        return said
    plain = said.strip().casefold()
    same = [label for label in labels if label.casefold() == plain]
    return same[0] if len(same) == 1 else None
