"""The document as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow"}


def lines(document: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Lines with their colours: the notice, one line per case in the view that is bound, and the verdict."""
    if document.get("notice"):
        yield document["notice"], "yellow"
    shown = [result for result in document["results"] if result["verdict"] is not None]
    width = max((len(result["id"]) for result in shown), default=0)
    for result in shown:
        yield _line(result, width), _COLOURS[result["verdict"]]
    if document["missing"]:
        yield f"not run: {', '.join(document['missing'])}", "yellow"
    yield headline(document), _COLOURS[document["verdict"]]


def _line(result: Mapping[str, Any], width: int) -> str:
    measured = result["metrics"]
    bounds = ", ".join(
        f"{judgement['bound']}{' of ' + judgement['type'] if judgement['type'] else ''} {judgement['limit']:g}"
        for judgement in result["judgements"]
    )
    parts = [f"{result['id']:<{width}}", f"F1 {_value(measured['f1'])}"]
    if result["perturbation"] != "baseline":
        parts.append(f"drop {_interval(measured['f1_drop'])}")
        parts.append(f"changed {result['changed']}/{result['sentences']}")
    parts += [bounds, result["verdict"].upper() + ("" if result["blocking"] else " (not blocking)")]
    line = "  ".join(parts)
    return line + (f": {result['reason']}" if result["reason"] else "")


def headline(document: Mapping[str, Any]) -> str:
    """The verdict in one line, with how many cases are behind it."""
    counts = document["counts"]
    judged = sum(counts.values())
    notes = [f"{counts['pass']} of {judged} cases within bounds"]
    notes += [f"{counts['fail']} failed"] if counts["fail"] else []
    notes += [f"{counts['inconclusive']} inconclusive"] if counts["inconclusive"] else []
    notes += [f"{counts['not_blocking']} failed without blocking"] if counts["not_blocking"] else []
    notes += [f"{len(document['errors'])} could not run"] if document["errors"] else []
    incomplete = "" if document["complete"] else " (incomplete run)"
    return f"{document['verdict'].upper()}{incomplete}: {', '.join(notes)}"


def _value(measured: Mapping[str, Any] | None) -> str:
    return "  –  " if measured is None else f"{measured['value']:.3f}"


def _interval(measured: Mapping[str, Any] | None) -> str:
    if measured is None:
        return "–"
    return f"{measured['value']:+.3f} [{measured['low']:+.3f}, {measured['high']:+.3f}]"
