"""Promises that one small edit changes no entity, one module each, and how they are put to a model."""

from abalo.promises.catalogue import promises
from abalo.promises.promise import Promise, Settings, Site
from abalo.promises.trial import Hunt, Hunted, Trial

__all__ = ["Hunt", "Hunted", "Promise", "Settings", "Site", "Trial", "promises"]
