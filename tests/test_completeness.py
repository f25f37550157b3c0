"""Forget a line when you add something, and one of these names it."""

import csv
import re
from functools import cache
from pathlib import Path

from abalo.attacks import attacks
from abalo.bundled import CASES, OWN_GATE, bundled_path
from abalo.config.thresholds import load
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import AUTO
from abalo.core.statistics.passing import CAPABILITY
from abalo.core.statistics.plan import BASELINE
from abalo.invariances import invariances
from abalo.probes.pipeline import PIPELINE
from abalo.probes.slice import SLICE
from abalo.slices import slices
from perturbations import find, members
from tests.rows import every

ROOT = Path(__file__).parent.parent
OURS = sorted(
    name for name, member in members().items() if member.function.__module__.startswith("perturbations.families.")
)
MODULES = sorted(path.stem.removeprefix("test_") for path in ROOT.glob("tests_behavioral/ner/test_*.py"))


@cache
def cases_of(path: Path) -> tuple[Case, ...]:
    """The cases of a thresholds file, which takes long to read."""
    return tuple(load(path).cases)


def test_a_perturbation_has_a_case_once_it_was_read():
    cases = {case.name for case in cases_of(bundled_path(CASES))}
    with ROOT.joinpath("docs/ratings.tsv").open(encoding="utf-8", newline="") as file:
        rated = {find(row["perturbation"].partition(" ")[0]).name for row in csv.DictReader(file, delimiter="\t")}
    ours = {name for name in OURS if members()[name].cost == "text"}
    assert ours & rated <= cases, f"give them cases in {CASES}, such as [[ner.accents]]"
    assert cases & ours <= rated, "two readers have to judge thirty variants of what ships, as CONTRIBUTING.md says"


@every("name", [name for name in MODULES if name not in ("other_perturbations", "regressions")])
def test_a_module_is_about_a_perturbation(name):
    known = [BASELINE, CAPABILITY, PIPELINE, SLICE, *OURS, *attacks(), *invariances()]
    assert name in known, f"write {name}.py in perturbations/families/<family>, abalo/attacks or abalo/invariances"
    source = ROOT.joinpath(f"tests_behavioral/ner/test_{name}.py").read_text("utf-8")
    assert f'abalo("ner.{name}")' in source, f'mark its tests with @pytest.mark.abalo("ner.{name}")'


@every("name", [*attacks(), *invariances()])
def test_an_attack_or_invariance_has_a_case_and_one_of_entities_a_module(name):
    cases = [case.name for case in cases_of(bundled_path(CASES))]
    assert name in cases, f"give it a case in {CASES}: [[ner.{name}]]"
    recipe = name in attacks() and attacks()[name].start.__module__.startswith("abalo.attacks.recipes.")
    of_entities = ({**attacks(), **invariances()}[name]).fits(tasks()["ner"]) and not recipe
    assert (name in MODULES) == of_entities, f"write tests_behavioral/ner/test_{name}.py"


@every("name", slices())
def test_a_slice_has_a_case(name):
    of = [case.params["of"] for case in cases_of(OWN_GATE) if case.name == SLICE]
    assert name in of, f'give it a case in {CASES}, or in thresholds.toml if it needs labels: of = "{name}"'


def test_the_default_cases_have_no_bounds_and_name_no_labels():
    ours = cases_of(bundled_path(CASES))
    assert [case.id for case in ours if case.bounds or case.max_losses or case.least is not None] == []
    assert [case.id for case in ours if "label" in case.params or case.params.get("of") == "label"] == []


def test_the_default_cases_name_no_corpus_that_ships():
    assert "bundled:" not in bundled_path(CASES).read_text("utf-8")  # no model of a user has learned from one


def test_the_gate_of_the_bundled_models_leaves_no_default_case_out():
    gate = {of_any_corpus(case.id) for case in cases_of(OWN_GATE)}
    assert [case.id for case in cases_of(bundled_path(CASES)) if of_any_corpus(case.id) not in gate] == []


def of_any_corpus(id_: str) -> str:
    """The id of a case, whatever training data it names, and whatever it says of how the pairs were annotated."""
    return re.sub(r"\[training-\w+\]|[.-]training-[a-z]+(_\w+)?|\[one_event-True\]", "", id_)


TOO_FEW = {
    *(  # of tasks whose corpora are small, and cases that readers have not judged yet
        "coreference/contraction",
        "coreference/rnd_concat",
        "coreference/rnd_shuffle",
        "coreference/slice[of-length-end-longest]",
        "parsing/add_subtree",
        "parsing/delete_subtree",
        "parsing/misspelling",
        "parsing/slice[of-arc_length]",
        "parsing/slice[of-length-end-longest]",
        "parsing/slice[of-projectivity]",
        "relations/deepwordbug[sample-40]",
        "relations/insert_clause",
        "relations/misspelling",
        "relations/pipeline[swap_triple_pos+typos]",
        "relations/slice[of-span_distance-end-farthest]",
        "relations/slice[of-span_order-first-object]",
        "relations/swap_age",
        "relations/swap_birth",
        "relations/swap_employee",
        "relations/swap_triple_pos",
    ),
    *(f"pos/{name}" for name in ("contraction", "tense", "number", "synonym_wordnet", "antonym")),
    *(f"pos/prejudice[to-{to}]" for to in ("woman", "africa")),
    *(f"classification/{name}" for name in ("slice[of-phrase]", "number", "contraction", "chat_style")),
    *(f"classification/{name}" for name in ("pruthi[sample-30]", "clare[sample-60-most_candidates-10]")),
    *(
        f"reading/{name}"
        for name in ("add_sent_diverse", "perturb_answer", "drop_answer", "synonym_wordnet[field-both]")
    ),
    "reading/modify_pos",
    "segmentation/slice[of-length-end-longest]",
    *(f"reading/accents[field-{field}]" for field in ("both", "inside_answers")),
    *(f"reading/deepwordbug[sample-40{field}]" for field in ("", "-field-question")),
    *(f"reading/slice[of-{of}]" for of in ("answer_length-end-longest", "answer_place-end-last", "overlap-end-lowest")),
    *(
        f"reading/{name}"
        for name in ("one_typo", "more_passages[count-20-place-before]", "slice[of-question_word-word-who]")
    ),
}
"""Cases that change, or hold, too few bundled examples: abalo calibrate finds no bound that would detect a loss."""


def test_every_case_of_the_bundled_gate_has_a_bound_that_its_corpus_can_carry():
    cases = cases_of(OWN_GATE)
    foreign = [name for name, member in members().items() if member.languages and "pt" not in member.languages]
    lacking = [case.id for case in cases if case.probe.entries.skipped(case.plan, AUTO) is not None]
    unbound = [case.id for case in cases if not case.bounds and case.name not in foreign]  # models that ship know pt
    without_model = [case.id for case in cases if not tasks()[case.task].default_corpus]
    unbound = [each for each in unbound if each not in (*lacking, *without_model)]
    assert set(unbound) == TOO_FEW
