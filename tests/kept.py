"""What one run of pytest in a test leaves to the next: installed modules and distributions, and the behavioural tests.

pytester forgets what a run imported first, and pytest reads the metadata of all that is installed in each run: a fifth
of what a run of three cases costs. Modules of a test, of its folder and of `abalo`, which register members, are
forgotten.
"""

import sys
import sysconfig
from collections.abc import Iterator
from functools import cached_property, wraps
from importlib import metadata
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from types import ModuleType
from typing import Any

from _pytest.pytester import SysModulesSnapshot

_INSTALLED = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
_OURS = Path(__file__).resolve().parent.parent / "tests_behavioral"
_KEPT = tuple(f"{folder}/" for folder in (*_INSTALLED, _OURS))


class _ReadOnce(PathDistribution):
    """An installed distribution; nothing is installed while tests run."""

    metadata = cached_property(PathDistribution.metadata.fget)
    version = cached_property(PathDistribution.version.fget)
    entry_points = cached_property(PathDistribution.entry_points.fget)
    files = cached_property(PathDistribution.files.fget)


_distributions: dict[Path, Distribution] = {}


def keep() -> None:
    """From now on; once a process."""
    read_metadata_once()
    forget = SysModulesSnapshot.restore

    def forget_the_rest(snapshot: SysModulesSnapshot) -> None:
        after = dict(sys.modules)
        forget(snapshot)
        new = after.keys() - sys.modules.keys()
        sys.modules.update({name: after[name] for name in new if _is_installed(after[name])})
        # PyTorch cannot be imported twice, whatever a test took out.
        sys.modules.update({name: module for name, module in after.items() if name.partition(".")[0] == "torch"})

    SysModulesSnapshot.restore = forget_the_rest  # type: ignore[method-assign]


def read_metadata_once() -> None:
    """The part of `keep` that is about distributions."""
    distributions = metadata.distributions

    @wraps(distributions)
    def read_once(**asked: Any) -> Iterator[Distribution]:
        return (_known(each) for each in distributions(**asked))

    metadata.distributions = read_once


def _is_installed(module: ModuleType | None) -> bool:
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]  # a package may have no file
    return any(isinstance(place, str) and place.startswith(_KEPT) for place in places)


def _known(found: Distribution) -> Distribution:
    if type(found) is not PathDistribution or found._path.parent not in _INSTALLED:
        return found
    if found._path not in _distributions:
        found.__class__ = _ReadOnce
        _distributions[found._path] = found
    return _distributions[found._path]
