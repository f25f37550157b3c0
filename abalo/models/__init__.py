"""Adapters from any model to one protocol, imported when used.

Loaders and models raise `AbaloError` for anything unusable.
"""

from abalo.models.tokens.protocol import TokenModel

__all__ = ["TokenModel"]
