"""The matrix of capabilities."""

from __future__ import annotations

from abalo.reporting.blocks.capabilities import summary
from abalo.reporting.panels import Panel

PANEL = Panel("capabilities", "Capabilities", summary, order=0)
