"""``abalo perturb``: what it writes, and how it refuses."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.corpora import load
from perturbations import Edit, Sentence, apply, find, parse, render, sample_pipeline
from perturbations.languages import language_named
from tests.texts import TextWith


def perturb(*arguments: str, out: str = "out.jsonl") -> int:
    return main(["perturb", "corpus.conll", *arguments, "--out", out])


def records(name: str = "out.jsonl") -> list[dict]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").split("\n")[:-1]]


def rendered(name: str) -> list[str]:
    return [render(sentence) for sentence in load(name).sentences]


def test_variants_are_written_as_json_lines_that_say_what_was_done_to_which_sentence(capsys):
    assert perturb("--with", "accents") == 0
    first, second = records()
    assert first == {
        "id": "1/accents/1",
        "original": "1",
        "sentence_id": "6b5d01d1fe3a706f",
        "perturbations": ["accents"],
        "params": [{"rate": 1.0, "at_least": 0, "inside_entities": True}],
        "seed": 1,
        "edits": [
            {"start": 0, "stop": 1, "tokens": ["Jose"]},
            {"start": 1, "stop": 2, "tokens": ["Sa"]},
            {"start": 2, "stop": 3, "tokens": ["nao"]},
            {"start": 3, "stop": 4, "tokens": ["e"]},
        ],
        "tokens": ["Jose", "Sa", "nao", "e", "juiz"],
        "tags": ["B-PESSOA", "I-PESSOA", "O", "O", "O"],
    }
    assert second["id"] == "3/accents/1"
    assert capsys.readouterr().out == TextWith("2 variants in out.jsonl; no place", "2 of 4 sentences\n")


def test_the_edits_make_the_variant_of_the_original_again():
    perturb("--with", "word_insertion", "--rate", "0.5", "--seeds", "1,2,3", "--keep-originals")
    originals = {record["id"]: record for record in records() if "original" not in record}
    variants = [record for record in records() if "original" in record]
    assert list(originals) == ["1", "2", "3", "4"]
    assert len(variants) > 4
    for record in variants:
        original = originals[record["original"]]
        sentence = Sentence(tuple(original["tokens"]), tuple(original["tags"]))
        again = apply(sentence, map(Edit.from_json, record["edits"])).sentence
        assert (list(again.tokens), list(again.tags)) == (record["tokens"], record["tags"])
        assert record["sentence_id"] == original["sentence_id"]


def test_columns_say_it_in_comments_that_our_reader_skips(folder):
    perturb("--with", "synonyms", "--param", "lexicon=legal_pt", out="out.conll")
    assert (folder / "out.conll").read_text(encoding="utf-8") == (
        "# id = 1/synonyms/1\n"
        "# original = 1\n"
        "# sentence_id = 6b5d01d1fe3a706f\n"
        '# perturbations = ["synonyms"]\n'
        '# params = [{"rate": 1.0, "lexicon": "legal_pt", "inside_entities": true, '
        '"morphology": null, "at_least": 0}]\n'
        "# seed = 1\n"
        "José\tB-PESSOA\nSá\tI-PESSOA\nnão\tO\né\tO\nmagistrado\tO\n"
        "\n"
        "# id = 3/synonyms/1\n"
        "# original = 3\n"
        "# sentence_id = 33ac533051bc4ef2\n"
        '# perturbations = ["synonyms"]\n'
        '# params = [{"rate": 1.0, "lexicon": "legal_pt", "inside_entities": true, '
        '"morphology": null, "at_least": 0}]\n'
        "# seed = 1\n"
        "a\tO\nCORTE\tB-ORGANIZACAO\nDE\tI-ORGANIZACAO\nJUSTIÇA\tI-ORGANIZACAO\nnegou\tO\no\tO\nrecurso\tO\n"
    )
    assert rendered("out.conll") == [
        "[José Sá PESSOA] não é magistrado",
        "a [CORTE DE JUSTIÇA ORGANIZACAO] negou o recurso",
    ]


def test_both_formats_hold_the_same_sentences():
    for out in ("out.conll", "out.jsonl"):
        perturb("--with", "character_noise", "--seeds", "1,2", "--keep-originals", out=out)
    assert rendered("out.conll") == rendered("out.jsonl")


def test_plain_files_hold_tokens_and_labels_alone(folder):
    perturb("--with", "synonyms", "--plain", out="out.conll")
    assert "#" not in (folder / "out.conll").read_text(encoding="utf-8")
    perturb("--with", "synonyms", "--plain")
    assert {key for record in records() for key in record} == {"tokens", "tags"}


def test_originals_that_are_kept_stand_before_their_variants(capsys):
    perturb("--with", "accents", "--keep-originals")
    assert [record["id"] for record in records()] == ["1", "1/accents/1", "2", "3", "3/accents/1", "4"]
    assert capsys.readouterr().out == TextWith("2 variants and 4 originals in out.jsonl; no place", "2 of 4")


def test_what_another_seed_made_already_is_left_out_and_counted(capsys):
    perturb("--with", "accents", "--seeds", "5,6,7")
    assert [record["seed"] for record in records()] == [5, 5]
    assert capsys.readouterr().out == TextWith("4 variants left out", "another seed")


def test_a_variant_is_the_one_that_the_gate_draws_for_the_seed():
    perturb("--with", "character_noise", "--rate", "0.2", "--seeds", "4")
    expected = find("character_noise").configured(rate=0.2).sample(parse("[José Sá PESSOA] não é juiz"), seed=4)
    assert rendered("out.jsonl")[0] == render(expected.sentence)


def test_several_steps_are_a_pipeline_each_with_its_own_settings():
    perturb(
        *("--with", "accents", "--with", "word_insertion", "--rate", "1", "--param", 'fillers=["eh"]'),
        *("--with", "token_masking", "--rate", "0", "--param", "mask_token=<mask>"),
    )
    (first, *_) = records()
    assert first["id"] == "1/accents+word_insertion+token_masking/1"
    assert first["perturbations"] == ["accents", "word_insertion", "token_masking"]
    assert first["params"] == [
        {"rate": 1.0, "at_least": 0, "inside_entities": True},
        {"rate": 1.0, "fillers": ["eh"], "language": "pt", "at_least": 0, "inside_entities": True},
        {"rate": 0.0, "mask_token": "<mask>", "at_least": 0, "inside_entities": True},
    ]
    assert rendered("out.jsonl")[0] == "[Jose eh Sa PESSOA] eh nao eh e eh juiz eh"
    steps = [find("accents"), find("word_insertion").configured(rate=1, fillers=("eh",))]
    whole = sample_pipeline(steps, parse("[José Sá PESSOA] não é juiz"), seed=1)
    assert [Edit.from_json(edit) for edit in first["edits"]] == list(whole.edits)


def test_the_same_command_writes_the_same_bytes(folder):
    for out in ("a.jsonl", "b.jsonl"):
        perturb("--with", "character_noise", "--seeds", "1,2,3", out=out)
    assert (folder / "a.jsonl").read_bytes() == (folder / "b.jsonl").read_bytes()


def test_equal_sentences_have_variants_of_their_own():
    perturb("--with", "character_noise", "--rate", "0.3")
    by_original = {record["original"]: record for record in records()}
    assert by_original["2"]["tokens"] == by_original["4"]["tokens"]
    assert by_original["2"]["sentence_id"] == by_original["4"]["sentence_id"]


def test_steps_speak_the_language_of_the_corpus(folder):
    (folder / "corpus.conll").write_text("It O\nis O\nnot O\nhere O\n", encoding="utf-8")
    assert perturb("--with", "Contraction", "--language", "en") == 0
    (record,) = records()
    assert record["tokens"] in (["It's", "not", "here"], ["It", "isn't", "here"])


ENGLISH = "The O\nboy O\nand O\nthe O\ngirl O\nof O\nthis O\ntown O\n"


def test_the_language_is_found_in_the_corpus(folder, capsys):
    (folder / "corpus.conll").write_text(ENGLISH, encoding="utf-8")
    perturb("--with", "word_insertion", "--rate", "1")
    (record,) = records()
    assert set(record["tokens"][1::2]) <= {"um", "uh", "hmm", "anyway"}
    assert "--language" not in capsys.readouterr().err


def test_a_language_that_is_not_found_is_told_and_fillers_are_of_none(folder, capsys):
    (folder / "corpus.conll").write_text("Haus O\nHof O\n", encoding="utf-8")
    perturb("--with", "word_insertion", "--rate", "1")
    (record,) = records()
    assert set(record["tokens"][1::2]) <= {"xxx", "lorem"}
    assert "name it with --language" in capsys.readouterr().err
    assert perturb("--with", "irrelevant_text") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--with", "Contraction", "--language", "zh"),
            "contraction needs the language data 'contractions', which Abalo does not have for zh; it has them for en",
        ),
        (
            ("--with", "CnDigit2Char"),
            "digits needs the language data 'numerals', which Abalo does not have for pt; it has them for",
        ),
        (("--with", "MLMSuggestion", "--language", "en"), "mlm_suggestion asks the model that ships, which is of pt"),
        (
            ("--with", "Prejudice", "--language", "fr"),
            "prejudice needs the language data 'given names', which Abalo does not have for fr",
        ),
    ],
)
def test_what_does_not_speak_it_is_refused(capsys, arguments, message):
    assert perturb(*arguments) == 2
    assert message in capsys.readouterr().err
    assert not Path("out.jsonl").exists()


def test_options_are_called_what_they_are_called_here(folder, capsys):
    (folder / "corpus.conll").write_text("?\n", encoding="utf-8")
    assert perturb("--with", "accents") == 2
    told = capsys.readouterr().err
    assert "--task NAME" in told
    assert "--abalo-task" not in told


def test_perturbations_of_the_conftest_here_are_known(folder):
    (folder / "conftest.py").write_text(
        "from perturbations import word_level\n\n\n"
        '@word_level(example=("[Ana PESSOA]", "[Anax PESSOA]"))\ndef tail(word, *, of="x", times=1):\n'
        "    return (word + of * times,)\n",
        encoding="utf-8",
    )
    assert perturb("--with", "tail", "--param", "of=7", "--param", "times=2", "--limit", "1") == 0
    assert rendered("out.jsonl") == ["[José77 Sá77 PESSOA] não77 é77 juiz77"]


def test_spacing_that_columns_cannot_hold_is_refused_with_a_way_out(folder, refused):
    (folder / "spaced.jsonl").write_text('{"tokens": ["José"], "tags": ["O"], "spaces": ["  "]}\n', encoding="utf-8")
    said = refused("perturb", "spaced.jsonl", "--with", "accents", "--out", "out.conll")
    assert said.endswith("which CoNLL columns cannot hold; write JSON lines: a .jsonl file")
    assert not (folder / "out.conll").exists()
    assert main(["perturb", "spaced.jsonl", "--with", "accents", "--out", "out.jsonl"]) == 0
    assert records()[0]["spaces"] == ["  "]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--with: missing; name a perturbation, such as --with accents"),
        (
            ["--with", "acents"],
            (
                "--with acents: no perturbation 'acents'; did you mean 'accents'?; there are accents, add_diff, "
                "add_sent_diverse, add_subtree, add_sum,"
            ),
        ),
        (["--rate", "0.1", "--with", "accents"], "--rate 0.1: no --with before it"),
        (["--with", "accents", "--rate", "2"], "--with accents: accents: rate is 2.0; expected a number from 0 to 1"),
        (["--with", "accents", "--rate", "half"], "rate is 'half'; expected a number from 0 to 1"),
        (["--with", "accents", "--rate", "nan"], "rate is nan; expected a number from 0 to 1"),
        (["--with", "accents", "--rate", "0.1", "--rate", "0.2"], "--rate 0.2: accents has the rate 0.1 already"),
        (["--with", "accents", "--param", "lexicon"], "--param lexicon: expected NAME=VALUE"),
        (["--with", "synonyms", "--param", "lexikon=a"], "no parameter 'lexikon'; did you mean 'lexicon'?"),
        (
            ["--with", "synonyms", "--param", "lexicon=nome"],
            "lexicon: 'nome'; there is none; expected \"lists\" for the lists that",
        ),
        (["--with", "synonyms", "--param", "rate=0.5"], "has its own option; write --rate 0.5"),
        (
            ["--with", "synonyms", "--param", "lexicon=a", "--param", "lexicon=b"],
            "--param lexicon=b: synonyms has a lexicon already; drop one",
        ),
        (
            ["--with", "word_insertion", "--param", "fillers=eh"],
            "fillers is 'eh'; expected a list, each item a string",
        ),
        (["--with", "word_insertion", "--param", 'fillers=["a b"]'], "expected words, at least one, without white"),
        (["--with", "token_masking", "--param", "mask_token=auto"], "there is no model here to tell its own"),
        (["--with", "accents", "--seeds", "1,1"], "--seeds '1,1': expected distinct whole numbers"),
        (["--with", "accents", "--limit", "0"], "--limit 0: expected a whole number from 1"),
        (
            ["--with", "accents", "--rate", "0"],
            "2 not drawn, no place for a change in 2 of 4 sentences, so out.jsonl is not written; choose",
        ),
    ],
)
def test_what_cannot_be_done_ends_in_one_message(folder, refused, arguments, message):
    assert message in refused("perturb", "corpus.conll", *arguments, "--out", "out.jsonl")
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("out.json", "--out out.json: ends in '.json'; expected one of .jsonl, .conll, "),
        ("out", "--out out: ends in 'nothing'; expected one of .jsonl"),
        ("corpus.conll", "--out corpus.conll: is the corpus itself; choose another file with --out FILE"),
        ("corpus.conll/a.jsonl", "corpus.conll is a file, not a folder; choose another file with --out FILE"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_any_work(refused, out, message):
    for corpus in ("corpus.conll", "corpus.conll?lenient"):
        assert message in refused("perturb", corpus, "--with", "accents", "--out", out)


def test_a_perturbation_that_fails_is_told_with_the_sentence(folder, refused):
    (folder / "conftest.py").write_text(
        "from perturbations import word_level\n\n\n"
        '@word_level(example=("a", "ax"))\ndef brittle(word):\n'
        "    if word == 'TRIBUNAL':\n        raise RuntimeError('not this one')\n    return (word + 'x',)\n",
        encoding="utf-8",
    )
    said = refused("perturb", "corpus.conll", "--with", "brittle", "--out", "out.jsonl")
    assert said == "brittle: failed on sentence 3 (33ac533051bc4ef2): RuntimeError: not this one"
    assert not (folder / "out.jsonl").exists()
    assert "conftest" in sys.modules


def test_types_that_a_corpus_has_too_few_strings_for_are_named(capsys):
    assert perturb("--with", "swap_named_ent") == 0
    assert (
        "swap_named_ent: fewer than 20 strings to draw from for ORGANIZACAO, PESSOA; names of invented:pt stand in"
        in (capsys.readouterr().err)
    )


def test_strings_that_are_enough_but_stand_for_nothing_are_told_with_their_number(capsys):
    names = "".join(f"Xy{i} B-PESSOA\n\n" for i in range(25)) * 2
    Path("corpus.conll").write_text(names, encoding="utf-8")
    main(["perturb", "corpus.conll", "--with", "swap_named_ent", "--language", "pt", "--out", "out.jsonl"])
    assert "swap_named_ent: none of 25 strings of PESSOA fits another place; names of" in capsys.readouterr().err


def test_nothing_is_said_where_a_corpus_has_enough(capsys):
    surnames = (f"{a}{b}" for a in ("Mou", "Pai", "Quei", "Sou", "Tei") for b in ("ra", "va", "roz", "sa"))
    names = "".join(f"Ana B-PESSOA\n{surname} I-PESSOA\n\n" for surname in surnames) * 2
    Path("corpus.conll").write_text(names, encoding="utf-8")
    assert perturb("--with", "swap_named_ent") == 0
    assert "strings to draw from" not in capsys.readouterr().err


def test_a_perturbation_that_is_experimental_in_the_language_is_told(capsys, monkeypatch):
    facts = {"pt": replace(language_named("pt"), read=frozenset()), "en": language_named("en")}
    facts["en"] = replace(facts["en"], read=frozenset({"number"}))
    monkeypatch.setattr("perturbations.perturbation.language_named", facts.__getitem__)
    monkeypatch.setattr("perturbations.perturbation.pairs", lambda _: {"word_insertion": "LATIN"})
    perturb("--with", "number", "--with", "word_insertion", "--param", "at_least=1")
    said = "number is experimental in pt: no two readers have found its variants right as they are made now\n"
    assert capsys.readouterr().err == f"The language of corpus.conll is pt (found in the corpus).\n{said}"
    perturb("--with", "number", "--with", "word_insertion", "--param", "at_least=1", "--language", "en")
    assert "experimental" not in capsys.readouterr().err


def test_a_perturbation_without_anything_for_a_script_names_it(folder, refused):
    (folder / "ru.conll").write_text("Анна B-PER\nушла O\n", "utf-8")
    told = refused("perturb", "ru.conll", "--with", "keyboard", "--out", "out.jsonl")
    assert "no place for a change in 1 of 1 sentence, whose letters are Cyrillic, so out.jsonl is not written" in told
