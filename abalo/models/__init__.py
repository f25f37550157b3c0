"""Adapters from any model to one protocol, one module per framework, imported when used."""

from abalo.models.protocol import TokenModel

__all__ = ["TokenModel"]
