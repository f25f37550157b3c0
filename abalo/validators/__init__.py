"""Validators measure how much of a sentence survives."""

from abalo.validators.requirements import Required, Requirement, passing, requirements
from abalo.validators.validator import Score, Validator, validators

__all__ = ["Required", "Requirement", "Score", "Validator", "passing", "requirements", "validators"]
