"""Parts of a corpus on which a model is judged by itself, one module each, found by themselves."""

from abalo.slices.slice import Cut, Slice, slices

__all__ = ["Cut", "Slice", "slices"]
