"""Shipped cases whose parameters were tried on sentences when they were made.

``tests_behavioral/cases.sha256`` is a digest of everything that such a trial reads: the cases, the perturbations with
their word lists, and the check itself. As long as the digest fits, reading the cases skips the trial. The digest is
written by ``python fixtures/tried_cases.py``.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import perturbations
from abalo.bundled import CASES, bundled_path
from abalo.probes import parameters

DIGEST = Path(CASES).with_suffix(".sha256").name


def is_tried(path: Path) -> bool:
    """True for the shipped cases if nothing that their trial read has changed since."""
    try:
        stored = path.with_name(DIGEST).read_text(encoding="ascii").strip()
        return path.samefile(bundled_path(CASES)) and stored == digest_of(path, Path(perturbations.__file__).parent)
    except (OSError, ValueError):  # no digest, a damaged one, a file that cannot be read
        return False


def digest_of(cases: Path, package: Path) -> str:
    """SHA-256 of the cases, of every file of the perturbations and of the check; caches are left out."""
    found = hashlib.sha256()
    for name, path in (("cases", cases), ("check", Path(parameters.__file__)), *_files(package)):
        content = path.read_bytes()
        found.update(f"{name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()


def _files(package: Path) -> Iterator[tuple[str, Path]]:
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        within = Path(folder).relative_to(package)
        for name in sorted(names):
            yield within.joinpath(name).as_posix(), Path(folder, name)
