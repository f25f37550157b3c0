"""The command ``abalo``: what it writes, and how it refuses."""

import json
import subprocess
import sys
import tomllib

import pytest

from abalo import __version__
from abalo.bundled import bundled
from abalo.cli import main
from abalo.config.thresholds import load
from perturbations import catalogue
from perturbations.pipelines import combinations, sampled_combinations

MODEL = """
def tag(word):
    return "B-PESSOA" if word.startswith("José") else "O"


def by_word():
    return lambda batch: [[tag(word) for word in tokens] for tokens in batch]


def all_outside():
    return lambda batch: [["O"] * len(tokens) for tokens in batch]
"""

THRESHOLDS = """\
# Ours.
[gate]
resamples = 500

[[ner.baseline]]
min_f1 = 0.1    # to be measured

[[ner.accents]]
max_f1_drop = {overall = 0.1, LOCAL = 0.1}

[[ner.synonyms]]
"""

WITH_TAIL = """
from dataclasses import dataclass

from perturbations import word_level


@dataclass
class Unrelated:
    count: "int" = 0


@word_level(example=("[Ana PESSOA]", "[Anax PESSOA]"))
def tail(word):
    return (word + "x",)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own with a corpus, a model and thresholds; whatever is imported there is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(catalogue, "_members", dict(catalogue.members()))
    blocks = [f"José{i} B-PESSOA\nsaiu O\n" for i in range(60)]
    (tmp_path / "corpus.conll").write_text("\n".join(blocks), encoding="utf-8")
    (tmp_path / "models_here.py").write_text(MODEL, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(THRESHOLDS, encoding="utf-8")
    before = dict(sys.modules)
    sys.modules.pop("conftest", None)
    yield tmp_path
    for name in ("conftest", "models_here"):
        sys.modules.pop(name, None)
    sys.modules.update({name: before[name] for name in ("conftest",) if name in before})


def calibrate(*more: str, model: str = "models_here:by_word") -> int:
    return main(["calibrate", "--model", model, "--corpus", "corpus.conll", "--thresholds", "mine.toml", *more])


def test_calibrating_writes_a_file_that_holds_the_model_to_what_it_does(folder, capsys):
    assert calibrate("--out", "new.toml") == 0
    found = {case.name: case.bounds for case in load(folder / "new.toml").cases}
    assert [bound.limit for bound in found["baseline"]] == [0.99]  # F1 1.000 [1.000, 1.000], less the margin
    assert [(bound.type, bound.limit) for bound in found["accents"]] == [(None, 1.0), ("LOCAL", 0.1)]
    assert found["synonyms"] == ()  # nothing changed, so nothing was measured
    output = capsys.readouterr().out.splitlines()
    assert output == [
        "ner/baseline: f1 1.000 [1.000, 1.000] -> min_f1 = 0.99",
        "ner/accents: f1_drop 1.000 [1.000, 1.000] -> max_f1_drop = 1",
        "ner/accents: max_f1_drop of LOCAL not calibrated: no LOCAL in gold or predictions",
        "ner/synonyms: max_f1_drop not calibrated: no sentence was changed",
        "2 bounds written to new.toml",
    ]


def test_the_file_says_how_it_was_made_and_keeps_its_comments(folder):
    calibrate("--out", "new.toml", "--margin", "0.02")
    text = (folder / "new.toml").read_text(encoding="utf-8")
    assert text.startswith(
        "# Ours.\n# Calibrated ner: abalo calibrate --model models_here:by_word --corpus corpus.conll "
        "--thresholds mine.toml --out new.toml --margin 0.02 (corpus.conll: 60 sentences, sha256 "
    )
    assert "min_f1 = 0.98    # to be measured" in text


def test_the_thresholds_here_are_taken_and_replaced_where_none_are_named(folder):
    (folder / "mine.toml").rename("thresholds.toml")
    assert main(["calibrate", "--model", "models_here:by_word", "--corpus", "corpus.conll"]) == 0
    assert "min_f1 = 0.99" in (folder / "thresholds.toml").read_text(encoding="utf-8")


def test_perturbations_of_the_conftest_here_are_known(folder):
    (folder / "conftest.py").write_text(WITH_TAIL, encoding="utf-8")
    (folder / "mine.toml").write_text("[[ner.tail]]\nrate = 0.5\n", encoding="utf-8")
    assert calibrate("--out", "new.toml") == 0
    (case,) = load(folder / "new.toml").cases
    assert case.id == "ner/tail[rate-0.5]"
    assert case.bounds[0].limit == 0.01  # the model does not mind a letter behind a name


def refused(capsys, *arguments: str, **options: str) -> str:
    assert calibrate(*arguments, **options) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("abalo: ")
    assert "Traceback" not in captured.err
    return captured.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--margin", "1"], "--margin 1.0: expected a number from 0 to below 1"),
        (["--margin", "nan"], "--margin nan: expected a number from 0 to below 1"),
        (["--limit", "0"], "--limit 0: expected a whole number from 1"),
        (["--corpus", "corpsu.conll"], "corpsu.conll"),
        (["--thresholds", "gone.toml"], "gone.toml: no such thresholds file"),
        (["--model", "models_here:by_wrod"], "by_word"),
        (["--label-map", "PER"], "label map"),
        (["--device", "gpu"], "device"),
        (["--out", "corpus.conll/new.toml"], "corpus.conll is a file, not a folder; choose another file with --out"),
        (["--out", "."], "--out .: is a folder; choose another file with --out FILE"),
    ],
)
def test_input_that_cannot_be_used_ends_in_one_message(capsys, arguments, message):
    assert message in refused(capsys, *arguments)


def test_a_conftest_that_raises_is_told_as_such(folder, capsys):
    (folder / "conftest.py").write_text("raise RuntimeError('not today')\n", encoding="utf-8")
    assert "conftest.py cannot be imported: RuntimeError: not today" in refused(capsys)


def test_a_conftest_that_exits_is_no_success(folder, capsys):
    (folder / "conftest.py").write_text("import sys\n\nsys.exit(0)\n", encoding="utf-8")
    assert "conftest.py cannot be imported: SystemExit: 0" in refused(capsys)


def test_a_name_that_no_toml_may_hold_is_written_as_an_escape(folder):
    (folder / "corpus.conll").rename(folder / "corp\x01us.conll")
    assert calibrate("--corpus", "corp\x01us.conll", "--out", "new.toml") == 0
    assert "corp\\u0001us" in (folder / "new.toml").read_text("utf-8")
    load(folder / "new.toml")


def test_where_nothing_could_be_measured_nothing_is_written(folder, capsys):
    message = refused(capsys, "--limit", "40", "--out", "new.toml")
    assert "nothing could be measured, so new.toml is not written" in message
    assert not (folder / "new.toml").exists()


@pytest.mark.parametrize("arguments", [[], ["calibrat"], ["calibrate", "--limit", "many"], ["calibrate", "--no-such"]])
def test_a_command_line_that_means_nothing_exits_with_2(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: abalo" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--help"], ["calibrate", "--help"], ["perturb", "--help"], ["augment", "--help"], ["--version"]]
)
def test_help_and_version_answer_without_importing_numpy(arguments):
    code = (
        f"import sys, abalo.cli\ntry:\n    abalo.cli.main({arguments})\nfinally:\n    print('numpy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "False"
    assert "usage: abalo" in done.stdout or __version__ in done.stdout


def test_the_bounds_of_the_bundled_model_are_not_overwritten_with_those_of_another(monkeypatch, capsys):
    monkeypatch.chdir(bundled("thresholds.toml").parent)
    assert main(["calibrate", "--model", "my:model"]) == 2
    assert "holds the bounds of the bundled model; choose another file with --out FILE" in capsys.readouterr().err


BROKEN = """\
{"format": "abalo attack log 1"}
{"attack": "entity_attack", "target": [0, 1, "PESSOA"], "tokens": ["José", "saiu"], "tags": ["B-PESSOA", "O"], \
"spaces": [" ", ""], "edits": [{"start": 0, "stop": 1, "tokens": ["Ana"], "tags": ["B-PESSOA"]}], \
"adversarial": {"tokens": ["Ana", "saiu"], "spaces": [" ", ""]}, "sentence_id": "a", \
"labels": {"clean": ["B-PESSOA"], "attacked": ["O"]}, "broken": true}
{"attack": "entity_attack", "tokens": ["Rui", "saiu"], "spaces": [" ", ""], "adversarial": null, "sentence_id": "b", \
"broken": false}
"""


def test_replaying_says_whether_it_is_still_broken(folder, capsys):
    (folder / "broken.jsonl").write_text(BROKEN, encoding="utf-8")
    assert main(["replay", "broken.jsonl", "--model", "models_here:by_word"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("1. still broken")
    assert "before: [José PESSOA] saiu" in said
    assert "after:  [Ana PESSOA] saiu" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay", "none.jsonl"], "none.jsonl: not the log of an attack"),
        (["replay", "broken.jsonl", "--number", "2"], "--number 2: expected a number from 1 to 1"),
        (["sheet", "broken.jsonl", "--out", "sheets"], "too few sentences of kind 'entity_attack'"),
        (["ratings", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_replayed_or_rated_ends_in_one_message(folder, capsys, arguments, message):
    (folder / "broken.jsonl").write_text(BROKEN, encoding="utf-8")
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said


def test_sheets_go_out_and_ratings_come_back(folder, capsys):
    (line,) = [line for line in BROKEN.splitlines() if '"broken": true' in line]
    records = [line.replace('"José"', f'"José{i}"').replace('"a"', f'"{i}"') for i in range(20)]
    (folder / "log.jsonl").write_text("\n".join([BROKEN.splitlines()[0], *records, ""]), encoding="utf-8")
    assert main(["sheet", "log.jsonl", "--out", "sheets", "--per-rater", "4"]) == 0
    for sheet in folder.glob("sheets/rater-*.csv"):
        sheet.write_text(sheet.read_text("utf-8-sig").replace(",\n", ",4\n").replace(",\r\n", ",4\r\n"), "utf-8")
    assert main(["ratings", "sheets"]) == 0
    assert "entity_attack" in capsys.readouterr().out


def test_calibrating_questions_alone_leaves_the_bounds_on_tags_as_they_are(folder, capsys):
    (folder / "two.toml").write_text(
        "# Calibrated ner: by hand\n[[ner.accents]]\nmax_f1_drop = 0.5\n[[choice.baseline]]\nmin_accuracy = 0.9\n"
    )
    assert main(["calibrate", "--task", "choice", "--thresholds", "two.toml", "--out", "new.toml"]) == 0
    assert "choice/baseline: accuracy 0.250 [0.153, 0.347] -> min_accuracy = 0.142" in capsys.readouterr().out
    text = (folder / "new.toml").read_text(encoding="utf-8")
    assert "# Calibrated ner: by hand\n# Calibrated choice: abalo calibrate --task choice" in text
    assert "max_f1_drop = 0.5\n" in text
    assert "min_accuracy = 0.142\n" in text


def test_a_bound_of_the_bundled_model_that_could_not_be_measured_is_not_passed_off_as_ones_own(folder, capsys):
    lines = [f'{{"id": "{k}", "question": "Is it {k}?", "options": ["a", "b"], "target": 0}}' for k in range(60)]
    (folder / "two.jsonl").write_text("\n".join(lines))
    (folder / "mine.toml").write_text('extends = "default"\n')
    asked = ["--task", "choice", "--questions", "two.jsonl", "--thresholds", "mine.toml", "--out", "new.toml"]
    assert main(["calibrate", *asked]) == 0
    assert "paraphrase_consistency[k-2]: max_fragility_score not calibrated" in capsys.readouterr().out
    found = tomllib.loads((folder / "new.toml").read_text(encoding="utf-8"))["choice"]
    assert "max_fragility_score" not in found["paraphrase_consistency"][0]
    assert found["perturbation_stability"][0]["max_fragility_score"]["pert:order_swap"] == 1.0


def test_the_audit_says_which_questions_are_ambiguous_and_why(folder, capsys):
    lines = ['{"id": "a", "options": ["yes", "no"]}', '{"id": "b", "options": ["stone", "bird"]}']
    (folder / "q.jsonl").write_text("\n".join(lines))
    assert main(["audit", "q.jsonl", "--out", "flags.json"]) == 1
    assert capsys.readouterr().out == (
        "a: boolean_like: 'yes', 'no': an answer of a yes-or-no question\n1 of 2 questions flagged\n"
    )
    assert list(json.loads((folder / "flags.json").read_text(encoding="utf-8"))) == ["a"]
    (folder / "q.jsonl").write_text(lines[1])
    assert main(["audit", "q.jsonl"]) == 0
    assert main(["audit", "q.jsonl", "--gap", "7"]) == 2


def test_pairs_lists_what_can_be_made_in_turn(capsys):
    assert main(["pairs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "concat_sent ent_typos" in lines
    assert "ent_typos concat_sent" in lines
    assert lines == [" ".join(step.name for step in steps) for steps in combinations(2)]


def test_pairs_draws_those_that_a_case_would(capsys):
    assert main(["pairs", "--of", "3", "--sampled", "4", "--seed", "7", "--language", "en"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        " ".join(step.name for step in steps) for steps in sampled_combinations(4, 3, seed=7, language="en")
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--language", "fr"], "--language fr: expected one of en, pt"),
        (["--sampled", "0"], "--sampled 0: expected a whole number from 1"),
    ],
)
def test_pairs_refuses_what_it_cannot_do(capsys, arguments, expected):
    assert main(["pairs", *arguments]) == 2
    assert expected in capsys.readouterr().err
