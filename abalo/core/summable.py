"""Numbers whose weighted sums are exact, so that no order of additions, as threads choose it, can change them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.metrics import Floats

_SINGLE = 24
_DOUBLE = 53
"""The bits of a whole number that each kind of float holds exactly."""


def summable(columns: Floats, weight: int) -> NDArray[Any]:
    """The numbers as floats whose sums are exact if the whole weights of a sum add up to no more than ``weight``.

    Whole numbers stay as they are, in single precision if their sums fit. Others are rounded to multiples of a power of
    two, so that the largest sum has 53 bits.
    """
    largest = weight * float(np.abs(columns).max(initial=0.0))
    if largest < 2**_SINGLE and bool((columns == np.rint(columns)).all()):
        return columns.astype(np.float32)
    if not 0 < largest < math.inf:
        return columns.astype(np.float64)
    step = _DOUBLE - math.frexp(largest)[1]
    return np.ldexp(np.rint(np.ldexp(columns.astype(np.float64), step)), -step)
