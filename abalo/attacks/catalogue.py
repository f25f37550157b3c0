"""Finding attacks: one module each in this package, found by themselves."""

from __future__ import annotations

from typing import Any

from abalo.attacks.attack import Attack
from abalo.core.registry import Registry

attacks: Registry[Attack[Any]] = Registry("attack", "abalo.attacks", "ATTACK")
"""Every attack by name."""
