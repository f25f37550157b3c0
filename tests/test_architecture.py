"""The house rules of ARCHITECTURE.md, read off the source."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Each may import what stands before it.
ROOMS = {
    "perturbations": "layers text carrying application composition notation streams suggestions scripts parameters"
    " lexicons stops resources mentions numbered sites languages function_words perturbation levels catalogue pipelines"
    " families dependencies strategies",
    "abalo": "errors files locking hub discovery bundled checkout core corpora models sources slices validators tasks"
    " attacks promises capabilities probes config reporting api scale augmentation hardening raters pytest_plugin"
    " commands cli __main__",
    "tests_behavioral": "",
}
FRAMEWORKS = {"torch", "transformers", "spacy"}
FOR_INSPECT = {
    "abalo/tasks/choice/inspect_tasks.py",
    "abalo/tasks/choice/models/inspected.py",
    "abalo/tasks/labels/models/inspected.py",
}
"""Made of what Inspect has: Inspect itself imports them, or a function does."""
IMPORTED_WHEN_USED = FRAMEWORKS | {"inspect_ai", "mlflow"}
WATCHED = IMPORTED_WHEN_USED | {"pytest", "_pytest", "hypothesis", "tests_behavioral"}
ALLOWED = {
    "abalo/models/": FRAMEWORKS,
    "abalo/tasks/choice/": {"inspect_ai"},
    "abalo/commands/log_mlflow.py": {"mlflow"},
    "abalo/pytest_plugin/": {"pytest", "_pytest"},
    "perturbations/strategies.py": {"hypothesis"},
    "perturbations/languages/": {"spacy"},
    "tests_behavioral/": {"pytest", "hypothesis", "tests_behavioral"},
}
ADAPTERS = re.compile("abalo/tasks/[a-z_]+/models/")
"""Where a task has adapters of its own, for frameworks and Inspect."""

SOURCES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for package in ROOMS
    for path in sorted((ROOT / package).rglob("*.py"))
}


def imports(source: ast.AST, *, in_functions: bool = True) -> Iterator[str]:
    """Dotted names of all that is imported."""
    for node in ast.iter_child_nodes(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module}.{alias.name}" for alias in node.names)
        elif in_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports(node, in_functions=in_functions)


def packages(names: Iterator[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def room_of(module: str) -> str:
    return module.split("/")[1].removesuffix(".py")


def test_every_room_has_its_place():
    rooms = {(module.split("/")[0], room_of(module)) for module in SOURCES if not module.startswith("tests_behavioral")}
    homeless = {(package, room) for package, room in rooms if room not in [*ROOMS[package].split(), "__init__"]}
    assert homeless == set(), "give each its place in ROOMS above and in ARCHITECTURE.md"


def test_imports_go_upwards():
    wrong = {}
    for module, source in SOURCES.items():
        package, rooms = module.split("/")[0], ROOMS[module.split("/")[0]].split()
        below = rooms[rooms.index(room_of(module)) + 1 :] if room_of(module) in rooms else []
        found = [name for name in imports(source) if name.split(".")[:2] in [[package, room] for room in below]]
        wrong |= {module: found} if found else {}
    assert wrong == {}


def test_the_core_knows_no_room_but_those_before_it():
    for module, source in SOURCES.items():
        if module.startswith("abalo/core/"):
            own = {name.split(".")[1] for name in imports(source) if name.startswith("abalo.")}
            assert own <= {"core", "errors", "files", "discovery"}, module


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
        "from abalo.core.task import tasks; from abalo.core.probe import probes; tasks(), probes()",
        "from abalo.config.thresholds import load; from abalo.bundled import bundled; load(bundled('thresholds.toml'))",
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


@pytest.mark.parametrize("path", SOURCES)
def test_no_verdict_hangs_on_an_assert_which_python_o_leaves_out(path):
    asserts = [node for node in ast.walk(SOURCES[path]) if isinstance(node, ast.Assert)]
    allowed = not path.startswith("tests_behavioral/")
    assert not [each.lineno for each in asserts if not (allowed and narrows_a_type(each.test))]


def test_no_docstring_begins_with_what():
    """It usually hides a noun: name the thing (CONTRIBUTING.md)."""
    paths = [path for place in (*ROOMS, "benchmarks", "docs", "tests") for path in (ROOT / place).rglob("*.py")]
    found = [path.relative_to(ROOT).as_posix() for path in paths if '"""' + "What " in path.read_text("utf-8")]
    assert found == []


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
