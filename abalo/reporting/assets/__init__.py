"""Style sheets and scripts of pages, as files of their own.

``blocks.css`` is about what blocks become in any page, ``page.css`` and ``page.js`` about a page of ours around them,
``pytest_html.css`` about that of pytest-html.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def asset(name: str) -> str:
    """The content of a file of this package."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
