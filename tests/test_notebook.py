"""The notebook of the pages, and cells that run twice and edited, in a Jupyter kernel."""

import importlib
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebook.ipynb"


def of_group(module: str) -> Any:
    """A module of the group ``notebook``; the test is skipped, loudly, where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        pytest.skip("cells were NOT run in a kernel: pip install --group notebook")


def executed(notebook: Any, folder: Path) -> Any:
    """The notebook with the outputs of its cells, run in the folder; a cell that fails is an error."""
    of_group("ipykernel")
    client = of_group("nbclient").NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def shown(cell: Any) -> list[str]:
    """What a cell shows as text."""
    return [each.text if each.output_type == "stream" else each.data["text/plain"] for each in cell.outputs]


def ran(folder: Path, *cells: str) -> list[str]:
    """The text below each cell of a notebook, one after the other."""
    made = of_group("nbformat").v4
    notebook = executed(made.new_notebook(cells=[made.new_code_cell(each) for each in cells]), folder)
    return ["".join(shown(cell)).strip() for cell in notebook.cells]


def test_the_notebook_shows_what_it_says(tmp_path):
    nbformat = of_group("nbformat")
    of_group("pandas")
    kept = nbformat.read(NOTEBOOK, 4)
    notebook = executed(nbformat.read(NOTEBOOK, 4), tmp_path)
    assert [shown(cell) for cell in notebook.cells if cell.cell_type == "code"] == [
        shown(cell) for cell in kept.cells if cell.cell_type == "code"
    ]
    pages = [
        each.data["text/html"]
        for cell in notebook.cells
        for each in cell.get("outputs", ())
        if "data" in each and "text/html" in each.data
    ]
    assert sum("abalo-report" in page for page in pages) == 5, "session, two results, report and comparison"
    assert sum("abalo-edited" in page for page in pages) >= 3
    assert (tmp_path / "reports" / "report.html").is_file()


SESSION = """
import abalo
from pathlib import Path
Path("dev.conll").write_text("\\n".join(f"Ana B-PER\\nsaiu O\\n{n} O\\n" for n in range(60)))

def tag(batch):
    return [["B-PER" if token == "Ana" else "O" for token in tokens] for tokens in batch]

session = abalo.Session(task="ner", model=tag, corpus="dev.conll")
"""

PERTURBATION = """
from perturbations import word_level

@word_level(rate=1.0, example=("Ana", "ANA"))
def my_change(word):
    return [word.{method}()] if word.{method}() != word else []

print(session.judge("my_change").metrics["f1_drop"].value)
"""

METRIC = """
from dataclasses import replace
from abalo.extend import tasks

metrics = tasks()["ner"].metrics

def my_value(sums):
    return {factor} * metrics()["f1"].value(sums)

metrics.register(replace(metrics()["f1"], name="my_metric", value=my_value, high=9.0))
print(session.judge("baseline").metrics["my_metric"].value)
"""

VALIDATOR = """
import numpy as np
from abalo.extend import Ranged, Validator, register

class Kept:
    name = "kept"

    def of(self, pairs):
        return np.full(len(pairs), {kept})

register(Validator("my_validator", Ranged, "min", lambda corpus, settings: Kept()))
result = session.judge("my_change", require={{"my_validator": 0.5}})
print(result.results[0].more["filtered"])
"""


def test_cells_run_again_and_edited_and_the_last_definition_counts(tmp_path):
    upper, lower = PERTURBATION.format(method="upper"), PERTURBATION.format(method="strip")
    once, twice = METRIC.format(factor=1), METRIC.format(factor=2)
    _, *found = ran(tmp_path, SESSION, upper, upper, lower, upper, once, once, twice, once)
    assert found == ["1.0", "1.0", "0.0", "1.0", "1.0", "1.0", "2.0", "1.0"]


def test_a_validator_can_be_defined_again(tmp_path):
    lenient, strict = VALIDATOR.format(kept=1.0), VALIDATOR.format(kept=0.0)
    _, _, *found = ran(tmp_path, SESSION, PERTURBATION.format(method="upper"), lenient, strict, strict, lenient)
    assert found == ["0", "180", "180", "0"], "60 sentences under three seeds"


def test_a_cell_that_defines_its_model_again_judges_the_new_one(tmp_path):
    model = "def tag(batch):\n    return [['{}' for t in each] for each in batch]\n"
    opened = "session = abalo.Session(task='ner', model=tag, corpus='dev.conll')\n"
    score = "print(session.judge('baseline').metrics['f1'].value, session.model.name)"
    cells = [model.format(label) + opened + score for label in ("O", "B-PER", "O")]
    _, *found = ran(tmp_path, SESSION, *cells)
    assert found == ["0.0 __main__:tag", "0.5 __main__:tag", "0.0 __main__:tag"]


def test_a_run_shows_how_many_cases_are_judged_in_one_line(tmp_path):
    cases = "[gate]\nresamples = 100\nseeds = [1]\n[[ner.baseline]]\n[[ner.accents]]\n"
    run = f"""
Path("cases.toml").write_text({cases!r})
print(abalo.Session(task="ner", model=tag, corpus="dev.conll", thresholds="cases.toml").run())
"""
    _, said = ran(tmp_path, SESSION, run)
    assert said == "2 of 2 cases judged<run of 2 cases: measured>"
