"""Attacks: searches for edits that break a model, one module each."""

from abalo.attacks.attack import Attack, AttackSettings, attacks

__all__ = ["Attack", "AttackSettings", "attacks"]
