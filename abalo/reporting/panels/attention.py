"""What broke, what is undecided, what did not run."""

from __future__ import annotations

from itertools import chain, islice, starmap

from abalo.reporting import phrases
from abalo.reporting.markup import badge, bullets, section, text
from abalo.reporting.selection import Json

_SHOWN = 20
_LENGTH = 600


def render(document: Json) -> str:
    """One line for each failed or inconclusive bound, broken regression, error and missing case; empty without any."""
    found, broken = phrases.findings(document), phrases.broken(document)
    errors, missing = document["errors"], document["missing"]
    total = len(found) + len(broken) + len(errors) + len(missing)
    every = chain(starmap(_finding, found), map(_regression, broken), map(_error, errors), map(_missing, missing))
    lines = list(islice(every, _SHOWN))
    if total > len(lines):
        lines.append(f"{phrases.count(total - len(lines), 'more line')} in robustness.json")
    return section("To look into", bullets(lines))


def _finding(result: Json, judged: Json) -> str:
    doubt = phrases.doubt(judged, result)
    return (
        f"{badge(result['verdict'], phrases.verdict(result))} <b>{text(phrases.scenario(result))}</b>: "
        f"{text(phrases.judgement(judged))}" + (f"; {text(doubt)}" if doubt else "")
    )


def _regression(found: Json) -> str:
    said = phrases.shortened(phrases.regression(found), _LENGTH)
    return f"{badge('fail', 'regression')} <b>{text(found['id'])}</b>: {text(said)}"


def _error(error: Json) -> str:
    message = phrases.shortened(phrases.error(error["message"]), _LENGTH)
    return f"{badge('error', 'error')} <b>{text(error['id'])}</b>: {text(message)}"


def _missing(name: str) -> str:
    return f"{badge('missing', 'no result')} <b>{text(name)}</b>"
