"""Parts of a corpus that are scored separately."""

from abalo.slices.slice import Cut, Slice, slices

__all__ = ["Cut", "Slice", "slices"]
