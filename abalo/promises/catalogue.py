"""Finding promises: one module each in this package, found by themselves."""

from __future__ import annotations

from typing import Any

from abalo.promises.promise import Promise
from abalo.core.registry import Registry

promises: Registry[Promise[Any]] = Registry("promise", "abalo.promises", "PROMISE")
"""Every promise by name."""
