"""README is short; its transcript, commands, lines of Python and perturbation do what it says."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from abalo.bundled import bundled_path
from abalo.cli import parser
from abalo.core.protocols.task import tasks
from docs.transcripts import environment, replay
from perturbations import find, parse, render
from tests.forked import SCRIPTS

ROOT = Path(__file__).parent.parent
README = ROOT.joinpath("README.md").read_text("utf-8")
PICTURE = ROOT / "docs" / "report.png"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def section(title: str) -> str:
    (found,) = re.findall(rf"^## {title}$(.*?)(?=^## )", README, re.DOTALL | re.MULTILINE)
    return found


def own_model() -> list[str]:
    """The commands for a model of one's own: look, accept, compare."""
    (block,) = re.findall(r"```\n(.*?)```", section("Your own model"), re.DOTALL)
    return [line for line in block.splitlines() if line and not line.startswith("#")]


def test_readme_is_short_and_has_a_row_for_each_task():
    assert len(README.splitlines()) <= 150
    assert len(README.split()) <= 1000
    assert {*re.findall(r"^\| [\w -]+ \| `(\w+)` \|", section("Tasks"), re.MULTILINE)} == {*tasks()}


def test_the_picture_is_small():
    assert f"({PICTURE.relative_to(ROOT).as_posix()})" in README
    assert PICTURE.read_bytes().startswith(b"\x89PNG")
    assert PICTURE.stat().st_size < 150_000


def test_abalo_takes_the_commands():
    for command in own_model():
        program, *arguments = shlex.split(command)
        if program == "abalo":
            assert parser().parse_args(arguments).run


def test_the_perturbation_keeps_its_example():
    (block,) = [each for each in blocks("python") if "from perturbations" in each]
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # the page is ours
    texting = find("texting").configured(rate=1)
    perturbed = texting.sample(parse(texting.example.before), seed=1)
    assert perturbed is not None
    assert render(perturbed.sentence) == texting.example.after


def run(command: str, folder: Path, first: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a command in a shell that looks for programs in ``first``, and then where it always does."""
    usual = dict(environment())
    found = usual if first is None else usual | {"PATH": f"{first}:{usual['PATH']}"}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=found, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.slow
def test_the_transcript_is_what_the_command_prints_and_the_perturbation_is_found(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (shown,) = replay(README, folder)
    assert shown.difference is None, "\n".join(shown.printed)
    assert shown.code == 1
    assert folder.joinpath("reports", "report.html").exists()
    folder.joinpath("thresholds.toml").write_text("[[classification.texting]]\nmax_accuracy_drop = 0.1\n", "utf-8")
    judged = run(shown.command, folder)
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert re.search(r"^classification/texting .* PASS$", judged.stdout, re.MULTILINE)


@pytest.mark.slow
def test_the_lines_of_python_run(tmp_path):
    (lines,) = [each for each in blocks("python") if "import abalo\n" in each]
    done = subprocess.run(
        [sys.executable, "-c", lines],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"(pass|fail|inconclusive)( 0\.\d+){3}", done.stdout.strip())


CASES = "[gate]\nseeds = [1]\n\n[[ner.baseline]]\n[[ner.accents]]\n[[ner.typos]]\n"


def confuse(checkpoint: Path) -> None:
    """Makes the checkpoint confuse persons and places."""
    path = checkpoint / "config.json"
    config = json.loads(path.read_text("utf-8"))
    swapped = {"PESSOA": "LOCAL", "LOCAL": "PESSOA"}
    labels = {
        place: label[:2] + swapped.get(label[2:], label[2:]) if label != "O" else label
        for place, label in config["id2label"].items()
    }
    path.write_text(json.dumps(config | {"id2label": labels, "label2id": {v: int(k) for k, v in labels.items()}}))


@pytest.fixture
def project(tmp_path):
    """A folder with two equal checkpoints, 150 sentences and few cases."""
    for name in ("my-checkpoint", "new-checkpoint"):
        tmp_path.joinpath(name).mkdir()
        for each in bundled_path("fixtures/model").iterdir():
            tmp_path.joinpath(name, each.name).write_bytes(each.read_bytes())
    sentences = bundled_path("fixtures/corpora/legal-pt/eval.conll").read_text("utf-8").split("\n\n")
    tmp_path.joinpath("dev.conll").write_text("\n\n".join(sentences[:150]) + "\n", "utf-8")
    tmp_path.joinpath("thresholds.toml").write_text(CASES, "utf-8")
    return tmp_path


@pytest.mark.slow
def test_look_accept_and_compare(project, forks, tmp_path_factory):
    programs = forks.programs(tmp_path_factory.mktemp("bin"), **SCRIPTS)
    look, accept, compare = own_model()
    for command in (look, accept, compare):
        done = run(command, project, programs)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    document = json.loads(project.joinpath("reports", "robustness.json").read_text("utf-8"))
    assert (document["gate"]["profile"], document["options"]["limit"]) == ("quick", 200), "as the look"
    assert "the same answers as the reference 1.0" in done.stdout
    confuse(project / "new-checkpoint")
    worse = run(compare, project, programs)
    assert worse.returncode == 1, worse.stdout + worse.stderr
    verdict = run("abalo verdict reports", project, programs)
    assert verdict.returncode == 1
    assert verdict.stdout.startswith("FAIL: ")
