"""Validators measure how much of a sentence a perturbation keeps; a case may require a minimum. One module each."""

from abalo.validators.requirements import Required, Requirement, passing, requirements
from abalo.validators.validator import Score, Validator, validators

__all__ = ["Required", "Requirement", "Score", "Validator", "passing", "requirements", "validators"]
