"""Runs judged against an accepted one: what is told, and what stops a release."""

import json
from dataclasses import replace

import pytest

from abalo.cli import main
from abalo.core.statistics.evidence import ALIKE, from_bytes, sha256_of, to_packed
from tests.reports import accept, document_in, rewrite, write

pytestmark = pytest.mark.slow

UNDECIDED = 10


@pytest.fixture
def accepted(project):
    """The project after its model was accepted as references/1.0."""
    assert project.run().ret == 0
    assert main(["accept", str(project.path / "reports"), "--as", str(project.path / "references" / "1.0")]) == 0
    return project


@pytest.mark.slow
def test_the_same_model_again_is_identical(accepted):
    result = accepted.run("--abalo-against", "references/1.0")
    assert result.ret == 0
    found = accepted.document()["comparison"]
    assert (found["state"], found["reference"]["name"]) == ("identical", "1.0")
    result.stdout.fnmatch_lines(["ner against the reference 1.0 (*): * identical", "PASS: *"])


def test_a_worse_model_fails_though_its_bounds_hold(accepted):
    loose = accepted.path.joinpath("thresholds.toml").read_text("utf-8").replace("min_f1 = 0.9", "min_f1 = 0.1")
    accepted.write("thresholds.toml", loose)
    result = accepted.run("-k", "baseline", "--abalo-against", "references/1.0", model="models:blind_to_accents")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert accepted.result("ner/baseline")["verdict"] == "pass"
    assert accepted.document()["comparison"]["tasks"]["ner"]["baseline"]["state"] == "regressed"
    result.stdout.fnmatch_lines(["ner/baseline", "    F1 *loss 0.*allowed 0.010*REGRESSED"])


def test_losses_are_selected_and_not_counted_as_deselected(accepted):
    alone = accepted.run().parseoutcomes()
    against = accepted.run("--abalo-against", "references/1.0").parseoutcomes()
    assert against.get("deselected", 0) <= alone.get("deselected", 0)
    assert sum(against.values()) > sum(alone.values())


def test_the_thresholds_file_can_name_the_reference(accepted):
    named = accepted.path.joinpath("thresholds.toml").read_text("utf-8")
    accepted.write("thresholds.toml", named.replace("[gate]", '[gate]\nagainst = "references/1.0"'))
    assert accepted.run().ret == 0
    assert accepted.document()["comparison"]["state"] == "identical"


def test_comparing_afterwards_is_the_same_judgement(accepted, capsys):
    """Every state and number that the run with --abalo-against has, from the two folders alone."""
    reports, thresholds = (str(accepted.path / name) for name in ("reports", "thresholds.toml"))
    found = []
    for given in (("--abalo-against", "references/1.0"), ("--abalo-seeds", "1")):
        accepted.run(*given, model="models:blind_to_accents")
        judged = accepted.document()["comparison"]
        capsys.readouterr()
        sides = str(accepted.path / "references/1.0"), reports
        assert main(["compare", *sides, "--thresholds", thresholds, "--format", "json"]) == 1
        found += [judged, json.loads(capsys.readouterr().out)["comparison"]]
    with_reference, after_it, without, after_that = found
    assert without is None
    assert with_reference == after_it == after_that
    assert any(loss["type"] and loss["state"] == "regressed" for loss in after_it["tasks"]["ner"]["losses"])
    assert after_it["tasks"]["ner"]["newly_worse"][0]["text"]


@pytest.mark.slow
def test_a_loss_can_be_accepted_until_a_day(accepted):
    waiver = 'accepted_loss = 0.9\nuntil = {year}-01-01\nwhy = "no accents in this release"'
    for year, state in ((2100, "accepted"), (2020, "regressed")):
        text = f"[[ner.accents]]\n{waiver.format(year=year)}\n[gate]\nresamples = 500\n"
        accepted.write("thresholds.toml", text)
        accepted.run("--abalo-against", "references/1.0", model="models:blind_to_accents")
        losses = accepted.document()["comparison"]["tasks"]["ner"]["losses"]
        assert next(each["state"] for each in losses if each["id"] == "ner/accents" and not each["type"]) == state


def test_half_a_waiver_is_an_error_that_names_the_rest(accepted):
    accepted.write("thresholds.toml", '[[ner.accents]]\naccepted_loss = 0.5\nwhy = "so"\n')
    result = accepted.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*a waiver needs accepted_loss, until, why; until is missing"])


def test_a_reference_that_is_not_there_ends_the_run_before_any_work(project):
    result = project.run("--abalo-against", "references/none")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: the reference to judge against: *: there is no such folder; *"])


def test_sentences_that_got_worse_and_better_are_told_with_what_was_changed(project):
    project.write("thresholds.toml", "[gate]\nresamples = 500\n[[ner.accents]]\n")
    (project.path / "models.py").write_text(
        project.path.joinpath("models.py").read_text("utf-8")
        + """
def blind_to_ana():
    return lambda batch: [["O" if word == "Ana" else tag(word) for word in tokens] for tokens in batch]
def blind_to_rui_and_jose():
    return lambda batch: [["O" if word in ("Rui", "Jose") else tag(word) for word in tokens] for tokens in batch]
""",
        "utf-8",
    )
    project.run("-k", "accents or baseline", model="models:blind_to_ana")
    main(["accept", str(project.path / "reports"), "--as", str(project.path / "references" / "1.0")])
    (project.path / "reports").rename(project.path / "before")
    project.run("-k", "accents or baseline", "--abalo-against", "references/1.0", model="models:blind_to_rui_and_jose")
    packed = project.document()["comparison"]["tasks"]["ner"]
    number = len({each["sentence_id"] for each in packed["newly_better"]})
    page = (project.path / "reports" / "robustness.md").read_text("utf-8")
    assert f"\n{number} sentences got better; the reference keeps no texts" in page, "an id shows nothing"
    project.run("-k", "accents or baseline", "--abalo-against", "before", model="models:blind_to_rui_and_jose")
    found = project.document()["comparison"]["tasks"]["ner"]
    texts = {way: [each["text"] for each in found[f"newly_{way}"]] for way in ("worse", "better")}
    assert all(" Ana " in text and "(right: " in text and "[Ana PESSOA]" in text for text in texts["better"])
    assert packed["newly_worse"] == found["newly_worse"]
    assert packed["newly_better"] == [{**each, "text": None} for each in found["newly_better"]]
    assert any("changed: José → Jose" in text and " Jose em " in text for text in texts["worse"])
    page = (project.path / "reports" / "robustness.md").read_text("utf-8")
    assert page.index("sentences that got worse") < page.index("Sentences that got better")


def test_without_text_no_sentence_is_told(accepted):
    accepted.run("--abalo-no-text", "--abalo-against", "references/1.0", model="models:blind_to_accents")
    found = accepted.document()["comparison"]["tasks"]["ner"]
    assert found["newly_worse"]
    assert {each["text"] for each in found["newly_worse"] + found["newly_better"]} == {None}


@pytest.mark.slow
def test_an_interrupted_run_is_not_compared(accepted):
    accepted.write("test_own.py", "def test_stop():\n    raise KeyboardInterrupt\n")
    accepted.run("test_own.py", "--abalo-against", "references/1.0", interrupted=True)
    assert accepted.document()["comparison"] is None


@pytest.mark.slow
def test_a_reference_is_not_overwritten_by_a_run_or_by_judging_again(accepted):
    folder = accepted.path / "references" / "1.0"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for given in ((), ("--abalo-against", "references/1.0")):
        result = accepted.run("--abalo-reports", "references/1.0", *given)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert main(["rejudge", str(accepted.path / "reports"), "--out", str(folder)]) == 2
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "named"), [("0", "on the command line"), ("0", "in the file"), ("1", "in the file")]
)
def test_the_reports_that_a_run_is_judged_against_are_not_overwritten(project, workers, named):
    assert project.run().ret == 0
    before = (project.path / "reports" / "robustness.json").read_bytes()
    given = ("--abalo-against", "reports")
    if named == "in the file":
        text = project.path.joinpath("thresholds.toml").read_text("utf-8")
        project.write("thresholds.toml", text.replace("[gate]", '[gate]\nagainst = "reports"'))
        given = ()
    assert project.run("-n", workers, *given).ret == pytest.ExitCode.USAGE_ERROR
    assert (project.path / "reports" / "robustness.json").read_bytes() == before


def test_a_reference_with_other_counts_ends_in_one_message(accepted):
    path = accepted.path / "references" / "1.0" / "evidence.npz.xz"
    bare = {case: replace(each, tables={ALIKE: {}}) for case, each in from_bytes(path.read_bytes()).items()}
    path.write_bytes(to_packed(bare))
    document = document_in(path.parent) | {"evidence_sha256": sha256_of(from_bytes(path.read_bytes()))}
    write(document, path.parent / "robustness.json")
    accept(path.parent)
    result = accepted.run("--abalo-against", "references/1.0")
    assert result.ret != 0
    assert "Traceback" not in result.stdout.str() + result.stderr.str()


def test_a_task_that_the_reference_lacks_is_named(accepted):
    path = accepted.path / "references" / "1.0" / "robustness.json"
    rewrite(path, lambda document: document.update(tasks={"of_another_project": document["tasks"]["ner"]}))
    accept(path.parent)
    result = accepted.run("--abalo-against", "references/1.0")
    found = accepted.document()["comparison"]
    assert (found["missing"], found["state"], found["decided"]) == (["ner"], "not comparable", False)
    assert result.ret == UNDECIDED
    result.stdout.fnmatch_lines(["NOTHING COMPARED: *"])


def test_the_accepted_model_can_be_measured_again_by_what_its_report_says(accepted, capsys):
    options = accepted.document()["options"]
    assert (options["model"], options["corpus"], options["thresholds"]) == (
        "models:gazetteer",
        "corpus.conll",
        "thresholds.toml",
    )
    assert main(["accept", "--rerun", "references/1.0"]) == 0
    assert "same as before" in capsys.readouterr().out
    assert accepted.run("--abalo-against", "references/1.0").ret == 0
    assert accepted.document()["comparison"]["state"] == "identical"


def test_the_page_shows_newly_broken_sentences_with_their_edits(accepted):
    accepted.run("--abalo-against", "references/1.0", model="models:blind_to_accents")
    page = accepted.path.joinpath("reports", "report.html").read_text("utf-8")
    part = page.partition('id="worse"')[2].partition('id="abalo-filter"')[0]
    shown = part.partition("newly broken sentences</h3>")[2].partition("</section>")[0]
    assert '<p class="abalo-sentence"><b class="abalo-which">' in shown
    assert "abalo-lost" in shown
    assert '<mark class="abalo-edited"' in part


def test_a_comparison_runs_one_seed_and_says_so(accepted):
    accepted.run("--abalo-against", "references/1.0", model="models:blind_to_accents")
    found = accepted.document()
    assert (found["gate"]["seeds"], found["tasks"]["ner"]["seeds"]) == ([1, 2, 4], [1])
    assert {each["paired_by"] for each in found["comparison"]["tasks"]["ner"]["losses"]} == {"variant"}
    assert "under seed 1 alone" in accepted.path.joinpath("reports", "robustness.md").read_text("utf-8")
    assert accepted.run("--abalo-against", "references/1.0", "--abalo-seeds", "1,2,4").ret == 0
    assert accepted.document()["tasks"]["ner"]["seeds"] == [1, 2, 4]
