"""Whole jobs on the tagger of tests/ci/story: a push is kept, a pull request that loses a type is told, and its fix."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.ci.runner import head, kept_runs, pull_request, shell
from tests.texts import TextWith

pytestmark = pytest.mark.slow

STORY = Path(__file__).parent / "story"
FILES = {
    name: STORY.joinpath(source).read_text("utf-8")
    for name, source in (("tagger.py", "tagger.txt"), ("thresholds.toml", "thresholds.toml"))
}
BREAKS, MENDS = (STORY.joinpath(name).read_text("utf-8") for name in ("breaks.diff", "mends.diff"))
GATE = {"model": "tagger:by_rules", "corpus": "bundled:news-en", "options": "-q\n--abalo-limit=120"}


COMMITTED = "git add .; git commit --quiet --message='A release'; git push --quiet --force origin HEAD"


@pytest.fixture
def released(checkout):
    """The commit of release 1 on main; reports are no part of the repository."""
    for name, text in FILES.items():
        checkout.joinpath(name).write_text(text, "utf-8")
    checkout.joinpath(".gitignore").write_text("reports\nshards\n__pycache__\n", "utf-8")
    shell(checkout, COMMITTED)
    return head(checkout)


def change(checkout, branch, patch):
    """A commit on a branch."""
    shell(checkout, f"git checkout --quiet -B {branch}; git apply -; {COMMITTED}", patch)
    return head(checkout)


def test_a_loss_fails_the_pull_request_with_a_comment_which_the_fix_replaces(jobs, checkout, released, service):
    accepting = jobs(event_name="push", event={"before": "0" * 40}, inputs=GATE | {"accept": "true"})
    assert accepting.run() == 0, accepting.log
    assert accepting.summary.startswith("# NOT COMPARED: no reference (no run is kept yet; ")
    assert service.comments == []

    broken = jobs(event=pull_request(released, change(checkout, "more", BREAKS)), inputs=GATE)
    assert broken.run() == 1, broken.log
    (comment,) = service.comments
    assert re.match(rf"# ✗ FAIL: \d+ losses against the reference {released[:12]}", comment["body"])
    assert f"base commit {released[:12]}." in comment["body"]
    assert f"**Reference**: {released[:12]}, accepted" in comment["body"]
    assert "(today)" in comment["body"]
    assert re.search(r"\| ✗ \*\*regressed\*\* \| Baseline.*ORG", comment["body"])
    assert broken.summary.startswith(comment["body"])
    assert broken.used["actions/upload-artifact"] == {
        "name": "abalo-reports",
        "path": "./reports",
        "if-no-files-found": "warn",
        "overwrite": "True",
    }
    tests = ET.parse(checkout / "reports" / "junit.xml").getroot().iter("testcase")
    assert sum(test.find("failure") is not None for test in tests) == int(re.search(r"\d+", comment["body"])[0])

    merged = head(checkout)
    failed = jobs(event_name="push", event={"before": released}, inputs=GATE | {"accept": "true"})
    assert failed.run() == 1, failed.log
    assert kept_runs(checkout) == [released]

    mended = jobs(event=pull_request(merged, change(checkout, "more", MENDS)), inputs=GATE)
    assert mended.run() == 0, mended.log
    (comment,) = service.comments
    assert comment["body"] == TextWith(f"base commit {merged[:12]} ", "no good run; ", "one commit before")
    assert f"**Reference**: {released[:12]}, accepted" in comment["body"]
    assert re.match("# (✓ PASS|. OK): ", comment["body"])
    assert re.search(r"\| ✓ improved \| Baseline", comment["body"])


def test_shards_are_merged_and_judged_once(jobs, checkout, released, service):
    shards = checkout / "shards"
    event = pull_request(released, change(checkout, "more", BREAKS))
    for number in (1, 2):
        shard = jobs(event=event, inputs=GATE | {"shard": f"{number}/2", "reference": "none"})
        assert shard.run() == 0, shard.log
        name = shard.used["actions/upload-artifact"]["name"]
        assert name == f"abalo-shard-{number}-of-2"
        shutil.move(checkout / "reports", shards / name)
    assert service.comments == []
    merging = jobs(event=event, inputs={"merge": "shards", "reference": "none"})
    assert merging.run() in (0, 10), merging.log
    document = json.loads(checkout.joinpath("reports", "robustness.json").read_bytes())
    assert document["complete"]
    assert len({result["id"] for result in document["results"]}) == 4
    suite = ET.parse(checkout / "reports" / "junit.xml").getroot().find("testsuite")
    assert suite.get("tests") == "4"
    assert service.comments[0]["body"].startswith("# NOT COMPARED: no reference (none was asked for)")

    shutil.rmtree(shards / "abalo-shard-2-of-2")
    shutil.rmtree(checkout / "reports")
    short = jobs(event=event, inputs={"merge": "shards", "reference": "none"})
    assert short.run() == 2, short.log
    assert service.comments[0]["body"].startswith("# ! INCOMPLETE: ")


def test_inputs_with_signs_of_the_shell_are_values(jobs, checkout, released):
    nasty = "x $(touch hacked) `touch hacked`; touch hacked #"
    job = jobs(event=pull_request("0" * 40, released), inputs={"model": nasty, "options": f"-k\n{nasty}\n-q"})
    assert job.run() == 2
    assert not checkout.joinpath("hacked").exists()
    assert job.summary.startswith(("# NO VERDICT", "# ! INCOMPLETE"))
