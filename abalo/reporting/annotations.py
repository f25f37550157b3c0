"""Failures as annotations of GitHub Actions, which a job shows on its page and a pull request among its checks.

They tell cases, types, numbers, bounds and remedies. No sentence of a corpus is quoted, unless the message of an error
does, and that is withheld where all text is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from abalo.core import words
from abalo.core.gate import UNDECIDED
from abalo.core.results import Json, cases, deciding, doubt, judgement, needing_attention
from abalo.errors import visible
from abalo.reporting import run
from abalo.reporting.conclusion import concluded, nothing_compared
from abalo.reporting.finding import remedy
from abalo.reporting.loss_tests import counted, loss_tests
from abalo.reporting.loss_tests import failed as failed_losses

MOST = 10
"""The annotations of a level that GitHub shows of one step."""

_NUMBERS = 3
"""How many bounds or losses of one case are told."""

_LENGTH = 400
"""How many characters of a message are shown, and of a list of cases."""

_REGRESSED = (
    "What to do: The report quotes the sentences that broke. If the loss is accepted, say so in the thresholds file "
    "with accepted_loss, until and why."
)

Found = dict[str, list[str]]
"""The lines to tell, by what they are about."""


def annotated(document: Json) -> list[str]:
    """An error for each case that failed; a warning for each that is why a run without one did not pass.

    At most `MOST` of a level: the last then names the others.
    """
    found = _failures(document)
    lines = [_annotation("error", about, said) for about, said in _at_most(found)]
    gaps = _gaps(document)
    if document["complete"] and concluded(document).exit_code == UNDECIDED:
        gaps |= _undecided(document)
    return [*lines, *(_annotation("warning", about, said) for about, said in _at_most(gaps))]


def _failures(document: Json) -> Found:
    """The clean corpora, what could not run, the bounds, the losses and the regressions that failed a run, by case."""
    found = {name: [visible(str(own["reason"]))] for name, own in _clean(document, "fail")}
    for error in document["errors"]:
        _add(found, visible(error["id"]), f"could not run: {words.shortened(run.error_in(error['message']), _LENGTH)}")
    failed = [each for each in needing_attention(document) if each["verdict"] == "fail" and each["blocking"]]
    for result in failed:
        _add(found, result["id"], *_most([judgement(each, result) for each in deciding(result)]))
    lost = failed_losses(document.get("comparison"))
    for test in lost:
        against = visible(document["comparison"]["reference"]["name"])
        _add(found, test.id, f"regressed against {against}: {test.said[0]}", *test.said[1:])
    regressed = {test.id for test in lost}
    own_bounds = {result["id"]: [f"{each.term}: {each.text}" for each in remedy(result, document)] for result in failed}
    found = {about: _most(lines) for about, lines in found.items()}
    for about in found:
        found[about] += own_bounds.get(about, [_REGRESSED] if about in regressed else [])
    for each in document["regressions"]:
        if each["status"] != "fixed":
            _add(found, visible(each["id"]), f"{each['status']}, labelled {visible(' '.join(each['labels']))}")
    return found


def _gaps(document: Json) -> Found:
    """The cases without a result, or that the run did not finish."""
    missing = document["missing"]
    if missing:
        named = words.shortened(", ".join(map(visible, missing)), _LENGTH)
        said = f"{named}. Run them again; of a run in shards, run the missing shard again and merge."
        return {f"{words.count(len(missing), 'case')} without a result": [said]}
    if not document["complete"] and not document["errors"]:
        return {"the run did not finish": ["Its report is not complete, so there is no verdict. Run it again."]}
    return {}


def _undecided(document: Json) -> Found:
    """The reasons why nothing failed and the run did not pass: they are as many as the gate counts."""
    found = {name: [visible(str(own["reason"]))] for name, own in _clean(document, "inconclusive")}
    if document["gate"]["inconclusive"] == "fail":
        for result in cases(document):
            if result["verdict"] == "inconclusive" and result["blocking"]:
                lines = [f"{judgement(each, result)}; {doubt(each, result)}" for each in deciding(result)]
                advice = [f"{each.term}: {each.text}" for each in remedy(result, document)]
                _add(found, result["id"], *_most(lines), *advice)
    compared = document.get("comparison")
    idle = compared is not None and nothing_compared(compared)
    if compared is not None and (idle or document["gate"]["inconclusive"] == "fail"):
        counts = counted(loss_tests(compared)) or "no task in both"
        if idle or compared["state"] in ("can't tell", "not comparable"):
            _add(found, f"against {visible(compared['reference']['name'])}", f"{counts}; robustness.md says why")
    if found:
        return found
    reasons = concluded(document).reasons
    if reasons:
        return {"nothing was decided": [*reasons]}
    remedies = (f"What to do: {visible(command)}" for command in document.get("next", ())[:1])
    return {"nothing was judged": ["no bound was judged, and nothing was compared", *remedies]}


def _clean(document: Json, verdict: str) -> Iterator[tuple[str, Json]]:
    """The clean corpora with this verdict that count, unless a case is about them."""
    told = {result["id"] for result in document["results"]}
    for name, own in (document.get("tasks") or {}).items():
        clean = own["baseline"]
        if clean.get("verdict") == verdict and clean.get("blocking") and f"{name}/baseline" not in told:
            yield f"{name}/baseline", clean


def _add(found: Found, about: str, *lines: str) -> None:
    found.setdefault(about, []).extend(lines)


def _most(lines: Sequence[str]) -> list[str]:
    """The first lines, and how many more there are."""
    more = [f"and {len(lines) - _NUMBERS} more"] if len(lines) > _NUMBERS else []
    return [*lines[:_NUMBERS], *more]


def _at_most(found: Found) -> list[tuple[str, list[str]]]:
    """The first `MOST`, the last of which names all others where there are more."""
    every = [*found.items()]
    if len(every) <= MOST:
        return every
    shown, others = every[: MOST - 1], every[MOST - 1 :]
    names = words.shortened(", ".join(about for about, _ in others), _LENGTH)
    return [*shown, (f"{len(others)} more", [f"{names}. robustness.md has them all."])]


def _annotation(level: str, about: str, lines: Sequence[Any]) -> str:
    """A command of the runner on one line; what would end a property or the line is written as the runner reads it."""
    title, said = f"Abalo: {about}", "\n".join(map(str, lines))
    return f"::{level} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(said)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
