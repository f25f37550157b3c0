"""action.yml: nothing of a stranger reaches a shell, and every script does what its step says."""

import json
import re
import shutil
import subprocess

import pytest

from abalo.reporting.comment import mark
from abalo.reporting.conclusion import concluded
from abalo.reporting.files import write_json
from tests.ci.runner import ACTION, ROOT, git, pull_request
from tests.reporting.documents import sample, with_least
from tests.reporting.test_comparing import document, losses

STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
SCRIPTS = sorted(ROOT.joinpath("ci").glob("*.sh"))
ZERO = "0" * 40


def test_no_expression_stands_in_a_script():
    ran = [step["run"] for step in STEPS.values() if "run" in step]
    assert len(ran) == 7
    assert not any("${{" in script for script in ran)
    assert all(re.fullmatch(r'bash "\$GITHUB_ACTION_PATH/ci/\w+\.sh"|exit "\$ABALO_EXIT"', script) for script in ran)


def test_every_script_is_a_step_and_reads_what_its_step_gives():
    steps = {found[1]: step for step in STEPS.values() if (found := re.search(r"ci/(\w+\.sh)", step.get("run", "")))}
    assert {path.name for path in SCRIPTS} == {*steps}
    for path in SCRIPTS:
        read = {*re.findall(r"\$\{?(ABALO_[A-Z_]+)", path.read_text("utf-8"))}
        assert read == {name for name in steps[path.name]["env"] if name.startswith("ABALO")}, path.name


def test_every_input_is_used_and_no_other():
    text = ROOT.joinpath("action.yml").read_text("utf-8")
    assert {*re.findall(r"inputs\.([\w-]+)", text)} == {*ACTION["inputs"]}


def test_the_outputs_that_steps_ask_for_are_written():
    text = ROOT.joinpath("action.yml").read_text("utf-8")
    scripts = {step["id"]: re.search(r"ci/\w+\.sh", step["run"])[0] for step in STEPS.values() if "id" in step}
    for step, name in {*re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", text)}:
        written = ROOT.joinpath(scripts[step]).read_text("utf-8")
        assert re.search(rf"\b{name}=|output {name}\b", written), (step, name)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_bash_that_shellcheck_accepts(path):
    subprocess.run(["bash", "-n", str(path)], check=True)
    program = shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run([program, str(path)], check=True)


# The reference --------------------------------------------------------------------------------------------------------


def found(job):
    """The outputs of the step that finds the reference, after its exit code."""
    return job.script(STEPS["Find the reference"]), job._outputs["reference"]


def passing():
    """A run like the sample without what failed in it."""
    whole = with_least(sample())
    results = [result for result in whole["results"] if result["verdict"] != "fail"]
    document = {**whole, "results": results, "errors": [], "missing": [], "regressions": []}
    return {**document, "verdict": concluded(document).verdict}


def keep(jobs, sha, *, keep="50", document=None):
    """Keeps a run of the commit on the branch of references."""
    job = jobs(sha=sha, event_name="push", inputs={"accept": "true", "keep": keep})
    write_json(passing() if document is None else with_least(document), job.checkout / "reports")
    from abalo.core.evidence import to_bytes
    from tests.compared import GOOD, run_of

    cases = dict.fromkeys((result["id"] for result in sample()["results"]), run_of(GOOD))
    job.checkout.joinpath("reports", "evidence.npz").write_bytes(to_bytes(cases))
    assert job.script(STEPS["Keep the run as the reference of its commit"]) == 0, job.log
    return job


def commits(checkout, number):
    """So many further commits on main, oldest first."""
    made = []
    for k in range(number):
        git(checkout, "commit", "--quiet", "--allow-empty", f"--message={k}")
        made.append(git(checkout, "rev-parse", "HEAD"))
    git(checkout, "push", "--quiet", "origin", "HEAD:main")
    return made


def test_without_a_branch_of_references_there_is_none_and_the_reason_is_told(jobs):
    head = git(jobs().checkout, "rev-parse", "HEAD")
    job = jobs(event=pull_request(head, head))
    why = "there is no branch abalo-references yet; a push with accept: true makes it"
    assert found(job) == (0, {"why": why})
    assert f"::warning title=Abalo::no reference: {why}" in job.log


@pytest.mark.parametrize("base", ["", ZERO, "$(touch hacked)", "main"])
def test_an_event_without_a_base_commit_has_none(base, jobs):
    job = jobs(event=pull_request(base, ZERO))
    assert found(job) == (0, {"why": "the event has no base commit"})
    assert not job.checkout.joinpath("hacked").exists()


def test_the_run_of_the_base_commit_is_found_else_the_nearest_before_it_else_none(jobs, checkout):
    first, second, third = commits(checkout, 3)
    keep(jobs, second)
    git(checkout, "checkout", "--quiet", "-B", "change", first)
    code, exact = found(jobs(event=pull_request(second, first)))
    assert (code, exact["note"]) == (0, f"The reference is the run of the base commit {second[:12]}.")
    folder = checkout.parent / exact["folder"]
    assert folder.name == second[:12]
    assert json.loads(folder.joinpath("robustness.json").read_bytes())["schema"] == sample()["schema"]
    assert folder.joinpath("accepted.json").is_file()
    _, near = found(jobs(event=pull_request(third, first)))
    assert near["note"] == f"No run was kept of the base commit {third[:12]}; the reference is one commit before it."
    _, none = found(jobs(event=pull_request(first, first)))
    assert none == {"why": f"no run was kept of the base commit {first[:12]} or of any of the 1 before it"}


def test_a_push_is_compared_with_the_commit_before_it(jobs, checkout):
    first, second = commits(checkout, 2)
    keep(jobs, first)
    assert "of the base commit" in found(jobs(event_name="push", event={"before": first}, sha=second))[1]["note"]


def test_a_folder_is_taken_as_it_is_and_one_without_a_run_ends_the_job(jobs):
    job = jobs(inputs={"reference": "references/1.0"})
    assert job.script(STEPS["Find the reference"]) == 2
    assert "::error title=Abalo::the folder that reference names holds no accepted run" in job.log
    write_json(sample(), job.checkout / "references" / "1.0")
    assert found(job) == (0, {"folder": "references/1.0"})
    assert found(jobs(inputs={"reference": "none"})) == (0, {"why": "none was asked for"})


def test_the_branch_keeps_the_last_runs_in_one_commit_and_a_run_again_takes_the_place_of_its_own(jobs, checkout):
    first, second, third = commits(checkout, 3)
    for sha in (first, second, first, third):
        keep(jobs, sha, keep="2")
    git(checkout, "fetch", "--quiet", "origin", "abalo-references")
    assert git(checkout, "rev-list", "--count", "FETCH_HEAD") == "1"
    assert git(checkout, "show", "FETCH_HEAD:commits").splitlines() == [first, third]
    assert {*git(checkout, "ls-tree", "--name-only", "FETCH_HEAD").splitlines()} == {first, third, "commits"}
    assert git(checkout, "status", "--porcelain", "--untracked-files=no") == ""


@pytest.mark.parametrize("document", [sample(), sample() | {"complete": False}], ids=["failed", "did not end"])
def test_a_run_that_is_no_reference_is_not_kept(document, jobs, checkout):
    job = keep(jobs, git(checkout, "rev-parse", "HEAD"), document=document)
    assert "::warning title=Abalo::the run is not kept as a reference" in job.log
    assert git(checkout, "ls-remote", "origin", "abalo-references") == ""


# The report -----------------------------------------------------------------------------------------------------------


def reported(job, code="0", **outputs):
    """The exit code of the step that writes the report, after that of the gate; it is an output of the step."""
    job._outputs |= {"gate": {"exit-code": code}, "reference": outputs}
    assert job.script(STEPS["Write the summary"]) == 0, job.log
    return int(job._outputs["report"]["exit-code"])


def test_the_summary_is_the_comment_and_the_report_and_the_exit_code_is_the_verdict(jobs):
    job = jobs(event=pull_request(ZERO, "c0ffee" * 7))
    write_json(document(losses()), job.checkout / "reports")
    job.checkout.joinpath("reports", "robustness.md").write_text("# the report\n", "utf-8")
    assert reported(job, note="The reference is old.", folder="") == 1
    comment = job.checkout.joinpath("reports", "comment.md").read_text("utf-8")
    assert job.summary.startswith(comment)
    assert comment.startswith("# ✗ FAIL: 5 losses against 1.0")
    assert "[The whole report](<https://github.example/ours/model/actions/runs/42>)" in comment
    marked = [line for line in job.log.splitlines() if line.startswith("::")]
    assert [line.split("::")[1] for line in marked] == [
        "error title=Abalo%3A ner/baseline",
        "error title=Abalo%3A ner%3A mean over the perturbed cases",
        "error title=Abalo%3A ner/accents",
    ]
    assert "- Commit c0ffeec0ffee.\n- The reference is old.\n" in comment
    assert "<details><summary>robustness.md</summary>\n\n# the report\n" in job.summary


def test_without_a_reference_it_is_said_and_the_exit_code_is_that_of_the_bounds_unless_one_is_required(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    write_json(document(None), job.checkout / "reports")
    assert reported(job, why="no run was kept") == 0
    assert job.summary.startswith("# – NOT COMPARED: no reference (no run was kept); by bounds alone PASS: ")
    job.inputs = {"require-reference": "true"}
    assert reported(job, why="no run was kept") == 10
    assert "require-reference asks for one" in job.log


def test_a_gate_that_left_no_report_ends_with_2_and_says_so(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    assert reported(job, "0") == 2
    assert job.summary.startswith("# – NO VERDICT")


def test_a_gate_that_failed_for_another_reason_than_its_report_fails(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    write_json(document(None), job.checkout / "reports")
    assert reported(job, "4") == 4


def test_a_shard_is_not_judged(jobs):
    job = jobs(inputs={"shard": "2/5"})
    assert reported(job, "0") == 0
    assert job.summary == ""


# The comment ----------------------------------------------------------------------------------------------------------


def posted(job, text="# PASS"):
    """Posts a comment with this text; the calls that were made."""
    reports = job.checkout / "reports"
    reports.mkdir(exist_ok=True)
    reports.joinpath("comment.md").write_text(f"{text}\n\n{mark('abalo')}\n", "utf-8")
    assert job.script(STEPS["Comment on the pull request"]) == 0, job.log
    return job.service.read()


def comment_of(number, body, *, ours=True):
    return {"databaseId": number, "body": body, "viewerDidAuthor": ours}


def test_the_first_comment_is_new_and_later_ones_take_its_place(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    posted(job, "# FAIL")
    posted(job, "# PASS: @x $(id) `id`")
    (only,) = job.service.comments
    assert only["body"] == f"# PASS: @x $(id) `id`\n\n{mark('abalo')}\n"


def test_no_comment_of_another_writer_or_of_another_gate_is_touched(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    others = [
        comment_of(1, f"a stranger\n{mark('abalo')}", ours=False),
        comment_of(2, f"another gate\n{mark('nightly')}"),
        comment_of(3, "ours, about something else"),
        comment_of(4, f"# FAIL\n\n{mark('abalo')}"),
    ]
    job.service.comments = [dict(each) for each in others]
    posted(job)
    assert job.service.comments[:3] == others[:3]
    assert job.service.comments[3]["body"].startswith("# PASS")
    assert len(job.service.comments) == 4


def test_a_pull_request_of_a_fork_gets_no_comment_and_the_summary_says_why(jobs):
    job = jobs(event=pull_request(ZERO, ZERO, repository="stranger/model"))
    assert posted(job) == []
    assert "> No comment on the pull request: it comes from a fork, whose token may only read;" in job.summary


@pytest.mark.parametrize(
    ("refuses", "why"), [("writes", "pull-requests: write"), ("all", "its comments cannot be read")]
)
def test_a_token_that_may_not_write_fails_nothing(refuses, why, jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    job.service.refuses = refuses
    posted(job)
    assert job.service.comments == []
    assert why in job.summary


# Installing -----------------------------------------------------------------------------------------------------------


def installed(job, tmp_path):
    """The exit code of the step, and the arguments of the calls of python that it made."""
    python, calls = tmp_path / "bin" / "python", tmp_path / "calls"
    job.service.environment()
    python.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {calls}\n', "utf-8")
    python.chmod(0o755)
    code = job.script(STEPS["Install Abalo"])
    return code, calls.read_text("utf-8").splitlines() if calls.exists() else []


def test_requirements_are_installed_first_then_abalo_with_its_extras(jobs, tmp_path):
    job = jobs(inputs={"requirements": "my requirements.txt", "extras": "spacy,hub"})
    expected = ["-m pip install --requirement my requirements.txt", f"-m pip install {ROOT}[spacy,hub]"]
    assert installed(job, tmp_path) == (0, expected)


def test_an_extra_that_is_none_is_refused(jobs, tmp_path):
    assert installed(jobs(inputs={"extras": "spacy]; id #"}), tmp_path) == (2, [])
