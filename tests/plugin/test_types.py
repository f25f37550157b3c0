"""``--abalo-types`` and ``--abalo-join``: a model whose types fit those of the corpus only in part."""

import json

import pytest

from abalo.attacks.log import FORMAT
from abalo.cli import main
from tests.plugin.conftest import NAMES, PLACES, conll
from tests.texts import TextWith

LABELS = ("O", *(f"{position}-{kind}" for kind in ("GIVEN_NAME", "SURNAME", "CITY", "EMAIL") for position in "BI"))

PERSONAL_DATA = f"""
import numpy as np

NAMES, PLACES = {NAMES!r}, {PLACES!r}


def kind(word):
    if word in NAMES:
        return "B-GIVEN_NAME"
    if word in PLACES:
        return "B-CITY"
    return {{"Sá": "B-SURNAME", "horas": "B-EMAIL"}}.get(word, "O")


class scored:
    labels = {LABELS!r}

    def scores(self, batch):
        return [np.array([[float(kind(word) == label) for label in self.labels] for word in words]) for words in batch]


def tagged():
    return lambda batch: [[kind(word) for word in words] for words in batch]
"""

MAP = ("--abalo-label-map", "GIVEN_NAME=PESSOA,SURNAME=PESSOA,CITY=LOCAL")
TYPES = ("--abalo-types", "PESSOA,LOCAL")


@pytest.fixture
def project(project):
    """Persons have two names here; the model has no organisations, and takes hours for addresses."""
    project.write("personal.py", PERSONAL_DATA)
    sentences = [
        f"o [TRIBUNAL SUPERIOR ORGANIZACAO] ouviu [{name} Sá PESSOA] em [{place} LOCAL] , às {hour} horas ."
        for hour, (name, place) in enumerate((name, place) for name in NAMES for place in PLACES)
    ]
    project.write("corpus.conll", conll(sentences))
    project.write("thresholds.toml", "[gate]\nresamples = 300\n[[ner.baseline]]\nmin_f1 = 0.9\n[[ner.accents]]\n")
    return project


def test_a_model_that_lacks_types_is_refused_with_both_ways_out(project):
    result = project.run(*MAP, model="personal:scored")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*has no label for ORGANIZACAO", "*--abalo-label-map MODEL_TYPE=CORPUS_TYPE", "*--abalo-types LOCAL,PESSOA"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("model", ["personal:scored", "personal:tagged"])
def test_some_types_are_judged_and_the_rest_counted_and_named(project, model):
    assert project.run(*MAP, *TYPES, "--abalo-join", model=model).ret == 0
    document = project.document()
    assert document["baseline"]["f1"]["value"] == 1.0
    assert set(document["baseline"]["per_type"]) == {"PESSOA", "LOCAL"}
    assert document["corpus"]["entities"] == {"LOCAL": 70, "PESSOA": 70}
    types = document["tasks"]["ner"]["types"]
    assert (types["judged"], types["outside"], types["never_predicted"]) == (["PESSOA", "LOCAL"], {}, {})
    assert types["left_out"] == {"gold": {"ORGANIZACAO": 70}, "predicted": {"EMAIL": 70}}
    settings = document["model"]["settings"]
    assert (settings["join"], settings["types"]) == (True, "LOCAL,PESSOA")
    notice = TextWith("PESSOA, LOCAL", "(--abalo-types)", "70 entities (ORGANIZACAO 70)", "70 entities (EMAIL 70)")
    assert (project.path / "reports" / "robustness.md").read_text("utf-8") == notice


def test_without_joining_the_two_names_of_a_person_are_two_entities(project):
    assert project.run(*MAP, *TYPES, "-k", "baseline", model="personal:scored").ret == 1
    found = project.document()["baseline"]["per_type"]
    assert (found["PESSOA"]["f1"]["value"], found["LOCAL"]["f1"]["value"]) == (0.0, 1.0)


def test_types_of_the_model_outside_the_corpus_are_told_with_the_remedy(project):
    everything = project.path.joinpath("corpus.conll").read_text("utf-8")
    only = everything.replace("B-ORGANIZACAO", "O").replace("I-ORGANIZACAO", "O")
    project.write("corpus.conll", only)
    result = project.run(*MAP, "--abalo-join", "-k", "baseline", model="personal:scored")
    result.stdout.fnmatch_lines(
        ["*70 entities (EMAIL 70) *false positives.*--abalo-types LOCAL,PESSOA, * --abalo-label-map EMAIL=O."]
    )
    assert project.document()["baseline"]["f1"]["value"] == 0.8  # of 210 entities predicted 140 are right, all found
    with_map = (MAP[0], f"{MAP[1]},EMAIL=O")
    assert project.run(*with_map, "--abalo-join", "-k", "baseline", model="personal:scored").ret == 0
    assert project.document()["notice"] is None


def test_a_model_that_tells_no_labels_and_misses_types_is_noticed(project):
    project.run(*MAP, "-k", "baseline", model="personal:tagged")
    assert project.document()["notice"].splitlines() == [
        TextWith(
            "not list its",
            ": ORGANIZACAO 70, ",
            "70 entities (EMAIL 70)",
            "--abalo-label-map MODEL_TYPE=CORPUS_TYPE",
            "--abalo-types LOCAL,PESSOA.",
        )
    ]


def test_of_a_model_that_tells_no_labels_names_that_the_map_renames_in_vain_are_told(project):
    project.run(MAP[0], f"{MAP[1]},CTIY=LOCAL,B-EMAIL=O", model="personal:tagged")
    types, said = project.document()["tasks"]["ner"]["types"], project.document()["notice"]
    assert (types["unused_names"], types["dropped"]) == (["CTIY"], ["B-EMAIL"])
    assert "renames CTIY, " in said
    assert said == TextWith("drops B-EMAIL (maps it to O)")


def test_perturbations_attacks_slices_and_pools_know_the_judged_types_alone(project):
    other = conll(["[PETROBRAS ORGANIZACAO] e [Bia PESSOA] em [Faro LOCAL]"])
    project.write("others.conll", other)
    project.write(
        "thresholds.toml",
        "[gate]\nresamples = 300\n[[ner.insert]]\n[[ner.boundary]]\n"
        '[[ner.swap_named_ent]]\nentities = "others.conll"\n[[ner.concat_sent]]\nfollowing = "corpus.conll"\n'
        '[[ner.slice]]\nof = "rare_types"\ntraining = "others.conll"\nshare = 0.5\n[[ner.char_typo]]\n',
    )
    project.run(*MAP, *TYPES, "--abalo-join", model="personal:scored")
    document = project.document()
    assert document["errors"] == []
    assert len({each["id"] for each in document["results"]}) >= 6
    assert {kind for each in document["results"] for kind in each["per_type"]} == {"PESSOA", "LOCAL"}
    assert "ORGANIZACAO" not in json.dumps(
        [each["slice"] for each in document["results"] if each["id"].startswith("ner/slice")]
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--abalo-types", "PESOA"),
            "--abalo-types PESOA: corpus.conll has no entity type 'PESOA'; did you mean 'PESSOA'",
        ),
        (("--abalo-types", ","), "--abalo-types ',': expected names of entity types"),
        (("--abalo-join",), "--abalo-join: nothing to join"),
        (("--abalo-types", "X", "--abalo-task", "pos"), "--abalo-types: applies to entity types, and pos has none"),
    ],
)
def test_what_cannot_be_meant_is_refused(project, options, message):
    result = project.run(*options)
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR)
    assert message in result.stdout.str() + result.stderr.str()


def test_a_bound_on_a_type_that_is_left_out_is_refused(project):
    project.write("thresholds.toml", "[[ner.accents]]\nmax_f1_drop = {ORGANIZACAO = 0.1}\n")
    result = project.run(*MAP, *TYPES, model="personal:scored")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*the entity type 'ORGANIZACAO' is left out by --abalo-types*"])


@pytest.mark.slow
def test_a_run_on_other_types_is_not_comparable(project):
    options = (*MAP, "--abalo-join", "--abalo-types")
    assert project.run(*options, "PESSOA,LOCAL", model="personal:scored").ret == 0
    reports, kept = project.path / "reports", project.path / "references" / "1.0"
    assert main(["accept", str(reports), "--as", str(kept)]) == 0
    project.run(*options, "LOCAL", "--abalo-against", "references/1.0", model="personal:scored")
    own = project.document()["comparison"]["tasks"]["ner"]
    assert (own["state"], own["newly_worse"]) == ("not comparable", [])
    assert own["baseline"]["reason"] == TextWith(": LOCAL here, LOCAL, PESSOA in ")
    project.run(*options, "LOCAL,PESSOA", "--abalo-against", "references/1.0", model="personal:scored")
    assert project.document()["comparison"]["state"] == "identical"


def test_records_about_types_that_are_left_out_are_skipped(project):
    record = {
        "attack": "char_typo",
        "tokens": ["a", "CORTE", "ouviu", "Ana"],
        "tags": ["O", "B-ORGANIZACAO", "O", "B-PESSOA"],
        "spaces": [" ", " ", " ", ""],
        "edits": [],
        "broken": True,
        "labels": {"clean": ["O"], "attacked": ["O"]},
    }
    targets = ([1, 2, "ORGANIZACAO"], [3, 4, "PESSOA"])
    lines = [{"format": FORMAT}, *({**record, "target": target} for target in targets)]
    project.write("kept.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines))
    result = project.run(*TYPES, "--abalo-regressions", "kept.jsonl", "-k", "is_fixed", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*about ORGANIZACAO, which --abalo-types leaves out"])


def test_a_run_judged_anew_keeps_the_notice(project, monkeypatch):
    monkeypatch.chdir(project.path)
    project.run(*MAP, *TYPES, "--abalo-join", model="personal:scored")
    notice = project.document()["notice"]
    assert main(["rejudge", "reports", "--thresholds", "thresholds.toml"]) == 0
    assert project.document()["notice"] == notice
