"""Readers of score files: plain ones, and logs of harnesses by the fields that their documentation names."""

import gzip
import json
import struct
import zipfile
import zlib

import pytest

from abalo.errors import AbaloError
from abalo.scores.readers import part_of, score_readers
from tests.rows import every
from tests.scores.conftest import read

ROWS = '{"id": "a", "score": 1}\n{"id": "b", "score": 0.5}\n'


@every(
    "name, content",
    [
        ("x.jsonl", ROWS),
        ("x.txt", "\ufeff" + ROWS + "\n"),
        ("x.json", '[{"id": "a", "score": 1},\n {"id": "b", "score": 0.5}]'),
        ("x.csv", "id,score\na,1\nb,0.5\n"),
        ("x.CSV", "score;id\r\n1;a\r\n0.5;b\r\n"),
        ("x.tsv", 'id\tscore\n"a"\t1\n\nb\t0.5\n'),
    ],
)
def test_plain_files_are_read(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    found = read(path).metrics["score"]
    assert (found.ids, found.scores.tolist()) == (("a", "b"), [1.0, 0.5])


def test_values_of_an_object_are_columns(tmp_path):
    rows = [{"meta": {"case": {"no": k}}, "scores": {"tone": k / 4, "facts": 1}} for k in range(3)]
    file = read(lines(tmp_path / "x.jsonl", rows), id="meta.case.no", metrics=("scores.tone",))
    own = file.metrics["scores.tone"]
    assert (own.ids, own.scores.tolist()) == (("0", "1", "2"), [0.0, 0.25, 0.5])


def test_columns_of_an_object_are_named_if_scores_are_missing(tmp_path):
    path = lines(tmp_path / "x.jsonl", [{"id": k, "scores": {"tone": 1}} for k in range(3)])
    with pytest.raises(AbaloError, match=r"line 1: .*--metric scores\.tone.*line 2, line 3\)$"):
        read(path)


def test_of_many_columns_twenty_are_named(tmp_path):
    path = lines(tmp_path / "x.json", [{str(k): 1 for k in range(50)}])
    with pytest.raises(AbaloError, match=r"18, 19 and 30 others"):
        read(path)


def test_gzip_is_unpacked(tmp_path):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(ROWS.encode()))
    assert read(tmp_path / "x.jsonl.gz").metrics["score"].ids == ("a", "b")


@every(
    "name, content, said",
    [
        ("x.jsonl", b'{"id": "a", "score": 1}\n{"id": "b", "sco\n', "line 2"),
        ("x.jsonl", b'{"id": "a", "score": 1, "score": 0}\n', "line 1"),
        ("x.jsonl", b'{"id": "a", "score": 1}\n3\n', "line 2"),
        ("x.jsonl", b'{"id": "a", "score": 1},{"id": "b", "score": 1}\n', "line 1"),
        ("x.jsonl", b"\xff\xfe{}", "no file of scores"),
        ("x.jsonl", b'{"id": "\xff", "score": 1}', "UTF-8"),
        ("x.csv", b"id,score\na\n", "line 2"),
        ("x.csv", b"id,id,score\na,b,1\n", "line 1"),
        ("x.csv", b'id,score\n"a,1\n', "line 2"),
        ("x.csv", b"", "line 1"),
        ("x.jsonl.gz", b"\x1f\x8bxx", "gzip"),
        ("x.eval", b"PK\x03\x04xx", "damaged"),
        ("x.png", b"\x89PNG", "no file of scores"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AbaloError, match=f"(?s){name}.*{said}"):
        read(tmp_path / name)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AbaloError, match=r"none\.csv"):
        read(tmp_path / "none.csv")


# Inspect --------------------------------------------------------------------------------------------------------------


def sample(number, epoch, value, topic="a"):
    scores = {"match": {"value": value}, "judge": {"value": {"tone": 0.5, "facts": 1}}}
    return {"id": number, "epoch": epoch, "scores": scores, "metadata": {"topic": topic}, "messages": []}


HEADER = {"version": 2, "status": "success", "eval": {"task": "t"}, "plan": {}}
SAMPLES = [sample(1, 1, "C"), sample(1, 2, "I"), sample(2, 1, "P", "b"), sample(2, 2, True, "b")]


def eval_log(path, samples=SAMPLES, header=HEADER):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        for each in samples:
            archive.writestr(f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each))
        if header is not None:
            archive.writestr("header.json", json.dumps(header))
    return path


def json_log(path, samples=SAMPLES, header=HEADER):
    path.write_text(json.dumps({**header, "samples": samples}, indent=1), encoding="utf-8")
    return path


@every("name, write", [("a.eval", eval_log), ("a.json", json_log)])
def test_samples_of_inspect_are_examples_and_epochs_runs(tmp_path, name, write):
    file = read(write(tmp_path / name), slices=("topic",))
    assert file.reader == "Inspect"
    assert {metric: own.scores.tolist() for metric, own in file.metrics.items()} == {
        "judge/facts": [1.0, 1.0],
        "judge/tone": [0.5, 0.5],
        "match": [0.5, 0.75],
    }
    assert file.metrics["match"].runs.tolist() == [2, 2]
    assert file.metrics["match"].slices == (("topic=a",), ("topic=b",))


@every(
    "name, write, header, said",
    [
        ("a.eval", eval_log, {**HEADER, "status": "error"}, "'error'"),
        ("a.json", json_log, {**HEADER, "status": "cancelled"}, "'cancelled'"),
        ("b.eval", eval_log, None, "header.json"),
    ],
)
def test_an_evaluation_that_did_not_end_is_refused(tmp_path, name, write, header, said):
    with pytest.raises(AbaloError, match=said):
        read(write(tmp_path / name, SAMPLES, header))


@every("samples", [[], [{"id": 1, "epoch": 1, "scores": {"match": {}}}], [{"epoch": 1}]])
def test_a_log_without_scores_is_refused(tmp_path, samples):
    with pytest.raises(AbaloError, match=r"a\.json"):
        read(json_log(tmp_path / "a.json", samples))


def test_a_sample_that_ended_with_an_error_is_the_worst_run(tmp_path):
    failed = {"id": 3, "epoch": 1, "scores": {}, "error": {"message": "Timeout"}, "metadata": {"topic": "b"}}
    file = read(eval_log(tmp_path / "a.eval", [failed, *SAMPLES]))
    for own in file.metrics.values():
        assert (own.ids, own.empty.tolist()) == (("1", "2", "3"), [0, 0, 1])


def test_a_sample_that_a_scorer_left_out_is_not_failed(tmp_path):
    left_out = {"id": 3, "epoch": 1, "scores": {"match": {"value": "C"}}}
    assert {
        name: len(own.ids) for name, own in read(json_log(tmp_path / "a.json", [left_out, *SAMPLES])).metrics.items()
    } == {
        "judge/facts": 2,
        "judge/tone": 2,
        "match": 3,
    }


@every("samples, remedy", [([], "log_samples"), ([{"id": 1, "epoch": 1, "scores": {}}], "inspect score")])
def test_a_log_that_was_not_scored_says_how_to(tmp_path, samples, remedy):
    with pytest.raises(AbaloError, match=remedy):
        read(json_log(tmp_path / "a.json", samples))


def zstandard_log(path, frames=1, damage=b""):
    """A log as Inspect packs it: zip members of Zstandard, some in several frames."""
    zstandard = pytest.importorskip("zstandard")
    members = {f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in SAMPLES} | {"header.json": HEADER}
    body, directory = b"", b""
    for name, value in members.items():
        data = json.dumps(value).encode()
        parts = [data[k * len(data) // frames : (k + 1) * len(data) // frames] for k in range(frames)]
        packed = b"".join(zstandard.ZstdCompressor().compress(part) for part in parts)
        sizes = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 0, zlib.crc32(data), len(packed), len(data), len(name), 0)
        start = len(body)
        body += b"PK\x03\x04" + sizes + name.encode() + (damage or packed)[: len(packed)].ljust(len(packed), b"x")
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + sizes + struct.pack("<HHHII", 0, 0, 0, 0, start)
        directory += name.encode()
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    path.write_bytes(body + directory + b"PK\x05\x06" + end)
    return path


@every("frames", [1, 3])
def test_zstandard_in_logs_is_unpacked(tmp_path, frames):
    assert read(zstandard_log(tmp_path / "z.eval", frames)).metrics["match"].scores.tolist() == [0.5, 0.75]


def test_damaged_zstandard_is_refused(tmp_path):
    with pytest.raises(AbaloError, match="damaged"):
        read(zstandard_log(tmp_path / "z.eval", damage=b"nothing"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_log_that_inspect_writes_is_read(tmp_path):
    inspect = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    def answer(messages, tools, tool_choice, config):
        number = messages[-1].text
        found = ModelOutput.from_content("mockllm/model", number if int(number) % 3 else "no")
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return found

    model = get_model("mockllm/model", custom_outputs=answer)
    task = inspect.Task(
        dataset=[Sample(id=k, input=str(k), target=str(k)) for k in range(6)],
        solver=generate(),
        scorer=match(),
        epochs=2,
    )
    for form in ("eval", "json"):
        (log,) = inspect.eval(task, model=model, log_dir=str(tmp_path), log_format=form, display="none")
        assert log.status == "success", log.error
    for path in sorted(tmp_path.iterdir()):
        found = read(path).metrics["match"]
        assert dict(zip(found.ids, found.scores.tolist(), strict=True)) == {str(k): float(k % 3 > 0) for k in range(6)}
        assert found.runs.tolist() == [2] * 6


# lm-eval --------------------------------------------------------------------------------------------------------------


def document(number, score, *, of="none", named=True, **more):
    """A line as lm-eval writes it; older versions do not name the metrics."""
    return {
        "doc_id": number,
        "doc": {"q": "?", "subject": "ab"[number % 2]},
        "target": "x",
        "arguments": {},
        "resps": [["x"]],
        "filtered_resps": ["x"],
        "filter": of,
        **({"metrics": ["exact_match", *more]} if named else {}),
        "doc_hash": "0",
        "exact_match": score,
        **more,
    }


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@every("named", [True, False])
def test_filters_of_lm_eval_are_part_of_the_name(tmp_path, named):
    rows = [document(k, float(k > 0), of=of, named=named) for k in range(2) for of in ("strict-match", "none")]
    found = read(lines(tmp_path / "samples_sums_2026-01-02T03-04-05.678.jsonl", rows), slices=("subject",))
    assert {name: own.scores.tolist() for name, own in found.metrics.items()} == {
        "sums/exact_match": [0.0, 1.0],
        "sums/exact_match,strict-match": [0.0, 1.0],
    }
    assert found.metrics["sums/exact_match"].slices == (("subject=a",), ("subject=b",))


def test_a_folder_of_lm_eval_names_the_task(tmp_path):
    for task in ("sums", "long_sums"):
        lines(tmp_path / f"samples_{task}_2026-01-02T03-04-05.678.jsonl", [document(0, 1.0)])
    (tmp_path / "results_2026-01-02T03-04-05.678.json").write_text("{}", encoding="utf-8")
    assert [*read(tmp_path).metrics] == ["long_sums/exact_match", "sums/exact_match"]
    assert [*read(next(tmp_path.glob("samples_sums*"))).metrics] == ["sums/exact_match"]


def test_the_folder_of_a_model_is_found_in_that_of_the_output(tmp_path):
    for model in ("a", "b"):
        (tmp_path / model).mkdir()
    lines(tmp_path / "a" / "samples_sums_2026-01-02T03-04-05.678.jsonl", [document(0, 1.0)])
    assert [*read(tmp_path).metrics] == ["sums/exact_match"]
    lines(tmp_path / "b" / "samples_sums_2026-01-02T03-04-05.678.jsonl", [document(0, 1.0)])
    with pytest.raises(AbaloError, match="one of its folders: a, b"):
        read(tmp_path)


def test_two_files_of_a_task_in_a_folder_are_refused(tmp_path):
    for day in (1, 2):
        lines(tmp_path / f"samples_sums_2026-01-0{day}T03-04-05.678.jsonl", [document(0, 1.0)])
    with pytest.raises(AbaloError, match="sums"):
        read(tmp_path)


def test_metrics_of_a_whole_corpus_are_left_out(tmp_path):
    path = lines(tmp_path / "samples_x.jsonl", [document(0, 1.0, f1=["gold", ["said"]])])
    assert [*read(path).metrics] == ["x/exact_match"]
    with pytest.raises(AbaloError, match="document"):
        read(lines(tmp_path / "samples_y.jsonl", [document(0, ["gold", ["said"]])]))


@every(
    "name, part",
    [
        ("samples_gsm8k_2024-11-05T13-31-45.123.jsonl", "gsm8k"),
        ("samples_arc_easy_2024-11-05T13-31-45.123.jsonl", "arc_easy"),
        ("samples_arc_easy.jsonl", "arc_easy"),
        ("answers.csv", "answers"),
    ],
)
def test_the_part_of_a_folder_is_the_name_without_time_stamp(tmp_path, name, part):
    assert part_of(tmp_path / name) == part


# promptfoo ------------------------------------------------------------------------------------------------------------


def result(number, passed, *, provider="p", prompt="one", **more):
    return {
        "testIdx": number,
        "promptIdx": 0,
        "success": passed,
        "score": float(passed or 0),
        "namedScores": {"tone": 0.5},
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": prompt, "label": prompt},
        "vars": {"question": f"q{number}"},
        "testCase": {"vars": {}, "metadata": {"topic": "a"}, "description": f"d{number}"},
        **more,
    }


def promptfoo(path, results):
    if path.suffix == ".jsonl":
        return lines(path, results)
    document = {"evalId": "eval-1", "results": {"version": 3, "results": results, "stats": {}}, "config": {}}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@every("name", ["r.json", "r.jsonl"])
def test_results_of_promptfoo_are_metrics(tmp_path, name):
    file = read(promptfoo(tmp_path / name, [result(0, True), result(1, False)]), id="question", slices=("topic",))
    assert {name: own.scores.tolist() for name, own in file.metrics.items()} == {
        "score": [1.0, 0.0],
        "success": [1.0, 0.0],
        "tone": [0.5, 0.5],
    }
    assert file.metrics["success"].ids == ("q0", "q1")
    assert file.metrics["success"].slices == (("topic=a",), ("topic=a",))


def test_several_providers_and_prompts_are_told_apart(tmp_path):
    rows = [result(0, True, provider=p, prompt=q) for p in ("x", "y") for q in ("one", "two")]
    names = [*read(promptfoo(tmp_path / "r.json", rows)).metrics]
    assert "success (x) (one)" in names
    assert len(names) == 12


@every("name, place", [("r.json", "number 2"), ("r.jsonl", "line 2")])
def test_a_result_without_success_is_refused(tmp_path, name, place):
    with pytest.raises(AbaloError, match=place):
        read(promptfoo(tmp_path / name, [result(0, True), result(1, None)]))


FIELDS = {"weight": -1, "run": "x", "topic": "a"}


@every(
    "name, write, rows",
    [
        ("a.eval", eval_log, [{**each, "metadata": FIELDS} for each in SAMPLES]),
        ("samples_a.jsonl", lines, [{**document(k, 1.0), "doc": FIELDS} for k in range(2)]),
        ("a.json", promptfoo, [result(k, True, vars=FIELDS) for k in range(2)]),
    ],
)
def test_fields_of_an_example_are_neither_weights_nor_runs(tmp_path, name, write, rows):
    for own in read(write(tmp_path / name, rows), slices=("topic",)).metrics.values():
        assert (own.weights, len(own.ids), own.slices) == (None, 2, (("topic=a",), ("topic=a",)))


def test_every_reader_has_a_name_and_an_order():
    assert {each.name for each in score_readers()} == {"JSON Lines", "CSV", "Inspect", "lm-eval", "promptfoo"}
    assert score_readers()[-1].name == "JSON Lines"
