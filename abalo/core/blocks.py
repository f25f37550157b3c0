"""The blocks that a report is made of. Tasks and probes say what stands in them; renderers how it looks."""

from __future__ import annotations
