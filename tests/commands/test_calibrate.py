"""``abalo calibrate``: the bounds it writes, and its errors."""

import math
import re
import tomllib

import pytest

from abalo import Session
from abalo.bundled import bundled_path
from abalo.cli import main
from abalo.config.thresholds import load
from abalo.run.execution import Execution
from tests.commands.conftest import conll
from tests.texts import TextWith

pytestmark = pytest.mark.slow

THRESHOLDS = """\
# Ours.
[gate]
resamples = 500
language = "pt"

[[ner.baseline]]
min_f1 = 0.1    # to be measured

[[ner.accents]]
max_f1_drop = {overall = 0.1, LOCAL = 0.1}

[[ner.synonyms]]
"""

BY_REFERENCE = (
    "To detect smaller losses, compare with an accepted run (abalo accept, then --abalo-against), or use a larger "
    "corpus"
)

NEXT = (
    "next: pytest --pyargs tests_behavioral --abalo-model models_here:by_word --abalo-corpus corpus.conll "
    "--abalo-thresholds new.toml"
)

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
def thresholds(models_here):
    """The cases to measure, and sentences enough for a bound."""
    (models_here / "mine.toml").write_text(THRESHOLDS, encoding="utf-8")
    write_corpus(models_here, PEOPLE)


PEOPLE = [f"[José{i} PESSOA] saiu" for i in range(200)]


def write_corpus(folder, sentences) -> None:
    (folder / "corpus.conll").write_text(conll(*sentences), encoding="utf-8")


def calibrate(*more: str, model: str = "models_here:by_word") -> int:
    return main(["calibrate", "--model", model, "--corpus", "corpus.conll", "--thresholds", "mine.toml", *more])


def refused(capsys, *arguments: str, **options: str) -> str:
    assert calibrate(*arguments, **options) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("abalo: ")
    assert "Traceback" not in captured.err
    return captured.err


def test_calibrating_writes_a_file_that_holds_the_model_to_what_it_does(folder, capsys):
    assert calibrate("--out", "new.toml") == 0
    found = {case.name: case.bounds for case in load(folder / "new.toml").cases}
    # F1 1 without an error in 200: its interval ends at 0.025 ** (1 / 200) = 0.9817, that of a difference at
    assert [bound.limit for bound in found["baseline"]] == [0.974]  # 1 - 1.4142 * 0.0183 = 0.9742
    assert found["accents"] == ()  # the model loses everything, and no corpus has a LOCAL
    assert found["synonyms"] == ()  # nothing changed, so nothing was measured
    output = capsys.readouterr().out.splitlines()
    without = ("ner/accents max_f1_drop", "ner/accents max_f1_drop of LOCAL", "ner/synonyms max_f1_drop_changed")
    assert output == [
        "abalo: mine.toml · model models_here:by_word · corpus corpus.conll · task ner",
        TextWith("abalo: ner: ", " predictions to make, at "),
        "ner/baseline: f1 1.000 [0.982, 1.000] -> min_f1 = 0.974 (detectable loss 0.057)",
        TextWith("ner/accents: max_f1_drop not calibrated: ", "limit of 1"),
        TextWith("ner/accents: max_f1_drop of LOCAL not calibrated: no LOCAL"),
        TextWith("ner/synonyms: max_f1_drop_changed not calibrated: no sentence"),
        TextWith("no bound, ", ", ".join(without)),
        "1 bound written to new.toml",
        "3 cases are measured and compared; 1 of them has a bound",
        NEXT,
    ]


def test_a_perturbation_that_changed_few_examples_gets_no_bound(folder, capsys):
    write_corpus(folder, [f"[{'José' if i < 10 else 'Joao'}{i} PESSOA] saiu" for i in range(200)])
    assert calibrate("--least", "0", "--out", "new.toml") == 2  # nothing else can be measured here, and it has bounds
    assert "ner/accents: max_f1_drop not calibrated: changes only 10 " in capsys.readouterr().out


def test_a_bound_of_a_case_that_was_not_run_goes_and_is_named(folder, capsys):
    (folder / "deep.toml").write_text(
        "[[ner.baseline]]\n[[ner.accents]]\ndeep = true\nmax_f1_drop = 0.2\n", encoding="utf-8"
    )
    assert calibrate("--thresholds", "deep.toml", "--out", "new.toml") == 0
    assert "without --deep: ner/accents\n" in capsys.readouterr().out
    assert load(folder / "new.toml").cases[1].bounds == ()


def test_a_model_that_finds_next_to_nothing_is_refused_unless_that_is_asked_for(folder, capsys):
    said = refused(capsys, "--out", "new.toml", model="models_here:all_outside")
    assert "ner: f1 0.000 [0.000, 0.018] is below min_f1 0.3; " in said
    assert not (folder / "new.toml").exists()


def test_each_type_that_is_frequent_enough_gets_a_floor_of_its_own(folder):
    write_corpus(folder, [f"[José{i} PESSOA] saiu de [Faro{i} LOCAL]" for i in range(200)])
    assert calibrate("--out", "new.toml", "--yes") == 0  # the model never predicts a LOCAL, and that is meant
    bounds = load(folder / "new.toml").cases[0].bounds
    # Corrected for three bounds: 1 - 1.4142 * (1 - (0.025 / 3) ** (1 / 200)) = 0.9665
    assert {bound.type: bound.limit for bound in bounds}["PESSOA"] == 0.966
    assert "LOCAL" not in {bound.type for bound in bounds}  # never found, so nothing can break its floor


def test_a_floor_of_a_label_is_measured_anew_whatever_its_limit_was(folder):
    """Its old limit, 0.97, lies in the interval, so that as a floor it would be silent."""
    (folder / "old.toml").write_text(
        '[gate]\nlanguage = "pt"\n[[ner.baseline]]\nmin_f1 = {overall = 0.1, PESSOA = 0.97}\n', encoding="utf-8"
    )
    lost = [f"[Xosé{i} PESSOA] saiu" for i in range(6)]
    write_corpus(folder, [*PEOPLE, *lost, *(f"[Faro{i} LOCAL] dorme" for i in range(6))])
    assert calibrate("--thresholds", "old.toml", "--out", "new.toml", "--yes") == 0
    limits = {bound.type: bound.limit for bound in load(folder / "new.toml").cases[0].bounds}
    assert set(limits) == {None, "PESSOA"}
    assert limits["PESSOA"] < 0.96


def test_a_bound_that_only_a_large_loss_would_break_is_not_written(folder, capsys):
    write_corpus(folder, PEOPLE[:60])
    assert calibrate("--out", "new.toml") == 2
    captured = capsys.readouterr()
    assert captured.out == TextWith("ner/baseline: min_f1 not calibrated: ", "0.915", "only a loss", "0.193")
    assert "no bound would detect a loss of 0.15, so new.toml is not written" in captured.err
    assert "abalo accept, then --abalo-against" in captured.err
    assert not (folder / "new.toml").exists()


def test_the_same_model_passes_by_its_own_bounds(folder):
    assert calibrate("--out", "new.toml") == 0
    again = Session("ner", model="models_here:by_word", corpus="corpus.conll", thresholds="new.toml")
    run = Execution(again.prepared)
    assert [run.judged(case).verdict for case in again.cases() if case.bounds] == ["pass"]


def test_the_file_says_how_it_was_made_and_keeps_its_comments(folder):
    calibrate("--out", "new.toml", "--least", "0.2")
    text = (folder / "new.toml").read_text(encoding="utf-8")
    assert text.startswith(
        "# Ours.\n# Calibrated ner: abalo calibrate --model models_here:by_word --corpus corpus.conll "
        "--thresholds mine.toml --out new.toml --least 0.2 (corpus.conll: 200 sentences, sha256 "
    )
    assert "min_f1 = 0.974    # to be measured" in text


def test_the_thresholds_here_are_taken_and_replaced_where_none_are_named(folder):
    (folder / "mine.toml").rename("thresholds.toml")
    assert main(["calibrate", "--model", "models_here:by_word", "--corpus", "corpus.conll"]) == 0
    assert "min_f1 = 0.974" in (folder / "thresholds.toml").read_text(encoding="utf-8")


def begun(*more: str) -> int:
    return main(["calibrate", "--model", "models_here:by_word", "--corpus", "corpus.conll", "--limit", "190", *more])


def default_ids(folder) -> list[str]:
    """The default cases of the task, in the language of the corpus."""
    session = Session("ner", model="models_here:by_word", corpus="corpus.conll", thresholds=folder / "thresholds.toml")
    return sorted(case.id for case in session.cases())


def test_a_new_file_extends_the_default_cases_and_has_the_bounds_that_hold_something(folder, capsys):
    (folder / "thresholds.toml").write_text('extends = "default"\n[gate]\nlanguage = "pt"\n', encoding="utf-8")
    every = default_ids(folder)
    (folder / "thresholds.toml").unlink()
    assert begun("--language", "pt", "--least", "0.2") == 0
    text = (folder / "thresholds.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)
    assert found.keys() == {"extends", "gate", "run", "ner"}
    assert default_ids(folder) == every, "none is lost"
    assert found["gate"] == {"language": "pt", "least": 0.2}
    assert found["run"] == {"task": "ner", "model": "models_here:by_word", "corpus": "corpus.conll", "limit": 190}
    assert found["ner"]["baseline"] == [{"min_f1": found["ner"]["baseline"][0]["min_f1"]}]
    assert "slice" not in found["ner"], "blocks nothing"
    assert "boundary" not in found["ner"], "nothing fits"
    assert [*found["ner"]][:2] == ["baseline", "context_distractors"], "in the order of the default cases"
    bounded = [case.id for case in load(folder / "thresholds.toml").cases if case.bounds]
    assert set(bounded) < set(every)
    assert capsys.readouterr().out.splitlines()[-2:] == [
        TextWith(f"{len(every)} cases are measured", f"compared with a reference; {len(bounded)} of them have a bound"),
        "next: pytest --pyargs tests_behavioral",
    ]


@pytest.mark.parametrize("few", [60, 40])
def test_where_no_bound_is_worth_writing_a_new_file_has_the_default_cases_alone(folder, capsys, few):
    write_corpus(folder, PEOPLE[:few])
    given = ["--model", "models_here:by_word", "--corpus", "corpus.conll", "--language", "pt"]
    assert main(["calibrate", *given, "--case", "baseline"]) == 0
    found = tomllib.loads((folder / "thresholds.toml").read_text(encoding="utf-8"))
    assert found.keys() == {"extends", "gate", "run"}
    said = capsys.readouterr().out
    lost = re.search(r"would detect only a loss of ([\d.]+)", said)
    needs = math.ceil(60 * (float(lost[1]) / 0.15) ** 2) if lost else 50  # its width falls with the root of n
    assert (few == 60) == bool(lost)
    least = re.search(r"ner: a bound that detects a loss of 0\.15 needs (?:about|at least) (\d+) distinct", said)
    assert abs(int(least[1]) - needs) <= 1  # the loss is rounded
    assert re.search(r"ner: .*a comparison (needs|detects)", said)


def test_in_a_file_of_ones_own_without_bounds_nothing_changes_if_none_is_worth_writing(folder):
    own = '# Mine.\nextends = "default"\n\n[gate]\nlanguage = "pt"\n\n[[ner.baseline]]    # alone\n'
    (folder / "thresholds.toml").write_text(own, encoding="utf-8")
    write_corpus(folder, PEOPLE[:60])
    given = ["--model", "models_here:by_word", "--corpus", "corpus.conll"]
    assert main(["calibrate", *given, "--case", "baseline"]) == 0
    assert (folder / "thresholds.toml").read_text(encoding="utf-8") == own


def test_a_file_that_extends_another_gets_the_tables_whose_bounds_are_new(folder):
    (folder / "base.toml").write_text("[[ner.accents]]\nmax_f1_drop = 0.2\n[[ner.synonyms]]\n", encoding="utf-8")
    own = 'extends = "base.toml"    # ours\n\n[[ner.baseline]]\nmin_f1 = 0.1    # low\n'
    (folder / "mine.toml").write_text(own, encoding="utf-8")
    (folder / "sub").mkdir()
    assert calibrate("--out", "sub/new.toml") == 0
    kept = (folder / "sub" / "new.toml").read_text(encoding="utf-8").partition("\n")[2]
    assert kept == (
        'extends = "../base.toml"    # ours\n\n[[ner.baseline]]\nmin_f1 = 0.974    # low\n\n[[ner.accents]]\n'
    ), "of accents, nothing can break a bound; synonyms has none as before"


def test_the_default_cases_that_are_extended_stay_and_those_with_a_bound_are_added(folder):
    (folder / "thresholds.toml").write_text('extends = "default"\n', encoding="utf-8")
    before = [case.id for case in load(folder / "thresholds.toml").cases]
    assert begun() == 0
    written = load(folder / "thresholds.toml")
    assert sorted(case.id for case in written.cases) == sorted(before)
    text = (folder / "thresholds.toml").read_text(encoding="utf-8")
    assert 'extends = "default"\n\n[[ner.baseline]]\nmin_f1 = ' in text
    assert 0 < text.count("[[") < len(before) / 4


def test_model_and_corpus_are_those_of_addopts(folder, capsys, monkeypatch):
    (folder / "pytest.ini").write_text(
        "[pytest]\naddopts = --pyargs tests_behavioral --abalo-model models_here:by_word --abalo-corpus corpus.conll\n"
        "    -n 2 --abalo-thresholds 'mine.toml'\n"
    )
    assert main(["calibrate", "--out", "new.toml"]) == 0
    first = "abalo: mine.toml · model models_here:by_word · corpus corpus.conll · task ner"
    assert capsys.readouterr().out.splitlines()[0] == first
    monkeypatch.setenv("PYTEST_ADDOPTS", "--abalo-corpus=gone.conll")
    assert main(["calibrate", "--out", "newer.toml"]) == 2
    assert "gone.conll" in capsys.readouterr().err
    monkeypatch.setenv("PYTEST_ADDOPTS", "--abalo-limit=many")
    assert main(["calibrate", "--out", "newer.toml"]) == 2
    assert "abalo: addopts of pytest: argument --limit" in capsys.readouterr().err
    monkeypatch.setenv("PYTEST_ADDOPTS", "--abalo-scheme=bio")
    assert main(["calibrate", "--out", "newer.toml"]) == 2
    assert "abalo: addopts of pytest: --abalo-scheme is a setting of the corpus now: " in capsys.readouterr().err


def test_without_a_model_or_corpus_nothing_is_measured(folder, capsys):
    assert main(["calibrate", "--out", "new.toml"]) == 2
    assert capsys.readouterr().err.startswith("abalo: --model: missing; ")
    assert not (folder / "new.toml").exists()


def test_another_file_is_not_overwritten(folder, capsys):
    (folder / "new.toml").write_text("# Mine.\n")
    assert "--out new.toml: already exists" in refused(capsys, "--out", "new.toml")
    assert (folder / "new.toml").read_text() == "# Mine.\n"


def test_perturbations_of_the_conftest_here_are_known(folder):
    (folder / "conftest.py").write_text(WITH_TAIL, encoding="utf-8")
    (folder / "mine.toml").write_text("[[ner.tail]]\nrate = 0.5\n", encoding="utf-8")
    assert calibrate("--out", "new.toml") == 0
    (case,) = load(folder / "new.toml").cases
    assert case.id == "ner/tail[rate-0.5]"
    # The model does not mind a letter behind a name: [-0.021, 0.021] over those changed, of a difference 1.4 times.
    assert case.bounds[0].limit == 0.029


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--limit", "0"], "--limit 0: expected a whole number from 1"),
        (["--corpus", "corpsu.conll"], "corpsu.conll"),
        (["--thresholds", "gone.toml"], "gone.toml: no such thresholds file"),
        (["--model", "models_here:by_wrod"], "by_word"),
        (["--label-map", "PER"], "label map"),
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
    assert calibrate("--limit", "40", "--out", "new.toml") == 2
    message = capsys.readouterr().err
    assert message == TextWith("WARNING: ner: f1 1.000 [0.912, 1.000] ", " min_f1 0.3: fewer than 50")
    assert message == TextWith("abalo: nothing", "new.toml is not written")
    assert not (folder / "new.toml").exists()


def test_the_bounds_of_the_bundled_model_are_not_overwritten_with_those_of_another(monkeypatch, capsys):
    monkeypatch.chdir(bundled_path("thresholds.toml").parent)
    assert main(["calibrate", "--model", "my:model"]) == 2
    assert "holds the bounds of the bundled model; choose another file with --out FILE" in capsys.readouterr().err


def test_calibrating_questions_alone_leaves_the_bounds_on_tags_as_they_are(folder, capsys):
    (folder / "two.toml").write_text(
        "# Calibrated ner: by hand\n[[ner.accents]]\nmax_f1_drop = 0.5\n[[choice.baseline]]\nmin_accuracy = 0.9\n"
    )
    lines = [f'{{"id": "{k}", "question": "Is it {k}?", "options": ["a", "b"], "target": 0}}' for k in range(200)]
    (folder / "two.jsonl").write_text("\n".join(lines))
    asked = ["--task", "choice", "--corpus", "two.jsonl", "--thresholds", "two.toml", "--out", "new.toml"]
    assert main(["calibrate", *asked]) == 0
    assert "choice/baseline: accuracy 1.000 [0.982, 1.000] -> min_accuracy = 0.974" in capsys.readouterr().out
    text = (folder / "new.toml").read_text(encoding="utf-8")
    assert "# Calibrated ner: by hand\n# Calibrated choice: abalo calibrate --task choice" in text
    assert "max_f1_drop = 0.5\n" in text
    assert "min_accuracy = 0.974\n" in text


def test_a_bundled_bound_that_could_not_be_measured_is_not_written_as_ones_own(folder, capsys):
    lines = [f'{{"id": "{k}", "question": "Is it {k}?", "options": ["a", "b"], "target": 0}}' for k in range(200)]
    (folder / "two.jsonl").write_text("\n".join(lines))
    case = "[[choice.{}]]\nk = {}\nmax_fragility_score = {}\n"
    (folder / "mine.toml").write_text(
        '[gate]\nlanguage = "en"\n[[choice.baseline]]\nleast = 0\nguesses = true\n'
        + case.format("paraphrase_consistency", 2, 0.5)
        + case.format("perturbation_stability", 5, "{overall = 0.5, 'pert:order_swap' = 1}")
    )
    asked = ["--task", "choice", "--corpus", "two.jsonl", "--thresholds", "mine.toml", "--out", "new.toml"]
    assert main(["calibrate", *asked]) == 0
    assert "paraphrase_consistency[k-2]: max_fragility_score not calibrated" in capsys.readouterr().out
    found = tomllib.loads((folder / "new.toml").read_text(encoding="utf-8"))["choice"]
    assert "max_fragility_score" not in found["paraphrase_consistency"][0]
    assert "max_fragility_score" not in found["perturbation_stability"][0]


def test_only_the_cases_named_are_measured_and_other_bounds_stay(folder, capsys):
    (folder / "two.toml").write_text(
        "# Calibrated ner: by hand\n[[ner.baseline]]\nmin_f1 = 0.1\n"
        "[[ner.character_noise]]\nrate = 0.1\nmax_f1_drop = 0.2\n"
        "[[ner.character_noise]]\nrate = 0.2\nmax_f1_drop = 0.3\n"
    )
    given = ["--thresholds", "two.toml", "--case", "baseline", "--case", "ner/character_noise[rate-0.1]"]
    assert calibrate(*given, "--out", "new.toml") == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "abalo",
        "abalo",
        "ner/baseline",
        "ner/character_noise[rate-0.1]",
        "WARNING",
        BY_REFERENCE,
        "2 bounds written to new.toml",
        "3 cases are measured and compared; 3 of them have a bound",
        "next",
    ]
    (baseline, low, high) = load(folder / "new.toml").cases
    assert baseline.bounds[0].limit == 0.974
    assert low.bounds[0].limit != 0.2
    assert high.bounds[0].limit == 0.3
    text = (folder / "new.toml").read_text(encoding="utf-8")
    assert text.startswith("# Calibrated ner: by hand\n[[ner.baseline]]"), "that was said of the whole file"


def test_a_deep_case_is_measured_where_it_is_named(folder, capsys):
    (folder / "deep.toml").write_text("[[ner.baseline]]\n[[ner.word_insertion]]\ndeep = true\n")
    assert calibrate("--thresholds", "deep.toml", "--case", "word_insertion", "--out", "new.toml") == 0
    measured = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ner/")]
    assert [line.partition(":")[0] for line in measured] == ["ner/word_insertion"]


def test_a_case_that_is_not_there_is_an_error_with_a_suggestion(folder, capsys):
    said = refused(capsys, "--case", "acents", "--out", "new.toml")
    assert said == "abalo: --case acents: no such case in the thresholds file; did you mean 'accents'?\n"
    assert not (folder / "new.toml").exists()


MISNAMED = """
def make():
    return lambda batch: [["B-PESSOA" if w.startswith("José") else "B-PER" for w in words] for words in batch]


def limited():
    return lambda batch: [["B-PESSOA" if w.startswith("José") else "O" for w in words] for words in batch]
"""


@pytest.fixture
def misnamed(folder):
    """A model that tells no labels, in a corpus with an entity type that it never predicts."""
    (folder / "misnamed.py").write_text(MISNAMED, encoding="utf-8")
    sentences = (f"[José{i} PESSOA] saiu de [Faro LOCAL]" for i in range(200))
    write_corpus(folder, sentences)


def test_types_that_seem_not_to_fit_are_not_baked_in_unless_they_are_meant(misnamed, folder, capsys):
    said = refused(capsys, "--out", "new.toml", "--least", "0", model="misnamed:make")
    assert "no entity of these types of the corpus: LOCAL 200, and it predicts 600 entities (PER 600)" in said
    assert said.endswith("Bounds would treat this as normal; if you intend it, add --yes\n")
    assert not (folder / "new.toml").exists()
    assert calibrate("--out", "new.toml", "--least", "0", "--yes", model="misnamed:make") == 0


def test_bounds_can_be_those_of_some_types(misnamed, folder):
    assert calibrate("--out", "new.toml", "--types", "PESSOA", model="misnamed:limited") == 0
    found = {case.name: case.bounds for case in load(folder / "new.toml").cases}
    assert [bound.limit for bound in found["baseline"]] == [0.974]


def test_bounds_of_some_types_are_not_those_of_the_model_that_ships(capsys):
    shipped = str(bundled_path("thresholds.toml"))
    assert main(["calibrate", "--types", "PESSOA", "--out", shipped]) == 2
    assert "holds the bounds of the bundled model" in capsys.readouterr().err


def test_a_calibration_goes_on_after_a_stop_and_writes_the_same_file(folder, capsys, monkeypatch):
    assert calibrate("--out", "whole.toml") == 0
    with monkeypatch.context() as patched:
        patched.setattr(Execution, "judged", stopping(2))
        assert calibrate("--out", "new.toml") == 130
    assert not (folder / "new.toml").exists()
    assert "--resume" in capsys.readouterr().out
    assert calibrate("--out", "new.toml", "--resume") == 0
    assert "2 of 3 cases" in capsys.readouterr().out
    cases = {name: load(folder / name).cases for name in ("whole.toml", "new.toml")}
    assert cases["whole.toml"] == cases["new.toml"]
    assert "--resume" not in (folder / "new.toml").read_text("utf-8"), "the command beside the bounds makes them anew"
    assert not [*folder.glob(".*begun")]


def stopping(after):
    """``Execution.judged`` that is interrupted after so many cases."""
    real, done = Execution.judged, []

    def judged(run, case, *more, **named):
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(case.id)
        return real(run, case, *more, **named)

    return judged
