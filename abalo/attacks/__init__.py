"""Searches for the edits that break a model, one module each, and the engine that they share."""

from abalo.attacks.attack import Attack, Settings, attacks

__all__ = ["Attack", "Settings", "attacks"]
