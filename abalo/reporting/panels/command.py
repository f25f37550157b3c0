"""How to run the case again."""

from __future__ import annotations

from abalo.reporting.markup import section, text
from abalo.reporting.panels.case import Case


def render(case: Case) -> str:
    """The one command that reproduces this row; a click selects it whole."""
    return section("Reproduce", f'<pre class="abalo-command"><code>{text(case.result["command"])}</code></pre>')
