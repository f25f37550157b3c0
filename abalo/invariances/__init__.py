"""Invariances under single edits, one module each."""

from abalo.invariances.invariance import EditSite, Invariance, InvarianceSettings, invariances
from abalo.invariances.trial import Hunt, Hunted, Trial

__all__ = ["EditSite", "Hunt", "Hunted", "Invariance", "InvarianceSettings", "Trial", "invariances"]
