"""``abalo show``: the sentences that a run got wrong."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from abalo import Session
from abalo.cli import main
from abalo.core.documents.found import Result, WrongUnit
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from tests.commands.conftest import conll
from tests.reports import document_in
from tests.texts import TextWith

pytestmark = pytest.mark.slow

NAMES = [f"José{k}" for k in range(60)]
THRESHOLDS = "[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.baseline]]\n[[ner.accents]]\nmax_f1_drop = 0.2\n"
EXTRA = """
def by_heart():
    return lambda batch: [[tag(word) if word == "Belém" else "B-PESSOA" if word[:3] in ("Jos", "Ana") else "O"
                           for word in tokens] for tokens in batch]


def without_seven():
    return lambda batch: [["O" if word == "José7" else tag(word) for word in tokens] for tokens in batch]
"""


@pytest.fixture
def reports(models_here, once):
    """A run of a model that knows names with their accents alone; 60 sentences have one, and one has a place too."""
    with (models_here / "models_here.py").open("a", encoding="utf-8") as file:
        file.write(EXTRA)
    sentences = [f"[{name} PESSOA] saiu" for name in NAMES] + ["[Ana PESSOA] foi a [Belém LOCAL]"]
    (models_here / "corpus.conll").write_text(conll(*sentences), encoding="utf-8")
    (models_here / "thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    once(models_here, lambda: judged("by_word").write("reports"))
    return models_here / "reports"


def judged(model, **more):
    return Session(model=f"models_here:{model}", corpus="corpus.conll", thresholds="thresholds.toml", **more).run()


def shown(capsys, *arguments):
    assert main(["show", "reports", *arguments]) == 0
    return capsys.readouterr().out


def test_without_a_case_those_that_failed_are_shown_worst_sentences_first(reports, capsys):
    said = shown(capsys, "--most", "2")
    assert said.startswith("Accents  FAIL\n  F1 drop ")
    assert said.count("original") == said.count("perturbed") == 2
    assert "perturbed  [«Jose" in said
    assert "✗ lost PESSOA] saiu\n" in said
    assert "\n58 more: --most 60\n" in said
    assert "Baseline" not in said


def test_without_a_failed_case_the_choice_is_explained_and_the_others_are_named(reports, capsys):
    Path("thresholds.toml").write_text(THRESHOLDS.replace("max_f1_drop = 0.2\n", ""), encoding="utf-8")
    judged("by_word").write("reports")
    said = shown(capsys, "--most", "1")
    assert said.startswith("ner/accents is shown because it lost most of 2 cases.\n\nAccents  MEASURED\n")
    assert said.endswith("\n1 other case: abalo show reports CASE, with ner/baseline as CASE\n")
    assert " CASE" not in shown(capsys, "accents", "--most", "1")


def test_the_case_is_optional(capsys):
    with pytest.raises(SystemExit):
        main(["show"])
    assert capsys.readouterr().err.endswith("required: REPORTS\n")


def test_every_wrong_sentence_can_be_shown_and_not_only_those_in_the_report(reports, capsys):
    said = shown(capsys, "accents", "--most", "100")
    assert all(f"«{name.replace('é', 'e')}»" in said for name in NAMES)
    assert " more: " not in said


def test_the_worst_are_those_of_the_report_in_its_order(reports):
    more = "[[ner.word_insertion]]\nrate = 0.5\n[[ner.entity_attack]]\nsample = 9\nleast_similarity = -1.0\n"
    Path("thresholds.toml").write_text(THRESHOLDS + more, encoding="utf-8")
    judged("by_word").write("reports")
    document, lines = document_in(reports), (reports / "examples.jsonl").read_text("utf-8").splitlines()
    records = [record for line in lines if "example" not in (record := json.loads(line))]
    checked = set()
    for result in document["results"]:
        if result["examples"]:
            own = [typed.read(WrongUnit, each) for each in records if each["case"] == result["id"]]
            worst = {}
            for each in tasks()["ner"].report.as_examples(own, typed.read(Result, result)):
                if each["broken"] > 0:
                    worst.setdefault(each["sentence_id"], each)
            assert [*worst.values()][:10] == result["examples"]
            checked.add(result["probe"])
    assert checked == {"baseline", "perturbation", "attack"}


def test_of_a_slice_only_the_sentences_in_it_are_shown(reports, capsys):
    more = '[[ner.slice]]\nof = "length"\nend = "longest"\nshare = 0.01\n'
    Path("thresholds.toml").write_text(THRESHOLDS + more, encoding="utf-8")
    judged("all_outside").write("reports")
    said = shown(capsys, "slice", "--most", "100")
    assert "[Belém – missed LOCAL]" in said
    assert said.count("(id ") + said.count(", id ") < len(NAMES)


def test_a_case_is_named_by_its_id_its_name_or_its_table(reports, capsys):
    assert shown(capsys, "ner/accents") == shown(capsys, "accents")
    assert shown(capsys, "baseline").startswith("Baseline ")


def test_a_type_leaves_those_that_are_wrong_about_it(reports, capsys):
    said = shown(capsys, "baseline", "--type", "LOCAL")
    assert said.count("\n    clean") == 1
    assert "[Belém – missed LOCAL]" in said
    said = shown(capsys, "accents", "--type", "LOCAL")
    assert "No sentence that is wrong about LOCAL has more errors after the change." in said


def test_a_sentence_is_shown_in_every_case_and_each_variant_once(reports, capsys):
    lines = (reports / "examples.jsonl").read_text("utf-8").splitlines()
    records = [record for line in lines if "example" not in (record := json.loads(line))]
    wanted = next(each["sentence_id"] for each in records if each["tokens"][0] == "José7")
    said = shown(capsys, "--sentence", wanted[:12])
    assert said.count(f"id {wanted}") == 1
    assert "«Jose7»" in said
    with_place = next(each["sentence_id"] for each in records if "Belém" in each["tokens"])
    assert shown(capsys, "--sentence", with_place).count(f"id {with_place}") == 2  # clean, and with its accents


def test_newly_broken_sentences_are_those_that_the_reference_had_right(reports, capsys):
    judged("without_seven").write("worse")
    assert main(["show", "worse", "--newly-broken", "--against", "reports"]) == 0
    said = capsys.readouterr().out
    assert said.count("José7") == said.count(" id ") == 1
    assert "[José7 – missed PESSOA] saiu" in said
    assert main(["show", "reports", "--newly-broken", "--against", "worse"]) == 0
    none = "No sentence is worse than in the reference.\n"
    assert capsys.readouterr().out == none
    assert main(["show", "reports", "accents", "--newly-broken", "--against", "worse"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Accents  FAIL\n")
    assert said.endswith(f"\n\n{none}")


@pytest.mark.parametrize("bounds", ["max_f1_drop = 0.0", ""])
def test_a_case_that_regressed_leads_with_the_loss_and_is_told_to_make_no_reference(bounds, reports, capsys):
    Path("thresholds.toml").write_text(
        f"[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.accents]]\n{bounds}\n", "utf-8"
    )
    judged("by_heart").write("good")
    judged("by_word").write("worse")
    assert main(["rejudge", "worse", "--against", "good", "--out", "reports"]) == 1
    capsys.readouterr()
    first, second, *rest = shown(capsys, "accents").splitlines()
    assert first == ("Accents  REGRESSED; BOUND FAILS" if bounds else "Accents  REGRESSED")
    assert second.startswith("  Against the reference good: F1 ")
    assert not any("--abalo-against" in line for line in (second, *rest))
    assert any("allowed ≤ 0.000" in line for line in rest) == bool(bounds)


def test_newly_broken_needs_a_reference(reports, refused):
    said = refused("show", "reports", "accents", "--newly-broken")
    assert said == "--newly-broken: the run was judged against no reference; name one with --against FOLDER"


def test_a_run_that_was_judged_against_a_reference_names_them_itself(reports, capsys):
    judged("without_seven").write("worse")
    assert main(["rejudge", "worse", "--against", "reports", "--out", "reports"]) in (0, 1)
    capsys.readouterr()
    said = shown(capsys, "--newly-broken")
    assert "[José7 – missed PESSOA] saiu" in said
    assert said.count(" id ") == 1


def test_of_more_newly_broken_sentences_than_the_report_names_their_number_is_told(reports, capsys):
    judged("by_heart").write("good")
    assert main(["rejudge", "reports", "--against", "good", "--out", "worse"]) == 1
    assert document_in(Path("worse"))["comparison"]["tasks"]["ner"]["worse"] == 61  # all: accents, or Ana
    capsys.readouterr()
    assert main(["show", "worse", "--newly-broken", "--most", "99"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[-1] == TextWith("10 of 61 sentences that got worse; ", "--against ")
    assert main(["show", "worse", "--newly-broken", "--most", "99", "--against", "good"]) == 0
    said = capsys.readouterr().out
    assert all(f"«{name.replace('é', 'e')}»" in said for name in NAMES)
    assert "that got worse" not in said


def test_a_run_that_was_judged_against_a_reference_is_not_judged_anew_without_one(reports, capsys):
    judged("without_seven").write("worse")
    assert main(["rejudge", "worse", "--against", "reports", "--out", "again"]) in (0, 1)
    capsys.readouterr()
    assert main(["rejudge", "again"]) == 2  # a verdict on losses is not dropped without a word
    assert "was judged against reports, and no reference is given" in capsys.readouterr().err


def test_other_variants_are_no_news(reports, refused):
    judged("by_word", seeds=(9,)).write("other")
    assert "ner/accents: not comparable: the runs have no seed in common" in refused(
        "show", "other", "accents", "--newly-broken", "--against", "reports"
    )


def test_a_run_without_text_has_no_sentences_and_that_is_said(reports, capsys):
    judged("by_word", with_text=False).write("reports")
    assert shown(capsys) == TextWith("No sentence", "examples.jsonl", "(--abalo-no-text)")


def test_a_text_that_is_right_after_the_change_is_not_shown(folder, capsys):
    Path("shouts.py").write_text(
        "def hears():\n    return lambda texts: ['down up'.split()[t.isupper()] for t in texts]\n"
    )
    rows = [f"text {'ab'[k % 2] * (k + 1)} here\t{('up', 'down')[k % 2]}" for k in range(60)]
    Path("corpus.tsv").write_text("\n".join(["text\tlabel", *rows, ""]))
    Path("upper.toml").write_text(
        "[gate]\nlanguage = 'en'\n[[classification.baseline]]\n[[classification.letter_case]]\n"
    )
    given = {"model": "shouts:hears", "corpus": "corpus.tsv", "thresholds": "upper.toml"}
    Session(task="classification", **given).run().write("reports")
    said = shown(capsys, "letter_case", "--most", "60")
    assert "[up ✗ down → up]" in said
    assert "✗ up" not in said
    assert said.count("  original ") == 30  # not once for each seed


def test_texts_that_were_wrong_before_the_change_are_left_out(folder, capsys):
    Path("odd.py").write_text(
        "def hears():\n    return lambda texts: ['down up'.split()[t.isupper() or len(t) % 3 == 0] for t in texts]\n"
    )
    rows = [f"text {'ab'[k % 2] * (k + 1)} here\tdown" for k in range(60)]
    Path("corpus.tsv").write_text("\n".join(["text\tlabel", *rows, ""]))
    Path("upper.toml").write_text(
        "[gate]\nlanguage = 'en'\nleast = 0.1\n[[classification.baseline]]\n[[classification.letter_case]]\n"
    )
    given = {"model": "odd:hears", "corpus": "corpus.tsv", "thresholds": "upper.toml"}
    Session(task="classification", **given).run().write("reports")
    said = shown(capsys, "letter_case", "--most", "400")
    assert said.count("  original ") == said.count("[down ✓]") == 40  # 20 of 60 lengths are divisible by 3


def test_questions_are_shown_as_they_were_put(folder, capsys):
    Path("strict.toml").write_text("[[choice.baseline]]\n[[choice.perturbation_stability]]\nk = 2\n")
    Session(task="choice", thresholds="strict.toml", limit=60).run().write("reports")
    said = shown(capsys, "perturbation_stability", "--type", "pert:punct", "--most", "1")
    assert "[other final sign] → " in said
    assert said.count("other final sign") == shown(
        capsys, "perturbation_stability", "--type", "other final sign", "--most", "1"
    ).count("other final sign")
    assert "(right: " in said
    lines = shown(capsys, "perturbation_stability", "--most", "400").splitlines()
    told = [line.rpartition(": ")[0] for line in lines if line.endswith("; wrong before the change, too")]
    assert told
    assert len(told) == len(set(told))
    assert not any(line.endswith("; this question is not changed") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("acents",), "acents: the run has no such case; did you mean 'accents'?; it has ner/baseline, ner/accents"),
        (("accents", "--type", "PESOA"), "--type PESOA: not in the cases shown; did you mean 'PESSOA'?; there are"),
        (("--sentence", "zz"), "--sentence zz: no sentence of these cases has it"),
        (("--sentence", ""), "--sentence : fits 61 sentences; give more of the id"),
    ],
)
def test_what_is_not_there_is_one_message(reports, refused, arguments, message):
    assert refused("show", "reports", *arguments).startswith(message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "examples.jsonl:1: is no record of a run: Expecting"),
        (b"[]", "examples.jsonl:1: is no record of a run: [] is no object"),
        (b'{"case": "ner/accents"}', "examples.jsonl:1: is no record of a run: sentence_id is missing"),
        (
            b'{"case": "ner/accents", "sentence_id": "a", "seed": 1}',
            "examples.jsonl:1: is no record of a run: tokens is missing",
        ),
        (b"\xff", "examples.jsonl: cannot be read: "),
    ],
)
def test_damaged_records_are_one_message(reports, refused, line, message):
    (reports / "examples.jsonl").write_bytes(line + b"\n")
    assert message in refused("show", "reports", "accents")


def test_escape_sequences_in_a_corpus_do_not_reach_the_terminal(reports, capsys):
    path = reports / "examples.jsonl"
    path.write_text(path.read_text("utf-8").replace('"saiu"', '"\\u001b[2J\\u202e\u2028x"'), encoding="utf-8")
    said = shown(capsys, "accents")
    assert "\\u001b[2J\\u202e x" in said
    assert "\x1b" not in said
    assert "\u202e" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
@pytest.mark.parametrize("wanted", [True, False])
def test_a_terminal_gets_colours_unless_it_asks_for_none(reports, wanted):
    environment = {**os.environ, "TERM": "xterm"} | ({} if wanted else {"NO_COLOR": "1"})
    command = [sys.executable, "-m", "abalo", "show", "reports", "accents", "--most", "1"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, env=environment) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # so a pty says that it was closed
                break
            if not part:
                break
            said += part
        assert process.wait() == 0
    os.close(ours)
    assert (b"\x1b[1;31m" in said) is wanted
    assert "✗ lost PESSOA".encode() in said
