"""How much of a sentence a perturbation leaves, one measure each, found by themselves; and what a case may require."""

from abalo.validators.catalogue import validators
from abalo.validators.requirements import Requirement, passing, requirements
from abalo.validators.validator import Score, Validator

__all__ = ["Requirement", "Score", "Validator", "passing", "requirements", "validators"]
