"""Amounts that can stand for others."""

_BORDERS = (9, 24, 31, 59, 100)


def largest_for(amount: float) -> float:
    """The largest amount that can stand for this one.

    Hours of a day, days of a month, minutes and percentages remain possible: up to 9, 24, 31, 59 and 100 no amount
    exceeds these; a larger one is at most trebled.
    """
    return next((border for border in _BORDERS if amount <= border), 3 * amount)
