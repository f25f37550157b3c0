"""action.yml: nothing of a stranger reaches a shell, and every script does what its step says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.formats.comment import mark
from abalo.reporting.formats.files import write_json
from tests.ci.conftest import configured
from tests.ci.runner import ACTION, ROOT, content, keep_by_hand, kept_runs, pull_request, served, shell
from tests.reporting.documents import sample, with_least
from tests.reporting.test_comparing import document, losses
from tests.texts import TextWith

pytestmark = pytest.mark.slow

STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
SCRIPTS = sorted(ROOT.joinpath("ci").glob("*.sh"))
ZERO = "0" * 40
BLOBS = """
git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)' | while read -r type object; do
  [ $type != blob ] || { echo; git cat-file blob $object; }
done
"""


def test_no_expression_stands_in_a_script():
    ran = [step["run"] for step in STEPS.values() if "run" in step]
    assert len(ran) == 7
    assert not any("${{" in script for script in ran)
    assert all(re.fullmatch(r'bash "\$GITHUB_ACTION_PATH/ci/\w+\.sh"|exit "\$ABALO_EXIT"', script) for script in ran)


def test_every_script_is_a_step_and_reads_what_its_step_gives():
    steps = {found[1]: step for step in STEPS.values() if (found := re.search(r"ci/(\w+\.sh)", step.get("run", "")))}
    texts = {path.name: path.read_text("utf-8") for path in SCRIPTS}
    shared = texts.pop("git.sh")
    assert {*texts} == {*steps}
    for name, text in texts.items():
        whole = text + (shared if "/git.sh" in text else "")
        read = {*re.findall(r"\$\{?(ABALO_[A-Z_]+)", whole)}
        assert read == {each for each in steps[name]["env"] if each.startswith("ABALO")}, name


def test_every_input_is_used_and_no_other():
    text = ROOT.joinpath("action.yml").read_text("utf-8")
    assert {*re.findall(r"inputs\.([\w-]+)", text)} == {*ACTION["inputs"]}


def test_the_outputs_that_steps_ask_for_are_written():
    text = ROOT.joinpath("action.yml").read_text("utf-8")
    scripts = {step["id"]: re.search(r"ci/\w+\.sh", step["run"])[0] for step in STEPS.values() if "id" in step}
    for step, name in {*re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", text)}:
        written = ROOT.joinpath(scripts[step]).read_text("utf-8")
        assert re.search(rf"\b{name}=|output {name}\b", written), (step, name)


def test_scripts_are_bash_that_shellcheck_accepts():
    assert len(SCRIPTS) == 7
    shell(ROOT, "for script in ci/*.sh; do bash -n $script; done")
    program = shutil.which("shellcheck") or shutil.which("shellcheck", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run([program, "--external-sources", *SCRIPTS], cwd=ROOT, check=True)


def test_no_key_of_a_cache_has_what_may_have_a_comma():
    keys = [value for step in STEPS.values() for key, value in step.get("with", {}).items() if "key" in key]
    assert len(keys) == 4
    asked = {name for key in keys for name in re.findall(r"inputs\.([\w-]+)", key)}
    assert asked == {"name", "python-version"}


# The reference --------------------------------------------------------------------------------------------------------


def found(job):
    """The outputs of the step that finds the reference, after its exit code."""
    return job.script(STEPS["Find the reference"]), job._outputs["reference"]


def passing():
    """A run like the sample without what failed in it."""
    whole = sample()
    results = [result for result in whole["results"] if result["verdict"] != "fail"]
    counts = whole["counts"] | {"fail": 0}
    document = {**whole, "results": results, "counts": counts, "errors": [], "missing": [], "regressions": []}
    return {**document, "verdict": conclude(typed.read(Document, document)).verdict}


def accepting(jobs, sha, *, code="0", keep="50", document=None):
    """A job on a push of the commit whose run ended with this code, before it is kept.

    Without a document, the packing of the run is a mere copy.
    """
    job = jobs(sha=sha, event_name="push", inputs={"accept": "true", "keep": keep})
    job._outputs["report"] = {"exit-code": code}
    if document is None:
        job.checkout.joinpath("reports").mkdir(exist_ok=True)
        job.checkout.joinpath("reports", "robustness.json").write_text(sha, "utf-8")
        copying = job.temporary / "python"
        copying.write_text('#!/bin/sh\n[ "$*" = "-P -m abalo accept reports --as $7" ] && cp -r "$5" "$7"\n', "utf-8")
        copying.chmod(0o755)
        job.machine["PATH"] = f"{job.temporary}:{os.environ['PATH']}"
        return job
    from abalo.core.statistics.evidence import sha256_of, to_bytes
    from tests.compared import GOOD, run_of

    cases = dict.fromkeys((result["id"] for result in sample()["results"]), run_of(GOOD))
    write_json(
        typed.read(Document, with_least(document) | {"evidence_sha256": sha256_of(cases)}), job.checkout / "reports"
    )
    job.checkout.joinpath("reports", "evidence.npz").write_bytes(to_bytes(cases))
    return job


def accepted(job):
    """The exit code of the step that keeps the run."""
    return job.script(STEPS["Keep the run as the reference of its commit"])


def keep(jobs, sha, **more):
    """Keeps a run of the commit."""
    job = accepting(jobs, sha, **more)
    assert accepted(job) == 0, job.log
    return job


@pytest.mark.parametrize("base", ["", ZERO, "$(touch hacked)", "main"])
def test_before_the_first_run_is_kept_there_is_no_reference_and_the_reason_is_told(base, jobs):
    job = jobs(event=pull_request(base, ZERO))
    why = "no run is kept yet; the first push with accept: true keeps one"
    assert found(job) == (0, {"first": "true", "why": why})
    assert f"::warning title=Abalo::no reference: {why}" in job.log
    assert not job.checkout.joinpath("hacked").exists()


def test_the_run_of_the_base_commit_is_found_else_the_nearest_before_it_else_none(jobs, checkout, commits):
    first, second, third = commits
    keep(jobs, second, document=passing())
    shell(checkout, f"git checkout --quiet -B change {first}")
    code, exact = found(jobs(event=pull_request(second, first)))
    assert (code, exact["note"]) == (0, TextWith("base commit", f"{second[:12]}."))
    folder = checkout.parent / exact["folder"]
    assert folder.name == second[:12]
    assert json.loads(folder.joinpath("robustness.json").read_bytes())["schema"] == sample()["schema"]
    assert folder.joinpath("accepted.json").is_file()
    _, near = found(jobs(event=pull_request(third, first)))
    assert near["note"] == (
        f"The base commit {third[:12]} has no good run; the reference is the last good run, one commit before it."
    )
    _, none = found(jobs(event=pull_request(first, first)))
    assert none == {"why": f"no run was kept of the base commit {first[:12]} or of any of the 1 before it"}


def test_a_push_is_compared_with_the_commit_before_a_new_branch_with_its_commits(jobs, commits):
    first, second, _ = commits
    keep(jobs, first)
    assert "of the base commit" in found(jobs(event_name="push", event={"before": first}, sha=second))[1]["note"]
    new = found(jobs(event_name="push", event={"before": ZERO}, sha=second))[1]["note"]
    assert "one commit before it" in new


def test_a_folder_is_taken_as_it_is_and_one_without_a_run_ends_the_job(jobs):
    job = jobs(inputs={"reference": "references/1.0"})
    assert job.script(STEPS["Find the reference"]) == 2
    assert "::error title=Abalo::the folder that reference names holds no accepted run" in job.log
    write_json(typed.read(Document, sample()), job.checkout / "references" / "1.0")
    assert found(job) == (0, {"folder": "references/1.0"})
    none = {"first": "true", "why": "none was asked for"}
    assert found(jobs(inputs={"reference": "none"})) == (0, none)


def test_of_fifty_references_a_shallow_checkout_fetches_the_one_that_it_needs(jobs, checkout, commits, tmp_path):
    base, failed, head = commits
    others = [f"{number:040x}" for number in range(1, 50)]
    keep_by_hand(tmp_path / "origin", {each: f"the run of {each}" for each in [*others[:25], base, *others[25:]]})
    shutil.rmtree(checkout)
    count = "git -C checkout count-objects -v"
    held = shell(tmp_path, f"git clone --quiet --depth=1 'file://{tmp_path}/origin' checkout; {count}")
    for told, distance in ((base, "the run of the base commit"), (failed, "one commit before it")):
        code, outputs = found(jobs(event=pull_request(told, head)))
        assert code == 0
        assert distance in outputs["note"]
        assert Path(outputs["folder"], "robustness.json").read_text("utf-8") == f"the run of {base}"
    holds, _, blobs = shell(tmp_path, f"{count}; cd checkout; {BLOBS}").partition("\n\n")
    assert holds != held
    assert sorted(filter(None, blobs.splitlines())) == ["A model.", f"the run of {base}"]


def test_the_last_runs_are_kept_and_a_run_again_takes_the_place_of_its_own(jobs, checkout, commits, tmp_path):
    first, second, third = commits
    keep_by_hand(tmp_path / "origin", dict.fromkeys([first, second, first[::-1]], "{}"))
    keep(jobs, second, keep="3")
    assert kept_runs(checkout) == [first, first[::-1], second]
    keep(jobs, third, keep="2")
    assert {*kept_runs(checkout)} == {second, third}
    assert shell(checkout, "git status --porcelain --untracked-files=no") == ""
    cloned = shell(tmp_path, "git clone --quiet origin elsewhere; git -C elsewhere for-each-ref")
    assert "refs/heads/main" in cloned
    assert "abalo" not in cloned, "a clone has no references"


def test_gates_of_two_names_keep_their_own_references(jobs, checkout, commits):
    head = commits[-1]
    job = accepting(jobs, head)
    job.inputs["name"] = "sentiment of reviews"
    assert accepted(job) == 0, job.log
    assert kept_runs(checkout) == []
    other = jobs(event=pull_request(head, head), inputs={"name": "sentiment of reviews"})
    assert found(other)[1]["note"] == TextWith("base commit", f"{head[:12]}.")


@pytest.mark.parametrize(
    ("document", "code"),
    [(sample(), "0"), (sample() | {"complete": False}, "0"), (None, "1"), (None, "2"), (None, "4")],
    ids=["failed", "did not end", "job failed", "no report", "pytest failed"],
)
def test_a_push_that_failed_is_no_reference_and_the_last_good_one_stays_with_its_age(
    document, code, jobs, checkout, commits
):
    _, good, bad = commits
    keep_by_hand(checkout.parent / "origin", {good: "good"})
    job = keep(jobs, bad, document=document, code=code)
    assert job.log == TextWith("::warning title=Abalo::", "not kept", "reference stays")
    assert kept_runs(checkout) == [good]
    outputs = found(jobs(event=pull_request(bad, bad)))[1]
    assert Path(outputs["folder"]).name == good[:12]
    assert outputs["note"] == TextWith("last good run", "one commit before")


@pytest.mark.parametrize(
    ("reference", "enough"), [({"first": "true"}, True), ({"why": "too far"}, False), ({"folder": "x"}, False)]
)
def test_on_the_first_push_alone_it_is_enough_that_a_run_is_measured(reference, enough, jobs):
    first = STEPS["Write the summary"]["env"]["ABALO_FIRST"]
    for event_name, accept in (("push", "true"), ("push", "false"), ("pull_request", "true")):
        job = jobs(event_name=event_name, inputs={"accept": accept})
        job._outputs["reference"] = reference
        assert (job.filled(first) == "true") == (enough and (event_name, accept) == ("push", "true"))


def test_a_run_that_decided_nothing_is_kept(jobs, checkout, commits):
    head = commits[-1]
    keep(jobs, head, code="10")
    assert kept_runs(checkout) == [head]


# Where git fails ------------------------------------------------------------------------------------------------------


def told_by_git(job, words, remedy):
    """Whether the log has one annotation, an error with these words of git and this remedy."""
    (line,) = [line for line in job.log.splitlines() if line.startswith("::")]
    return (
        line.startswith("::error title=Abalo::git ") and words in line and remedy in line.partition("What to do: ")[2]
    )


@pytest.fixture
def either(jobs, commits, tmp_path):
    """The step of a pull request that finds the reference, and the step of a push that keeps one, by turns."""
    head = commits[-1]
    keep_by_hand(tmp_path / "origin", {head: "good"})
    return [
        (jobs(event=pull_request(head, head)), STEPS["Find the reference"]),
        (accepting(jobs, head), STEPS["Keep the run as the reference of its commit"]),
    ]


def test_a_checkout_of_another_owner_is_an_error_until_git_trusts_it(either, checkout):
    for job, step in either:
        job.machine["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "true"
        assert job.script(step) == 2
        assert told_by_git(job, "detected dubious ownership in repository", "git config --global --add safe.directory")
        assert "note" not in job._outputs.get("reference", {})
        job.log = ""
        trusted = f"[safe]\ndirectory = {checkout}\ndirectory = {checkout.parent / 'origin'}\n"
        job.temporary.joinpath("gitconfig").write_text(trusted, "utf-8")
        assert job.script(step) == 0, job.log


def test_missing_credentials_are_an_error(either, checkout):
    with served(lambda *_: (401, "")) as address:
        configured(checkout, str(checkout.parent / "origin"), f"{address}/ours/model")
        for job, step in either:
            assert job.script(step) == 2
            assert told_by_git(job, f"could not read Username for '{address}'", "persist-credentials")


def test_an_origin_that_cannot_be_reached_is_an_error(either, checkout):
    configured(checkout, str(checkout.parent / "origin"), "http://127.0.0.1:1/ours/model")
    for job, step in either:
        assert job.script(step) == 2
        assert told_by_git(job, "unable to access 'http://127.0.0.1:1/ours/model/'", "run the job again")


@pytest.mark.parametrize("there", [True, False], ids=["no checkout", "no git"])
def test_a_job_without_a_checkout_or_without_git_is_an_error(there, either, checkout, tmp_path):
    shutil.rmtree(checkout / ".git")
    if not there:
        bare = tmp_path / "bare"
        bare.mkdir()
        for name in ("bash", "dirname", "cut"):
            bare.joinpath(name).symlink_to(shutil.which(name))
    job, step = either[0]
    if not there:
        job.machine = {"PATH": str(bare)}
    assert job.script(step) == 2
    words, remedy = ("not a git repository", "run actions/checkout") if there else ("command not found", "install git")
    assert told_by_git(job, words, remedy)


def test_a_base_commit_that_cannot_be_fetched_is_an_error(either):
    job, step = either[0]
    job.event = pull_request("c0ffee" * 6 + "c0ff", ZERO)
    assert job.script(step) == 2
    assert told_by_git(job, "not our ref c0ffee", "run the job again")


def test_a_run_that_git_cannot_push_is_an_error_and_the_last_good_reference_stays(either, checkout, tmp_path):
    before = content(tmp_path / "origin" / "refs")
    assert before
    hook = tmp_path / "origin" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho you may not write here\nexit 1\n", "utf-8")
    hook.chmod(0o755)
    job, step = either[1]
    assert job.script(step) == 2
    assert told_by_git(job, "you may not write here", "correct what it names")
    assert content(tmp_path / "origin" / "refs") == before


# The report -----------------------------------------------------------------------------------------------------------


def reported(job, code="0", **outputs):
    """The exit code of the step that writes the report, after that of the gate; it is an output of the step."""
    job._outputs |= {"gate": {"exit-code": code}, "reference": outputs}
    assert job.script(STEPS["Write the summary"]) == 0, job.log
    return int(job._outputs["report"]["exit-code"])


def test_the_summary_is_the_comment_and_the_report_and_the_exit_code_is_the_verdict(jobs):
    job = jobs(event=pull_request(ZERO, "c0ffee" * 7))
    write_json(typed.read(Document, document(losses())), job.checkout / "reports")
    job.checkout.joinpath("reports", "robustness.md").write_text("# the report\n", "utf-8")
    assert reported(job, note="The reference is old.", folder="") == 1
    comment = job.checkout.joinpath("reports", "comment.md").read_text("utf-8")
    assert job.summary.startswith(comment)
    assert comment.startswith("# ✗ FAIL: 2 losses against the reference 1.0")
    assert "[The whole report](<https://github.example/ours/model/actions/runs/42>)" in comment
    marked = [line for line in job.log.splitlines() if line.startswith("::")]
    assert [line.split("::")[1] for line in marked] == [
        "error title=Abalo%3A ner/baseline",
        "error title=Abalo%3A ner/accents",
    ]
    assert "- Commit c0ffeec0ffee.\n- The reference is old.\n" in comment
    assert "<details><summary>robustness.md</summary>\n\n# the report\n" in job.summary


def test_without_a_reference_the_bounds_give_the_exit_code_unless_one_is_required(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    write_json(typed.read(Document, document(None)), job.checkout / "reports")
    assert reported(job, why="no run was kept") == 0
    assert job.summary.startswith("# NOT COMPARED: no reference (no run was kept); by bounds alone PASS: ")
    job.inputs = {"require-reference": "true"}
    assert reported(job, why="no run was kept") == 10
    assert "require-reference asks" in job.log


def test_a_gate_that_left_no_report_ends_with_2_and_says_so(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    assert reported(job, "0") == 2
    assert job.summary.startswith("# NO VERDICT")


def test_a_gate_that_failed_for_another_reason_than_its_report_fails(jobs):
    job = jobs(event=pull_request(ZERO, ZERO))
    write_json(typed.read(Document, document(None)), job.checkout / "reports")
    assert reported(job, "4") == 4


def test_a_gate_that_ends_before_its_first_case_leaves_no_report_of_an_earlier_gate(jobs):
    job = jobs(inputs={"options": "--abalo-seeds=x"})
    write_json(typed.read(Document, document(None)), job.checkout / "reports")
    job.checkout.joinpath("reports", "robustness.md").write_text("# an earlier gate\n", "utf-8")
    assert job.script(STEPS["Run the gate"]) == 0, job.log
    assert job._outputs["gate"]["exit-code"] == "4"
    assert reported(job, "4") == 2
    assert job.summary.startswith("# NO VERDICT")
    assert "earlier gate" not in job.summary


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
    assert job.summary == TextWith("> No comment", "a fork")


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


def installed(job, tmp_path, fails="*show*"):
    """The exit code of the step, and the calls of python that it made, of which those of a pattern fail."""
    python, calls = tmp_path / "bin" / "python", tmp_path / "calls"
    job.service.environment()
    python.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{calls}\ncase "$*" in {fails}) exit 1 ;; esac\n', "utf-8")
    python.chmod(0o755)
    code = job.script(STEPS["Install Abalo"])
    made = calls.read_text("utf-8").splitlines() if calls.exists() else []
    return code, [call.replace(str(python), "PYTHON") for call in made]


ASKED = "-m pip show --quiet torch"
FOR_THE_MACHINE = [
    ASKED,
    "-m pip install uv",
    "-m uv pip install --python PYTHON --torch-backend=auto torch",
]


def test_torch_is_installed_first_then_requirements_then_abalo_with_its_extras(jobs, tmp_path):
    jobs().checkout.joinpath("my requirements.txt").write_text("torchmetrics\ntransformers[torch]\n", "utf-8")
    job = jobs(inputs={"requirements": "my requirements.txt", "extras": "spacy,hub"})
    last = ["-m pip install --requirement my requirements.txt", f"-m pip install {ROOT}[spacy,hub]"]
    assert installed(job, tmp_path) == (0, [*FOR_THE_MACHINE, *last])


def test_torch_that_is_there_or_that_a_requirement_names_is_left_alone(jobs, tmp_path):
    assert installed(jobs(), tmp_path, fails="-") == (0, [ASKED, f"-m pip install {ROOT}"])
    tmp_path.joinpath("calls").unlink()
    jobs().checkout.joinpath("own.txt").write_text("numpy\ntorch==2.6.0\n", "utf-8")
    expected = [ASKED, "-m pip install --requirement own.txt", f"-m pip install {ROOT}"]
    assert installed(jobs(inputs={"requirements": "own.txt"}), tmp_path) == (0, expected)


def test_where_no_such_torch_can_be_had_it_is_told_and_pip_installs_its_own(jobs, tmp_path):
    job = jobs()
    code, calls = installed(job, tmp_path, fails="*show*|*--torch-backend=*")
    assert (code, calls[-1]) == (0, f"-m pip install {ROOT}")
    assert "::warning title=Abalo::uv found no torch" in job.log


def test_an_extra_that_is_none_is_refused(jobs, tmp_path):
    assert installed(jobs(inputs={"extras": "spacy]; id #"}), tmp_path) == (2, [])
