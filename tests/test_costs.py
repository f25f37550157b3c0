"""What makes our tests cheap: costs that are counted, runs that are recorded, tables in one test."""

import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from tests import counting
from tests.recorded import Recorder, once, records
from tests.rows import every

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["git", "status"], {"processes": 1}),
        ([sys.executable, "-m", "pytest", "-q"], {"processes": 1, "inner runs": 1, "inner workers": 0}),
        ([sys.executable, "-mpytest", "-n", "2"], {"processes": 3, "inner runs": 1, "inner workers": 2}),
        (["/usr/bin/pytest", "-n1"], {"processes": 2, "inner runs": 1, "inner workers": 1}),
        (
            [sys.executable, "-u", "-c", "import sys;exec(eval(sys.stdin.readline()))"],
            {"processes": 1, "inner workers": 1},
        ),
    ],
)
def test_a_command_starts_so_many(command, expected):
    assert counting.started(command) == expected


def test_processes_and_runs_are_heard(pytester):
    before = {name: counting.seen()[name] for name in counting.COLUMNS[2:]}
    subprocess.run([sys.executable, "-c", ""], check=True)
    pytester.makepyfile("def test_it():\n    pass\n")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    after = counting.seen()
    assert {name: after[name] - before[name] for name in before} == {
        "inner runs": 1,
        "processes": 1,
        "inner workers": 0,
    }


@pytest.mark.parametrize(
    ("nodeid", "room"),
    [
        ("tests/core/test_beta.py::test_it[a/b]", "tests/core"),
        ("tests/tasks/ner/test_runs.py::test_it", "tests/tasks"),
        ("tests/test_api.py::test_it", "tests"),
        ("test_own.py::test_it", "."),
    ],
)
def test_a_room_is_the_folder_below_tests(nodeid, room):
    assert counting.room_of(nodeid) == room


def test_every_row_that_fails_is_told_and_the_others_are_tried():
    tried = []

    @every(("number", "name"), [(1, "one"), (2, "two"), pytest.param(3, "three", id="last")])
    @every("sign", "+-")
    def odd(shared, number, name, sign):
        tried.append((shared, number, name, sign))
        assert number == 1, name

    with pytest.raises(BaseExceptionGroup, match="2 of 3 rows:\n1: 2, 'two': 2 of 2 rows:\nlast: 2 of 2 rows:") as told:
        odd("shared")
    assert [len(each.exceptions) for each in told.value.exceptions] == [2, 2]
    assert tried == [("shared", n, name, s) for n, name in ((1, "one"), (2, "two"), (3, "three")) for s in "+-"]


def test_a_table_without_rows_and_a_row_with_a_mark_are_refused():
    with pytest.raises(AssertionError, match="a table without rows"):
        every("row", [])(lambda row: None)()
    with pytest.raises(AssertionError, match="a row has no mark of its own"):
        every("row", [pytest.param(1, marks=pytest.mark.slow)])


SAYING = """
import atexit, os, sys

atexit.register(print, "at exit")
print(os.getcwd() == sys.path[0], os.environ.get("GIVEN"), sys.argv[1:], file=sys.stderr)
{end}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        ("", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("sys.exit('why')", 1, "why"),
        ("1 // 0", 1, "ZeroDivisionError"),
        ("os.kill(os.getpid(), 9)", -9, ""),
    ],
)
def test_a_fork_ends_as_a_process_would(tmp_path, forks, end, code, said):
    (tmp_path / "saying.py").write_text(SAYING.format(end=end))
    done = forks.run(["saying", "a b"], tmp_path, {"GIVEN": "1"})
    assert done.returncode == code
    assert done.stdout == ("at exit\n" if code >= 0 else "")
    assert done.stderr.startswith("True 1 ['a b']\n")
    assert said in done.stderr
    path = f"{forks.programs(tmp_path / 'bin', saying='saying')}:/bin:/usr/bin"
    command, environment = ["bash", "-c", "saying 'a b'; exit $?"], {"GIVEN": "1", "PATH": path}
    shell = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (shell.returncode, shell.stdout) == (code if code >= 0 else 128 - code, done.stdout)


@pytest.mark.slow
def test_whoever_imports_it_keeps_the_own_exit_code():
    program = "import sys, tests.forking; sys.exit(3)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 3


@pytest.mark.slow
def test_what_a_fork_costs_is_counted(tmp_path, forks):
    (tmp_path / "working.py").write_text("import time\nwhile time.process_time() < 0.5:\n    pass\n")
    before = counting.seen()
    forks.run(["working"], tmp_path)
    end = time.monotonic() + 20
    while counting.seen()["CPU s"] < before["CPU s"] + 0.5 and time.monotonic() < end:
        time.sleep(0.05)
    after = counting.seen()
    assert after["CPU s"] >= before["CPU s"] + 0.5
    assert after["processes"] == before["processes"] + 1


@pytest.mark.slow
def test_pytest_in_a_fork_imports_us_anew_and_warns_of_nothing(tmp_path, forks):
    (tmp_path / "test_it.py").write_text("import sys\n\ndef test_it():\n    assert 'abalo.cli' not in sys.modules\n")
    done = forks.run(["pytest", "-q", "-p", "no:cacheprovider"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout


def test_what_is_installed_is_kept_from_run_to_run_and_what_is_the_users_is_not(pytester, monkeypatch):
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)
    pytester.makepyfile(mine="SAID = 1", test_it="import mine, tabnanny\n\ndef test_it():\n    assert mine.SAID == 1\n")
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert "tabnanny" in sys.modules
    assert not {"mine", "test_it"} & sys.modules.keys()


def test_distributions_are_read_once_where_they_are_installed_and_anew_elsewhere(tmp_path):
    first, again = (  # the finder of importlib_metadata is another, where somebody has imported that
        next(
            each
            for each in metadata.distributions()
            if isinstance(each, metadata.PathDistribution) and each.name == "pytest"
        )
        for _ in range(2)
    )
    assert first is again
    assert first.files is first.files
    assert first.version == pytest.__version__
    told = tmp_path / "mine-1.dist-info" / "entry_points.txt"
    told.parent.mkdir()
    for name in ("one", "two"):
        told.write_text(f"[group]\n{name} = mine:it\n")
        (found,) = metadata.distributions(path=[str(tmp_path)])
        assert [each.name for each in found.entry_points] == [name]


__all__ = ["once", "records"]

COUNTING = """
from importlib import metadata
from pathlib import Path

def test_it():
    place = Path("{folder}", "runs.txt")
    place.write_text((place.read_text() if place.exists() else "") + "run ")
    Path("made.txt").write_text("made")
    Path("gone.txt").unlink()
    print("said")
"""


@pytest.fixture
def recorded(pytester, tmp_path, monkeypatch):
    """Begins a test in a folder as the others have it; gives its run, and how many runs were really made."""
    (tmp_path / "records").mkdir()

    def begin():
        for path in pytester.path.glob("*.txt"):
            path.unlink()
        pytester.makepyfile(COUNTING.format(folder=tmp_path))
        (pytester.path / "gone.txt").write_text("x")
        run = Recorder(tmp_path / "records", pytester, monkeypatch).instead_of(pytester.runpytest_inprocess)
        return lambda *arguments: run("-p", "no:cacheprovider", *arguments)

    return begin, lambda: (tmp_path / "runs.txt").read_text().count("run")


def test_a_run_that_another_test_made_is_given_with_its_files(recorded, pytester):
    begin, made = recorded
    first = begin()("-s")
    again = begin()("-s")
    assert made() == 1
    assert (again.ret, again.outlines, again.parseoutcomes()) == (first.ret, first.outlines, {"passed": 1})
    assert (pytester.path / "made.txt").read_text() == "made"
    assert not (pytester.path / "gone.txt").exists()


def test_a_run_is_made_if_anything_differs_and_twice_in_one_test(recorded, pytester, monkeypatch):
    begin, made = recorded
    begin()()
    begin()("-q")
    assert made() == 2, "other arguments"
    run = begin()
    (pytester.path / "more.txt").write_text("x")
    run()
    assert made() == 3, "other files"
    run = begin()
    run()
    (pytester.path / "gone.txt").write_text("x")
    (pytester.path / "made.txt").unlink()
    run()
    assert made() == 4, "the second of one test"
    run = begin()
    monkeypatch.setattr(sys, "path", sys.path)
    run()
    assert made() == 5, "something was patched"
    run = begin()
    (pytester.path / "empty").mkdir()
    run()
    assert made() == 6, "another folder"
    monkeypatch.setenv("COLUMNS", "99")
    begin()()
    assert made() == 7, "another environment"


def test_what_a_function_writes_is_written_once_for_equal_folders(tmp_path, request):
    write_once, made = request.getfixturevalue("once"), []
    for name, content in (("first", "a"), ("second", "a"), ("third", "b")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "given.txt").write_text(content)

        def make(folder=folder):
            made.append(folder.name)
            (folder / "made").mkdir()
            (folder / "made" / "it.txt").write_text((folder / "given.txt").read_text() * 2)

        write_once(folder, make)
        assert (folder / "made" / "it.txt").read_text() == content * 2
    assert made == ["first", "third"]
