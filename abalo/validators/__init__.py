"""How much of a sentence a perturbation leaves, one measure each, found by themselves; and what a case may demand."""

from abalo.validators.catalogue import validators
from abalo.validators.demands import Demand, demands, passing
from abalo.validators.validator import Score, Validator

__all__ = ["Demand", "Score", "Validator", "demands", "passing", "validators"]
