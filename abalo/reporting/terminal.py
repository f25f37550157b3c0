"""The document as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.errors import visible
from abalo.reporting.adaptive import entities
from abalo.reporting.phrases import bounds, changed, count, headline, measured, notices, outcome, verdict
from abalo.reporting.promises import shown as said
from abalo.reporting.selection import Json, cases, is_about_questions, is_baseline, is_promise, is_search, is_slice

_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "incomplete": "red"}


def lines(document: Json) -> Iterator[tuple[str, str | None]]:
    """Lines with their colours: the notice, one line per case, what was not run, and the verdict."""
    for notice in notices(document):
        yield notice, "yellow"
    shown = cases(document)
    width = max((len(result["id"]) for result in shown), default=0)
    for result in shown:
        yield _line(result, width), _COLOURS.get(result["verdict"])
        yield from ((line, None) for line in _counterexample(result))
    if document["missing"]:
        yield f"not run: {', '.join(document['missing'])}", "yellow"
    found = headline(document)
    yield f"{found.verdict.upper()}: {found.text}", _COLOURS[found.verdict]


def _counterexample(result: Json) -> Iterator[str]:
    if is_promise(result) and result["promise"]["counterexample"] is not None:
        before, after, loss = map(visible, said(result["promise"]["counterexample"]))
        yield f"    {result['promise']['text']} But {loss}:"
        yield f"    before  {before}"
        yield f"    after   {after}"


def _attacked(result: Json) -> str:
    seeds = len(result["seeds"])
    return count(entities(result), "entity", "entities") + (f", {seeds} seeds" if seeds > 1 else "")


def _answered(result: Json) -> list[str]:
    if is_baseline(result):
        return [f"accuracy {measured(result['metrics']['accuracy'])}", f"of {count(result['sentences'], 'question')}"]
    return [outcome(result), f"of {count(result['variants'], 'variant')} of {count(result['changed'], 'question')}"]


def _line(result: Json, width: int) -> str:
    metrics = result["metrics"]
    parts = [f"{result['id']:<{width}}"]
    if is_about_questions(result):
        parts += _answered(result)
    elif is_baseline(result):
        parts.append(f"F1 {measured(metrics['f1'])}")
    elif is_slice(result):
        of = f"of {count(result['distinct'], 'distinct sentence')} against {result['slice']['rest']['distinct']:,}"
        parts += [f"F1 {measured(metrics['f1'])}", outcome(result), of]
    elif is_search(result):
        parts += [outcome(result), f"of {_attacked(result)}"]
    elif is_promise(result):
        parts.append(f"broken {outcome(result)} of {count(result['variants'], 'edit')}")
    else:
        parts += [f"F1 drop {outcome(result)}", f"changed {changed(result)}"]
    if result["bound"] is not None:
        parts.append(bounds(result))
    parts.append(verdict(result).upper() + (f": {result['reason']}" if result["reason"] else ""))
    return "  ".join(parts)
