"""The beta distribution, for intervals of shares."""

from __future__ import annotations

import math
from functools import lru_cache

_PRECISION = 1e-12
_TINY = 1e-300
_MOST_TERMS = 10_000
_MOST_STEPS = 200


@lru_cache(maxsize=2**14)
def below(x: float, a: float, b: float) -> float:
    """The probability that a beta variable is at most ``x`` [NIST Digital Library of Mathematical Functions, 8.17.22;
    Numerical Recipes, 3rd ed. 2007, 6.4].
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast below the mean
        return 1 - math.exp(log_front) * _fraction(1 - x, b, a) / b
    return math.exp(log_front) * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Lentz's method."""
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + numerator * d)
            c = _not_zero(1 + numerator / c)
            value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=2**14)
def quantile(chance: float, a: float, b: float) -> float:
    """The value that the variable stays below with this ``chance``."""
    if chance <= 0:
        return 0.0
    if chance >= 1:
        return 1.0
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(_MOST_STEPS):
        excess = below(x, a, b) - chance
        low, high = (low, x) if excess > 0 else (x, high)
        if high - low <= _PRECISION or abs(excess) <= _PRECISION * chance:
            break
        x = _newton(x, excess, a, b, low, high)
    return x


def _newton(x: float, excess: float, a: float, b: float, low: float, high: float) -> float:
    log_density = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)
    )
    if log_density > -_LARGEST_EXPONENT:
        guess = x - excess / math.exp(min(log_density, _LARGEST_EXPONENT))
        if low < guess < high:
            return guess
    return (low + high) / 2


_LARGEST_EXPONENT = 600.0
