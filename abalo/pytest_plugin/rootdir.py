"""Mends where pytest thinks the project is, when it took the value of one of our options for a test.

pytest looks for its configuration file before it has loaded any plugin. In ``--abalo-corpus ../data/dev.conll`` it
cannot know yet that the second word belongs to the first, takes it for a test in another project, and misses the
configuration here. ``--abalo-corpus=../data/dev.conll`` would not be misread; with this both work.
"""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from _pytest.config.findpaths import determine_setup


def mend(config: pytest.Config, args: list[str]) -> None:
    """Looks for the configuration file again, now that our options are known, and takes over what it says.

    ``args`` are the words of the command line, to which the ``addopts`` of a file found only now are added.
    """
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
    """The root, the configuration file and its settings as pytest finds them for these options, started in a folder."""
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
