"""``abalo accept --rerun``: the accepted model measured again, or the reference left as it was."""

import hashlib
import json
import pickle
import sys
from datetime import date
from pathlib import Path

import pytest

from abalo import Session, __version__
from abalo.cli import main
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.models.classifiers import scikit
from abalo.models.options import ModelOptions
from abalo.models.user_code import imports
from tests.commands.conftest import conll
from tests.reports import accept, document_in, rewrite, write
from tests.texts import TextWith

pytestmark = pytest.mark.slow

ENDING = """
from perturbations import word_level


@word_level(rate=1.0, example=("[Ana PESSOA]", "[Ana{end} PESSOA]"))
def ending(word):
    return (word + "{end}",)
"""
"""A perturbation of the user's own, which the next version of its code changes."""

CASES = """
[gate]
resamples = 300

[[ner.baseline]]
min_f1 = 0.5

[[ner.accents]]

[[ner.ending]]
"""

NAMED_MODEL = """
def make():
    def model(batch):
        return [["B-PESSOA" if word.startswith("José") else "O" for word in tokens] for tokens in batch]
    model.fingerprint = "{fingerprint}"
    return model
"""

REFERENCE = Path("references/1.0")


def write_ending(end: str) -> None:
    """The perturbation that puts ``end`` behind each word, in place of what was imported before."""
    Path("conftest.py").write_text(ENDING.format(end=end), encoding="utf-8")
    sys.modules.pop("conftest", None)
    exec(compile(ENDING.format(end=end), str(Path("conftest.py").resolve()), "exec"), {"__name__": "conftest"})


@pytest.fixture(autouse=True)
def project(models_here):
    """Sixty sentences, a model, three cases; one of them by a perturbation of the project's own."""
    Path("thresholds.toml").write_text(CASES, encoding="utf-8")
    write_ending("x")
    return models_here


def run(model: str = "models_here:by_word", **options) -> Session:
    given = {"corpus": "corpus.conll", "thresholds": "thresholds.toml", "seeds": (1,)}
    return Session(model=model, **{**given, **options})


def accepted(session: Session | None = None, *, deep: bool = False) -> dict:
    """Accepts a run as references/1.0, on a day long ago; the files of the reference."""
    (session or run()).run(deep=deep).write("reports")
    assert main(["accept", "reports", "--as", str(REFERENCE)]) == 0
    dated()
    return files()


def dated() -> None:
    """Moves the acceptance to a day long ago, of the report that stands in the folder now."""
    accept(REFERENCE, date="2026-01-31", commit="c0ffee")


def files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in REFERENCE.iterdir()}


def document() -> dict:
    return document_in(REFERENCE)


def compared() -> dict[str, dict]:
    """The overall losses of the model against the reference, by case."""
    found = typed.as_json(run(against=str(REFERENCE)).run().document.comparison)
    return {loss["id"]: loss for loss in found["tasks"]["ner"]["losses"] if loss["type"] is None}


def test_cases_whose_variants_have_changed_are_comparable_again(capsys):
    accepted()
    write_ending("y")
    lost = compared()
    assert (lost["ner/accents"]["state"], lost["ner/ending"]["state"]) == ("identical", "not comparable")
    assert lost["ner/ending"]["reason"].endswith(": abalo accept --rerun references/1.0")
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    told = capsys.readouterr().out
    assert told == TextWith("1 case ", "other variants", ": ner/ending\n")
    assert "measured again: references/1.0, accepted on 2026-01-31" in told
    assert {loss["state"] for loss in compared().values()} == {"identical"}


def test_the_day_and_the_commit_of_the_acceptance_stay_beside_those_of_the_rerun():
    accepted()
    assert main(["accept", "--rerun", str(REFERENCE / "robustness.json")]) == 0
    said = json.loads(files()["accepted.json"])
    del said["sha256"]
    assert said == {
        "date": "2026-01-31",
        "commit": "c0ffee",
        "rerun": {"date": date.today().isoformat(), "version": __version__},
    }
    assert sorted(files()) == ["accepted.json", "evidence.npz.xz", "robustness.json"]
    assert run(against=str(REFERENCE)).run().document.comparison.reference.rerun["version"] == __version__


def test_the_reference_keeps_the_day_of_the_run_that_was_accepted():
    accepted()
    day = "2026-01-31T09:00:00Z"
    rewrite(REFERENCE / "robustness.json", date=day, commit="c" * 40, dirty=False)
    dated()
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert {name: document()[name] for name in ("date", "commit", "dirty")} == {
        "date": "2026-01-31T09:00:00Z",
        "commit": "c" * 40,
        "dirty": False,
    }


def test_where_nothing_has_changed_the_evidence_is_the_same_bit_for_bit(capsys):
    before = accepted()
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert files()["evidence.npz.xz"] == before["evidence.npz.xz"]
    assert "same as before" in capsys.readouterr().out


def test_the_run_is_made_again_with_the_options_of_the_first():
    options = {
        "seeds": (3, 5),
        "limit": 55,
        "label_map": "PESSOA=PESSOA",
        "mask_token": "[X]",
        "join": True,
        "max_length": 128,
        "with_text": False,
    }
    accepted(run(**options))
    before = document()
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    after = document()
    for name in ("options", "tasks", "gate"):
        assert after[name] == before[name]
    assert after["tasks"]["ner"]["corpus"]["sentences"] == 55
    assert after["seeds"] == [3, 5]
    assert all(result["examples"] == [] for result in after["results"])


def test_seeds_that_no_option_gave_are_those_of_the_thresholds_file_of_today():
    accepted(run(seeds=None))
    assert document()["seeds"] == [1, 2, 4]
    Path("thresholds.toml").write_text(CASES.replace("[gate]", "[gate]\nseeds = [7]"), encoding="utf-8")
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert document()["seeds"] == [7]


@pytest.mark.parametrize("deep", [False, True])
def test_deep_cases_are_measured_where_the_reference_had_some(deep):
    text = CASES + "\n[[ner.word_insertion]]\nrate = 0.5\ndeep = true\n"
    Path("thresholds.toml").write_text(text, encoding="utf-8")
    accepted(deep=deep)
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert ("ner/word_insertion[rate-0.5]" in {result["id"] for result in document()["results"]}) is deep


def test_a_file_that_names_the_reference_is_no_obstacle():
    accepted()
    text = CASES.replace("[gate]", '[gate]\nagainst = "references/1.0"')
    Path("thresholds.toml").write_text(text, encoding="utf-8")
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert document()["comparison"] is None


def test_every_task_of_the_reference_is_measured():
    text = CASES + "\n[[choice.baseline]]\n\n[[choice.perturbation_stability]]\nk = 2\n"
    Path("thresholds.toml").write_text(text, encoding="utf-8")
    run(task=["ner", "choice"], model=None, corpus=None, limit=60).run().write("reports")
    assert main(["accept", "reports", "--as", str(REFERENCE)]) == 0
    before = files()
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert list(document()["tasks"]) == ["ner", "choice"]
    assert files()["evidence.npz.xz"] == before["evidence.npz.xz"]


def test_another_model_is_refused_with_both_fingerprints(refused):
    before = accepted()
    wanted = document()["tasks"]["ner"]["model"]["fingerprint"]
    said = refused("accept", "--rerun", str(REFERENCE), "--model", "models_here:all_outside")
    assert said.startswith(f"references/1.0/robustness.json tasks.ner.model.fingerprint: {wanted}, but that of models_")
    assert "give the accepted one with --model" in said
    assert files() == before


def forget() -> None:
    """Has the modules of the next two tests imported again."""
    for name in ("named", "one.named", "one"):
        sys.modules.pop(name, None)


TOUCHES = "open('ran', 'w').close()\n"


@pytest.mark.parametrize("spec", ["named.py:make", "named:make", "one/named:make", "one.named:make"])
def test_code_with_another_digest_is_not_run(refused, spec):
    """Even if the model says that it is still the same."""
    Path("one").mkdir()
    place = Path("one/named.py" if "one" in spec else "named.py")
    place.write_text(NAMED_MODEL.format(fingerprint="v1"), encoding="utf-8")
    forget()
    before = accepted(run(spec))
    wanted = hashlib.sha256(place.read_bytes()).hexdigest()
    assert document()["tasks"]["ner"]["model"]["code"] == [wanted]
    place.write_text(TOUCHES + NAMED_MODEL.format(fingerprint="v1"), encoding="utf-8")
    forget()
    said = refused("accept", "--rerun", str(REFERENCE))
    assert said.startswith("references/1.0/robustness.json tasks.ner: model ")
    assert f"has the digest {hashlib.sha256(place.read_bytes()).hexdigest()}, expected is {wanted}; it is not" in said
    assert not Path("ran").exists()
    assert files() == before


def test_code_around_a_module_is_code_too(refused):
    Path("one").mkdir()
    Path("one/named.py").write_text(NAMED_MODEL.format(fingerprint="v1"), encoding="utf-8")
    Path("one/__init__.py").touch()
    forget()
    accepted(run("one.named:make"))
    Path("one/__init__.py").write_text(TOUCHES, encoding="utf-8")
    forget()
    assert "one/__init__.py, has the digest " in refused("accept", "--rerun", str(REFERENCE))
    assert not Path("ran").exists()


@pytest.mark.parametrize("place", ["reference", "command"])
def test_code_of_a_model_that_had_none_is_not_run(refused, place):
    """The reference is of the model that ships, and names another all the same."""
    accepted(run(model=None))
    assert "code" not in document()["tasks"]["ner"]["model"]
    Path("named.py").write_text(TOUCHES + NAMED_MODEL.format(fingerprint="v1"), encoding="utf-8")
    more = ("--model", "named.py:make") if place == "command" else ()
    if not more:
        found = document()
        found["options"]["model"] = "named.py:make"
        write(found, REFERENCE / "robustness.json")
        dated()
    said = refused("accept", "--rerun", str(REFERENCE), *more)
    assert "expected is a model without code of its own; it is not run" in said
    assert not Path("ran").exists()


class Touching:
    def __reduce__(self):
        return Path.touch, (Path("ran"),)


def test_a_pickle_with_another_digest_is_not_loaded():
    """Not even if the command allows pickles."""
    Path("named.pkl").write_bytes(pickle.dumps(Touching()))
    with imports([]), pytest.raises(AbaloError, match="expected is a model without code of its own"):
        scikit.load("named.pkl", ModelOptions(allow_pickle=True))
    assert not Path("ran").exists()


def test_every_corpus_is_compared_before_any_model_is_loaded(refused):
    Path("named.py").write_text(NAMED_MODEL.format(fingerprint="v1"), encoding="utf-8")
    accepted(run("named.py:make"))
    Path("named.py").write_text(TOUCHES, encoding="utf-8")
    Path("corpus.conll").write_text(conll(*(f"[José{i} PESSOA] entrou" for i in range(60))), encoding="utf-8")
    assert "tasks.ner.corpus.sha256: " in refused("accept", "--rerun", str(REFERENCE))
    assert not Path("ran").exists()


SERVICE = """
from pathlib import Path


def make():
    known = Path("names.txt").read_text().split()
    return lambda batch: [["B-PESSOA" if word in known else "O" for word in tokens] for tokens in batch]
"""
"""A black box that answers by a file beside it, as a service does by the model that was put behind it."""


def accepted_service(**options) -> dict[str, bytes]:
    Path("svc.py").write_text(SERVICE, encoding="utf-8")
    Path("names.txt").write_text(" ".join(f"José{i}" for i in range(60)), encoding="utf-8")
    return accepted(run("svc:make", **options))


@pytest.mark.parametrize("options", [{}, {"model_version": "A"}])
def test_another_model_behind_a_service_is_refused_with_both_prediction_digests(refused, options):
    before = accepted_service(**options)
    wanted = document()["tasks"]["ner"]["model"]["predictions"]
    Path("names.txt").write_text(" ".join(f"José{i}" for i in range(50)), encoding="utf-8")
    changed = run("svc:make", **options).prepared.facts["tasks"]["ner"]["model"]["predictions"]
    said = refused("accept", "--rerun", str(REFERENCE))
    assert said.startswith(f"references/1.0/robustness.json tasks.ner.model.predictions: {wanted}, but the clean ")
    assert f"predictions of svc:make are {changed}: " in said
    assert "accept that run under another name with abalo accept REPORTS --as references/NAME" in said
    assert files() == before


def test_a_service_that_answers_as_it_did_is_measured_again(capsys):
    before = accepted_service(model_version="A")
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0
    assert files()["evidence.npz.xz"] == before["evidence.npz.xz"]


def test_another_corpus_is_refused_with_both_digests(refused):
    before = accepted()
    Path("corpus.conll").write_text(conll(*(f"[José{i} PESSOA] entrou" for i in range(60))), encoding="utf-8")
    said = refused("accept", "--rerun", str(REFERENCE))
    assert said.startswith("references/1.0/robustness.json tasks.ner.corpus.sha256: ")
    assert "give the accepted one with --corpus" in said
    assert files() == before


def test_whatever_has_moved_is_named_and_can_be_given(refused):
    Path("one").mkdir()
    for place in (".", "one"):
        Path(place, "named.py").write_text(NAMED_MODEL.format(fingerprint="v1"), encoding="utf-8")
    before = accepted(run("named.py:make"))
    Path("named.py").unlink()
    given = []
    for name, option, value in (
        ("thresholds.toml", "--thresholds", "one/mine.toml"),
        ("corpus.conll", "--corpus", "one/dev.conll"),
        ("named.py", "--model", "one/named.py:make"),
    ):
        if name != "named.py":
            Path(name).rename(value)
        said = refused("accept", "--rerun", str(REFERENCE), *given)
        assert said.startswith("references/1.0/robustness.json ")
        assert name in said
        assert f"has moved: {option} " in said
        assert files() == before
        given += [option, value]
    assert main(["accept", "--rerun", str(REFERENCE), *given]) == 0
    found = document()["options"]
    assert (found["model"], found["corpus"], found["thresholds"]) == (given[5], given[3], given[1])


def test_the_model_of_a_reference_about_questions_is_given_as_any_other(refused):
    Path("thresholds.toml").write_text("[[choice.baseline]]\n", encoding="utf-8")
    accepted(Session(task="choice", thresholds="thresholds.toml"))
    Path("first.py").write_text("def make():\n    return lambda question, options: 0\n", encoding="utf-8")
    said = refused("accept", "--rerun", str(REFERENCE), "--model", "first.py:make")
    assert "tasks.choice: model first.py:make: its code, " in said
    assert "expected is a model without code of its own" in said
    assert "--model" in said
    assert main(["accept", "--rerun", str(REFERENCE)]) == 0


def test_a_case_that_cannot_be_run_leaves_the_reference_as_it_was(refused):
    before = accepted()
    Path("conftest.py").write_text(ENDING.format(end="x").replace("word +", "word.nothing +"), encoding="utf-8")
    sys.modules.pop("conftest", None)
    assert "ending" in refused("accept", "--rerun", str(REFERENCE))
    assert files() == before


def test_a_file_without_a_case_of_a_task_is_refused(refused):
    accepted()
    Path("thresholds.toml").write_text("[[choice.baseline]]\n", encoding="utf-8")
    assert "thresholds.toml: has no case of the task ner, which" in refused("accept", "--rerun", str(REFERENCE))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (None, "robustness.json options: missing; expected those of the run"),
        ({"seeds": [1, 1]}, "robustness.json options seeds: [1, 1]; expected a list of distinct whole numbers"),
    ],
)
def test_a_reference_that_does_not_say_what_was_run_is_refused(refused, change, message):
    accepted()
    found = document()
    if change is None:
        del found["options"]
    else:
        found["options"] |= change
    write(found, REFERENCE / "robustness.json")
    dated()
    before = files()
    assert message in refused("accept", "--rerun", str(REFERENCE))
    assert files() == before


def test_a_run_that_nobody_accepted_is_refused(refused):
    accepted()
    said = refused("accept", "--rerun", "reports")
    assert said.startswith("--rerun reports: has no accepted.json; expected a reference")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rerun", "references/1.0", "--as", "references/2.0"), "--as: is for REPORTS; --rerun replaces"),
        (("--rerun", "references/1.0", "--replace"), "--replace: is for REPORTS; --rerun replaces"),
        (("reports",), "--as: missing; name the reference, such as --as references/1.0"),
        (("reports", "--as", "references/2.0", "--model", "x"), "--model: is for --rerun"),
    ],
)
def test_the_two_forms_of_the_command_are_not_mixed(refused, arguments, message):
    before = accepted()
    assert refused("accept", *arguments).startswith(message)
    assert files() == before
    assert not Path("references/2.0").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "one of the arguments REPORTS --rerun is required"),
        (("reports", "--rerun", "references/1.0"), "not allowed with argument"),
    ],
)
def test_a_run_or_a_reference_is_named_and_not_both(capsys, arguments, message):
    with pytest.raises(SystemExit) as ended:
        main(["accept", *arguments])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
