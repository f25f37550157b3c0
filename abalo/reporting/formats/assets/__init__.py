"""Style sheets and scripts: ``blocks.css`` for any page, ``page.*`` for Abalo's page, ``pytest_html.css`` for
pytest-html.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def asset(name: str) -> str:
    """Returns a file of this package."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
