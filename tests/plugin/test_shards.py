"""One run in several shards: merged it is the run that one process makes, whatever happens to a shard on the way."""

import json
import shutil
from pathlib import Path

import pytest

from abalo.cli import main
from tests.reports import document_in, rewrite, timeless
from tests.texts import TextWith

pytestmark = pytest.mark.slow

CASES = """
[gate]
language = "pt"
resamples = 300

[[ner.baseline]]
min_f1 = 0.9

[[ner.accents]]
max_f1_drop = 0.06

[[ner.character_noise]]
rate = 0.1
max_f1_drop = 0.9

[[ner.char_typo]]
span_source = "oracle"
max_f1_drop = 0.9

[[ner.char_typo]]
span_source = "predicted"
max_f1_drop = 0.9

[[ner.slice]]
of = "length"
max_f1_gap = 0.5

[[ner.entity_attack]]
sample = 5
candidates = 3
least_similarity = 0.0
max_success_rate = 0.99

[[ner.typo_outside]]
draws = 60
max_violations_per_thousand = 0

[[ner.contraction]]

[[ner.word_insertion]]
rate = 0.1
deep = true
max_f1_drop = 0.5
"""
"""A case of each kind; one that is for English alone, so that it says nothing here; a deep one."""

OTHER_TASKS = """
[gate]
resamples = 300

[[choice.baseline]]
min_accuracy = 0.01

[[choice.paraphrase_consistency]]
max_fragility_score = 0.9

[[choice.perturbation_stability]]
k = 2

[[pos.baseline]]
min_accuracy = 0.5

[[pos.accents]]
max_accuracy_drop = 0.0

[[pos.keyboard]]

[[pos.slice]]
of = "length"

[[classification.baseline]]
min_accuracy = 0.5

[[classification.typos]]
max_accuracy_drop = 0.5

[[classification.word_attack]]
sample = 10
max_success_rate = 0.99

[[classification.input_reduction]]
sample = 20
max_success_rate = 0.99

[[classification.one_typo]]
draws = 40
max_violations_per_thousand = 0

[[pairs.baseline]]
min_accuracy = 0.5

[[pairs.swap_number]]
max_accuracy_drop_changed = 0.9

[[pairs.slice]]
of = "overlap"

[[aspects.baseline]]
min_accuracy = 0.5

[[aspects.rev_tgt]]
max_accuracy_drop = 0.0

[[aspects.pipeline]]
steps = ["rev_tgt", "typos"]
max_accuracy_drop = 0.5

[[relations.baseline]]
min_macro_f1 = 0.3

[[relations.swap_birth]]

[[relations.slice]]
of = "span_order"

[[reading.baseline]]
min_f1 = 0.01

[[reading.modify_pos]]
max_f1_drop = 0.5

[[reading.more_passages]]
count = 1

[[parsing.accents]]
max_las_drop = 0.5

[[parsing.add_subtree]]

[[parsing.slice]]
of = "projectivity"

[[reading.slice]]
of = "answer_length"
end = "longest"

[[segmentation.baseline]]
min_f1 = 0.5

[[segmentation.swap_syn]]
max_f1_drop = 0.5

[[segmentation.slice]]
of = "length"

[[coreference.baseline]]
min_conll_f1 = 0.3

[[coreference.rnd_delete]]
max_conll_f1_drop = 0.5
"""

OF_TASKS = (
    "choice",
    "pos",
    "classification",
    "pairs",
    "aspects",
    "reading",
    "parsing",
    "segmentation",
    "relations",
    "coreference",
)

BREAKABLE = """

def breakable():
    return lambda batch: [["O" if word == "Saulo" else tag(word) for word in tokens] for tokens in batch]
"""

FILES = ("evidence.npz", "examples.jsonl", "robustness.md", "robustness.tex")


def untimed(folder) -> dict:
    """The document without times."""
    return timeless(document_in(folder))


def assert_same(merged, whole) -> None:
    """Every number, every example, every line of the reports."""
    found, wanted = untimed(merged), untimed(whole)
    assert found == wanted
    assert list(found) == list(wanted)
    for name in FILES:
        assert (merged / name).read_bytes() == (whole / name).read_bytes(), name


@pytest.fixture
def run_shards(project):
    """Runs all shards of a run, and gives their folders; each ends with exit code 0."""

    def run(of, *arguments, numbers=None, **options):
        folders = []
        for number in numbers or range(1, of + 1):
            folders.append(project.path / f"shard-{number}-of-{of}")
            given = ("--abalo-shard", f"{number}/{of}", "--abalo-reports", folders[-1].name)
            assert project.run(*given, *arguments, **options).ret == 0
        return folders

    return run


def test_the_folder_of_another_shard_is_not_written_over(project, run_shards):
    (folder,) = run_shards(2, numbers=(1,))
    before = _files(folder)
    result = project.run("--abalo-shard", "2/2", "--abalo-reports", folder.name)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: *shard-1-of-2: holds the report of shard 1/2, which shard 2/2 would overwrite*"]
    )
    assert _files(folder) == before
    assert project.run("--abalo-shard", "1/2", "--abalo-reports", folder.name).ret == 0  # the same one may run again


def merge(*folders, out="merged", more=()) -> int:
    return main(["merge", *map(str, folders), "--out", str(out), *more])


def test_merged_shards_of_entities_are_the_whole_run(project, run_shards):
    project.write("thresholds.toml", CASES)
    options = ("--abalo-latex", "-m", "deep or not deep")
    whole = project.run(*options, model="models:blind_to_accents").ret
    assert whole == pytest.ExitCode.TESTS_FAILED
    for of in (1, 2, 7):
        folders = run_shards(of, *options, model="models:blind_to_accents")
        assert merge(*reversed(folders), more=["--latex"]) == whole
        assert_same(project.path / "merged", project.path / "reports")
        logs = [sorted(project.path.glob(f"{folder}/attacks/*.jsonl")) for folder in ("reports", "merged")]
        assert [path.name for path in logs[0]] == [path.name for path in logs[1]]
        assert [path.read_bytes() for path in logs[0]] == [path.read_bytes() for path in logs[1]]
        assert len(logs[0]) == 1


def test_merged_shards_of_all_other_tasks_are_the_whole_run(project, run_shards, monkeypatch):
    monkeypatch.setattr("abalo.attacks.campaign.BLOCK", 4)
    project.write("thresholds.toml", OTHER_TASKS)

    def run(*given):
        common = ("--pyargs", *(f"tests_behavioral.{name}" for name in OF_TASKS), "--abalo-limit", "60")
        return project.pytester.runpytest_inprocess("-p", "no:cacheprovider", "--abalo-latex", *common, *given).ret

    whole = run()
    folders = [f"shard-{number}" for number in (1, 2, 3)]
    for number, folder in enumerate(folders, start=1):
        assert run("--abalo-shard", f"{number}/3", "--abalo-reports", folder) == 0
    assert merge(*folders, more=["--latex"]) == whole
    assert_same(project.path / "merged", project.path / "reports")


def test_workers_run_a_shard_as_one_process_does(project, run_shards):
    project.run("--abalo-latex")
    folders = [*run_shards(2, "-n", "1", numbers=(1,)), *run_shards(2, numbers=(2,))]
    assert merge(*folders, more=["--latex"]) == 0
    assert_same(project.path / "merged", project.path / "reports")


def test_more_shards_than_cases_leave_some_without_any_and_workers_bear_it_too(project, run_shards):
    project.run("--abalo-latex")
    folders = run_shards(4, numbers=(1, 2, 3)) + run_shards(4, "-n", "1", numbers=(4,))
    assert untimed(folders[3])["results"] == []
    assert merge(*folders, more=["--latex"]) == 0
    assert_same(project.path / "merged", project.path / "reports")


SEARCHES = """
[gate]
language = "pt"
resamples = 300

[[ner.accents]]

[[ner.entity_attack]]
candidates = 4
least_similarity = 0.0
seeds = [1, 2]
training = "corpus.conll"
max_success_rate = 0.99

[[ner.context_attack]]
synonyms = "lexicon:synonyms.tsv"
least_similarity = 0.0
stop_words = "stop_words_en"
training = "corpus.conll"
max_success_rate = 0.99
"""

MOODY = """

def moody():
    def tags(tokens):
        unknown = {"Saulo"} | ({"Belém"} if "4" in tokens else set()) | ({"Rui"} if "viu" in tokens else set())
        return ["O" if word in unknown else tag(word) for word in tokens]

    return lambda batch: [tags(tokens) for tokens in batch]
"""


@pytest.fixture
def moody(project):
    """A model that knows neither Saulo, nor Belém at four, nor Rui where he was seen; each attack has four blocks."""
    project.write("synonyms.tsv", "ouviu\tVERB\tescutou|viu\nhoras\tNOUN\tminutos\n")
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + MOODY)
    project.write("thresholds.toml", SEARCHES)
    return "models:moody"


def _logs(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "attacks").glob("*.jsonl")}


def _targets(folder) -> dict[str, int]:
    """The targets of each attack that was run here."""
    results = document_in(folder)["results"]
    return {result["id"]: result["attack"]["targets"] for result in results if "attack" in result}


def test_the_targets_of_an_attack_are_dealt_and_merged_they_are_the_whole_run(project, run_shards, moody):
    whole = project.run("--abalo-latex", model=moody).ret
    found = document_in(project.path / "reports")
    broken = {each["id"]: each["metrics"]["success_rate"]["value"] for each in found["results"] if "attack" in each}
    assert len(broken) == 2
    assert all(0 < rate < 0.5 for rate in broken.values())
    for of in (2, 7):
        folders = run_shards(of, "--abalo-latex", model=moody)
        shares = list(map(_targets, folders))
        for name, targets in _targets(project.path / "reports").items():
            assert sum(share.get(name, 0) for share in shares) == targets > 180
            assert sum(share.get(name, 0) > 0 for share in shares) >= min(of, 3)
        assert merge(*reversed(folders), more=["--latex"]) == whole
        assert_same(project.path / "merged", project.path / "reports")
        assert _logs(project.path / "merged") == _logs(project.path / "reports")


def test_workers_run_a_share_of_an_attack_and_without_text_it_is_merged_too(project, run_shards, moody):
    whole = project.run("--abalo-no-text", model=moody).ret
    folders = run_shards(2, "--abalo-no-text", model=moody, numbers=(1,))
    folders += run_shards(2, "--abalo-no-text", "-n", "1", model=moody, numbers=(2,))
    assert merge(*folders) == whole
    assert untimed(project.path / "merged") == untimed(project.path / "reports")
    assert (project.path / "merged" / "evidence.npz").read_bytes() == (
        project.path / "reports" / "evidence.npz"
    ).read_bytes()


def test_an_attack_of_which_a_share_is_missing_has_no_result(project, run_shards, moody, capsys):
    folders = run_shards(3, model=moody, numbers=(1, 3))
    assert merge(*folders) == 2
    assert "shard 2/3 is missing" in capsys.readouterr().out
    merged = untimed(project.path / "merged")
    assert any("attack" in name for name in merged["missing"])
    assert not {*merged["missing"]} & {result["id"] for result in merged["results"]}
    assert _logs(project.path / "merged").keys() == {
        result["attack"]["log"] for result in merged["results"] if "attack" in result
    }
    paths = [folder / "robustness.json" for folder in folders]
    first, last = (json.loads(path.read_text("utf-8")) for path in paths)
    parts = [{result["id"]: result.get("part") for result in each["results"]} for each in (first, last)]
    case = next(name for name in parts[0] if all((each.get(name) or {}).get("numbers") for each in parts))
    shares = [each[case] for each in parts]
    shares[1]["numbers"][0] = shares[0]["numbers"][0]
    rewrite(paths[1], results=last["results"])
    assert f"unit {shares[0]['numbers'][0]} is in {folders[0]}, too" in refused(capsys, *folders, out="again")


def test_a_test_of_the_users_own_sees_the_whole_attack(project, moody):
    project.pytester.makeconftest("from abalo.pytest_plugin.fixtures import *\n")
    project.write(
        "test_own.py",
        "import pytest\n\n@pytest.mark.abalo('ner.context_attack')\ndef test_more(case, judge):\n"
        "    assert judge(case).results[0].more['attack']['targets'] > 180\n",
    )
    common = ("test_own.py", "--abalo-corpus=corpus.conll", f"--abalo-model={moody}")
    for number in (1, 2):
        given = (f"--abalo-shard={number}/2", f"--abalo-reports=own-{number}")
        assert project.pytester.runpytest_inprocess(*common, *given).ret == 0
    assert merge("own-1", "own-2") == 0


def test_a_selection_is_dealt_as_it_is(project, run_shards):
    project.write("thresholds.toml", CASES)
    project.run("--abalo-latex", "-k", "accents or typo")
    folders = run_shards(2, "-k", "accents or typo")
    assert merge(*folders, more=["--latex"]) == 0
    assert_same(project.path / "merged", project.path / "reports")


def test_a_shard_is_no_verdict_though_all_its_cases_hold(project, run_shards, capsys):
    for folder in [*run_shards(1), *run_shards(2)]:
        capsys.readouterr()
        assert main(["verdict", str(folder)]) == 2
        assert capsys.readouterr().out.startswith("INCOMPLETE: shard ")
        assert main(["rejudge", str(folder)]) == 2
        assert "judge all its shards with abalo merge first" in capsys.readouterr().err
        assert main(["accept", str(folder), "--as", "references/1"]) == 2


def test_a_case_that_fails_fails_the_merged_run_and_not_its_shard(project, run_shards):
    folders = run_shards(2, model="models:all_outside")
    assert merge(*folders, more=["--junit", "junit.xml"]) == 1
    assert "<failure " in project.path.joinpath("junit.xml").read_text("utf-8")


def test_a_case_that_cannot_run_fails_its_shard_and_the_merged_run(project, run_shards):
    breaking = "\n\ndef breaking():\n    return lambda batch: [[tag(word) for word in w] for w in batch if check(w)]\n"
    check = "\n\ndef check(words):\n    if 'Jose' in words:\n        raise OSError('no room')\n    return True\n"
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + breaking + check)
    codes = {}
    for number in (1, 2, 3):
        given = ("--abalo-shard", f"{number}/3", "--abalo-reports", f"shard-{number}")
        codes[f"shard-{number}"] = project.run(*given, model="models:breaking").ret
    assert sorted(codes.values()) == [0, 0, 1]
    assert project.run(model="models:breaking").ret == 1
    assert merge(*codes) == 1
    merged = untimed(project.path / "merged")
    assert [error["id"] for error in merged["errors"]] == [
        error["id"] for error in untimed(project.path / "reports")["errors"]
    ]


def test_a_test_that_asks_for_more_than_bounds_fails_its_shard_and_the_merged_run(project, capsys):
    project.pytester.makeconftest("from abalo.pytest_plugin.fixtures import *\n")
    project.write(
        "test_own.py",
        "import pytest\n\n@pytest.mark.abalo('ner.accents')\ndef test_more(case, judge):\n"
        "    assert judge(case).metrics['f1'].n > 1000\n",
    )
    project.write("thresholds.toml", "[[ner.accents]]\n")
    common = ("test_own.py", "--abalo-corpus=corpus.conll", "--abalo-model=models:gazetteer")
    assert project.pytester.runpytest_inprocess(*common, "--abalo-shard=1/1").ret == 1
    assert merge("reports") == 1
    assert capsys.readouterr().out == TextWith("another reason", "shard 1/1")


def test_a_shard_that_was_killed_is_a_gap_until_it_was_run_again(project, run_shards, monkeypatch, capsys):
    killing = "\n\ndef killing():\n    import os\n    return os._exit(0) if os.environ.get('KILLED') else gazetteer()\n"
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + killing)
    project.run("--abalo-latex", model="models:killing")
    (first,) = run_shards(2, model="models:killing", numbers=(1,))
    monkeypatch.setenv("KILLED", "yes")
    (second,) = run_shards(2, model="models:killing", numbers=(2,), subprocess=True)  # without a word, with code 0
    assert merge(first, second, more=["--latex"]) == 2
    assert "shard 2/2 did not " in capsys.readouterr().out
    merged = untimed(project.path / "merged")
    assert not merged["complete"]
    assert {result["id"] for result in merged["results"]} | {*merged["missing"]} == {
        result["id"] for result in untimed(project.path / "reports")["results"]
    }
    monkeypatch.delenv("KILLED")
    run_shards(2, model="models:killing", numbers=(2,))
    assert merge(first, second, more=["--latex"]) == 0
    assert_same(project.path / "merged", project.path / "reports")


def test_a_missing_shard_is_a_gap_and_no_pass(project, run_shards, capsys):
    folders = run_shards(3, numbers=(1, 3))
    assert merge(*folders) == 2
    assert capsys.readouterr().out == TextWith("shard 2/3 is missing", "--abalo-shard 2/3")
    merged = untimed(project.path / "merged")
    assert (merged["complete"], merged["verdict"], len(merged["missing"])) == (False, "inconclusive", 1)
    assert main(["verdict", "merged"]) == 2


def test_without_text_there_is_none_and_what_an_earlier_merge_quoted_goes(project, run_shards):
    assert merge(*run_shards(2)) == 0
    assert (project.path / "merged" / "examples.jsonl").exists()
    project.run("--abalo-no-text")
    assert merge(*run_shards(2, "--abalo-no-text")) == 0
    assert untimed(project.path / "merged") == untimed(project.path / "reports")
    assert not list(project.path.glob("shard-*/examples.jsonl"))
    assert not (project.path / "merged" / "examples.jsonl").exists()


def test_the_losses_are_judged_once_all_shards_are_there(project, run_shards, capsys):
    project.run()
    assert main(["accept", "reports", "--as", "references/1"]) == 0
    options = {"model": "models:blind_to_accents"}
    whole = project.run("--abalo-latex", "--abalo-against", "references/1", **options).ret
    folders = run_shards(2, "--abalo-against", "references/1", **options)
    assert [untimed(folder)["comparison"] for folder in folders] == [None, None]
    assert merge(*folders, more=["--latex", "--against", "references/1"]) == whole
    assert_same(project.path / "merged", project.path / "reports")
    capsys.readouterr()
    assert merge(*folders) == 2
    assert "was run with --against, and no reference is given" in capsys.readouterr().err


def test_a_loss_that_the_bounds_allow_fails_the_merged_run(project, run_shards):
    project.run()
    assert main(["accept", "reports", "--as", "references/1"]) == 0
    loose = project.path.joinpath("thresholds.toml").read_text("utf-8").replace("0.9", "0.1").replace("0.06", "0.99")
    project.write("thresholds.toml", loose.replace("[gate]", '[gate]\nagainst = "references/1"'))
    folders = run_shards(2, model="models:blind_to_accents")
    assert merge(*folders) == 1
    assert untimed(project.path / "merged")["comparison"]["state"] == "regressed"


@pytest.fixture
def breakable(project):
    """A model that does not know one of the names, which an attack puts into the place of others."""
    known = project.path.joinpath("models.py").read_text("utf-8")
    project.write("models.py", known + BREAKABLE)
    project.write("thresholds.toml", CASES.replace("candidates = 3", "candidates = 12"))
    return "models:breakable"


def test_records_that_are_tried_again_are_dealt_too(project, run_shards, breakable):
    project.run("-k", "entity_attack", "--abalo-save-failures", "broken.jsonl", model=breakable)
    options = ("-k", "regressions or accents", "--abalo-regressions", "broken.jsonl", "--abalo-latex")
    whole = project.run(*options, model=breakable).ret
    assert len(untimed(project.path / "reports")["regressions"]) > 1
    folders = run_shards(2, *options, model=breakable)
    assert merge(*folders, more=["--latex"]) == whole == 1
    assert_same(project.path / "merged", project.path / "reports")


def test_failures_are_saved_by_merge_as_by_a_run(project, run_shards, breakable):
    project.run("--abalo-save-failures", "whole.jsonl", model=breakable)
    folders = run_shards(2, model=breakable)
    merge(*folders, more=["--save-failures", "merged.jsonl"])
    whole, merged = ((project.path / name).read_bytes() for name in ("whole.jsonl", "merged.jsonl"))
    assert merged == whole
    assert whole.count(b"\n") > 1


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b", "1/0", "-1/2", "1/2/3", "", "²/3"])
def test_a_shard_that_is_none_is_a_usage_error(project, text):
    result = project.run(f"--abalo-shard={text}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --abalo-shard *: expected the number of the shard and how many there are*"])


@pytest.fixture
def two(run_shards):
    """The folders of two shards."""
    return run_shards(2)


def _files(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).glob("*.*")}


def refused(capsys, *folders, out="merged", more=()) -> str:
    """The message that a merge ends in which cannot be done; it writes nothing."""
    capsys.readouterr()
    before = _files(out)
    assert merge(*folders, out=out, more=more) == 2
    assert {name: data for name, data in _files(out).items() if name != ".gitignore" or name in before} == before
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.count("\n") == 1
    return said


def test_what_is_no_shard_is_refused(project, two, capsys):
    project.run()
    assert "is not the report of a shard" in refused(capsys, two[0], "reports")
    assert "nowhere: there is no such folder" in refused(capsys, two[0], "nowhere")
    project.run("--abalo-reports", "wrong", "--abalo-shard", "1/2", "--abalo-seeds", "x")
    assert "wrong: there is no such folder" in refused(capsys, "wrong")


def test_a_shard_twice_is_refused(two, capsys):
    assert "shard-1-of-2: is given 2 times" in refused(capsys, *two, two[0])
    two[0].rename("again")
    shutil.copytree("again", two[0])
    assert "both are shard 1/2; leave out" in refused(capsys, *two, "again")


def test_a_folder_of_a_shard_is_not_written_over(two, capsys):
    assert "is the folder of a shard" in refused(capsys, *two, out=two[0])


def test_a_folder_in_use_is_refused(project, two, capsys):
    from abalo.locking import FolderLock

    with FolderLock(two[0]):
        assert "its run has not ended, and still writes there" in refused(capsys, *two)
    with FolderLock(project.path / "merged"):
        assert "in use by another run" in refused(capsys, *two)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("evidence.npz", b"PK", "not the evidence of a run"),
        ("evidence.npz", None, "evidence.npz: cannot be read"),
        ("robustness.json", b"{", "is not JSON"),
        ("examples.jsonl", None, "examples.jsonl: cannot be read"),
        ("examples.jsonl", b"[]\n", "examples.jsonl: is damaged"),
    ],
)
def test_a_damaged_shard_is_refused(two, capsys, name, content, told):
    (two[1] / name).unlink() if content is None else (two[1] / name).write_bytes(content)
    assert told in refused(capsys, *two)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (("shard", "number"), 1),
        (("shard", "number"), 3),
        (("shard", "deal", "parts", 0, "cost"), 7),
        (("shard", "deal", "parts"), None),
        (("shard", "deal_sha256"), "0"),
        (("shard",), []),
    ],
)
def test_a_shard_that_is_not_that_of_its_deal_is_refused(two, capsys, field, value):
    *above, last = field

    def change(place):
        for key in above:
            place = place[key]
        assert place[last] != value
        place[last] = value

    rewrite(two[1] / "robustness.json", change)
    assert "robustness.json: is damaged" in refused(capsys, *two)


@pytest.mark.parametrize(
    ("arguments", "model", "told"),
    [
        ((), "blind_to_accents", "tasks.ner.model.name is"),
        (("--abalo-seeds", "5"), "gazetteer", "options.seeds is [5], there null"),
        (("--abalo-limit", "60"), "gazetteer", "options.limit is 60, there null"),
        (("--abalo-no-text",), "gazetteer", "options.no_text is true, there false"),
        (("--abalo-profile", "nightly"), "gazetteer", 'gate.profile is "nightly", there "'),
        (("-k", "accents or baseline"), "gazetteer", "options.selection is "),
    ],
)
def test_shards_of_different_runs_are_refused_by_what_differs(project, run_shards, capsys, arguments, model, told):
    first, second = run_shards(2)
    run_shards(2, *arguments, model=f"models:{model}", numbers=(2,))
    said = refused(capsys, first, second)
    assert "is a shard of another run than" in said
    assert told in said


def test_shards_of_other_deals_and_other_corpora_are_refused(project, run_shards, capsys):
    (first,) = run_shards(2, numbers=(1,))
    (other,) = run_shards(3, numbers=(2,))
    assert "it is one of 3 shards, there of 2" in refused(capsys, first, other)
    text = project.path.joinpath("corpus.conll").read_text("utf-8")
    project.write("corpus.conll", text.replace("horas", "hora"))
    (second,) = run_shards(2, numbers=(2,))
    assert "tasks.ner.corpus.sha256 is" in refused(capsys, first, second)


@pytest.mark.parametrize(
    "field",
    ["options", "versions", "tasks.ner.corpus.sha256", "tasks.ner.model.fingerprint"],
)
def test_a_shard_that_does_not_say_whose_it_is_is_refused(two, capsys, field):
    *above, last = field.split(".")

    def change(place):
        for key in above:
            place = place[key]
        del place[last]

    rewrite(two[1] / "robustness.json", change)
    said = refused(capsys, *two)
    assert "robustness.json" in said
    assert last in said


def test_a_thresholds_file_that_was_changed_is_refused(project, two, capsys):
    text = project.path.joinpath("thresholds.toml").read_text("utf-8")
    project.write("thresholds.toml", text.replace("0.9", "0.8"))
    assert "is not what the shards were run with" in refused(capsys, *two)
    project.write("moved.toml", "# with a comment\n" + text)
    assert merge(*two, more=["--thresholds", "moved.toml"]) == 0


def test_between_shards_a_thresholds_file_may_not_change(project, run_shards, capsys):
    (first,) = run_shards(2, numbers=(1,))
    text = project.path.joinpath("thresholds.toml").read_text("utf-8")
    project.write("thresholds.toml", text.replace("0.9", "0.8"))
    (second,) = run_shards(2, numbers=(2,))
    assert "thresholds_sha256 is" in refused(capsys, first, second)


def test_a_reference_is_not_written_over(project, two, capsys):
    project.run()
    main(["accept", "reports", "--as", "references/1"])
    assert "holds an accepted run" in refused(capsys, *two, out=project.path / "references" / "1")
