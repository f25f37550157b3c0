"""``--abalo-full-precision``: how many labels lower precision changes, as the report says it."""

import shutil

import pytest
import torch  # noqa: F401 - before any pytest inside a test, which would forget it, and it cannot be imported twice

from tests.plugin.conftest import NAMES, PLACES

LABELS = ("O", *(f"{position}-{kind}" for kind in ("PESSOA", "LOCAL", "ORGANIZACAO") for position in "BI"))


@pytest.fixture
def project(project):
    project.write("thresholds.toml", "[gate]\nresamples = 300\n[[ner.baseline]]\nmin_f1 = 0.4\n")
    return project


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    from tests.models.tiny_checkpoint import save_checkpoint

    return save_checkpoint(tmp_path_factory.mktemp("random") / "model", LABELS)


@pytest.fixture(scope="module")
def graph(checkpoint, tmp_path_factory):
    """Before any project, after which pytester forgets what was imported."""
    pytest.importorskip("onnx", reason="the extra onnx is not installed: pip install 'abalo[onnx]'")
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed: pip install 'abalo[onnx]'")
    from benchmarks.exporting import export

    return export(checkpoint, tmp_path_factory.mktemp("exported"))


def test_labels_that_differ_are_counted_and_both_scores_told(project):
    result = project.run("--abalo-full-precision", "models:gazetteer", model="models:blind_to_accents")
    assert result.ret == 0
    found = project.document()["model"]["full_precision"]
    assert found["name"] == "models:gazetteer"
    assert found["labels"] == len(NAMES) * len(PLACES) * 12
    assert found["differing"] == len(NAMES) * len(PLACES) * 3  # the place and both words of the court
    assert found["floor"]["value"] == 1.0
    result.stdout.no_fnmatch_line("*full precision*")  # the terminal is short
    page = (project.path / "reports" / "robustness.md").read_text("utf-8")
    assert "· F1 0.500" in page
    assert "· 210 of 840 labels differ" in page
    assert "full precision (25 %): models:gazetteer, fingerprint" in page
    assert "F1 1.000 [0.949, 1.000]; corpus.conll" in page


def test_with_several_trainings_the_one_that_differs_most_is_told_of_each_with_itself(project, checkpoint, tmp_path):
    from tests.models.tiny_checkpoint import save_checkpoint

    other = save_checkpoint(tmp_path / "other", LABELS, seed=1)
    project.run("--abalo-dtype", "bf16", "--abalo-device", "cpu", model=f"{checkpoint},{other}")
    assert project.document()["model"]["full_precision"]["name"] in (str(checkpoint), str(other))


def test_one_checkpoint_is_not_compared_with_several_trainings(project):
    result = project.run("--abalo-full-precision", "models:gazetteer", model="models:gazetteer,models:blind_to_accents")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*--abalo-full-precision models:gazetteer: is one model, and there are 2 to compare*"])


def test_a_lower_dtype_is_compared_with_the_model_itself(project, checkpoint):
    from abalo.models.tokens.loading import load

    project.run("--abalo-dtype", "bf16", "--abalo-device", "cpu", model=str(checkpoint))
    document = project.document()
    found = document["model"]["full_precision"]
    assert found["fingerprint"] == load(str(checkpoint), device="cpu").fingerprint != document["model"]["fingerprint"]
    assert 0 < found["differing"] < found["labels"]


def test_in_full_precision_there_is_nothing_to_compare(project, checkpoint):
    project.run("--abalo-device", "cpu", model=str(checkpoint))
    assert "full_precision" not in project.document()["model"]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["onnx/model.onnx", "model.onnx"])
def test_a_graph_is_compared_with_the_weights_it_was_exported_from(graph, project, checkpoint, place):
    folder = shutil.copytree(checkpoint, project.path / "both")
    (folder / place).parent.mkdir(exist_ok=True)
    shutil.copy(graph, folder / place)
    project.run(model=f"both/{place}")
    found = project.document()["model"]["full_precision"]
    assert (found["name"], found["differing"]) == ("both", 0)
    assert found["floor"]["value"] == project.document()["baseline"]["f1"]["value"]
