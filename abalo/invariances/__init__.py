"""Promises that one small edit changes no entity, one module each, and how they are put to a model."""

from abalo.invariances.catalogue import invariances
from abalo.invariances.invariance import Invariance, Settings, Site
from abalo.invariances.trial import Hunt, Hunted, Trial

__all__ = ["Hunt", "Hunted", "Invariance", "Settings", "Site", "Trial", "invariances"]
