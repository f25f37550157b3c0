"""``abalo log-mlflow``: a finished run as a run of MLflow, tried on local stores."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.errors import redacted
from abalo.reporting.formats.files import write_all, write_json
from abalo.reporting.formats.tracking import files_in, track
from tests.reporting.documents import interrupted, many, sample
from tests.reporting.test_comparing import document, losses

needs_mlflow = pytest.mark.skipif(
    find_spec("mlflow") is None, reason="runs were NOT put into MLflow: pip install 'abalo[mlflow]'"
)

CASE = "ner/character_noise rate-0.1"


def test_a_case_has_its_number_and_its_score_with_the_ends_of_their_intervals():
    found = track(typed.read(Document, sample())).metrics
    assert {name: found[name] for name in found if name.startswith(CASE)} == {
        f"{CASE}/f1_drop_changed": 0.213741,
        f"{CASE}/f1_drop_changed.low": 0.183741,
        f"{CASE}/f1_drop_changed.high": 0.243741,
        f"{CASE}/f1": 0.652632,
        f"{CASE}/f1.low": 0.622632,
        f"{CASE}/f1.high": 0.682632,
    }
    assert [name for name in found if name.startswith("ner/baseline")] == [
        f"ner/baseline/{each}" for each in ("f1", "f1.low", "f1.high")
    ]
    counts = {"cases/pass": 4, "cases/fail": 1, "cases/inconclusive": 1, "cases/not_blocking": 0}
    assert {name: found[name] for name in found if name.startswith("cases/")} == counts


def test_a_loss_against_the_reference_is_a_metric_and_the_reference_a_parameter():
    compared = document(losses())
    found, told = track(typed.read(Document, compared)), compared["comparison"]["tasks"]["ner"]
    (loss,) = [each for each in told["losses"] if each["type"] is None]
    assert found.metrics["ner/accents/loss"] == loss["value"]
    assert found.metrics["ner/accents/loss.low"] == loss["low"]
    assert found.metrics["ner/baseline/loss"] == told["baseline"]["value"]
    assert found.params["reference"] == "1.0"


def test_a_number_without_a_value_is_no_metric():
    found = sample()
    for result in found["results"]:
        result["metrics"]["f1_drop_changed"] = None
    assert not [name for name in track(typed.read(Document, found)).metrics if "f1_drop_changed" in name]


def test_parameters_say_who_was_judged_on_what_and_how():
    document = sample()
    assert track(typed.read(Document, document)).params == {
        "ner.model": "./checkpoints/<b>lener|v2</b>",
        "ner.model.fingerprint": "b7d1c0ffee5a4412",
        "ner.corpus": "lener-br/dev.conll",
        "ner.corpus.sha256": document["corpus"]["sha256"],
        "seeds": "1, 2, 4",
        "profile": "dev",
        "thresholds": "thresholds.toml",
        "confidence": "0.95",
        "date": "2026-11-22T09:30:15Z",
        "commit": "89abcdef0123456789abcdef0123456789abcdef, with changes",
        "version.abalo": "0.1.0",
        "version.python": "3.11.7",
        "version.torch": "2.13.0",
        "version.transformers": "5.23.0",
    }


@pytest.mark.parametrize(
    ("dirty", "said"), [(False, ("c0ffee" * 7)[:40]), (True, ("c0ffee" * 7)[:40] + ", with changes")]
)
def test_the_moment_and_the_commit_of_a_run_are_told_where_it_has_them(dirty, said):
    made = {"date": "2026-11-23T12:00:00Z", "commit": ("c0ffee" * 7)[:40], "dirty": dirty}
    params = track(typed.read(Document, sample() | made)).params
    assert (params["date"], params["commit"]) == ("2026-11-23T12:00:00Z", said)


def test_names_hold_what_every_store_takes_and_stay_apart():
    found = sample()
    results = [each for each in found["results"] if each["name"] == "accents"]
    others = [[{**each, "id": f"ner/accents[{name}]"} for each in results] for name in ("a+b", "a:b", "x" * 300)]
    found["results"] += [each for other in others for each in other]
    names = [
        name
        for name in track(typed.read(Document, found)).metrics
        if name.startswith("ner/accents ") and name.endswith("/f1")
    ]
    assert len(names) == 3
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./ ")
    assert all(set(name) <= allowed and len(name) <= 250 for name in names)


def test_files_are_those_of_the_run_and_no_others(tmp_path):
    write_all(typed.read(Document, sample()), {}, [], tmp_path)
    (tmp_path / "attacks").mkdir(exist_ok=True)
    (tmp_path / "attacks" / "a.jsonl").write_text("{}")
    (tmp_path / "secret.txt").write_text("mine")
    assert [path.relative_to(tmp_path).as_posix() for path in files_in(tmp_path)] == [
        "robustness.json",
        "robustness.md",
        "report.metrics.json",
        "report.html",
        "evidence.npz",
        "examples.jsonl",
        "attacks/a.jsonl",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "reports: there is no such folder; give the folder of a run"),
        ("{", "reports/robustness.json: is not JSON"),
        ("[]", "reports/robustness.json: is not the report of a run"),
    ],
)
def test_a_report_that_is_missing_or_unreadable_is_refused(folder, refused, text, said):
    if text is not None:
        Path("reports").mkdir()
        Path("reports/robustness.json").write_text(text, "utf-8")
    assert refused("log-mlflow", "reports").startswith(said)


def test_a_run_that_did_not_finish_is_refused(folder, refused):
    write_json(typed.read(Document, interrupted()), Path("reports"))
    said = refused("log-mlflow", "reports")
    assert said.startswith("reports/robustness.json: the run is not complete: 2 collected cases without a result")
    assert said.endswith("run the gate to its end, or merge its shards (abalo merge), and log that")


def test_without_mlflow_the_line_to_install_it_is_told(folder, refused, monkeypatch):
    write_json(typed.read(Document, sample()), Path("reports"))
    monkeypatch.setitem(sys.modules, "mlflow", None)
    assert refused("log-mlflow", "reports").endswith(": pip install 'abalo[mlflow]'")


def test_addresses_are_told_without_passwords():
    assert redacted("https://me:secret@example.org/x") == "https://…@example.org/x"
    assert redacted("sqlite:////a/b@c.db") == "sqlite:////a/b@c.db"


# With MLflow itself, in processes of their own: it changes the process that imports it.

NO_NETWORK = """
import socket

def refuse(*asked, **_):
    if getattr(asked[0], "family", None) != socket.AF_UNIX:
        open("connected.txt", "a").write(f"{asked}\\n")
        raise OSError("no network in this test")

socket.getaddrinfo = socket.socket.connect = socket.socket.connect_ex = refuse
"""

READ = """
import json, sys
import mlflow
for store in sys.argv[1:]:
    client = mlflow.MlflowClient(store)
    (run,) = [run for each in client.search_experiments() for run in client.search_runs([each.experiment_id])]
    experiment = client.get_experiment(run.info.experiment_id).name
    files = [file.path for file in client.list_artifacts(run.info.run_id)]
    data = run.data
    print(json.dumps([experiment, run.info.run_name, run.info.status, data.metrics, data.params, data.tags, files]))
"""


@pytest.fixture
def mlflow(folder):
    """Runs a program or module in a folder with the report of a run in ``reports``, where connections are noted."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(NO_NETWORK)
    # MLflow sends nothing where it sees a CI or pytest: here it must not because it was told so.
    silent = ("CI", "GITHUB_ACTIONS", "PYTEST_CURRENT_TEST", "DO_NOT_TRACK")
    ours = {name: value for name, value in os.environ.items() if name not in silent and not name.startswith("MLFLOW_")}
    paths = os.pathsep.join([str(folder / "site"), str(Path(__file__).parents[2]), ours.get("PYTHONPATH", "")])

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, *arguments],
            env={**ours, "PYTHONPATH": paths, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    write_all(typed.read(Document, sample()), {}, [], Path("reports"))
    yield run
    assert not Path("connected.txt").exists(), Path("connected.txt").read_text()


@needs_mlflow
@pytest.mark.slow
def test_a_run_goes_where_options_or_variables_say_without_a_word_to_anybody_else(mlflow):
    store, other = "sqlite:///runs.db", "sqlite:///elsewhere.db"
    names = ("--experiment", "releases", "--run-name", "1.4")
    done = mlflow("-m", "abalo", "log-mlflow", "reports", "--tracking-uri", store, *names)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("run 1.4 (")
    assert done.stdout.endswith(f") at {store}: 37 metrics, 14 parameters, 6 files\n")
    large = typed.read(Document, many(200))
    write_json(large, Path("large"))
    named = {"MLFLOW_TRACKING_URI": other, "MLFLOW_EXPERIMENT_NAME": "nightly"}
    done = mlflow("-m", "abalo", "log-mlflow", "large/robustness.json", **named)
    assert done.returncode == 0, done.stderr
    read = mlflow("-c", READ, store, other)
    assert read.returncode == 0, read.stderr
    (experiment, name, status, metrics, params, tags, files), (also, _, _, more, *_) = map(
        json.loads, read.stdout.splitlines()
    )
    assert (experiment, name, status) == ("releases", "1.4", "FINISHED")
    assert metrics == dict(track(typed.read(Document, sample())).metrics)
    assert params == track(typed.read(Document, sample())).params
    assert tags["verdict"] == "fail"
    assert tags["mlflow.note.content"] == "character_noise[rate-0.1] fails, 1 undecided"
    assert {*files} == {
        "robustness.json",
        "robustness.md",
        "report.html",
        "report.metrics.json",
        "evidence.npz",
        "examples.jsonl",
    }
    assert also == "nightly"
    assert len(more) == len(track(large).metrics) > 1000


@needs_mlflow
@pytest.mark.slow
def test_a_store_that_cannot_be_had_is_an_error_without_a_traceback(mlflow):
    done = mlflow("-m", "abalo", "log-mlflow", "reports", "--tracking-uri", "sqlite:///corpus.conll/runs.db")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "abalo: MLflow at sqlite:///corpus.conll/runs.db: " in done.stderr
    assert done.stderr.endswith("pip install 'abalo[mlflow]'\n")
    assert "Traceback" not in done.stderr
