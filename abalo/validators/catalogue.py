"""Finding validators: one module each in this package, found by themselves."""

from __future__ import annotations

from typing import Any

from abalo.core.registry import Registry
from abalo.validators.validator import Validator

validators: Registry[Validator[Any]] = Registry("validator", "abalo.validators", "VALIDATOR")
"""Every validator by name."""
