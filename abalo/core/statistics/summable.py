"""Numbers with exact weighted sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SINGLE = 24
_DOUBLE = 53


def summable(columns: NDArray[Any], weight: int) -> NDArray[np.generic]:
    """The numbers as floats with exact sums for whole weights up to ``weight``."""
    largest = weight * float(np.abs(columns).max(initial=0.0))
    if largest < 2**_SINGLE and (columns.dtype.kind in "iu" or bool((columns == np.rint(columns)).all())):
        return columns.astype(np.float32)
    if not 0 < largest < math.inf:
        return columns.astype(np.float64)
    step = _DOUBLE - math.frexp(largest)[1]
    return np.ldexp(np.rint(np.ldexp(columns.astype(np.float64), step)), -step)
