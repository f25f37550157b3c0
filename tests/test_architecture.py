"""The house rules of ARCHITECTURE.md, read off the source."""

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from abalo.core.protocols.entries import Entries
from abalo.core.protocols.probe import Probe, probes
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.task import Task, tasks
from abalo.core.protocols.task_report import TaskReport
from abalo.core.protocols.task_targets import Targets
from abalo.core.protocols.templates import Templates
from abalo.core.records.json_records import JsonRecord
from tests.rows import every

ROOT = Path(__file__).parents[1]

# Each may import what stands before it.
ROOMS = {
    "perturbations": "layers text carrying application answers parallel composition notation streams suggestions"
    " scripts graphemes parameters lexicons stops documents resources mentions numbered sites languages function_words"
    " perturbation levels catalogue pipelines families dependencies strategies",
    "abalo": "version errors files locking hub discovery bundled checkout core comparison.test corpora models sources"
    " slices validators questions tasks attacks invariances capabilities probes scores config comparison.document"
    " reporting.documents comparison.blocks reporting run api extend scale augmentation hardening raters"
    " pytest_plugin commands cli __main__",
    "tests_behavioral": "",
}
FRAMEWORKS = {"torch", "transformers", "spacy"}
FOR_INSPECT = {
    "abalo/models/networks/inspection.py",
    "abalo/models/generative/inspected.py",
    "abalo/tasks/choice/inspect_tasks.py",
    "abalo/tasks/choice/models/inspected.py",
}
"""Made of what Inspect has: Inspect itself imports them, or a function does."""
IMPORTED_WHEN_USED = FRAMEWORKS | {"inspect_ai", "mlflow"}
WATCHED = IMPORTED_WHEN_USED | {"pytest", "_pytest", "hypothesis", "tests_behavioral"}
ALLOWED = {
    "abalo/models/networks/inspection.py": {"inspect_ai"},
    "abalo/models/generative/inspected.py": {"inspect_ai"},
    "abalo/models/": FRAMEWORKS,
    "abalo/questions/logs.py": {"inspect_ai"},
    "abalo/tasks/choice/": {"inspect_ai"},
    "abalo/commands/log_mlflow.py": {"mlflow"},
    "abalo/pytest_plugin/": {"pytest", "_pytest"},
    "perturbations/graphemes.py": {"regex"},
    "perturbations/strategies.py": {"hypothesis"},
    "perturbations/languages/": {"spacy"},
    "tests_behavioral/": {"pytest", "hypothesis", "tests_behavioral"},
}
ADAPTERS = re.compile("abalo/tasks/[a-z_]+/models/")
"""Where a task has adapters of its own, for frameworks and Inspect."""


class Sources(Mapping[str, ast.Module]):
    """The code of modules by path, each parsed when it is first read: collecting the tests reads none."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._parsed: dict[str, ast.Module | None] = dict.fromkeys(modules)

    def __getitem__(self, module: str) -> ast.Module:
        parsed = self._parsed[module]
        if parsed is None:
            parsed = self._parsed[module] = ast.parse(ROOT.joinpath(module).read_text("utf-8"))
        return parsed

    def __iter__(self) -> Iterator[str]:
        return iter(self._parsed)

    def __len__(self) -> int:
        return len(self._parsed)


SOURCES = Sources(
    path.relative_to(ROOT).as_posix() for package in ROOMS for path in sorted((ROOT / package).rglob("*.py"))
)


def imports(source: ast.AST, *, in_functions: bool = True) -> Iterator[str]:
    """Dotted names of all that is imported; only when a module is loaded, without ``in_functions``."""
    for node in ast.iter_child_nodes(source):
        if not in_functions and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module}.{alias.name}" for alias in node.names)
        elif in_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports(node, in_functions=in_functions)


def packages(names: Iterator[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def room_of(module: str) -> str:
    """The room of a module, or its floor where the floors of a room have places of their own."""
    package, *parts = module.removesuffix(".py").split("/")
    floor = ".".join(parts[:2])
    return floor if floor in ROOMS[package].split() else parts[0]


def test_every_room_has_its_place():
    rooms = {(module.split("/")[0], room_of(module)) for module in SOURCES if not module.startswith("tests_behavioral")}
    homeless = {
        (package, room) for package, room in rooms if room not in [*ROOMS[package].split(), "__init__", "comparison"]
    }
    assert homeless == set(), "give each its place in ROOMS above and in ARCHITECTURE.md"


def test_the_page_has_a_row_for_every_room_in_order():
    page = ROOT.joinpath("ARCHITECTURE.md").read_text("utf-8")
    assert (
        re.findall(r"^\| `abalo/([\w/]+?)/?(?:\.py)?`", page, re.MULTILINE) == ROOMS["abalo"].replace(".", "/").split()
    )
    (inside,) = re.findall(r"^`perturbations/` has an order.*?\n\n", page, re.MULTILINE | re.DOTALL)
    assert re.findall(r"`(\w+)`", inside) == ROOMS["perturbations"].split()
    assert page.count("\n") <= 120


def test_a_decision_has_ten_lines_at_most():
    for page in ROOT.glob("docs/explanation/decisions/*.md"):
        for decision in page.read_text("utf-8").split("\n## ")[1:]:
            heading, _, text = decision.partition("\n\n")
            assert len(text.strip().splitlines()) <= 10, f"{page.name}: {heading}"


def test_imports_go_upwards():
    wrong = {}
    for module, source in SOURCES.items():
        package, rooms = module.split("/")[0], ROOMS[module.split("/")[0]].split()
        below = rooms[rooms.index(room_of(module)) + 1 :] if room_of(module) in rooms else []
        found = [
            name
            for name in imports(source)
            if name.startswith(f"{package}.") and room_of(name.replace(".", "/")) in below
        ]
        wrong |= {module: found} if found else {}
    assert wrong == {}


def test_the_core_knows_no_room_but_those_before_it():
    for module, source in SOURCES.items():
        if module.startswith("abalo/core/"):
            own = {name.split(".")[1] for name in imports(source) if name.startswith("abalo.")}
            assert own <= {"core", "errors", "files", "discovery"}, module


def modules() -> dict[str, set[str]]:
    """The modules of the packages by dotted name, each with those that it imports, for types or in functions too."""
    named = {module.removesuffix(".py").removesuffix("/__init__").replace("/", "."): module for module in SOURCES}
    return {
        name: {found for each in imports(SOURCES[module]) if (found := imported(each, named)) not in (None, name)}
        for name, module in named.items()
    }


def imported(name: str, known: Mapping[str, str]) -> str | None:
    """The module that an import of this name loads: itself, or the one that has it."""
    return next((each for each in (name, name.rpartition(".")[0]) if each in known), None)


def test_no_module_imports_itself_by_way_of_others():
    """Not for types, and not in a function either."""
    sorter = TopologicalSorter(modules())
    sorter.prepare()  # raises CycleError, which names the circle


MOST_MEMBERS = 40
"""Public members that a class may have, inherited ones counted; a record has as many as the object that it reads."""


def public_members(cls: type) -> set[str]:
    """The public members of a class that the package gives it, by itself or by a class it inherits from."""
    own = [vars(base) for base in cls.__mro__ if base.__module__.partition(".")[0] in ROOMS]
    named = {name for each in own for name in (*each, *each.get("__annotations__", ()))}
    return {name for name in named if not name.startswith("_")}


def test_no_class_has_more_public_members_than_a_reader_can_hold():
    larger = set()
    for module in SOURCES:
        if module.startswith("abalo/") and module not in {*FOR_INSPECT, "abalo/__main__.py"}:
            name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            classes = [each for each in vars(import_module(name)).values() if inspect.isclass(each)]
            own = [each for each in classes if each.__module__ == name and not issubclass(each, JsonRecord)]
            larger |= {f"{name}.{each.__name__}" for each in own if len(public_members(each)) > MOST_MEMBERS}
    assert larger == set()


MOST_TOGETHER = {(Task, TaskReport, Templates, Targets): 81, (Probe, Entries, ProbeReport): 48}
"""Public members that the parts of a protocol may have together: a part that moves next door changes nothing."""


def test_the_parts_of_a_protocol_together_are_not_more_than_they_were():
    sizes = {parts: sum(len(public_members(part)) for part in parts) for parts in MOST_TOGETHER}
    assert {parts: size for parts, size in sizes.items() if size > MOST_TOGETHER[parts]} == {}


def test_a_change_of_the_public_names_is_a_decision():
    """Names for users, for those who extend, and of the package that stands alone, in tests/public_names.txt."""
    public = [
        f"{package}.{name}"
        for package in ("abalo", "abalo.extend", "perturbations")
        for name in sorted(import_module(package).__all__)
    ]
    assert public == ROOT.joinpath("tests/public_names.txt").read_text("utf-8").splitlines()


MOST_LONELY = 5
"""Hooks that one task or one probe alone may implement; a later task may not raise it."""


def implementers(protocol: type, members: Mapping[str, object]) -> dict[str, list[str]]:
    """The members that implement each hook of a protocol themselves, or by a class between it and them."""
    return {
        hook: [name for name, member in members.items() if _definer(type(member), hook) is not protocol]
        for hook in sorted(public_members(protocol))
    }


def _definer(cls: type, name: str) -> type | None:
    return next((base for base in cls.__mro__ if name in vars(base)), None)


def ours(members: Mapping[str, Any], room: str) -> dict[str, Any]:
    """Those that ship, not those that other tests have registered."""
    return {name: each for name, each in members.items() if type(each).__module__.startswith(f"abalo.{room}.")}


def test_hardly_a_hook_is_for_one_task_or_one_probe():
    own, put = ours(probes(), "probes"), ours(tasks(), "tasks")
    assert (len(own), len(put)) == (9, 12)
    protocols = (
        (Probe, own),
        (Entries, {name: probe.entries for name, probe in own.items()}),
        (ProbeReport, {name: probe.report for name, probe in own.items()}),
        (Task, put),
        (TaskReport, {name: task.report for name, task in put.items()}),
        (Templates, {name: task.templates for name, task in put.items()}),
        (Targets, {name: task.targets for name, task in put.items()}),
    )
    hooks = {
        f"{protocol.__name__}.{hook}": found
        for protocol, members in protocols
        for hook, found in implementers(protocol, members).items()
    }
    lonely = {hook: found for hook, found in hooks.items() if len(found) == 1}
    assert lonely == {
        "Probe.apart": ["capability"],
        "Probe.searches": ["attack"],
        "Task.graded": ["pairs"],
        "Task.rewordings": ["choice"],
        "TaskReport.unanswered": ["choice"],
    }
    assert len(lonely) <= MOST_LONELY


def test_no_code_asks_a_case_for_its_name():
    """But for whether it is the clean corpus."""
    asked = [
        f"{module}:{node.lineno}"
        for module, source in SOURCES.items()
        for node in ast.walk(source)
        if isinstance(node, ast.Compare) and ast.unparse(node.left) == "case.name" and isinstance(node.ops[0], ast.Eq)
        if isinstance(node.comparators[0], ast.Constant)
    ]
    assert asked == []


def test_a_task_knows_no_other_task():
    """`abalo.tasks.tokens` and `abalo.tasks.labels` are no tasks but what several share."""
    for module, source in SOURCES.items():
        if module.startswith("abalo/tasks/") and module.count("/") > 2:
            known = {name.split(".")[2] for name in imports(source) if name.startswith("abalo.tasks.")}
            assert known <= {module.split("/")[2], "tokens", "labels"}, module


def test_a_probe_is_made_for_no_task():
    for module, source in SOURCES.items():
        if module.startswith("abalo/probes/"):
            assert not any(name.startswith("abalo.tasks") for name in imports(source)), module


def test_perturbations_import_only_the_standard_library_and_themselves():
    for module, source in SOURCES.items():
        if module.startswith("perturbations/"):
            allowed = {*sys.stdlib_module_names, "perturbations"} | ALLOWED.get(module, set())
            assert packages(imports(source, in_functions=False)) <= allowed, module
            assert "abalo" not in packages(imports(source)), module


def test_frameworks_and_test_tools_stay_in_their_rooms():
    for module, source in SOURCES.items():
        allowed = next((names for place, names in ALLOWED.items() if module.startswith(place)), set())
        allowed = allowed | IMPORTED_WHEN_USED if ADAPTERS.match(module) else allowed
        assert packages(imports(source)) & WATCHED <= allowed, module
        if module not in FOR_INSPECT:
            assert packages(imports(source, in_functions=False)) & IMPORTED_WHEN_USED == set(), (
                f"{module}: import inside functions"
            )


@pytest.mark.parametrize(
    "program",
    [
        "import abalo, perturbations, abalo.pytest_plugin",
        "from abalo.core.protocols.task import tasks; from abalo.core.protocols.probe import probes; tasks(), probes()",
        "import abalo.bundled as b; from abalo.config.thresholds import load; load(b.bundled_path('thresholds.toml'))",
    ],
    ids=["importing", "finding tasks and probes", "reading thresholds"],
)
def test_no_framework_is_loaded_and_nothing_is_printed_by(program):
    watched = "{'torch', 'transformers', 'spacy', 'inspect_ai', 'datasets'}"
    program += f"; import sys; print(*{watched} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def narrows_a_type(asserted: ast.expr) -> bool:
    """Whether what follows would fail by itself where this does not hold: ``x is not None``, ``isinstance(x, T)``."""
    if isinstance(asserted, ast.Compare):
        return isinstance(asserted.ops[0], ast.IsNot) and ast.unparse(asserted.comparators[0]) == "None"
    return isinstance(asserted, ast.Call) and ast.unparse(asserted.func) == "isinstance"


@every("path", SOURCES)
def test_no_verdict_hangs_on_an_assert_which_python_o_leaves_out(path):
    asserts = [node for node in ast.walk(SOURCES[path]) if isinstance(node, ast.Assert)]
    allowed = not path.startswith("tests_behavioral/")
    assert not [each.lineno for each in asserts if not (allowed and narrows_a_type(each.test))]


def test_every_file_of_text_is_opened_with_its_encoding():
    """Else the locale decides; Python warns of it under -X warn_default_encoding."""
    without = [
        f"{module}:{call.lineno}"
        for module, source in SOURCES.items()
        for call in ast.walk(source)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _is_bare(call, call.func)
    ]
    assert without == []


def _is_bare(call: ast.Call, function: ast.Attribute) -> bool:
    """Whether it opens a path as text and names no encoding."""
    others = isinstance(function.value, ast.Name) and function.value.id in (
        "os",
        "gzip",
        "archive",
        "webbrowser",
        "log",
    )
    mode = "".join(str(each.value) for each in call.args[:1] if isinstance(each, ast.Constant))
    said = any(keyword.arg == "encoding" for keyword in call.keywords)
    places = {"read_text": 1, "write_text": 2}
    if function.attr in places:
        return not said and len(call.args) < places[function.attr]
    return function.attr == "open" and not others and not said and "b" not in mode
