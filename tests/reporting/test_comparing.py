"""Losses against an accepted run, in the document and on the pages."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from abalo.config.options import make_options
from abalo.config.thresholds import Thresholds, case_of
from abalo.core.documents.document import Document, TaskFacts
from abalo.core.documents.found import Result
from abalo.core.documents.losses_found import Comparison
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.statistics.plan import Waiver
from abalo.errors import AbaloError
from abalo.reporting.documents.document import assemble
from abalo.reporting.formats.comment import Remarks, comment
from abalo.reporting.formats.html import summary
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.terminal import lines
from abalo.reporting.runs.finished import Run
from abalo.reporting.runs.reference import Reference, comparison, read_reference, reference_of
from tests.compared import EQUAL, GOOD, WORSE, run_of
from tests.reporting.documents import DIGEST, result_of, sample
from tests.reports import write_measured
from tests.texts import TextWith

GATE = Gate(resamples=1_000)
ACCENTS = case_of(tasks()["ner"], "accents", {}, GATE)
TODAY = date(2026, 11, 22)


def facts(fingerprint="new", **more):
    """The facts of a task, of a model with this fingerprint and ``more`` that is known of it."""
    own = sample()["tasks"]["ner"]
    return own | {"model": own["model"] | {"fingerprint": fingerprint, **more}}


def reference(clean=GOOD, changed=GOOD, fingerprint="accepted", **more) -> Reference:
    """An accepted run."""
    evidence = {"ner/baseline": run_of(clean), ACCENTS.id: run_of(changed)}
    return Reference(
        "1.0",
        Run(typed.read(Document, {"tasks": {"ner": facts(fingerprint, **more)}}), evidence),
        {"date": "2026-11-01"},
    )


def losses(clean=WORSE, changed=WORSE, *, case=ACCENTS, gate=GATE, records=(), against=None):
    """The losses of a run against the accepted one."""
    evidence = {"ner/baseline": run_of(clean), case.id: run_of(changed)}
    thresholds = Thresholds(Path("thresholds.toml"), gate, (case,))
    return typed.as_json(
        comparison(
            {name: typed.read(TaskFacts, own) for name, own in {"ner": facts()}.items()},
            evidence,
            thresholds,
            against or reference(),
            TODAY,
            records,
        )
    )


def document(found, gate="pass"):
    """A whole document with these losses."""
    base = sample()
    given = {"versions": base["versions"], "gate": base["gate"] | {"inconclusive": gate}, "tasks": base["tasks"]}
    kept = [result for result in base["results"] if result["verdict"] == "pass"]
    return typed.as_json(
        assemble(
            given,
            [typed.read(Result, each) for each in kept],
            (),
            (),
            complete=True,
            comparison=found and typed.read(Comparison, found),
        )
    ) | {"evidence_sha256": DIGEST}


def test_a_regression_fails_the_run_though_every_bound_holds():
    made = document(losses())
    assert (made["verdict"], made["comparison"]["state"]) == ("fail", "regressed")


def test_a_run_that_lost_nothing_passes():
    same = losses(GOOD, GOOD, against=reference(fingerprint="new"))
    assert (document(same)["verdict"], same["state"]) == ("pass", "identical")


def test_a_model_that_predicts_otherwise_behind_its_fingerprint_is_not_the_same():
    changed = losses(GOOD, GOOD, against=reference(fingerprint="new", predictions="of last week"))
    assert (changed["state"], changed["tasks"]["ner"]["changed_unseen"]) == ("can't tell", True)
    assert "same fingerprint, other" in markdown(typed.read(Document, document(changed)))


def test_where_a_report_tells_no_clean_predictions_the_fingerprint_decides():
    earlier = losses(GOOD, GOOD, against=reference(fingerprint="new", predictions=""))
    assert (earlier["state"], earlier["tasks"]["ner"]["changed_unseen"]) == ("identical", False)


def test_on_another_corpus_clean_predictions_say_nothing():
    other = reference(fingerprint="new", predictions="of other sentences")
    theirs = other.run.document.tasks["ner"]
    elsewhere = replace(theirs, corpus=replace(theirs.corpus, sha256="0" * 64))
    run = replace(other.run, document=replace(other.run.document, tasks={"ner": elsewhere}))
    assert losses(GOOD, GOOD, against=replace(other, run=run))["state"] == "identical"


def test_where_it_cannot_be_told_the_headline_is_no_pass():
    open_still = losses(EQUAL, EQUAL)
    assert open_still["state"] == "can't tell"
    assert "OK: clean at most " in "\n".join(line for line, _ in lines(typed.read(Document, document(open_still))))
    assert "OK: clean at most " in markdown(typed.read(Document, document(open_still)))
    assert document(open_still, "fail")["verdict"] == "inconclusive"


def test_pages_lead_with_what_got_worse():
    made = document(losses())
    page = markdown(typed.read(Document, made))
    assert page.index("losses against the reference 1.0") < page.index("## Notes" if "## Notes" in page else "Accents")
    assert "regressed" in summary(typed.read(Document, made))
    told = [line for line, _ in lines(typed.read(Document, made))]
    assert any("ner/baseline" in line and "REGRESSED" in line for line in told)


def test_text_of_a_corpus_is_escaped_on_the_page():
    record = {
        "case": "ner/baseline",
        "sentence_id": next(f"s{row:04}" for row in range(200) if GOOD[row] and not WORSE[row]),
        "seed": 1,
        "tokens": ["<b>Ana</b>"],
        "gold": ["B-PER"],
        "clean": ["B-PER"],
        "edits": [],
        "predicted": ["O"],
    }
    found = losses(records=[json.dumps(record)])
    assert found["tasks"]["ner"]["newly_worse"][0]["text"] == "<b>Ana</b>   (right: [<b>Ana</b> PER])"
    assert "<b>Ana</b>" not in summary(typed.read(Document, document(found)))
    assert "&lt;b&gt;Ana&lt;/b&gt;" in summary(typed.read(Document, document(found)))


def test_without_records_a_sentence_has_no_text():
    assert {each["text"] for each in losses()["tasks"]["ner"]["newly_worse"]} == {None}


def test_a_loss_has_the_headline_number_that_the_reference_measured():
    accepted = reference()
    theirs = result_of(sample(), "accents") | {"id": ACCENTS.id}
    told = replace(accepted.run.document, results=[typed.read(Result, theirs)])
    assert (
        _of_accents(losses(against=replace(accepted, run=replace(accepted.run, document=told))))["headline"] == 0.042844
    )
    own = told.tasks["ner"]
    shorter = replace(told, tasks={"ner": replace(own, corpus=replace(own.corpus, distinct=own.corpus.distinct - 1))})
    assert (
        _of_accents(losses(against=replace(accepted, run=replace(accepted.run, document=shorter))))["headline"] is None
    )


def test_under_fewer_seeds_the_headline_number_of_the_reference_is_counted_under_these():
    accepted = reference()
    theirs = result_of(sample(), "accents") | {"id": ACCENTS.id, "headline": "f1", "seeds": [1, 2]}
    seeds = [1] * len(GOOD) + [2] * len(WORSE)
    evidence = {**accepted.run.evidence, ACCENTS.id: run_of([*GOOD, *WORSE], seeds=seeds)}
    told = replace(accepted.run.document, results=[typed.read(Result, theirs)])
    found = losses(against=replace(accepted, run=replace(accepted.run, document=told, evidence=evidence)))
    hits, entities = sum(GOOD), len(GOOD)
    assert _of_accents(found)["headline"] == pytest.approx(2 * hits / (hits + entities))


def test_where_variants_differ_the_resources_that_are_others_are_told():
    accepted = reference()
    of_case = result_of(sample(), "accents") | {"id": ACCENTS.id}
    results = [of_case | {"drawn_with": {"synonyms": "WordNet (83,118 words, 2756f5c2)", "model": "same"}}]
    theirs = of_case | {"drawn_with": {"synonyms": "WordNet (77,000 words, 00000000)", "model": "same"}}
    told = replace(accepted.run.document, results=[typed.read(Result, theirs)])
    accepted = replace(accepted, run=replace(accepted.run, document=told))
    evidence = {"ner/baseline": run_of(GOOD), ACCENTS.id: run_of(GOOD, variants="other")}
    thresholds = Thresholds(Path("thresholds.toml"), GATE, (ACCENTS,))
    found = typed.as_json(
        comparison(
            {name: typed.read(TaskFacts, own) for name, own in {"ner": facts()}.items()},
            evidence,
            thresholds,
            accepted,
            TODAY,
            (),
            [typed.read(Result, each) for each in results],
        )
    )
    loss = _of_accents(found)
    assert loss["state"] == "not comparable"
    assert loss["reason"] == TextWith(
        "other variants",
        ": synonyms is WordNet (83,118 words, 2756f5c2) here and WordNet (77,000 words, 00000000) there; measure",
    )
    without = typed.as_json(
        comparison(
            {name: typed.read(TaskFacts, own) for name, own in {"ner": facts()}.items()},
            evidence,
            thresholds,
            reference(),
            TODAY,
            (),
            [typed.read(Result, each) for each in results],
        )
    )
    assert "the model; measure" in _of_accents(without)["reason"]


def _of_accents(found):
    return next(loss for loss in found["tasks"]["ner"]["losses"] if loss["id"] == ACCENTS.id)


def test_a_waiver_is_shown_with_its_day_and_its_reason():
    waived = replace(ACCENTS, waiver=Waiver(0.5, date(2027, 3, 1), "faster <model>"))
    made = document(losses(GOOD, WORSE, case=waived))
    assert markdown(typed.read(Document, made)) == TextWith(
        "faster &lt;model>: ", "up to 0.500", "until 2027-03-01; left out"
    )


def test_cases_not_compared_and_losses_accepted_stand_under_headings_of_their_own():
    waived = replace(ACCENTS, waiver=Waiver(0.5, date(2027, 3, 1), "faster"))
    found = losses(GOOD, WORSE, case=waived)
    found["tasks"]["ner"]["only_default"] = []
    headings = [
        line.strip("# ")
        for line in markdown(typed.read(Document, document(found))).splitlines()
        if line.startswith("#")
    ]
    assert "Accepted losses" in headings
    assert "Not compared" not in headings
    found["tasks"]["ner"]["only_reference"] = ["ner/keyboard"]
    said = markdown(typed.read(Document, document(found)))
    first, second = said.partition("## Not compared")[2].partition("## Accepted losses")[::2]
    accepted = TextWith("faster: ", "up to 0.500")
    assert first == TextWith("**Only in ", "**: ner/keyboard")
    assert first != accepted
    assert second == accepted


def written(folder, found=None, *, complete=True):
    """The folder of a run, as a gate leaves it."""
    run = (found or reference()).run
    made = sample() | {"results": [], "complete": complete}
    write_measured(typed.read(Document, made), run.evidence, folder)
    return folder


def test_a_reference_is_named_by_its_folder_or_by_its_json(tmp_path):
    folder = written(tmp_path)
    assert read_reference(folder).name == read_reference(folder / "robustness.json").name == tmp_path.name


def test_a_run_that_did_not_finish_is_no_reference(tmp_path):
    with pytest.raises(AbaloError, match="the run did not finish"):
        read_reference(written(tmp_path, complete=False))


def test_a_reference_that_is_not_there_is_an_error_that_names_it(tmp_path):
    with pytest.raises(AbaloError, match=r"the reference to judge against: .*none.*: there is no such folder"):
        read_reference(tmp_path / "none")


def test_a_run_cannot_overwrite_its_own_reference(tmp_path):
    options = make_options(thresholds=Path("thresholds.toml"), against=str(tmp_path), reports=str(tmp_path))
    with pytest.raises(AbaloError, match=r"abalo accept .* --as references/NAME"):
        reference_of(options, Thresholds(Path("thresholds.toml"), GATE, ()))


def test_the_thresholds_file_names_a_reference_and_the_option_wins(tmp_path):
    one, other = (written(tmp_path / name) for name in ("one", "other"))
    file = Thresholds(Path("thresholds.toml"), replace(GATE, against=str(one)), ())
    plain = make_options(thresholds=file.path)
    assert reference_of(plain, file).name == "one"
    assert reference_of(replace(plain, against=other), file).name == "other"
    assert reference_of(plain, replace(file, gate=GATE)) is None


def test_a_case_that_has_another_name_now_is_compared_under_it(tmp_path):
    case = case_of(tasks()["ner"], "letter_case", {}, GATE)
    evidence = {"ner/baseline": run_of(GOOD), "ner/WordCase": run_of(GOOD), "ner/no_such": run_of(GOOD)}
    found = read_reference(written(tmp_path, Reference("1.0", Run(typed.read(Document, {}), evidence), {})))
    assert set(found.run.evidence) == {"ner/baseline", case.id, "ner/no_such"}
    own = losses(
        GOOD, WORSE, case=case, against=replace(reference(), run=replace(reference().run, evidence=found.run.evidence))
    )
    assert own["tasks"]["ner"]["only_new"] == []
    assert next(loss["state"] for loss in own["tasks"]["ner"]["losses"] if loss["id"] == case.id) == "regressed"


def test_each_case_that_got_worse_has_a_sentence_though_others_lost_the_same_ones():
    worse = losses()["tasks"]["ner"]["newly_worse"]
    assert {each["case"] for each in worse} == {"ner/baseline", ACCENTS.id}
    assert sum(each["case"] == ACCENTS.id for each in worse) == 1


def test_where_both_names_are_there_the_one_of_today_counts(tmp_path):
    evidence = {"ner/letter_case": run_of(WORSE), "ner/WordCase": run_of(GOOD)}
    found = read_reference(
        written(tmp_path, Reference("1.0", Run(typed.read(Document, {}), evidence), {}))
    ).run.evidence
    assert set(found) == {"ner/letter_case"}
    assert found["ner/letter_case"].counts(tasks()["ner"].metrics()["f1"], "projected")[:, 0, 0].sum() == WORSE.sum()


def test_where_variants_differ_every_report_says_how_they_become_comparable(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    other = reference()
    run = Run(
        typed.read(Document, other.run.document),
        {"ner/baseline": run_of(GOOD), ACCENTS.id: run_of(GOOD, variants="other")},
    )
    run = replace(run, path=tmp_path / "references" / "1.0" / "robustness.json")
    made = document(losses(GOOD, GOOD, against=replace(other, run=run)))
    remedy = "with: abalo accept --rerun references/1.0"
    assert remedy in markdown(typed.read(Document, made))
    assert remedy in summary(typed.read(Document, made))
    assert any("NOT COMPARABLE" in line and remedy in line for line, _ in lines(typed.read(Document, made)))


def test_a_run_that_nobody_accepted_is_to_be_run_again():
    nobody = replace(reference(), accepted={})
    assert nobody.remedy == TextWith("run the gate", "again")


# The chain ------------------------------------------------------------------------------------------------------------


def drifted(mean_loss, own=GOOD, name="1.0"):
    """A document of a run against the reference 1.1, whose mean loss since another one is this."""
    since = {"name": name, "date": "2026-01-31", "mean_loss": {"ner": mean_loss}}
    old = replace(reference(), name="1.1", accepted={"date": "2026-11-01", "since": since})
    return document(losses(GOOD, own, against=old))


def of_mean(text):
    """The lines about mean losses since a reference."""
    return [line for line in text.splitlines() if "Mean loss since" in line]


def test_a_mean_loss_since_the_first_reference_is_told_everywhere():
    made = drifted(0.004)
    assert made["comparison"]["since"]["mean_loss"] == {"ner": pytest.approx(0.004)}
    said = ["Mean loss since 1.0: 0.004."]
    assert of_mean("\n".join(line for line, _ in lines(typed.read(Document, made)))) == said
    assert of_mean(markdown(typed.read(Document, made))) == said
    assert "Mean loss since 1.0: 0.004." in summary(typed.read(Document, made))


def test_above_its_limit_it_is_a_notice_under_the_headline():
    made = drifted(0.021)
    (line,) = of_mean(markdown(typed.read(Document, made)))
    assert line.startswith("> **Mean loss since 1.0: 0.021, above 0.010: ")
    (line,) = of_mean(comment(typed.read(Document, made), None, Remarks(), TODAY))
    assert line == comment(typed.read(Document, made), None, Remarks(), TODAY).splitlines()[2]


def test_a_reference_that_took_the_place_of_one_of_its_name_is_told_from_it_by_the_day():
    (line,) = of_mean(markdown(typed.read(Document, drifted(0.004, name="1.1"))))
    assert line == "Mean loss since 1.1 of 2026-01-31: 0.004."


def test_against_the_first_reference_of_a_chain_nothing_is_told_beside_the_mean_loss():
    found = losses(GOOD, WORSE)
    assert found["since"] == {
        "name": "1.0",
        "date": "2026-11-01",
        "mean_loss": {"ner": found["tasks"]["ner"]["mean"]["value"]},
        "limit": 0.01,
    }
    assert of_mean(markdown(typed.read(Document, document(found)))) == []
