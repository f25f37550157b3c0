"""The public interface: a session, its results and its report, as `import abalo` gives them."""

import functools
import json
import linecache
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import abalo
from abalo import AbaloError, Report, Result, Session
from abalo.cli import main
from abalo.core.records.json_records import as_json
from abalo.core.statistics.evidence import read
from abalo.models.user_code import made_by
from abalo.reporting.formats.files import as_bytes
from abalo.reporting.runs.accepting import next_command
from tests.plugin.conftest import miniature
from tests.reports import document_in
from tests.rows import every

CASES = """
[gate]
resamples = 200
seeds = [1, 2]

[[ner.baseline]]
min_f1 = 0.9

[[ner.accents]]
max_f1_drop = 0.06

[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.06

[[ner.slice]]
of = "length"
end = "longest"
share = 0.9
max_f1_gap = 0.5
deep = true
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """A project in the working directory, its models there to be imported."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    made = miniature(pytester)
    made.write("thresholds.toml", CASES)
    return made


def opened(model: str = "models:blind_to_accents", **more) -> Session:
    """A session on the project's corpus."""
    return Session(task="ner", model=model, corpus="corpus.conll", **more)


def test_to_import_abalo_is_to_import_nothing_heavy():
    listed = "import sys, abalo; print(*{name.partition('.')[0] for name in sys.modules})"
    found = subprocess.run([sys.executable, "-c", listed], check=True, capture_output=True, text=True).stdout.split()
    assert "abalo" in found
    assert not {"numpy", "torch", "transformers", "scipy", "filelock", "pytest", "perturbations"} & set(found)


def test_everything_public_is_there_by_name():
    assert {name: getattr(abalo, name).__name__ for name in ("AbaloError", "Report", "Result", "Session")} == {
        "AbaloError": "AbaloError",
        "Report": "Report",
        "Result": "Result",
        "Session": "Session",
    }
    assert set(abalo.__all__) <= set(dir(abalo))
    with pytest.raises(AttributeError, match="module 'abalo' has no attribute 'Sesion'"):
        _ = abalo.Sesion


def test_a_result_has_a_verdict_numbers_and_the_reason(project):
    result = opened(limit=60).judge("accents", max_f1_drop=0.1)
    assert isinstance(result, Result)
    assert result.verdict == "fail"
    assert not result.holds
    drop = result.metrics["f1_drop"]
    assert drop.low <= drop.value <= drop.high
    assert drop.n == 60
    assert result.explanation.startswith(f"f1_drop {drop.value:.3f} [")
    assert "is above max_f1_drop 0.1" in result.explanation
    assert result.per_group["LOCAL"]["f1"].value == 0
    assert repr(result) == "<ner/accents: fail>"


def test_without_a_bound_nothing_is_judged_and_everything_measured(project):
    result = opened().judge("accents")
    assert (result.verdict, result.holds, list(result.judgements)) == (None, True, [])
    assert result.metrics["f1"].value < 0.5


def test_bounds_are_corrected_for_their_own_number(project):
    session = opened(thresholds="thresholds.toml")
    alone = session.judge("accents", max_f1_drop=0.1)
    pair = session.judge("accents", max_f1_drop=0.1, min_f1=0.01)
    assert [each.results[0].m for each in (alone, pair)] == [1, 2]
    assert len(pair.judgements) == 2


@pytest.mark.slow
def test_without_thresholds_the_gate_is_that_of_the_default_cases(project):
    assert opened(language="pt").gate == Session().gate
    result = opened(seeds=[7]).judge("character_noise", rate=0.2)
    assert result.results[0].seeds == [7]
    assert opened().judge("character_noise", rate=0.2).results[0].seeds == list(Session().gate.seeds)


def test_a_run_is_every_case_of_the_file_and_deep_ones_where_they_are_asked_for(project):
    report = opened("models:gazetteer", thresholds="thresholds.toml").run()
    assert isinstance(report, Report)
    assert report.verdict == "pass"
    usual = ["ner/baseline", "ner/accents", "ner/word_insertion[rate-0.1]"]
    assert [result.case.id for result in report.results] == usual
    deep = opened("models:gazetteer", thresholds="thresholds.toml").run(deep=True)
    assert [result.case.id for result in deep.results][:3] == usual
    assert len(deep.results) == 4


@pytest.mark.slow
def test_the_same_numbers_as_under_pytest(project):
    assert project.run(model="models:blind_to_accents").ret == pytest.ExitCode.TESTS_FAILED
    told, evidence = project.document(), read(project.path / "reports" / "evidence.npz")
    records = (project.path / "reports" / "examples.jsonl").read_text("utf-8").splitlines()
    report = opened(thresholds="thresholds.toml").run()
    written = document_in(report.write(project.path / "other").parent)
    assert told["verdict"] == written["verdict"] == report.verdict == "fail"
    assert {_key(each): _judged(each) for each in told["results"]} == {
        _key(each): _judged(each) for each in written["results"]
    }
    for name in ("gate", "baseline", "model", "corpus", "counts", "seeds"):
        assert told[name] == written[name], name
    assert set(read(project.path / "other" / "evidence.npz")) == set(evidence)
    lines = (project.path / "other" / "examples.jsonl").read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(records)


def _key(result: dict) -> tuple[str, str]:
    return result["id"], result["view"]


def _judged(result: dict) -> dict:
    return {name: value for name, value in result.items() if name not in ("seconds", "command")}


def test_a_report_is_written_where_it_is_asked_for(project):
    report = opened("models:gazetteer", thresholds="thresholds.toml", language="pt").run()
    path = report.write("reports")
    assert path.name == "robustness.json"
    names = {each.name for each in path.parent.iterdir()}
    assert {"robustness.json", "robustness.md", "evidence.npz", "examples.jsonl"} <= names
    assert (path.parent / "robustness.md").read_text("utf-8").startswith("# ✓ PASS")


def test_without_text_no_examples_are_kept_nor_left_behind(project):
    opened(thresholds="thresholds.toml").run().write("reports")
    assert (project.path / "reports" / "examples.jsonl").is_file()
    opened(thresholds="thresholds.toml", with_text=False).run().write("reports")
    assert not (project.path / "reports" / "examples.jsonl").exists()
    assert "Zélia" not in (project.path / "reports" / "robustness.json").read_text("utf-8")


def test_the_option_of_the_command_line_withholds_text_too(project):
    opened(thresholds="thresholds.toml", no_text=True).run().write("reports")
    assert not (project.path / "reports" / "examples.jsonl").exists()
    assert not opened(no_text=True, with_text=False).prepared.spec.options.with_text


def test_seeds_may_come_from_a_generator_and_places_as_paths(project):
    session = Session(model="models:gazetteer", corpus=Path("corpus.conll"), seeds=(seed for seed in (4, 2)))
    assert session.prepared.spec.options.seeds == (4, 2)
    assert session.corpus.name == "corpus.conll"
    assert Session(model=Path("a") / "checkpoint").prepared.spec.options.model == str(Path("a") / "checkpoint")


@pytest.mark.slow
def test_some_entity_types_can_be_judged_alone():
    result = Session(types="PESSOA,LOCAL", limit=200).judge("baseline", min_f1=0.0)
    assert set(result.per_group) == {"PESSOA", "LOCAL"}
    assert Session(types="PESSOA").prepared.facts["tasks"]["ner"]["types"]["judged"] == ["PESSOA"]


TWO = """
[gate]
resamples = 200
seeds = [1]

[[classification.baseline]]
min_accuracy = 0.3

[[classification.letter_case]]
case = "upper"
max_accuracy_drop = 0.9

[[pairs.baseline]]

[[pairs.contraction]]
"""


def judged(folder) -> dict:
    """What a report says, but for what differs between pytest and Python: commands, times, the run."""
    told = document_in(folder)
    kept = {name: told[name] for name in ("verdict", "counts", "gate", "capabilities", "evidence_sha256")}
    tasks = {task: {name: own[name] for name in ("baseline", "model", "corpus")} for task, own in told["tasks"].items()}
    return kept | {"tasks": tasks, "results": {_key(each): _judged(each) for each in told["results"]}}


@pytest.mark.slow
def test_two_tasks_in_one_session_are_one_run_as_under_pytest(project):
    project.write("thresholds.toml", TWO)
    suites = [f"tests_behavioral.{task}" for task in ("classification", "pairs")]
    ran = project.pytester.runpytest_inprocess("-p", "no:cacheprovider", "--pyargs", *suites, "--abalo-limit", "80")
    session = Session(["classification", "pairs"], thresholds="thresholds.toml", limit=80)
    assert [case.task for case in session.cases()] == ["classification"] * 2 + ["pairs"] * 2
    report = session.run()
    report.write("other")
    assert judged("other") == judged("reports")
    assert Path("other/examples.jsonl").read_bytes() == Path("reports/examples.jsonl").read_bytes()
    assert main(["verdict", "other", "--recount"]) == ran.ret
    assert repr(report) == "<run of 4 cases: pass>"
    again = next_command(report.document, Path("references/1.0"))
    assert again.startswith("pytest --pyargs tests_behavioral.classification tests_behavioral.pairs --abalo-limit 80 ")
    assert "-m 'deep or not deep' " in next_command(session.run(deep=True).document, Path("references/1.0"))
    others = Session(["classification", "parsing"], thresholds="thresholds.toml", limit=80).run()
    assert [*others.document.tasks] == ["classification"], "a task without a case is left out, as pytest does"
    alone = [result for task in ("classification", "pairs") for result in session[task].run().results]
    assert [str(each.metrics) for each in report.results] == [str(each.metrics) for each in alone]  # some are NaN


def test_questions_are_judged_in_the_same_way():
    result = Session(task="choice", limit=60).judge("baseline", min_accuracy=0.01)
    assert result.case.id == "choice/baseline"
    assert result.verdict == "pass"


@every(
    ("call", "message"),
    [
        (lambda: Session(task="nerr"), "task 'nerr': no such task; did you mean 'ner'?"),
        (lambda: Session(label_mop="A=B"), "option 'label_mop': no such option; did you mean 'label_map'?"),
        (lambda: Session(types="PESOA").corpus, "has no entity type 'PESOA'; did you mean 'PESSOA'?"),
        (lambda: Session(task="pos", types="NOUN"), "--abalo-types: applies to entity types, and pos has none"),
        (lambda: Session(task="choice", full_precision="mine:make", limit=4).prepared.facts, "mine:make"),
        (lambda: Session(task="choice", join=True, label_map="A=B"), "--abalo-join: applies to entity types"),
        (lambda: Session(limit=0), "--abalo-limit 0: expected a whole number from 1"),
        (lambda: Session(thresholds="nowhere.toml"), "nowhere.toml: no such thresholds file"),
        (lambda: Session().judge("acents"), "no such test; did you mean 'accents'?"),
        (
            lambda: Session().judge("accents", max_f1_dorp=0.1),
            "no such parameter or bound; did you mean 'max_f1_drop'?",
        ),
        (lambda: Session().judge("character_noise", rate=2), "rate"),
        (
            lambda: Session("classification").judge("hotflip"),
            'transformers in PyTorch: gradients = "model"; give it as a parameter of the case',
        ),
        (
            lambda: Session("classification").judge("pwws"),
            "classification/pwws: pwws needs synonyms; expected a wordnet: ",
        ),
        (
            lambda: Session().judge("clare", model="none"),
            "ner/clare[model-none]: clare needs model; expected a masked language model: ",
        ),
        (lambda: Session().judge("accents", max_f1_drop="much"), "'much'; expected a number from -1 to 1"),
        (
            lambda: Session(["pairs", "classification"], thresholds="thresholds.toml", limit=9).run(),
            "thresholds.toml: has no case of pairs, classification for this corpus",
        ),
        (lambda: Session(corpus="corpsu.conll").corpus, "corpsu.conll: no such file"),
        (lambda: Session(corpus="corpus.conll", model="models:gazeteer").model, "did you mean 'gazetteer'?"),
        (lambda: Session(seeds=[1, 1]), "seeds"),
        (lambda: Session(seeds=[]), "seeds: []; expected a list of distinct whole numbers from 0"),
        (lambda: Session(seeds=3), "seeds: 3; expected a list of distinct whole numbers from 0"),
        (lambda: Session(seeds="12"), "seeds: '12'; expected a list"),
        (lambda: Session(limit="60"), "limit: '60'; expected a whole number"),
        (lambda: Session(task=3), "task: 3; expected the name of a task, such as 'ner', a Task, or several"),
        (lambda: Session(task=[]).run(), "task: []; expected the name of a task"),
        (lambda: Session(task={"ner", "pos"}), "expected the name of a task, such as 'ner', a Task, or several"),
        (lambda: Session(task=["ner", "ner"]), "task: ['ner', 'ner']; expected the name of a task"),
        (lambda: Session(task=["ner", "poss"]), "task 'poss': no such task; did you mean 'pos'?"),
        (
            lambda: Session(task=["ner", "pos"]).corpus,
            "several tasks (ner, pos): ask that of one, such as session['ner']",
        ),
        (lambda: Session(task=["ner", "pos"]).judge("typos"), "several tasks (ner, pos)"),
        (lambda: Session(task=["ner", "pos"])["pairs"], "session['pairs']: its tasks are ner, pos"),
        (lambda: Session(task=["ner", "pos"], budget="900f").run(), "a budget or design is for one task"),
        (lambda: Session(profile="zz"), "profile: 'zz'; expected one of quick, dev, ci, nightly"),
        (lambda: Session(join="no"), "join: 'no'; expected True or False"),
        (
            lambda: Session(scheme="bio"),
            "option 'scheme': is a setting of the corpus now: --abalo-corpus \"FILE?scheme=bio",
        ),
        (lambda: Session(mask_token=3), "mask_token: 3; expected a string"),
        (lambda: Session(dtype="fp8"), "dtype: 'fp8'; expected one of fp32, bf16, fp16"),
        (lambda: Session(device=None), "device: None; expected one of auto, cpu, cuda, mps"),
        (lambda: Session(model=3), "model: 3; expected a string"),
        (lambda: Session(thresholds=3), "thresholds: 3; expected the path of a file"),
        (lambda: Session(no_text=True, with_text=True), "with_text: True; expected True or False, and the opposite"),
        (lambda: Session(with_text="no"), "with_text: 'no'; expected True or False"),
        (lambda: Session(resume=True), "option 'resume': does nothing in a Session, only in a run of pytest; leave"),
        (lambda: Session(save_failures="a.jsonl"), "option 'save_failures': does nothing in a Session"),
        (lambda: Session(regressions="a.jsonl"), "option 'regressions': does nothing in a Session"),
        (
            lambda: Session(reports="there"),
            "does nothing in a Session, whose report is written by report.write(folder)",
        ),
    ],
)
def test_a_name_or_a_value_that_is_wrong_is_told_with_what_was_meant(project, call, message):
    with pytest.raises(AbaloError) as caught:
        call()
    assert message in str(caught.value)


def test_a_bound_on_a_type_that_there_is_not_is_refused_before_the_case_is_run(project):
    with pytest.raises(AbaloError, match=r"^ner.accents \[\[ner.accents\]\] max_f1_drop: no entity type 'PERSON' in"):
        opened().judge("accents", max_f1_drop={"PERSON": 0.1})


def test_all_problems_of_a_case_are_told_at_once():
    with pytest.raises(AbaloError) as caught:
        Session().judge("character_noise", rat=0.1, max_f1_dorp=0.1)
    assert len(str(caught.value).splitlines()) == 2


def test_a_session_takes_what_it_is_not_given_from_the_table_run(project):
    project.write("thresholds.toml", "[run]\nmodel = 'models:gazetteer'\ncorpus = 'corpus.conll'\nlimit = 7\n" + CASES)
    session = Session(thresholds="thresholds.toml")
    assert (session.task.name, session.prepared.spec.options.model) == ("ner", "./models:gazetteer")
    assert len(session.corpus.examples) == 7
    assert len(Session(thresholds="thresholds.toml", limit=3).corpus.examples) == 3
    assert (
        Session(thresholds="thresholds.toml", model="models:blind_to_accents").prepared.spec.options.model
        == "models:blind_to_accents"
    )


def test_a_session_without_a_task_is_about_that_of_the_file_or_of_the_corpus(project):
    project.write("opinions.tsv", "text\tlabel\n" + "bom\tpositive\nruim\tnegative\n" * 3)
    project.write("thresholds.toml", "[run]\ncorpus = 'opinions.tsv'\n[[classification.baseline]]\n")
    assert Session(thresholds="thresholds.toml").task.name == "classification"
    assert Session(corpus="opinions.tsv").task.name == "classification"
    assert Session().task.name == "ner"
    project.write("thresholds.toml", "[run]\ntask = 'pos'\n[[pos.baseline]]\n")
    assert Session(thresholds="thresholds.toml").task.name == "pos"
    assert Session("ner", thresholds="thresholds.toml").task.name == "ner"


# A notebook ----------------------------------------------------------------------------------------------------------


class Parts(HTMLParser):
    """The elements of HTML by class, and all that a reader can see of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.classes, self.text, self.links, self._style = [], [], [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.classes += (dict(attrs).get("class") or "").split()
        self.links += [value for name, value in attrs if name == "href"]
        self._style = tag == "style"

    def handle_endtag(self, tag):
        self._style = False

    def handle_data(self, data):
        if not self._style:
            self.text.append(data)


def parts(shown: object) -> Parts:
    return Parts(shown._repr_html_())


def test_a_result_shows_its_verdict_its_number_and_three_edited_sentences(project):
    result = opened(limit=60).judge("accents", max_f1_drop=0.1)
    shown = parts(result)
    said = "".join(shown.text).replace("\u00a0", " ")
    drop = result.metrics["f1_drop"]
    assert f"{drop.value:.3f} [{drop.low:.3f}, {drop.high:.3f}]" in said
    assert "abalo-fail" in shown.classes
    assert shown.classes.count("abalo-example") == min(3, len(result.examples())) == 3
    assert "abalo-edited" in shown.classes
    assert shown.links == []


def test_a_result_without_bounds_shows_its_number_too(project):
    result = opened(limit=60).judge("accents")
    drop = result.metrics["f1_drop_changed"]
    assert f"{drop.value:.3f} [{drop.low:.3f}, {drop.high:.3f}]" in "".join(parts(result).text).replace("\u00a0", " ")


def test_text_of_a_corpus_stays_text_in_a_notebook(project):
    evil = "<script>alert(1)</script>"
    lines = "\n".join(f"{evil}{number} O\nJosé B-PESSOA\n" for number in range(8))
    Path("evil.conll").write_text(f"{lines}\n", "utf-8")
    result = Session(task="ner", model="models:blind_to_accents", corpus="evil.conll").judge("accents")
    assert "<script" not in result._repr_html_()
    assert any(evil in each.before for each in result.examples())
    assert evil in "".join(parts(result).text)


def test_a_session_shows_itself_and_loads_nothing(project):
    session = opened("models:no_such_factory", thresholds="thresholds.toml")
    said = "".join(parts(session).text)
    assert "models:no_such_factory" in said
    assert "3 in thresholds.toml" in said
    assert repr(session) == "<session of ner>"


def test_examples_are_plain_values_worst_first(project):
    result = opened(limit=60).judge("accents")
    worst = result.examples()[0]
    assert worst.before != worst.after
    assert all(old in worst.before and new in worst.after for old, new in worst.edits)
    assert len(worst.gold) == len(worst.predicted) == len(worst.after.split())
    assert opened(limit=60, no_text=True).judge("accents").examples() == []


def test_a_report_has_a_row_for_each_case_with_the_number_behind_its_verdict(project):
    report = opened(limit=60, thresholds="thresholds.toml").run()
    rows = report.rows()
    assert [row["case"] for row in rows] == [result.case.id for result in report.results]
    accents, judged = rows[1], report.results[1].metrics["f1_drop"]
    assert (accents["verdict"], accents["metric"], accents["limit"], accents["group"]) == (
        "fail",
        "f1_drop",
        0.06,
        None,
    )
    assert (accents["value"], accents["low"], accents["high"]) == pytest.approx((judged.value, judged.low, judged.high))
    assert accents["n"] == judged.n


def test_the_rows_of_a_report_are_a_frame_where_pandas_is_installed(project, monkeypatch):
    report = opened(limit=20, thresholds="thresholds.toml").run()
    pandas = pytest.importorskip("pandas")
    frame = report.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["case"].tolist() == [row["case"] for row in report.rows()]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(AbaloError, match="pip install pandas"):
        report.to_frame()


def test_two_reports_are_compared_as_the_command_compares_their_folders(project, capsys):
    old = opened("models:gazetteer", limit=60, thresholds="thresholds.toml").run()
    new = opened(limit=60, thresholds="thresholds.toml").run()
    compared = new.compare(old)
    assert (compared.verdict, old.compare(new).verdict) == ("fail", "pass")
    assert "abalo-fail" in parts(compared).classes
    old.write("old")
    new.write("new")
    assert main(["compare", "old", "new", "--thresholds", "thresholds.toml", "--format", "json"]) == 1
    told, found = json.loads(capsys.readouterr().out), json.loads(as_bytes(as_json(compared.found)))
    assert told["comparison"]["tasks"] == found["comparison"]["tasks"]
    assert new.compare("old").verdict == "fail"
    with pytest.raises(AbaloError, match="no such folder"):
        new.compare("nowhere")


def test_a_function_is_a_model_and_each_session_keeps_its_own(project):
    def of(name):
        model, _ = made_by(f"models.py:{name}")

        def tag(batch):
            return model(batch)

        return opened(tag, limit=60)

    good, blind = of("gazetteer"), of("blind_to_accents")
    assert blind.judge("accents").metrics["f1_drop"].value == opened(limit=60).judge("accents").metrics["f1_drop"].value
    assert good.judge("accents").metrics["f1_drop"].value == 0
    assert good.model.name.endswith("tag")
    assert opened(
        functools.partial(lambda label, batch: [[label] * len(each) for each in batch], "O")
    ).model.name.endswith("<lambda>")


def test_the_source_of_a_function_decides_its_fingerprint(project):
    def made(label: str):
        names = {"__name__": "__main__"}
        source = f"def tag(batch):\n    return [[{label!r}] * len(each) for each in batch]\n"
        linecache.cache[f"<cell {label}>"] = (len(source), None, source.splitlines(keepends=True), f"<cell {label}>")
        exec(compile(source, f"<cell {label}>", "exec"), names)
        return opened(names["tag"], limit=5).model

    first, second = made("O"), made("B-PESSOA")
    assert first.name == second.name == "__main__:tag"
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == made("O").fingerprint


@every(
    ("model", "said"),
    [
        (lambda: None, r"cannot be called with a list of inputs alone; expected a function that can"),
        (dict, r"model builtins:dict: is a class; expected the model itself: model=dict\(\)"),
        (3, "model: 3; expected a string"),
    ],
)
def test_what_is_no_model_is_refused(model, said):
    with pytest.raises(AbaloError, match=said):
        Session(task="ner", model=model)
