"""How a table is written: what separates its cells, and whether quotation marks mean anything."""

from __future__ import annotations

import csv
from typing import Any


def dialect(line: str) -> dict[str, Any]:
    """How csv reads a table that begins with this line: with tabs, a quotation mark is a sign like any other."""
    delimiter = "\t" if "\t" in line else max(",;", key=line.count)
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    return {"delimiter": delimiter, "quoting": quoting, "strict": True}
