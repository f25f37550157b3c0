"""Lets the controller of xdist, which collects no tests, know what the conftest.py beside a test has registered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def load_beside(config: pytest.Config, path: Path) -> None:
    """Imports each conftest.py from the root to the folder of a test, unless it is there already.

    Without it a task from a conftest.py that lies deeper than the folders pytest is started with would be known to the
    workers alone, and not to whoever writes their report.
    """
    manager: Any = config.pluginmanager
    if hasattr(manager, "_loadconftestmodules"):  # another pytest; there, register in the conftest.py of the root
        manager._loadconftestmodules(
            path,
            config.getoption("importmode"),
            config.rootpath,
            consider_namespace_packages=config.getini("consider_namespace_packages"),
        )
