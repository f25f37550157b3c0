"""Finding validators: one module each in this package, found by themselves."""

from __future__ import annotations

from typing import Any

from abalo.validators.validator import Validator
from abalo.core.registry import Registry

validators: Registry[Validator[Any]] = Registry("validator", "abalo.validators", "VALIDATOR")
"""Every validator by name."""
