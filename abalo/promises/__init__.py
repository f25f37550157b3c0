"""Promises that one small edit changes nothing, one module each, and how they are put to a model."""

from abalo.promises.promise import Promise, Settings, Site, promises
from abalo.promises.trial import Hunt, Hunted, Trial

__all__ = ["Hunt", "Hunted", "Promise", "Settings", "Site", "Trial", "promises"]
