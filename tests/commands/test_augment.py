"""``abalo augment``: which cases of a report it takes, the training data it writes, and its errors."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from abalo.augmentation.weaknesses import shares, weaknesses
from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.corpora import Corpus, load
from abalo.sources.resources import Resources
from perturbations import parse, render
from tests.commands.conftest import conll
from tests.reporting.documents import result as some_result
from tests.reporting.documents import sample
from tests.reports import write
from tests.texts import TextWith

NAMES = ("José", "Íris", "Zélia", "Otávio", "Célia", "Noêmia", "Sérgio", "Tânia", "Inês", "Júlio")
RESOURCES = Resources(Corpus("none", ()))


@pytest.fixture
def train(folder):
    """Fifty sentences, each with an entity, accents and a word that has a synonym."""
    sentences = [f"[{name} PESSOA] não é juiz da {n}ª vara" for name in NAMES for n in range(1, 6)]
    (folder / "train.conll").write_text(conll(*sentences), encoding="utf-8")
    return sentences


def case(
    name: str, drop: float | None, verdict: str | None = "pass", spread: float = 0.01, *, probe: str = "", **more
) -> dict:
    """A result of a report as far as it is read here; a drop has an interval of that ``spread`` on either side."""
    params = more.pop("params", {})
    slug = "-".join(f"{key}-{value}" for key, value in params.items() if key != "steps") or more.get("span_source")
    ends = None if drop is None else {"value": drop, "low": drop - spread, "high": drop + spread, "n": 110}
    return {
        **some_result("accents", {}, 0.8, []),
        "id": f"ner/{name}[{slug}]" if slug else f"ner/{name}",
        "task": "ner",
        "probe": probe or ("pipeline" if name == "pipeline" else "perturbation"),
        "name": name,
        "headline": "f1_drop_changed",
        "params": params,
        "view": "projected",
        "span_source": None,
        "metrics": {"f1_drop_changed": ends},
        "per_type": {},
        "bound": None,
        "verdict": verdict,
        "blocking": True,
        **more,
    }


def report(*results: dict) -> dict:
    whole = sample()
    document = whole | {"gate": whole["gate"] | {"language": "pt"}, "results": list(results)}
    write(document, "report.json")
    return document


def augment(*arguments: str, out: str = "out.jsonl") -> int:
    return main(["augment", "train.conll", "--report", "report.json", *arguments, "--out", out])


def records(name: str = "out.jsonl") -> list[dict]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").split("\n")[:-1]]


def taken(*results: dict, most: int = 8) -> list[str]:
    return [
        each.result.id
        for each in weaknesses(typed.read(Document, report(*results)), most, tasks()["ner"], RESOURCES).taken
    ]


def test_a_pipeline_is_made_step_by_step_of_the_entities_of_the_training_data(folder):
    names = [f"{name} {surname}" for name in NAMES for surname in ("Moura", "Paiva")]  # as many as a pool needs
    sentences = [f"[{names[n % 20]} PESSOA] não é juiz da {n}ª vara" for n in range(50)]
    (folder / "train.conll").write_text(conll(*sentences), encoding="utf-8")
    steps = ["accents", {"name": "swap_named_ent", "rate": 1, "entities": "corpus"}]
    report(case("pipeline", 0.2, params={"steps": steps}))
    assert augment("--share", "0.3") == 0
    made = [record for record in records() if "perturbations" in record]
    assert len(made) == 21
    for record in made:
        assert record["perturbations"] == ["accents", "swap_named_ent"]
        assert " ".join(record["tokens"][:2]) in names
        assert record["tokens"][2:4] == ["nao", "e"]


def test_variants_are_shared_out_in_proportion_to_the_drops(train, capsys):
    report(case("accents", 0.1), case("character_noise", 0.3, params={"rate": 0.2}))
    assert augment("--share", "0.3") == 0
    assert capsys.readouterr().out == (
        "ner/character_noise[rate-0.2]: pass, F1 drop 0.300 [0.290, 0.310]: 16 variants\n"
        "ner/accents: pass, F1 drop 0.100 [0.090, 0.110]: 5 variants\n"
        "50 sentences and 21 variants (29.6 %) in out.jsonl\n"
    )
    written = records()
    assert [record["id"] for record in written if "original" not in record] == [str(n) for n in range(1, 51)]
    assert [render(parse(text)) for text in train] == [
        render(sentence)
        for sentence, record in zip(load("out.jsonl").sentences, written, strict=True)
        if "original" not in record
    ]
    variants = [record for record in written if "original" in record]
    assert Counter(record["perturbations"][0] for record in variants) == {"character_noise": 16, "accents": 5}
    assert {record["params"][0]["rate"] for record in variants} == {0.2, 1.0}
    assert max(Counter(record["original"] for record in variants).values()) == 1  # spread over the corpus


def test_no_variant_is_like_another_or_like_a_sentence_of_the_corpus(folder, capsys):
    (folder / "train.conll").write_text(conll("José saiu", "Jose saiu", "Zé saiu", "Zé saiu"), encoding="utf-8")
    report(case("accents", 0.1))
    assert augment("--share", "0.5") == 0
    assert [record["tokens"] for record in records() if "original" in record] == [["Ze", "saiu"]]
    said = "ner/accents: pass, F1 drop 0.100 [0.090, 0.110]: 1 variant of 4: "
    assert said in capsys.readouterr().out


def test_failed_cases_come_first_then_undecided_ones_then_the_surest_drop():
    assert taken(
        case("accents", 0.4),
        case("character_noise", 0.5, spread=0.3),
        case("synonyms", 0.02, "inconclusive", 0.03),
        case("word_insertion", 0.3, "fail", 0.2),
        case("token_masking", 0.2, "fail"),
        case("char_typo", 0.1, None),
    ) == [
        "ner/token_masking",  # fails, from 0.19
        "ner/word_insertion",  # fails, from 0.1
        "ner/synonyms",
        "ner/accents",  # from 0.39
        "ner/character_noise",  # from 0.2
        "ner/char_typo",
    ]


def test_what_may_cost_nothing_is_left_out_and_said(train, capsys):
    report(
        case("accents", 0.01, spread=0.01),
        case("synonyms", -0.1, "fail"),
        case("token_masking", 0.2),
        case("no_more", 0.3),
        case("character_noise", 0.3, params={"ratee": 1}),
        case("word_insertion", None),
    )
    assert augment() == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "left out: ner/accents: F1 drop 0.010 [0.000, 0.020] is not significant",
        "left out: ner/synonyms: costs no F1",
        "left out: ner/no_more: no perturbation 'no_more'",
        "left out: ner/character_noise[ratee-1]: character_noise: no parameter 'ratee'; did you mean 'rate'?",
        "left out: ner/word_insertion: costs no F1",
    ]
    assert said.out.startswith("ner/token_masking: pass, F1 drop 0.200 [0.190, 0.210]: 21 variants\n")


def test_the_same_edits_count_once_and_the_rest_beyond_the_most_is_named():
    document = report(
        *(case("char_typo", drop, span_source=source) for source, drop in (("oracle", 0.3), ("predicted", 0.4))),
        case("accents", 0.1),
        case("synonyms", 0.05),
    )
    found = weaknesses(typed.read(Document, document), 2, tasks()["ner"], RESOURCES)
    assert [each.result.id for each in found.taken] == ["ner/char_typo[predicted]", "ner/accents"]
    assert found.left_out == (
        TextWith("ner/char_typo[oracle]: ", "same edits", " ner/char_typo[predicted]"),
        TextWith("ner/synonyms: ", "first 2", " F1 drop 0.050 [0.040, 0.060]"),
    )


def test_only_perturbations_are_made_again():
    question = {"id": "choice/paraphrase_consistency[k-2]", "task": "choice", "headline": "fragility_score"}
    document = report(
        case("baseline", None, probe="baseline", headline="f1"),
        case("entity_attack", None, "fail", probe="attack", headline="success_rate", params={"sample": 60}),
        case("typo_outside", None, "fail", probe="invariance", headline="violations_per_thousand"),
        case("slice", None, "fail", probe="slice", headline="f1_gap", params={"of": "length"}),
        case("paraphrase_consistency", None, "fail", probe="rewording") | question,
        case("accents", 0.1),
    )
    found = weaknesses(typed.read(Document, document), 99, tasks()["ner"], RESOURCES)
    assert [each.result.id for each in found.taken] == ["ner/accents"]
    assert found.left_out == (
        TextWith("ner/entity_attack[sample-60]: an attack"),
        TextWith("ner/typo_outside: an invariance"),
        TextWith("ner/slice[of-length]: a part"),
    )


@pytest.mark.parametrize(
    ("share", "drops", "due"),
    [
        ("0.5", [0.2], [50]),
        ("0.3", [0.1, 0.1], [11, 10]),  # 21.4 of 71.4
        ("0.01", [0.1], [0]),
        ("0.9", [0.3, 0.1, 0.05], [300, 100, 50]),
        ("0.1", [0.5, 0.001], [5, 0]),
    ],
)
def test_variants_are_at_most_their_share_of_what_is_written(share, drops, due):
    cases = [case("character_noise", drop, spread=0, params={"rate": k / 10}) for k, drop in enumerate(drops, start=1)]
    found = weaknesses(typed.read(Document, report(*cases)), 9, tasks()["ner"], RESOURCES).taken
    assert shares(50, found, Fraction(share)) == due


def test_the_seed_decides_what_is_written(folder, train):
    report(case("character_noise", 0.3))
    for out, seed in (("a.conll", "1"), ("b.conll", "1"), ("c.conll", "2")):
        augment("--seed", seed, out=out)
    a, b, c = ((folder / name).read_text("utf-8") for name in ("a.conll", "b.conll", "c.conll"))
    assert a == b != c
    assert "# perturbations = " in a
    augment("--plain", out="plain.conll")
    assert "#" not in (folder / "plain.conll").read_text("utf-8")
    assert load("plain.conll").sentences == load("a.conll").sentences


def test_two_settings_of_one_perturbation_have_ids_of_their_own(folder):
    (folder / "train.conll").write_text(conll("[José PESSOA] saiu"), encoding="utf-8")
    report(*(case("character_noise", 0.3, params={"rate": rate}) for rate in (0.5, 1.0)))
    augment("--share", "0.7")
    assert [record["id"] for record in records()] == ["1", "1/character_noise/1", "1/character_noise/1/2"]


def test_a_run_that_did_not_finish_is_read_with_a_warning(train, capsys):
    document = report(case("accents", 0.1))
    write(document | {"complete": False}, "report.json")
    assert augment() == 0
    assert "report.json: the run did not finish, so weaknesses may be missing\n" in capsys.readouterr().err


def test_a_model_without_a_weakness_needs_no_such_data(folder, train, refused):
    report(case("accents", 0.0), case("synonyms", 0.001, spread=0.01))
    said = refused("augment", "train.conll", "--report", "report.json", "--out", "out.jsonl")
    assert said.endswith("report.json: no case of ner has a significant cost, so out.jsonl is not written")
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, ".: holds no run (no report.json); give the folder of a run"),
        ("{", "report.json: is not JSON: "),
        ("[]", "report.json: is not the report of a run in the format abalo-robustness/6"),
        ('{"results": [], "schema": "other/1"}', "report.json: is not the report of a run in the format abalo-"),
        (
            '{"results": [{"id": "a"}], "schema": "abalo-robustness/6"}',
            "report.json: has no seal, so it may ",
        ),
    ],
)
def test_a_file_that_is_no_report_is_refused(train, refused, content, message):
    if content is not None:
        Path("report.json").write_text(content)
    assert message in refused("augment", "train.conll", "--report", "report.json", "--out", "out.jsonl")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--share", "1"], "--share 1: expected a number above 0 and below 1"),
        (["--share", "0"], "--share 0: expected a number above 0 and below 1"),
        (["--share", "0.001"], "--share 0.001 of 50 sentences leaves no room for a variant"),
        (["--most", "0"], "--most 0: expected a whole number from 1"),
        (["--limit", "0"], "--limit 0: expected a whole number from 1"),
        (["--out", "train.conll"], "--out train.conll: is the corpus itself"),
        (["--out", "out.json"], "--out out.json: ends in '.json'"),
    ],
)
def test_settings_out_of_range_are_refused(train, refused, arguments, message):
    report(case("accents", 0.1))
    assert message in refused("augment", "train.conll", "--report", "report.json", "--out", "o.jsonl", *arguments)
