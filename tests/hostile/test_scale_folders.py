"""Folders of ``abalo scale`` with another manifest, other chunks, pipes or devices in them: none of it is used."""

import io
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from abalo.cli import main
from abalo.scale.chunk import scores_of, scores_path
from abalo.scale.manifest import Manifest
from abalo.scale.ray_engine import STARTED_FOR
from tests.texts import TextWith

pytestmark = pytest.mark.slow

MODEL = """
from pathlib import Path

{begin}


def make():
    def model(batch):
        return [["B-PESSOA" if word.startswith("José") else "O" for word in tokens] for tokens in batch]

    return model
"""
THRESHOLDS = "[gate]\nresamples = 100\nlanguage = 'pt'\nseeds = [1]\n[[ner.baseline]]\nmin_f1 = 0.5\n[[ner.accents]]\n"
COMMAND = ("--corpus", "corpus.jsonl", "--model", "tagger.py:make", "--out", "out", "--chunk-size", "20")


def corpus(*names):
    lines = ({"tokens": [name, "saiu", str(i)], "tags": ["B-PESSOA", "O", "O"]} for i, name in enumerate(names))
    return "".join(json.dumps(line) + "\n" for line in lines)


def told(folder, *arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return main(list(arguments))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a run of 60 sentences in three chunks, ``out``, and one each with another corpus and model."""
    folder = tmp_path_factory.mktemp("scaled")
    (folder / "thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    (folder / "corpus.jsonl").write_text(corpus(*(f"José{i}" for i in range(60))), encoding="utf-8")
    (folder / "other.jsonl").write_text(corpus(*(f"José{i}"[: 5 + i % 2] for i in range(60))), encoding="utf-8")
    (folder / "tagger.py").write_text(MODEL.format(begin=""), encoding="utf-8")
    (folder / "other.py").write_text(MODEL.format(begin="OTHER = True"), encoding="utf-8")
    for name in ("corpus", "model"):
        more = {"corpus": ("--corpus", "other.jsonl"), "model": ("--model", "other.py:make")}[name]
        assert told(folder, "scale", *COMMAND, *more, "--out", f"other-{name}") == 0
    assert told(folder, "scale", *COMMAND) == 0
    (folder / "ran.py").write_text(MODEL.format(begin="Path('ran').touch()"), encoding="utf-8")
    return folder


@pytest.fixture
def here(runs, monkeypatch):
    """The folder with all three as they were, as the working directory; a command that waits for ever is ended."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(runs)
    signal.signal(signal.SIGALRM, lambda *_: pytest.fail("waits for ever"))
    signal.alarm(60)
    shutil.copytree("out", "kept")
    yield runs
    signal.alarm(0)
    for name in ("out", "merged", "spoken"):
        shutil.rmtree(name, ignore_errors=True)
    Path("kept").rename("out")
    Path("ran").unlink(missing_ok=True)


def verdicts(folder="out"):
    found = json.loads(Path(folder, "robustness.json").read_text("utf-8"))
    return found["verdict"], found["tasks"]["ner"]["corpus"]["sha256"], [each["metrics"] for each in found["results"]]


def edited(name, change):
    """Changes a file of JSON in the run by what ``change`` does with its value."""

    def edit():
        path = Path("out", name)
        found = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(change(found) or found), encoding="utf-8")

    return edit


def written(name, content):
    return lambda: Path("out", name).write_bytes(content)


def pipe(name):
    def make():
        Path("out", name).unlink()
        os.mkfifo(Path("out", name))

    return make


def link(name, target):
    def make():
        Path("out", name).unlink()
        Path("out", name).symlink_to(target)

    return make


def put(**fields):
    return lambda found: found.update(fields)


MANIFEST, DONE = "manifest.json", "chunks/000001/done.json"

MANIFESTS = {
    "another model": (
        edited(MANIFEST, lambda found: found["recorded"].update(model="ran.py:make")),
        "with other options (recorded.model in manifest.json is ran.py:make, asked for is tagger.py:make)",
    ),
    "a pickle": (
        edited(MANIFEST, lambda found: found["recorded"].update(model="evil.pkl")),
        "recorded.model in manifest.json is evil.pkl",
    ),
    "another fingerprint": (edited(MANIFEST, put(fingerprint="0" * 32)), "with other model (fingerprint in manifest"),
    "other labels": (edited(MANIFEST, put(labels=["O"])), "with other labels (labels in manifest.json is ('O',)"),
    "another corpus": (
        edited(MANIFEST, lambda found: found["source"].update(path="/dev/zero")),
        "with other corpus (source in manifest.json is Source(name=",
    ),
    "other cuts": (
        edited(MANIFEST, lambda found: found.update(parts=found["parts"][:-1])),
        "with other cuts (parts in manifest.json is",
    ),
    "other thresholds": (edited(MANIFEST, put(thresholds="/dev/zero")), "thresholds in manifest.json is /dev/zero"),
    "another digest of them": (edited(MANIFEST, put(thresholds_sha256="")), "with other thresholds (thresholds_sha256"),
    "another task": (edited(MANIFEST, put(task="../evil")), "with other task (task in manifest.json is ../evil"),
    "another language": (edited(MANIFEST, put(language="en")), "language in manifest.json is en, asked for is pt"),
    "other cases": (edited(MANIFEST, put(cases=[])), "cases in manifest.json is ()"),
    "cases left out": (edited(MANIFEST, put(left_out={"a": "\u202eb"})), r"left_out.a in manifest.json is \u202eb"),
    "examples": (edited(MANIFEST, put(examples=5)), "examples in manifest.json is 5, asked for is 0"),
    "other versions": (
        edited(MANIFEST, lambda found: found["versions"].update(abalo="0")),
        "versions.abalo in manifest.json is 0",
    ),
}


@pytest.mark.parametrize(("spoil", "said"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_of_another_run_is_refused_and_nothing_that_it_names_is_loaded(here, refused, spoil, said):
    spoil()
    found = refused("scale", *COMMAND)
    assert found.startswith("--out out: holds the chunks of another run, ")
    assert said in found
    refused("merge", "out", "--out", "merged")
    assert not Path("ran").exists()
    assert not Path("merged/robustness.json").exists()


def test_a_model_that_the_command_names_is_not_imported_if_the_folder_is_that_of_another(here, refused):
    assert "recorded.model in manifest.json is tagger.py:make" in refused("scale", *COMMAND, "--model", "ran.py:make")
    assert not Path("ran").exists()


class Evil:
    def __reduce__(self):
        return Path.touch, (Path("ran"),)


def test_a_pickle_is_loaded_only_if_the_command_says_so_whatever_the_manifest_says(here, refused):
    Path("evil.pkl").write_bytes(pickle.dumps(Evil()))
    more = ("--task", "classification", "--corpus", "texts.csv", "--model", "evil.pkl", "--out", "texts")
    Path("texts.csv").write_text("text,label\ngood day,yes\nbad day,no\n", encoding="utf-8")
    shutil.copytree("out", "texts")
    edited("../texts/manifest.json", lambda found: found["recorded"].update(model="evil.pkl", allow_pickle=True))()
    for _ in range(2):
        found = refused("scale", *COMMAND, *more)
        assert not Path("ran").exists()
        shutil.rmtree("texts", ignore_errors=True)
    assert "evil.pkl: is a pickle" in found


UNREADABLE = {
    "empty": b"",
    "cut short": b'{"format": "abalo-scale/3", "task":',
    "an array": b"[]",
    "a word": b'"abalo-scale/3"',
    "no number": b'{"format": NaN}',
    "UTF-16": "{}".encode("utf-16"),
    "brackets without end": b"[" * 100_000,
    "an earlier format": b'{"format": "abalo-scale/2"}',
    "nothing but the format": b'{"format": "abalo-scale/3"}',
}
WRONG = {
    "task": [None, 3, [], {}],
    "source": [None, "corpus.jsonl", {}],
    "parts": [None, [], {}, [3], [{}], [{"start": -1, "stop": 1, "before": 0, "examples": 1}]],
    "chunk_size": [True, 0.5, "20", -1, 10**30],
    "recorded": [None, []],
    "cases": [None, [3], "ner/accents"],
    "left_out": [[], {"a": 3}],
    "examples": [None, -1, 10**30],
    "labels": [None, [None]],
    "made": [[], {"date": 3}, {"dirty": "yes"}],
    "versions": [[], {"abalo": 3}],
    "more": [1],
}
ODD = {f"{name}: {value!r:.30}": edited(MANIFEST, put(**{name: value})) for name in WRONG for value in WRONG[name]}
DAMAGED = {name: written(MANIFEST, content) for name, content in UNREADABLE.items()} | ODD


@pytest.mark.parametrize("spoil", DAMAGED.values(), ids=DAMAGED)
def test_a_manifest_that_cannot_be_read_is_refused(here, refused, spoil):
    spoil()
    for command in (("scale", *COMMAND), ("merge", "out", "--out", "merged")):
        assert refused(*command).startswith("out/manifest.json: is not the manifest of a run in chunks")
    assert not Path("merged/robustness.json").exists()


def copied(source, number, to=1):
    """Puts the chunk of another run, or of another number, in the place of one."""

    def copy():
        place = Path(f"out/chunks/{to:06d}")
        shutil.rmtree(place)
        shutil.copytree(f"{source}/chunks/{number:06d}", place)

    return copy


FOREIGN = {
    "another corpus": (copied("other-corpus", 1), "chunk.part: "),
    "another corpus, cut alike": (
        edited(DONE, lambda found: found["chunk"].update(corpus="0" * 64)),
        "chunk.corpus: 0000",
    ),
    "another model": (copied("other-model", 1), "chunk.model: "),
    "another number": (copied("out", 0), "chunk.number: 0; expected 1, as manifest.json has it"),
    "another part": (
        edited(DONE, lambda found: found["chunk"]["part"].update(examples=19)),
        "chunk.part: ",
    ),
    "another run": (edited(DONE, lambda found: found["chunk"].update(run="0")), "chunk.run: 0; expected "),
    "no run": (edited(DONE, lambda found: found["chunk"].clear()), "chunk.number: None; expected 1"),
}


@pytest.mark.parametrize(("spoil", "said"), FOREIGN.values(), ids=FOREIGN)
def test_a_chunk_of_another_run_is_refused(here, refused, spoil, said):
    spoil()
    before = Path("out/robustness.json").read_bytes()
    for command in (("merge", "out", "--out", "merged"), ("scale", *COMMAND)):
        found = refused(*command)
        assert found.startswith(f"out/{DONE} {said}")
        assert "remove the folder out/chunks/000001 and run abalo scale again" in found
    assert Path("out/robustness.json").read_bytes() == before
    assert not Path("merged/robustness.json").exists()


def test_chunks_whose_manifest_was_replaced_are_refused(here, refused):
    shutil.copy("other-model/manifest.json", "out/manifest.json")
    assert "out/chunks/000000/done.json chunk.model: " in refused("merge", "out", "--out", "merged")
    Path("out/manifest.json").unlink()
    assert "chunk.model: " in refused("scale", *COMMAND, "--model", "other.py:make")


def test_chunks_that_lost_their_manifest_go_on_with_the_same_command(here):
    expected = verdicts()
    Path("out/manifest.json").unlink()
    assert main(["scale", *COMMAND]) == 0
    assert verdicts() == expected


BROKEN = {
    "empty": written(DONE, b""),
    "an array": written(DONE, b"[]"),
    "brackets without end": written(DONE, b"[" * 100_000),
    "files elsewhere": edited(DONE, lambda found: found["files"].update({"../../../corpus.jsonl": "0"})),
    "a device among files": edited(DONE, lambda found: found["files"].update({"/dev/zero": "0"})),
    "files in words": edited(DONE, put(files="all")),
    "no facts": edited(DONE, put(facts={})),
    "facts in words": edited(DONE, put(facts="none")),
    "the chunk in words": edited(DONE, put(chunk="1")),
    "no device": edited(DONE, lambda found: {name: found[name] for name in found if name != "device"}),
    "counts cut short": written("chunks/000001/0001.npz", b"PK"),
    "other scores": written("scale.json", b'{"run": "0", "scale": {"labels": 3, "temperature": "hot"}}'),
    "scores of the form of before": written("scale.json", b"null"),
}


@pytest.mark.parametrize("spoil", BROKEN.values(), ids=BROKEN)
def test_a_chunk_that_is_damaged_runs_again(here, spoil):
    expected = verdicts()
    spoil()
    assert main(["scale", *COMMAND]) == 0
    assert verdicts() == expected


FACTS = {
    "facts of a case": lambda found: found["facts"].update({"ner/accents": 3}),
    "numbers in words": lambda found: found["facts"]["ner/accents"].update(seconds="long"),
    "a fact too few": lambda found: found["facts"]["ner/accents"].clear(),
    "facts of the task": put(task={"model": 3}),
    "an identity": put(identity={}),
    "a device": put(device={"name": [], "labels": 3}),
}


@pytest.mark.parametrize("change", FACTS.values(), ids=FACTS)
def test_facts_of_other_types_end_in_one_message_or_in_the_same_verdict(here, capsys, change):
    expected = verdicts()
    edited(DONE, change)()
    for command in (["scale", *COMMAND], ["merge", "out", "--out", "merged"]):
        code, said = main(command), capsys.readouterr().err
        assert (code, said.startswith("abalo: ")) in ((0, False), (2, True))
        assert "Traceback" not in said
        if code == 0:
            assert verdicts(command[-1] if command[0] == "merge" else "out") == expected


def test_scores_that_are_damaged_in_any_byte_are_none(tmp_path):
    stream = io.BytesIO()
    np.savez_compressed(
        stream, rows=np.ones((50, 3)), columns=np.arange(50), scored=np.array(True), run=np.array("that")
    )
    path = scores_path(tmp_path, 0)
    path.parent.mkdir(parents=True)
    for place in range(0, len(stream.getvalue()), 3):
        data = bytearray(stream.getvalue())
        data[place] ^= 0xFF
        path.write_bytes(data)
        scores_of(tmp_path, SimpleNamespace(sha256="this"), 0)
        scores_of(tmp_path, SimpleNamespace(sha256="that"), 0)


NO_FILES = {
    "manifest.json": MANIFEST,
    "done.json": DONE,
    "counts": "chunks/000001/0001.npz",
    "inputs": "chunks/000001/inputs.npz",
    "scores": "scale.json",
}


@pytest.mark.parametrize("name", NO_FILES.values(), ids=NO_FILES)
@pytest.mark.parametrize("make", [pipe, lambda name: link(name, "/dev/zero")], ids=["pipe", "device"])
def test_pipes_and_devices_in_the_folder_are_refused(here, refused, name, make):
    make(name)()
    assert refused("scale", *COMMAND).startswith(f"out/{name}: no regular file; expected one")
    if name != "scale.json":
        assert refused("merge", "out", "--out", "merged").startswith(f"out/{name}: no regular file; expected one")


@pytest.mark.parametrize("task", [(), ("--task", "ner")], ids=["no task", "task"])
@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "/dev/null"])
def test_a_corpus_that_is_no_file_is_refused(here, refused, name, task):
    if name == "pipe" and not Path(name).exists():
        os.mkfifo(name)
    assert f"{name}: no regular file" in refused("scale", *COMMAND, "--corpus", name, *task, "--out", "new")


@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "corpus.jsonl", "nowhere", "x" * 5000, "a\0b"])
def test_a_folder_that_is_none_is_refused(here, refused, name):
    if name == "pipe" and not Path(name).exists():
        os.mkfifo(name)
    refused("merge", name, "--out", "merged")
    if name != "nowhere":
        refused("scale", *COMMAND, "--out", name)


def test_a_manifest_that_is_too_large_is_refused(here, refused):
    with Path("out/manifest.json").open("ab") as file:
        file.truncate(2**40)
    assert "manifest.json: larger than 268,435,456 bytes; expected" in refused("scale", *COMMAND)


NUMBERS = {
    "chunk-size": ["0", "-1", str(10**30)],
    "actors": ["0", str(10**30)],
    "retries": ["-1", str(10**30)],
    "examples": ["-1", str(10**30)],
    "gpus-per-actor": ["-1", "nan", "inf", "1e30"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in NUMBERS for value in NUMBERS[name]])
def test_a_number_out_of_range_is_refused(here, refused, name, value):
    assert refused("scale", *COMMAND, f"--{name}", value).startswith(
        f"--{name} {float(value) if '-per' in name else value}: expected"
    )


SPEAKING = """
def make():
    def model(batch):
        for tokens in batch:
            if "José3" in tokens:
                {does}
        return [["O"] * len(tokens) for tokens in batch]

    return model
"""
SAYS = {
    "raises": "raise ValueError(' '.join(tokens))",
    "raises from another": "raise RuntimeError(' '.join(tokens)) from KeyError(tokens[0])",
    "raises while another": "{}[' '.join(tokens)]",
    "gives text": "return [[' '.join(tokens)] * len(each) for each in batch]",
    "gives no list": "return [' '.join(tokens) for each in batch]",
    "exits": "raise SystemExit(' '.join(tokens))",
}


@pytest.mark.parametrize("does", SAYS.values(), ids=SAYS)
def test_a_model_that_fails_with_text_in_its_message_does_not_bring_it_to_the_terminal(here, capfd, does):
    Path("speaking.py").write_text(SPEAKING.format(does=does), encoding="utf-8")
    command = ["scale", *COMMAND, "--model", "speaking.py:make", "--out", "spoken"]
    assert main(command) == 2
    said = "".join(capfd.readouterr())
    assert "José3" not in said.replace(str(Path.cwd()), "")
    assert "it is withheld" in said
    shutil.rmtree("spoken")
    assert main([*command, "--examples", "1"]) == 2
    assert "José3" in "".join(capfd.readouterr())
    shutil.rmtree("spoken")


@pytest.mark.parametrize("examples", ["0", "1"])
def test_a_model_that_warns_with_text_does_not_bring_it_to_the_terminal(here, recwarn, examples):
    begin = SPEAKING.format(does="warnings.warn(' '.join(tokens))")
    Path("speaking.py").write_text(f"import warnings\n{begin}", encoding="utf-8")
    main(["scale", *COMMAND, "--model", "speaking.py:make", "--out", "spoken", "--examples", examples])
    said = "".join(str(each.message) for each in recwarn)
    assert ("José3" in said, "it is withheld" in said) == (examples == "1", examples == "0")


def test_processes_of_ray_that_a_killed_run_has_left_are_told_by_the_next(here, capsys):
    """A process stands for those of Ray: it has the variable that the driver gives all of them."""
    left = {**os.environ, STARTED_FOR: str(Path("out").resolve())}
    other = {**os.environ, STARTED_FOR: str(Path("other-model").resolve())}
    started = [subprocess.Popen(["sleep", "60"], env=each) for each in (left, other)]
    try:
        assert main(["scale", *COMMAND]) == 0
    finally:
        for each in started:
            each.kill()
            each.wait()
    told = [line for line in capsys.readouterr().out.splitlines() if "Ray" in line]
    assert told == [TextWith("warning: ", "processes of Ray; ", f": kill {started[0].pid}")]
    assert main(["scale", *COMMAND]) == 0
    assert "Ray" not in capsys.readouterr().out


class FakeRay:
    """As much of Ray as a run with one actor asks for, in this process; keeps what the actor is given."""

    def __init__(self):
        self.environment, self.given = {}, []

    def is_initialized(self):
        return False

    def init(self, **_):
        self.environment = dict(os.environ)

    def shutdown(self):
        pass

    def remote(self, kind):
        fake = self

        class Kind:
            def options(self, **_):
                return self

            def remote(self, *arguments):
                fake.given.append(pickle.loads(pickle.dumps(arguments)))
                actor = kind(*fake.given[-1])

                class Work:
                    def remote(self, step, number):
                        actor.work(step, number)
                        return number

                class Handle:
                    work = Work()

                return Handle()

        return Kind()

    def wait(self, busy, num_returns):
        return busy[:1], busy[1:]

    def get(self, ended):
        return ended


@pytest.fixture
def ray(monkeypatch):
    fake = FakeRay()
    exceptions = types.ModuleType("ray.exceptions")
    exceptions.RayError = exceptions.RayTaskError = type("RayError", (Exception,), {})
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.setitem(sys.modules, "ray.exceptions", exceptions)
    return fake


def test_workers_have_what_they_run_from_the_command(here, ray, monkeypatch):
    """Whatever becomes of the manifest after the command has read it."""
    expected = verdicts()
    shutil.rmtree("out")
    written = Manifest.write

    def spoiled(manifest, folder):
        written(replace(manifest, recorded={**manifest.recorded, "model": "ran.py:make"}), folder)

    monkeypatch.setattr(Manifest, "write", spoiled)
    assert main(["scale", *COMMAND, "--engine", "ray", "--actors", "1"]) == 0
    assert verdicts() == expected
    ((order, _),) = ray.given
    assert (order.options.model, order.here) == ("tagger.py:make", here)
    assert not Path("ran").exists()
    assert ray.environment[STARTED_FOR] == str(here / "out")
    assert STARTED_FOR not in os.environ
