"""The capability matrix."""

from __future__ import annotations

from abalo.reporting.content.blocks.capabilities import summary
from abalo.reporting.content.panels import Panel

PANEL = Panel("capabilities", "Capabilities", summary, order=0)
