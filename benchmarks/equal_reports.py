"""Compares two robustness.json number by number: ``python -m benchmarks.equal_reports OLD NEW``.

Every field of every result in OLD has to be in NEW with the same value, to six decimals; NEW may have more. Times,
commands, versions and examples are left out. The exit code is 1 where anything differs, with a line for each field.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.reporting.documents.stored import from_stored
from benchmarks.arguments import ROOT, Parser

IGNORED = {"seconds", "command", "versions", "examples"}
"""Fields that differ from run to run."""

TOP = ("verdict", "counts", "model", "corpus", "baseline", "inputs", "gate", "notice", "device", "seeds")
"""Fields of the document that are compared besides its results."""


def differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """A line for each value of ``old`` that ``new`` lacks or has otherwise."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key, value in old.items():
            if key in IGNORED:
                continue
            if key in new:
                yield from differences(value, new[key], f"{place}.{key}".lstrip("."))
            else:
                yield f"{place}.{key}: missing"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, f"{place}[{number}]")
    elif not _equal(old, new):
        yield f"{place}: {old!r:.80} -> {new!r:.80}"


def _equal(old: Any, new: Any) -> bool:
    numbers = isinstance(old, float) and isinstance(new, int | float) and not isinstance(new, bool)
    return math.isclose(old, new, rel_tol=0, abs_tol=1.5e-6) if numbers else bool(old == new)


def compared(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[int, list[str]]:
    """How many results the documents share, and a line for each difference."""
    known = {_key(result): result for result in new["results"]}
    shared, lines = 0, []
    for result in old["results"]:
        key = _key(result)
        if key not in known:
            lines.append(f"{key}: missing")
            continue
        shared += 1
        lines += [f"{' '.join(filter(None, key))}: {line}" for line in differences(result, known[key])]
    for name in TOP:
        if name in old:
            lines += differences(old[name], new.get(name), name)
    return shared, lines


def _key(result: Mapping[str, Any]) -> tuple[str, str | None]:
    return result["id"], result["view"]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=2 * (str(ROOT / "reports" / "sample" / "robustness.json"),))
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Prints the differences; 1 where there are any."""
    options = parser().parse_args(given)
    old, new = (from_stored(json.loads(path.read_text(encoding="utf-8"))) for path in (options.old, options.new))
    shared, lines = compared(old, new)
    print(*lines, sep="\n", end="\n" if lines else "")
    print(f"{shared} results compared, {len(lines)} differences")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
