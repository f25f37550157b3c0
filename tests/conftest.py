"""Fixtures that several tests share."""

import atexit
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, settings

from abalo.config.thresholds import Thresholds, load
from abalo.core.protocols.registry import Registry
from abalo.errors import AbaloError
from perturbations import catalogue
from perturbations.lexicons import PLACES
from tests.counting import Costs, listen
from tests.forked import forks
from tests.kept import keep

__all__ = ["forks"]

# How hypotheses are tried in all tests: a busy machine is no failure.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", settings.get_profile("unhurried"), max_examples=2_000, derandomize=False)
settings.load_profile("unhurried")


# Tests say themselves that they are in a job of GitHub Actions, where they are about one.
for _name in ("GITHUB_ACTIONS", "GITHUB_SHA"):
    os.environ.pop(_name, None)


# Replies of language models are kept there, and tests use those of nobody.
os.environ["XDG_CACHE_HOME"] = mkdtemp(prefix="abalo-tests-")
atexit.register(rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)
os.environ.pop("CI", None)


# Else each of the hundreds of runs in the tests compiles all of Abalo.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No test cuts the power: each of thousands of reports would wait for the disk fifteen times.
os.fsync = os.fstat  # type: ignore[assignment]

# Two workers on two cores, with two threads of PyTorch each, take four times the CPU seconds.
os.environ.setdefault("OMP_NUM_THREADS", "1")

LONG = (
    "test_budget.py",
    "test_edits.py",
    "test_how_to.py",
    "test_linear_readers.py",
    "test_log_mlflow.py",
    "test_made.py",
    "test_readme.py",
    "test_shards.py",
    "test_tutorial.py",
    "test_variants.py",
    "test_whole_job.py",
)
"""Files with tests of half a minute. Of two workers each begins with half of them, so that none waits for the other."""

listen()
keep()


def pytest_configure(config: pytest.Config) -> None:
    """Counts what the tests cost."""
    config.pluginmanager.register(Costs(), "costs of tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option for a random order."""
    parser.addoption("--shuffle", metavar="SEED", help="run files, and the tests of each, in an order of this seed")


def pytest_report_header(config: pytest.Config) -> str | None:
    """The seed of the order, to repeat it by."""
    seed = config.getoption("shuffle")
    return None if seed is None else f"order: --shuffle={seed}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m "slow and …"``, leaves out files in which no test can be slow, which are three quarters of them."""
    asked = config.getoption("markexpr").split()
    if asked[:2] in (["slow"], ["slow", "and"]) and "or" not in asked and collection_path.name.startswith("test_"):
        return "slow" not in collection_path.read_text("utf-8") or None
    return None


@pytest.hookimpl(tryfirst=True)  # pytest then puts together what shares a parametrized fixture
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what takes long, unless ``-m`` says what is to run or a file is named; then shuffles if asked to.

    By one seed, the tests of a selection have the order that they have among all.
    """
    if not config.getoption("markexpr") and not any(".py" in each for each in config.args):
        long = [item for item in items if item.get_closest_marker("slow") or item.get_closest_marker("real")]
        items[:] = [item for item in items if item not in long]
        config.hook.pytest_deselected(items=long)
    seed = config.getoption("shuffle")
    if seed is not None:
        items.sort(key=lambda item: [_drawn(seed, each) for each in (item.nodeid.partition("::")[0], item.nodeid)])
    if hasattr(config, "workerinput"):
        first, rest = ([item for item in items if (item.path.name in LONG) is long] for long in (True, False))
        middle = len(rest) // 2
        items[:] = [*first[::2], *rest[:middle], *first[1::2], *rest[middle:]]


def pytest_collection_finish() -> None:
    """Keeps the garbage collector out of what was collected: it walked through millions of objects again and again."""
    gc.freeze()


def _drawn(seed: str, name: str) -> bytes:
    return sha256(f"{seed} {name}".encode()).digest()


@contextmanager
def _as_before() -> Iterator[None]:
    """Members that are registered meanwhile, and folders of languages that are added, are gone at the end."""
    places = PLACES.copy()
    with Registry.restored(), catalogue.restore_after():
        yield
    PLACES[:] = places


@pytest.fixture(autouse=True)
def _nothing_left_by_a_test():
    with _as_before():
        yield


@pytest.fixture(autouse=True, scope="module")
def _nothing_left_by_fixtures_of_a_module():
    with _as_before():
        yield


@pytest.fixture
def write(tmp_path):
    """Writes a thresholds file and returns its path."""

    def written(text: str | bytes, name: str = "thresholds.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def problems(path: Path) -> list[str]:
    """The lines of the error that the file leads to."""
    with pytest.raises(AbaloError) as caught:
        load(path)
    return str(caught.value).splitlines()


def ids(thresholds: Thresholds) -> list[str]:
    """The ids of all cases."""
    return [case.id for case in thresholds.cases]
