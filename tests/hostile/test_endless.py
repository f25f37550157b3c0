"""Pipes, devices and files larger than memory in the place of every file that a command or an option opens."""

import io
import lzma
import os
import signal
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from abalo.attacks.log import log_name
from abalo.core.statistics.evidence import from_bytes
from abalo.core.statistics.evidence import read as read_evidence
from abalo.errors import AbaloError
from abalo.files import LARGEST, read_bytes, read_text, write_bytes
from abalo.models.networks.archives import read_arrays
from abalo.questions.answers import read as read_answers
from abalo.raters.results import _table
from abalo.reporting.formats.cells import read_csv
from abalo.reporting.runs.shards import _lines, _logs
from tests.reporting.documents import result_of, searched
from tests.rows import every


@pytest.fixture(autouse=True)
def _endless(here):
    """Pipes that nobody writes to, as files and in folders where files have their names; a test that waits fails."""
    for folder, names in FOLDERS.items():
        (here / folder).mkdir()
        for name in names:
            os.mkfifo(here / folder / name)
    os.mkfifo(here / "pipe")
    (here / "huge").touch()
    os.truncate(here / "huge", LARGEST + 1)

    def late(*_):
        raise AssertionError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


FOLDERS = {"run": ("robustness.json",), "kept": ("robustness.json", "accepted.json"), "sheets": ("key.json",)}

COMMANDS = {
    "verdict": ("verdict", "run"),
    "accept": ("accept", "run", "--as", "new"),
    "accept --rerun": ("accept", "--rerun", "kept"),
    "compare": ("compare", "kept", "run"),
    "comment": ("comment", "run"),
    "rejudge": ("rejudge", "run"),
    "rejudge --thresholds": ("rejudge", "run", "--thresholds", "pipe"),
    "merge": ("merge", "run", "--out", "merged"),
    "history": ("history", "run", "kept"),
    "show": ("show", "run"),
    "augment --report": ("augment", "corpus.conll", "--report", "pipe", "--out", "out.conll"),
    "perturb": ("perturb", "pipe", "--with", "accents", "--out", "out.conll"),
    "perturb --out": ("perturb", "corpus.conll", "--with", "accents", "--out", "pipe.conll"),
    "replay": ("replay", "pipe"),
    "sheet": ("sheet", "pipe", "--out", "made"),
    "sheet --perturbations": ("sheet", "--perturbations", "--corpus", "pipe", "--out", "made"),
    "ratings": ("ratings", "sheets"),
    "audit": ("audit", "pipe.jsonl"),
    "suspects": ("suspects", "--model", "models:gazetteer,models:all_outside", "--corpus", "pipe"),
    "calibrate --corpus": ("calibrate", "--model", "models:gazetteer", "--corpus", "pipe", "--out", "o.toml"),
    "calibrate --out": ("calibrate", "--model", "models:gazetteer", "--corpus", "corpus.conll", "--out", "pipe"),
    "calibrate --label-map": (
        *("calibrate", "--model", "models:gazetteer", "--corpus", "corpus.conll", "--label-map", "pipe"),
        *("--out", "o.toml"),
    ),
    "init": ("init", "--model", "models:gazetteer", "--corpus", "pipe"),
    "scale": ("scale", "--model", "models:gazetteer", "--corpus", "pipe", "--out", "scaled"),
    "capabilities suggest": ("capabilities", "suggest", "--corpus", "pipe", "--out", "o.toml"),
    "log-mlflow": ("log-mlflow", "run"),
    "harden": ("harden", "--report", "run", "--train", "corpus.conll", "--out", "hardened"),
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_no_command_waits_for_a_pipe(here, refused, arguments):
    for name in ("pipe.conll", "pipe.jsonl"):
        os.mkfifo(here / name)
    assert "no regular file; expected one" in refused(*arguments)


READERS = {
    "bytes": read_bytes,
    "text": read_text,
    "evidence": read_evidence,
    "arrays": lambda path: read_arrays(path, "weights", ("weights",), "save it again"),
    "a sheet": lambda path: read_csv(path, ("id", "rating")),
    "answers": read_answers,
}


@every("name", ["pipe", "/dev/zero", "huge"])
@every("read", READERS.values(), ids=READERS)
def test_no_reader_reads_what_never_ends_or_fits_no_memory(name, read):
    with pytest.raises(AbaloError, match=r"no regular file; expected one|larger than 4,294,967,296 bytes"):
        read(Path(name))


@pytest.mark.parametrize("target", ["pipe", "/dev/zero"])
def test_neither_do_the_files_of_a_shard(here, target):
    Path("shard/attacks").mkdir(parents=True)
    for name in ("examples.jsonl", f"attacks/{log_name('ner/viba')}"):
        Path("shard", name).symlink_to(Path(target).absolute())
    found = SimpleNamespace(id="ner/viba", more=result_of(searched(), "entity_attack", "structural"))
    own = SimpleNamespace(model=SimpleNamespace(trainings=()))
    document = SimpleNamespace(results=[found], tasks={"ner": own})
    shard = SimpleNamespace(folder=Path("shard"), document=document)
    for read in (_lines, lambda shard: _logs(shard, "ner/viba")):
        with pytest.raises(AbaloError, match="no regular file; expected one"):
            read(shard)


def test_a_table_that_ratings_join_can_be_none():
    assert _table(Path("pipe")) == []


@pytest.mark.parametrize("name", ["pipe", "/dev/full", "/dev/null"])
def test_no_device_is_replaced_by_a_file(name):
    with pytest.raises(AbaloError, match="no regular file; expected one"):
        write_bytes(Path(name), b"x")
    assert not Path(name).is_file()


def zipped(size):
    """A zip archive of about ``size`` bytes of nothing."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("index.npy", "w") as entry:
        for _ in range(size // 2**24):
            entry.write(bytes(2**24))
    return stream.getvalue()


@pytest.mark.parametrize("pack", [bytes, lzma.compress], ids=["zip", "zip in xz"])
def test_evidence_that_unpacks_to_more_than_memory_is_refused(pack, monkeypatch):
    monkeypatch.setattr("abalo.core.statistics.evidence._SMALL", 2**20)
    with pytest.raises(AbaloError, match="when unpacked"):
        from_bytes(pack(zipped(2**26)))
