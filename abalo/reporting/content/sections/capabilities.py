"""The capability matrix."""

from __future__ import annotations

from abalo.reporting.content.blocks.capabilities import summary
from abalo.reporting.content.sections import Section

SECTION = Section("capabilities", "Capabilities", summary, order=0)
