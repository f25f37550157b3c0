"""The beta distribution, for intervals of shares."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=2**14)
def below(x: float, a: float, b: float) -> float:
    """The probability that a beta variable is at most ``x``."""
    from scipy.special import betainc

    return float(betainc(a, b, min(max(x, 0.0), 1.0)))


@lru_cache(maxsize=2**14)
def quantile(chance: float, a: float, b: float) -> float:
    """The value that the variable stays below with this ``chance``."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, min(max(chance, 0.0), 1.0)))
