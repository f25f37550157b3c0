"""Searches for the edits that break a model, one module each, and the engine that they share."""

from abalo.attacks.attack import Attack, AttackSettings, attacks

__all__ = ["Attack", "AttackSettings", "attacks"]
