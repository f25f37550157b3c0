"""A corpus in chunks has the numbers of one run, whatever happens on the way."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import abalo
from abalo.cli import main
from abalo.core.records import json_records as typed
from abalo.core.statistics.evidence import from_bytes, sha256_of
from abalo.reporting.runs.finished import read_run
from abalo.scale.manifest import read_manifest
from tests.scale.conftest import NAMES, PLACES, RECORDS, THRESHOLDS, done_in
from tests.texts import TextWith

pytestmark = pytest.mark.slow

TIMES = ("seconds", "command", "examples")


def results_of(folder):
    found = typed.as_json(read_run(Path(folder)).document)["results"]
    return {
        (each["id"], each["view"]): {key: value for key, value in each.items() if key not in TIMES} for each in found
    }


def evidence_of(folder):
    return sha256_of(read_run(Path(folder)).evidence)


@pytest.fixture
def plain(folder):
    """The same cases in one process, as pytest runs them."""
    session = abalo.Session(
        model="scale_models:by_word", corpus="corpus.jsonl", thresholds="thresholds.toml", no_text=True
    )
    session.run().write("plain")
    return read_run(Path("plain"))


@pytest.mark.parametrize("size", [7, 70, 1000])
def test_results_and_counts_are_those_of_one_process(scale, plain, size):
    assert scale(size=size) == 0
    assert results_of("out") == results_of("plain")
    assert evidence_of("out") == sha256_of(plain.evidence)
    found = typed.as_json(read_run(Path("out")).document)
    for name in ("verdict", "counts", "gate", "options", "complete"):
        assert found[name] == typed.as_json(plain.document)[name]
    tasks = [document["tasks"]["ner"] for document in (found, typed.as_json(plain.document))]
    assert tasks[0] == tasks[1]


def test_the_order_of_chunks_changes_nothing(scale, arranged):
    scale()
    arranged(lambda numbers: Random(3).sample(numbers, len(numbers)))
    assert scale(out="shuffled") == 0
    assert evidence_of("shuffled") == evidence_of("out")
    assert results_of("shuffled") == results_of("out")


def test_conll_and_parquet_are_read_as_json_lines_are(scale, folder):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(RECORDS), folder / "corpus.parquet", row_group_size=64)
    blocks = ("".join(f"{word} {tag}\n" for word, tag in zip(*each.values(), strict=True)) for each in RECORDS)
    (folder / "corpus.conll").write_text("-DOCSTART- O\n\n" + "\n".join(blocks), encoding="utf-8")
    for corpus in ("corpus.jsonl", "corpus.conll", "corpus.parquet"):
        assert scale("--task", "ner", corpus=corpus, out=corpus + ".out") == 0
    found = {evidence_of(f"corpus.{kind}.out") for kind in ("jsonl", "conll", "parquet")}
    assert len(found) == 1
    assert len({read_manifest(folder / f"corpus.{kind}.out").source.sha256 for kind in ("jsonl", "conll")}) == 1


def test_a_run_that_was_stopped_goes_on(scale, folder):
    assert scale(model="stopped") == 130
    assert done_in(folder / "out") == [True, False, False, False, False]
    before = (folder / "out/chunks/000000/done.json").stat().st_mtime_ns
    assert scale(model="stopped") == 0
    assert (folder / "out/chunks/000000/done.json").stat().st_mtime_ns == before
    scale(out="whole")
    assert evidence_of("out") == evidence_of("whole")


def test_a_chunk_that_fails_is_tried_again(scale, capsys):
    assert scale(model="fails_once") == 0
    assert "chunk 1 failed" in capsys.readouterr().out


def test_a_chunk_that_always_fails_is_named_and_the_others_are_done(scale, folder, capsys):
    (folder / "corpus.jsonl").write_text(
        "".join(
            json.dumps(record) + "\n" for i, record in enumerate(RECORDS) if "Rui" not in record["tokens"] or i == 150
        ),
        encoding="utf-8",
    )
    assert scale(model="fails_on_rui", size=50) == 2
    said = capsys.readouterr().err
    assert "1 chunk failed (2): RuntimeError in " in said
    assert "scale_models.py:" in said
    assert "never heard of" not in said
    assert "same command again" in said
    assert done_in(folder / "out") == [True, True, False, True, True, True]
    assert not (folder / "out/robustness.json").exists()


def test_a_damaged_chunk_runs_again(scale, folder):
    scale()
    first = evidence_of("out")
    path = folder / "out/chunks/000002/0001.npz"
    path.write_bytes(path.read_bytes()[:-9])
    assert not done_in(folder / "out")[2]
    assert scale() == 0
    assert evidence_of("out") == first


def test_a_file_that_is_emptied_runs_again_without_the_report_of_before(scale, folder, capsys):
    scale()
    first, scores = evidence_of("out"), folder / "out/scale.json"
    done = folder / "out/chunks/000002/done.json"
    done.write_text(json.dumps({**json.loads(done.read_text("utf-8")), "files": {}}), encoding="utf-8")
    assert not done_in(folder / "out")[2]
    scores.write_text("{", encoding="utf-8")
    assert scale() == 0
    assert evidence_of("out") == first
    done.unlink()
    assert scale(model="fails_on_rui", out="other") == 2
    assert not (folder / "other/robustness.json").exists()


def test_the_folder_of_another_run_is_refused(scale, folder, capsys):
    scale()
    for more, named in (
        (("--case", "accents"), "with other cases"),
        (("--chunk-size", "71"), "with other chunk_size (chunk_size in manifest.json is 70, asked for is 71)"),
        (("--types", "LOCAL"), "with other options (recorded.types in manifest.json is None, asked for is LOCAL)"),
    ):
        assert scale(*more) == 2
        assert named in capsys.readouterr().err
    assert scale() == 0


def test_cases_that_need_the_whole_corpus_are_named_with_the_reason(scale, folder):
    more = '\n[[ner.slice]]\nof = "length"\n\n[[ner.concat_sent]]\n\n[[ner.entity_attack]]\nmax_success_rate = 0.9\n'
    more += "\n[[ner.typos]]\nrequire = {edit_distance = 0.3}\n\n[[ner.ocr]]\nlimit = 9\n"
    (folder / "thresholds.toml").write_text(THRESHOLDS + more, encoding="utf-8")
    assert scale() == 0
    told = {
        each["id"].partition("[")[0]: each["message"]
        for each in typed.as_json(read_run(Path("out")).document)["not_run"]
    }
    assert set(told) == {"ner/slice", "ner/concat_sent", "ner/entity_attack", "ner/typos", "ner/ocr"}
    assert "the corpus (following)" in told["ner/concat_sent"]
    assert told["ner/slice"] == TextWith("slice is cut", "the corpus")


def test_no_file_holds_a_word_of_the_corpus(scale, folder):
    scale()
    words = [word.encode() for word in (*NAMES, *PLACES, "decidiu")]
    found = [path for path in (folder / "out").rglob("*") if path.is_file()]
    assert len(found) > 20
    for path in found:
        data = path.read_bytes()
        if path.suffix == ".npz":
            with np.load(path) as stored:
                data = b"".join(values.tobytes().replace(b"\0\0\0", b"") for values in stored.values())
        assert not [word for word in words if word in data], path


def test_a_model_with_scores_is_read_by_one_temperature(folder, scale):
    assert main_of_bundled(folder, 40) == main_of_bundled(folder, 1000)


def main_of_bundled(folder, size):
    """The temperature of the bundled model on 120 sentences, in chunks of that size."""
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()[:120]
    (folder / "short.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = f"scored-{size}"
    main(["scale", "--corpus", "short.jsonl", "--out", out, "--chunk-size", str(size), "--case", "accents"])
    document = typed.as_json(read_run(Path(out)).document)
    return round(document["tasks"]["ner"]["model"]["temperature"], 4), [
        each["metrics"]["f1_drop"] for each in document["results"]
    ]


@pytest.mark.parametrize(
    ("corpus", "wanted"),
    [
        ('[{"tokens": ["a"], "tags": ["O"]}]', "an array, which cannot be read in parts"),
        ('{"tokens": ["a"], "tags": ["O"]}\n{"tokens": ["b"]}', "corpus.jsonl:2: no 'tags'"),
        ("", "no examples"),
    ],
)
def test_a_corpus_that_cannot_be_cut_is_refused(scale, folder, capsys, corpus, wanted):
    (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    assert scale(size=1) == 2
    assert wanted in capsys.readouterr().err


def test_places_in_errors_are_those_of_the_whole_file(scale, folder, capsys):
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    lines[222] = '{"tokens": ["a"], "tags": ["B-"]}'
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert scale() == 2
    assert "corpus.jsonl:223: 'a' has the tag 'B-'" in capsys.readouterr().err


def test_the_language_is_found_by_the_words_of_all_chunks(scale, folder):
    (folder / "thresholds.toml").write_text(THRESHOLDS.replace('language = "pt"\n', ""), encoding="utf-8")
    texts = ["o juiz não decidiu que a ação é de um réu em uma casa", "ele foi com os pais para a escola e não voltou"]
    sentences = [f"{texts[i % 2]} {i}".split() for i in range(60)]
    lines = [json.dumps({"tokens": each, "tags": ["B-LOCAL"] + ["O"] * (len(each) - 1)}) for each in sentences]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    scale(size=25)
    assert typed.as_json(read_run(Path("out")).document)["tasks"]["ner"]["corpus"]["language"] == "pt"


def test_a_bound_on_a_type_that_nobody_knows_is_refused_before_anything_runs(scale, folder, capsys):
    text = THRESHOLDS.replace("max_f1_drop = 0.7", "max_f1_drop = {PESOA = 0.7}")
    (folder / "thresholds.toml").write_text(text, encoding="utf-8")
    assert main(["scale", "--corpus", "corpus.jsonl", "--out", "out"]) == 2
    assert "no entity type 'PESOA' in corpus or model; did you mean 'PESSOA'" in capsys.readouterr().err


def test_a_file_without_any_case_for_parts_is_refused(scale, folder, capsys):
    (folder / "thresholds.toml").write_text('[gate]\nlanguage = "pt"\n\n[[ner.concat_sent]]\n', encoding="utf-8")
    assert scale() == 2
    assert "has no case that can be run in parts (ner/concat_sent: it draws from all" in capsys.readouterr().err


def test_several_trainings_are_refused(scale, capsys):
    assert main(["scale", "--corpus", "corpus.jsonl", "--model", "a,b", "--out", "out"]) == 2
    assert "several trainings; run each by itself" in capsys.readouterr().err


def test_engine_ray_says_what_to_install(scale, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    assert scale("--engine", "ray") == 2
    assert "pip install 'abalo[ray]'" in capsys.readouterr().err


def test_merge_judges_the_folder_and_names_chunks_that_are_not_done(scale, folder, capsys):
    scale()
    assert main(["merge", "out", "--out", "merged"]) == 0
    assert results_of("merged") == results_of("out")
    assert evidence_of("merged") == evidence_of("out")
    (folder / "out/chunks/000003/done.json").unlink()
    assert main(["merge", "out", "--out", "merged"]) == 2
    assert "1 of 5 chunks are not done (3)" in capsys.readouterr().err
    assert main(["merge", "out", "--out", "merged", "--against", "plain"]) == 2
    assert "abalo rejudge" in capsys.readouterr().err


def test_the_report_is_judged_again_like_any(scale, folder):
    scale()
    (folder / "other.toml").write_text(THRESHOLDS.replace("max_f1_drop = 0.7", "max_f1_drop = 0.01"), "utf-8")
    assert main(["rejudge", "out", "--thresholds", "other.toml", "--out", "again"]) == 1


def test_evidence_of_a_chunk_is_read_like_any(scale, folder):
    scale()
    found = from_bytes((folder / "out/chunks/000004/0000.npz").read_bytes())
    assert {case: len(evidence) for case, evidence in found.items()} == {"ner/baseline": 20}


PROMPTED = """
class Service:
    draws, version = False, "1"

    def replies(self, prompts):
        words = [prompt[-1]["content"].rpartition("Text: ")[2].split() for prompt in prompts]
        return [" ".join(f"[{word}](PESSOA)" if word == "Ana" else word for word in each) for each in words]
"""


@pytest.mark.slow
def test_a_prompt_shows_no_example_of_any_chunk_and_its_calls_are_added(folder, scale, capsys):
    folder.joinpath("scale_models.py").write_text(PROMPTED, "utf-8")
    folder.joinpath("ask.toml").write_text('examples = "train.conll"\nreply = "marked"\n', "utf-8")
    folder.joinpath("thresholds.toml").write_text(
        '[gate]\nlanguage = "pt"\n[[ner.accents]]\nmax_f1_drop = 1\n', "utf-8"
    )
    judged = "".join(f"{word} O\n" for word in RECORDS[-1]["tokens"])
    folder.joinpath("train.conll").write_text(f"Ana B-PESSOA\nveio O\n\n{judged}\n", "utf-8")
    assert scale("--no-cache", model="Service?ask.toml") == 2
    assert "train.conll has examples of the prompt that are in the judged corpus" in capsys.readouterr().err
    folder.joinpath("train.conll").write_text("Ana B-PESSOA\nveio O\n\n", "utf-8")
    assert scale("--no-cache", model="Service?ask.toml") in (0, 1, 10)
    document = json.loads(folder.joinpath("out", "robustness.json").read_text("utf-8"))
    assert document["tasks"]["ner"]["model"]["settings"]["examples"] == "1 of train.conll"
    (accents,) = [each for each in document["results"] if each["name"] == "accents"]
    chunks = [json.loads(path.read_text("utf-8")) for path in folder.glob("out/chunks/*/done.json")]
    made = [chunk["facts"]["ner/accents"]["calls"]["made"] for chunk in chunks]
    assert len({*made}) > 1
    assert accents["calls"]["made"] == sum(made) > 0
