"""Finding slices: one module each in this package, found by themselves."""

from __future__ import annotations

from typing import Any

from abalo.core.registry import Registry
from abalo.slices.slice import Slice

slices: Registry[Slice[Any]] = Registry("slice", "abalo.slices", "SLICE")
"""Every slice by name."""
