"""How far a run is, in the output of a notebook cell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from abalo.core.records.words import count


def notebook_progress() -> Callable[[int, int], None] | None:
    """Returns what shows the number of judged cases in the running cell; None outside of a notebook."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None:
        return None
    display = sys.modules["IPython"].display.display
    handle: Any = None

    def show(done: int, of: int) -> None:
        nonlocal handle
        said = {"text/plain": f"{done:,} of {count(of, 'case')} judged"}
        if handle is None:
            handle = display(said, raw=True, display_id=True)
        else:
            handle.update(said, raw=True)

    return show
