"""The verdict on the run, before anything else."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import bullets, text
from abalo.reporting.selection import Json


def render(document: Json) -> str:
    """The notices, if any, then the verdict in a line and the remarks."""
    notes = "".join(f'<p class="abalo-notice"><b>Note.</b> {text(said)}</p>' for said in phrases.notices(document))
    line = phrases.headline(document)
    verdict = (
        f'<p class="abalo-headline abalo-{line.verdict}" role="status">'
        f"<strong>{line.sign} {line.verdict.upper()}</strong> {text(line.text)}</p>"
    )
    return notes + verdict + bullets(map(text, phrases.remarks(document)), "abalo-remarks")
