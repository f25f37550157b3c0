"""Texts of reports and terminals are compared by what they tell, not by how they are worded."""

import re


class TextWith:
    """Equals each text with these parts in this order, whatever words stand between them."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        pattern = ".*".join(re.escape(part) for part in self.parts)
        return isinstance(other, str) and re.search(pattern, other, re.DOTALL) is not None

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TextWith({', '.join(map(repr, self.parts))})"
