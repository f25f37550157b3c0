"""What the numbers are about."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import section, text
from abalo.reporting.selection import Json


def render(document: Json) -> str:
    """Model, corpus, baseline, gate, device, seeds and versions, as far as the run came to know them."""
    pairs = "".join(f"<dt>{label}</dt><dd>{text(fact)}</dd>" for label, fact in phrases.facts(document))
    return section("Measured on", f'<dl class="abalo-facts">{pairs}</dl>' if pairs else "")
