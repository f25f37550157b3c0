"""Annotations of GitHub Actions: the lines that ``abalo verdict`` prints there."""

import pytest

from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.formats.annotations import annotate
from tests.reporting.documents import able, clean_score, interrupted, invariant, judgement, many, sample
from tests.reporting.test_report_page import compared
from tests.reports import write_measured
from tests.texts import TextWith

NOISE = (
    "::error title=Abalo%3A ner/character_noise[rate-0.1]::F1 drop 0.214 [0.184, 0.244], allowed ≤ 0.150; p < 0.001%0A"
    "What to do: Train on sentences that are changed in this way; abalo augment TRAIN --out FILE writes them. To "
    "accept the loss, measure a new bound: abalo calibrate --task ner --model './checkpoints/<b>lener|v2</b>' --corpus "
    "lener-br/dev.conll --limit 200 --case character_noise"
)


def changed(document, case, **fields):
    """The document with other fields in a case, in the view of its bounds."""
    results = [
        {**each, **fields} if each["id"] == case and each["bound"] is not None else each for each in document["results"]
    ]
    return document | {"results": results}


def passing():
    """The sample document without its failed case, undecided in one."""
    document = sample()
    results = [each for each in document["results"] if each["name"] != "character_noise"]
    counts = {"pass": 4, "fail": 0, "inconclusive": 1, "not_blocking": 0}
    return document | {"results": results, "counts": counts, "verdict": "pass"}


def titles(lines):
    return [line.split("::")[1] for line in lines]


def test_a_case_that_failed_is_told_with_type_value_bound_and_remedy():
    assert annotate(typed.read(Document, sample())) == [NOISE]


def test_bounds_of_several_types_are_lines_of_one_annotation():
    judged = sample()["results"][6]["judgements"]
    worse = [judged[0] | {"type": kind, "limit": 0.1} for kind in ("LOCAL", "PESSOA", "TEMPO", "ORGANIZACAO")]
    (line,) = annotate(typed.read(Document, changed(sample(), "ner/character_noise[rate-0.1]", judgements=worse)))
    *numbers, more, remedy = line.split("::", 2)[2].split("%0A")
    assert [each.partition(" 0.214")[0] for each in numbers] == [
        "F1 drop of LOCAL",
        "F1 drop of PESSOA",
        "F1 drop of TEMPO",
    ]
    assert more == "and 1 more"
    assert remedy.startswith("What to do: Train on sentences")


def test_what_may_not_stand_in_a_title_or_on_a_line_is_escaped():
    case = "ner/character_noise[rate-0.1]"
    document = changed(sample(), case, id="ner/a,b: 100%[x::y]")
    (line,) = annotate(typed.read(Document, document))
    assert line.startswith("::error title=Abalo%3A ner/a%2Cb%3A 100%25[x%3A%3Ay]::F1 drop 0.214")
    assert "\n" not in line
    assert "\r" not in line


def test_a_message_of_several_lines_cannot_begin_a_command_of_its_own():
    document = interrupted() | {"missing": [], "errors": [{"id": "ner/accents", "message": "no\n::error::100%\r\n::x"}]}
    (line,) = annotate(typed.read(Document, document))
    assert line.startswith("::error title=Abalo%3A ner/accents::could not run: no")
    assert len(line.splitlines()) == 1
    assert "100%25" in line


def test_failures_that_do_not_block_are_not_annotated():
    assert annotate(typed.read(Document, changed(sample(), "ner/character_noise[rate-0.1]", blocking=False))) == []


def test_a_loss_against_the_reference_stands_with_the_case_and_names_what_to_do():
    document = compared(passing() | {"verdict": "fail"})
    losses = document["comparison"]["tasks"]["ner"]["losses"]
    losses.append({**losses[0], "type": "PESSOA", "reference": 0.9, "new": 0.7, "value": 0.2, "low": 0.1, "high": 0.3})
    losses.append({**losses[0], "id": "ner/synonyms", "blocking": False})
    clean, accents = annotate(typed.read(Document, document))
    assert clean.startswith(
        "::error title=Abalo%3A ner/baseline::regressed against the reference 1.0: F1 0.850 → 0.866"
    )
    overall, person, remedy = accents.split("::", 2)[2].split("%0A")
    assert overall.startswith("regressed against the reference 1.0: F1 0.800 → 0.824, loss 0.000")
    assert person.startswith("largest loss: entity type PESSOA: F1 0.900 → 0.700, loss 0.200 [0.100, 0.300], ")
    assert remedy == TextWith("add accepted_loss, ")


def test_ten_cases_are_told_and_the_last_names_the_rest():
    lines = annotate(typed.read(Document, many(200, 1)))  # every tenth of 200 fails
    assert len(lines) == 10
    assert titles(lines)[-1] == "error title=Abalo%3A 11 more"
    assert lines[-1].split("::", 2)[2].startswith("ner/character_noise[rate-0.07], ner/character_noise[rate-0.12], ")
    fewer = annotate(typed.read(Document, many(100, 1)))
    assert len(fewer) == 10
    assert "more" not in titles(fewer)[-1]


def test_a_clean_corpus_that_fails_beside_other_cases_is_told():
    document = passing() | {"verdict": "fail"}
    document["results"] = [each for each in document["results"] if each["name"] != "baseline"]
    document["tasks"]["ner"]["baseline"] |= {"verdict": "fail", "reason": "F1 0.300 [0.250, 0.350], allowed ≥ 0.800"}
    assert annotate(typed.read(Document, document)) == [
        "::error title=Abalo%3A ner/baseline::F1 0.300 [0.250, 0.350], allowed ≥ 0.800",
    ]


def test_regressions_are_told_without_their_sentences():
    document = passing() | {"verdict": "fail"}
    document["regressions"] = [
        {
            "id": "entity_attack-9f2c-1-3-ab",
            "attack": "entity_attack",
            "status": "still broken",
            "before": "o [José Sá PESSOA] mora aqui",
            "after": "o [Jose Sa PESSOA] mora aqui",
            "labels": ["O", "O"],
            "recorded": ["O", "O"],
        }
    ]
    assert annotate(typed.read(Document, document)) == [
        "::error title=Abalo%3A entity_attack-9f2c-1-3-ab::still broken, labelled O O"
    ]


def test_sentences_that_broke_stand_in_no_annotation():
    for document, words in ((invariant(), ("São_Paulo", "vista")), (able(), ("assinou", "Ana"))):
        said = "\n".join(annotate(typed.read(Document, document)))
        assert said
        assert not any(word in said for word in words)


def test_a_run_that_passed_has_none_though_something_is_undecided():
    assert annotate(typed.read(Document, passing())) == []


def test_undecided_cases_are_warnings_where_the_gate_fails_for_them():
    document = passing() | {"verdict": "inconclusive"}
    document["gate"] = document["gate"] | {"inconclusive": "fail"}
    (line,) = annotate(typed.read(Document, document))
    assert line.startswith(
        "::warning title=Abalo%3A ner/token_masking[rate-0.15]::F1 drop 0.136 [0.126, 0.146], allowed ≤ 0.120; "
        "p = 0.021; not significant after correction for 7 bounds (p = 0.021); about 840 distinct changed "
        "sentences would settle it (110 here)"
    )


def test_a_clean_corpus_that_is_undecided_is_a_warning():
    document = passing() | {"verdict": "inconclusive"}
    document["results"] = [each for each in document["results"] if each["name"] != "baseline"]
    doubt = judgement("min_f1", 0.87, 0.86, "inconclusive")
    document["tasks"]["ner"]["baseline"] |= {
        "verdict": "inconclusive",
        "reason": "F1 0.86 may be 0.87",
        "judgements": [doubt],
    }
    assert annotate(typed.read(Document, document)) == ["::warning title=Abalo%3A ner/baseline::F1 0.86 may be 0.87"]


def test_a_run_that_decided_nothing_says_so():
    document = passing() | {"verdict": "measured", "results": [], "counts": dict.fromkeys(sample()["counts"], 0)}
    document["tasks"]["ner"]["baseline"]["judgements"] = []
    title = "::warning title=Abalo%3A nothing was judged::"
    assert annotate(typed.read(Document, document)) == [TextWith(title, "no bound")]
    accept = {"next": ["abalo accept reports --as references/1.0", "pytest"]}
    assert annotate(typed.read(Document, document | accept)) == [
        TextWith(title, "%0AWhat to do: abalo accept reports", " --as references/1.0")
    ]


def test_a_quick_look_has_no_warning():
    document = passing() | {"verdict": "measured", "results": [], "counts": dict.fromkeys(sample()["counts"], 0)}
    document["tasks"]["ner"]["baseline"]["judgements"] = []
    document["gate"] = document["gate"] | {"profile": "quick"}
    assert annotate(typed.read(Document, document)) == []


def test_a_clean_score_that_is_undecided_is_why_a_run_without_a_reference_is_no_pass():
    document = passing() | {"verdict": "inconclusive"}
    document["tasks"]["ner"]["baseline"]["least"] = clean_score(0.31)
    (line,) = annotate(typed.read(Document, document))
    assert line.startswith("::warning title=Abalo%3A nothing was decided::ner: the clean score")


def test_losses_that_cannot_be_told_are_one_warning_where_the_gate_fails_for_them():
    document = compared(passing() | {"verdict": "inconclusive"})
    found = document["comparison"]
    for loss in (found["tasks"]["ner"]["baseline"], *found["tasks"]["ner"]["losses"]):
        loss["state"] = "can't tell"
    found["state"] = "can't tell"
    document["gate"] = document["gate"] | {"inconclusive": "fail"}
    assert titles(annotate(typed.read(Document, document))) == [
        "warning title=Abalo%3A ner/token_masking[rate-0.15]",
        "warning title=Abalo%3A against the reference 1.0",
    ]
    assert annotate(typed.read(Document, document))[1] == TextWith("::2 undecided; robustness.md ")


def test_cases_without_a_result_are_a_gap():
    (line,) = annotate(typed.read(Document, interrupted() | {"errors": []}))
    assert line == TextWith("::warning title=Abalo%3A 2 cases", "::ner/accents, ner/baseline. ", "shard")


def test_a_run_that_did_not_finish_is_a_gap():
    (line,) = annotate(typed.read(Document, interrupted() | {"errors": [], "missing": []}))
    assert line == TextWith("::warning title=Abalo%3A ", "not finish::", "incomplete")


@pytest.mark.parametrize(("actions", "lines"), [("true", 2), ("false", 1), (None, 1)])
def test_verdict_prints_them_above_its_headline_in_a_job_of_github_alone(tmp_path, capsys, monkeypatch, actions, lines):
    if actions is not None:
        monkeypatch.setenv("GITHUB_ACTIONS", actions)
    write_measured(typed.read(Document, sample()), {}, tmp_path)
    assert main(["verdict", str(tmp_path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == lines
    assert said[-1].startswith("FAIL: ")
    assert (said[0] == NOISE) == (lines == 2)
