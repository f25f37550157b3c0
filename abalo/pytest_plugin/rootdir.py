"""Corrects rootdir if pytest mistook an option's value for a test.

pytest searches its configuration before it loads plugins, and takes the path in ``--abalo-corpus ../data/dev.conll``
for a test elsewhere.
"""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from _pytest.config.findpaths import determine_setup


def mend(config: pytest.Config, args: list[str]) -> None:
    """Searches the configuration file again, and applies it and its ``addopts``."""
    known: Any = config.known_args_namespace
    internals: Any = config
    settings = "_inicfg" if hasattr(config, "_inicfg") else "inicfg"  # as older versions call it
    if not all(hasattr(config, name) for name in ("_rootpath", "_inipath", settings, "_inicache", "_parser")):
        return  # another pytest; there, write --abalo-corpus=PATH
    found = setup_of(known, config.invocation_params.dir)
    rootpath, inipath, inicfg = found
    if inipath == config.inipath and rootpath == config.rootpath:
        return
    cut_at_wrong_place = known.confcutdir == str(config.inipath.parent if config.inipath else config.rootpath)
    internals._rootpath, internals._inipath = rootpath, inipath
    setattr(internals, settings, inicfg)
    internals._inicache.clear()
    args[:0] = config.getini("addopts")
    config.known_args_namespace = internals._parser.parse_known_args(args, namespace=type(known)(**vars(config.option)))
    if cut_at_wrong_place:
        config.known_args_namespace.confcutdir = str(inipath.parent if inipath else rootpath)


def setup_of(known: Any, folder: Path) -> tuple[Path, Path | None, Any]:
    """Root, configuration file and settings that pytest finds from a folder."""
    look: Any = determine_setup
    overridden = {"override_ini": known.override_ini} if "override_ini" in signature(look).parameters else {}
    found: tuple[Path, Path | None, Any] = look(
        inifile=known.inifilename,
        args=known.file_or_dir,
        rootdir_cmd_arg=known.rootdir or None,
        invocation_dir=folder,
        **overridden,
    )[:3]
    return found
