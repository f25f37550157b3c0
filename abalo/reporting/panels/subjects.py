"""Who was judged, on what and against whom, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.blocks import Block, Item, Text
from abalo.core.results import Json
from abalo.errors import visible
from abalo.reporting import run
from abalo.reporting.panels import Panel


def blocks(document: Json) -> Sequence[Block]:
    """The models and corpora with the reference, the verdict on the run, and what must be known before it is read."""
    lines = [line for text in run.subjects(document) for line in text.lines]
    lines += _reference(document)
    subjects = [Text(tuple(lines), role="list")] if lines else []
    return [*subjects, run.run_verdict(document), *run.notices(document)]


PANEL = Panel("verdict", "Verdict", blocks, order=-40, leads=True)


def _reference(document: Json) -> Iterator[Item]:
    compared = document.get("comparison")
    if compared is None:
        yield Item("none; bounds alone are judged (--abalo-against compares with an accepted run)", "Reference")
        return
    reference = compared["reference"]
    models = dict.fromkeys(visible(own["model"]) for own in compared["tasks"].values())
    accepted = [f"accepted {visible(reference['date'])}"] if reference.get("date") else []
    accepted += [f"commit {visible(reference['commit'])[:12]}"] if reference.get("commit") else []
    yield Item(" · ".join([visible(reference["name"]), *models, *accepted]), "Reference")
