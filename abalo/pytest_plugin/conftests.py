"""Loads nested conftest.py files in xdist's controller."""

from __future__ import annotations

from pathlib import Path

import pytest


def load_beside(config: pytest.Config, path: Path) -> None:
    """Imports each conftest.py from the root to a test's folder.

    Otherwise only workers would know tasks registered there.
    """
    manager: object = config.pluginmanager
    if hasattr(manager, "_loadconftestmodules"):  # another pytest; there, register in the conftest.py of the root
        manager._loadconftestmodules(
            path,
            config.getoption("importmode"),
            config.rootpath,
            consider_namespace_packages=config.getini("consider_namespace_packages"),
        )
