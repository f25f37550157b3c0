"""Finding promises: one module each in this package, found by themselves."""

from __future__ import annotations

from typing import Any

from abalo.core.registry import Registry
from abalo.promises.promise import Promise

promises: Registry[Promise[Any]] = Registry("promise", "abalo.promises", "PROMISE")
"""Every promise by name."""
