"""The public face for extensions: its names, and that pages and their examples import from nowhere else."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import abalo
import perturbations
from abalo import AbaloError, extend
from abalo.core.protocols.registry import Registry
from abalo.core.statistics.metrics import Metric, share
from tests.rows import every
from tests.test_adding import CONFTEST, TASK

ROOT = Path(__file__).parents[1]

PUBLIC = (
    "register Registry Ranged AbaloError",
    "Metric Share share Difference tasks",
    "Reader",
    (
        "Task RunOptions CorpusKind CorpusSetting CorpusSpec Example Variant Outcome Predictor Resources"
        " first_record made_by"
    ),
    "Templates Filling Targets Target TaskReport",
    "Probe RunContext Case Entries ProbeReport Ran sizes",
    "ReportBlock Section Block Text Table Column Row ReportFormat",
    "ModelScheme used",
    "Slice Cut Validator Score",
    (
        "recipe RecipeSettings Candidates Attack AttackSettings Aims Started Search Ask Found Ranking SearchMethod"
        " Tuning apply_edits"
    ),
    "Invariance InvarianceSettings",
    "template",
)
"""The names by what one adds. To take one away breaks extensions: docs/reference/python.md."""

PAGES = (
    "docs/how-to/add-a-task.md",
    "docs/how-to/extend.md",
    "docs/reference/python.md",
    "docs/how-to/capabilities.md",
)


def test_the_names_are_those_that_are_documented():
    assert extend.__all__ == " ".join(PUBLIC).split()


def test_the_reference_lists_them_by_what_one_adds():
    page = ROOT.joinpath("docs/reference/python.md").read_text("utf-8").partition("| names in `abalo.extend` |")[2]
    rows = re.findall(r"^\| [^|-]* \| (`.*`) \|$", page, re.MULTILINE)
    assert tuple(" ".join(re.findall(r"`(\w+)`", row)) for row in rows) == PUBLIC


def test_each_is_used_in_a_page():
    text = "\n".join(ROOT.joinpath(page).read_text("utf-8") for page in PAGES)
    assert [name for name in extend.__all__ if not re.search(rf"\b{name}\b", text)] == []


def documented(module: str) -> set[str]:
    """The functions, classes and constants of a module that have a docstring."""
    path = ROOT.joinpath(*module.split("."))
    body = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")).body
    found = {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)}
    for node, following in pairwise(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if (
            isinstance(target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            found.add(target.id)
    return found


def imported(source: str) -> Iterator[tuple[str, str]]:
    """Each import of a program: the module, and the name that is taken from it, empty for the module itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def test_each_has_a_docstring_where_it_is_defined():
    homes = {name: module for module, name in imported((ROOT / "abalo/extend.py").read_text("utf-8"))}
    found = {name: documented(homes.get(name, "abalo.extend")) for name in extend.__all__}
    assert [name for name, names in found.items() if name not in names] == []


def test_importing_it_loads_no_framework():
    heavy = "{'torch', 'transformers', 'spacy', 'inspect_ai', 'datasets', 'pyarrow', 'ray', 'faker', 'pytest'}"
    program = f"import abalo.extend, sys; print(*{heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def blocks(page: str) -> list[str]:
    """The programs of a page that import something."""
    found = re.findall(r"^```python\n(.*?)^```", ROOT.joinpath(page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [block for block in found if re.search("^(from|import) ", block, re.MULTILINE)]


def foreign(source: str, own: set[str]) -> list[str]:
    """The imports that are none of the public interface, the standard library, NumPy, pytest or the page's ``own``."""
    public = {"abalo": abalo.__all__, "abalo.extend": extend.__all__, "perturbations": perturbations.__all__}
    return [
        f"{module} {name}".rstrip()
        for module, name in imported(source)
        if module.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "pytest", *own}
        and module != "abalo.pytest_plugin.fixtures"
        and name not in ({*public[module], ""} if module in public else ())
    ]


@pytest.mark.parametrize("page", PAGES)
def test_extensions_in_pages_import_from_nowhere_else(page):
    found = blocks(page)
    files = re.findall(r"^# (\S+?)\.py$", "\n".join(found), re.MULTILINE)
    assert found
    assert [each for block in found for each in foreign(block, {file.partition("/")[0] for file in files})] == []


def test_the_extensions_of_tests_import_from_nowhere_else():
    assert foreign(TASK, set()) == []
    assert foreign(CONFTEST, {"small_letters", "lengths"}) == []


def test_an_import_from_the_inside_is_seen():
    assert foreign(
        "from abalo.core.protocols.task import Task\nimport abalo.core\nfrom abalo.extend import Fold", set()
    ) == [
        "abalo.core.protocols.task Task",
        "abalo.core",
        "abalo.extend Fold",
    ]


MEMBERS = {
    "abalo.blocks": extend.ReportBlock("added"),
    "abalo.sections": extend.Section("added", "Added", lambda document: [], order=1),
    "abalo.report_formats": extend.ReportFormat("added", "added.txt", lambda document, examples: ""),
    "abalo.model_schemes": extend.ModelScheme("added", str),
    "abalo.readers": extend.Reader("added", "", lambda path, settings, tally: []),
    "abalo.slices": extend.Slice("added", extend.Ranged, lambda corpus, settings: None),
    "abalo.validators": extend.Validator("added", extend.Ranged, "max", lambda corpus, settings: None),
    "abalo.attacks": extend.Attack("added", extend.AttackSettings, lambda aims, settings: None, bool),
    "abalo.rankings": extend.Ranking("added", lambda target, options, tuning: None),
    "abalo.searches": extend.SearchMethod("added", lambda target, options, ranking, tuning: None),
    "abalo.invariances": extend.Invariance("added", extend.InvarianceSettings, lambda corpus, settings: None, ""),
}
"""A member of each kind, by the entry point group of its registry."""


@every("group", MEMBERS)
def test_register_adds_a_thing_to_those_of_its_kind(group):
    (registry,) = [each for each in extend._REGISTRIES.values() if each.group == group]
    member = MEMBERS[group]
    with Registry.restored():
        assert extend.register(member) is member
        assert registry()["added"] is member
    assert "added" not in registry()


def test_installed_packages_can_offer_each_kind_and_the_reference_lists_the_groups():
    page = ROOT.joinpath("docs/reference/python.md").read_text("utf-8")
    groups = [each.group for each in extend._REGISTRIES.values()]
    assert {*groups} == {*re.findall(r"`(abalo\.[a-z_]+)`", page.partition("entry point group")[2].partition("##")[0])}
    assert {*groups} == {*MEMBERS, "abalo.tasks", "abalo.probes"}


def test_register_refuses_a_class_and_says_where_metrics_go():
    with pytest.raises(AbaloError, match=r"Probe is a class, and a probe is one of it: register Probe\(\)"):
        extend.register(extend.Probe)
    with pytest.raises(AbaloError, match=r"expected one of Task, Probe, .*Attack, .*; .*\.metrics\.register"):
        extend.register(Metric("added", len, share(0, 1)))
    with pytest.raises(AbaloError, match=r"given 'added', of type str; expected one of Task, .*Invariance$"):
        extend.register("added")
