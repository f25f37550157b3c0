"""A folder for Italian, without a line of code elsewhere, gives all that data can give."""

from pathlib import Path

import pytest

from abalo.capabilities.starting import starting_file
from abalo.models.coreference.rules import resolve
from abalo.models.prompts.replies import AllowedNames, Closed, OneName, read_closed
from abalo.models.prompts.reply_words import label_words, no_answers
from abalo.models.prompts.translations import TranslationForm
from abalo.models.questions.scoring import normalisations, normalise_answer, usual_normalisation
from abalo.questions.question import Choice
from perturbations import apply, find, members, parse, render
from perturbations.documents import document_of
from perturbations.families.choice import formattings, language_of, moving, paraphrases, question_of
from perturbations.function_words import language_of as language_of_text
from perturbations.languages import add_languages, has
from perturbations.languages.parts import PARTS, Rules
from tests.rows import every

WITHOUT_SPACES = {
    *("things_counted_by", "question_synonyms", "short_forms", "doubled_adjectives", "repeated_verbs"),
    *("counting_words", "object_nouns", "words", "titles", "final_marks", "brackets"),
}
"""Parts for languages whose words are no tokens, or whose marks are not those of Latin script."""

BESIDE_RULES = {
    *("prefixes", "multi_pos", "refused_synonyms", "irregular_numbers", "neutral_adverbs", "factual_adverbs"),
    *("double_denials", "opinion_words", "degree_adverbs", "other_things", "side_clauses", "posts", "exclaimed"),
    *("place_articles", "telling_letters"),
}
"""Parts that only rules of the same language read, or that tell it from a language with the same words."""

MODELS = {"mlm_suggestion", "synonym_embedding"}
"""They ask a model or vectors."""

FACTS = '''
"""Italian."""

from perturbations.languages import Language

LANGUAGE = Language(
    name="Italian",
    letters="aàbcdeéèfghiìjklmnoòpqrstuùvwxyz",
    keyboard={"qwerty": ((0, "1234567890"), (1.5, "qwertyuiop"), (1.75, "asdfghjkl"), (1.25, "zxcvbnm"))},
    small_words=frozenset(["di", "della", "e"]),
    behind_hyphens=frozenset(["lo"]),
    number_words=("tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"),
    fillers=("ehm",),
    handles=("@un_profilo_d_esempio",),
    joined_by="e",
    contrasted_by="ma",
    determiner_kinds={"la": "definite", "una": "indefinite"},
    months=frozenset(["maggio"]),
    date_words={"secolo": "century", "anni": "decade", "persone": "unit"},
    range_words=frozenset(["e", "o"]),
    name_joints=("di",),
    kept_names=frozenset(["Dio"]),
    misquoted_by=("Una bozza di questo testo diceva per errore",),
    question_frames=("Secondo il testo ,",),
    text_words=frozenset(["testo", "secondo"]),
    question_openers=frozenset(["quale", "chi"]),
    passage_words=frozenset(["brano"]),
    announcing_words=frozenset(["seguente"]),
    preamble="Leggi la domanda e scegli una risposta.",
    answer_words=("risposta finale",),
    label_words=("etichetta",),
    translation_words=("versione italiana",),
    no_answers=("il testo non risponde",),
    answer_articles=("l'", "il", "la", "un"),
    faker="it_IT",
)
'''

TABLES = {
    "misspellings": ["perché\tperchè"],
    "function_words": [f"{word}\town word" for word in ("anche", "che", "della", "gli", "il", "nel", "più", "sono")],
    "stop_words": ["della", "il", "la", "quale", "è"],
    "synonyms": ["avvocato\tNOUN\tlegale"],
    "near_synonyms": ["avvocato\tNOUN\tgiurista"],
    "antonyms": ["grande\tpiccolo"],
    "legal": ["sentenza\tpronuncia\t"],
    "legal_signs": ["sentenza"],
    "word_classes": ["casa\tNOUN", "sentenza\tNOUN"],
    "fixed_phrases": ["grande magazzino"],
    "chat": ["perché\txké"],
    "emoji": ["cane\t🐕"],
    "aspect_clauses": ["il [servizio] era lento\t-\tany\tservizio"],
    "plurals": ["anno\tanni"],
    "beside_numbers": ["maggio\tmonth"],
    "openers": ["a proposito ,"],
    "set_off_clauses": ["che conosciamo\tPRON VERB\t2 0\tobj acl:relcl"],
    "remarks": ["il tempo passa"],
    "anaphors": ["inoltre"],
    "pointing_words": ["suddetto"],
    "phrases": ["non\tnegates", "perché\tasks"],
    "cohyponyms": ["mela\tpera"],
    "open_words": ["circa\tnumber"],
    "invented": ["Brunilde Zorza\tperson", "Valdombra\tplace", "Nortea\torganisation"],
    "known_names": ["Sergio Leone\tman\tregista italiano , nato a Roma nel 1929"],
    "names": ["Arezzo\tplace", "Marta Neri\tperson", "Fabbrica Rossi\torganisation"],
    "pronouns": ["lei\t3|one|woman"],
    "given_names": ["marta\twoman", "paolo\tman"],
    "invented_given_names": ["brunilde\twoman"],
    "gendered_words": ["attore\tattrice"],
    "gender_words": ["attrice\tfemale"],
    "places": ["Arezzo\titaly\tnone"],
    "lands": ["Italia"],
    "question_phrases": ["qual è\tquale è\tasking\t^\t*"],
    "option_words": ["e\tjoining", "solo\ttelling"],
}

RULES = {
    "option_phrases": """
NOUNS = "opzion[ei]|rispost[ae]"
ALL = "tutte le (?:precedenti|altre)"
NONE = "nessuna delle (?:precedenti|altre)"
SOME = "alcune delle precedenti"
PAIR = "entrambe"
PLACES = "la precedente"
BARE = "tutte|nessuna"
ENDS = "(?: sono corrette)?"
GOES_ON = "è|sono"
""",
    "starters": """
from perturbations.languages.starters import StarterWords

WORDS = StarterWords(
    {"person": ("Hanno visto {x} ieri .",), "place": ("Vivono a {x} .",), "organisation": ("Lavorano per {x} .",),
     "": ("Parlano di {x} .",)},
    (", come tutti sanno",),
    {"NOUN": ("Il {x} è qui .", ("cane", "libro"))},
    ("Qual è la capitale di {paese}?", "paese", "capitale", (("Francia", "Parigi"), ("Cuba", "L'Avana"))),
    ("Il film è {x}.", {"negative": ("brutto",), "positive": ("bello",)}),
    ("Il {x} dorme in casa.", "Il {x} dorme.", "Il {x} non dorme.", ("gatto",)),
    ("Il {thing} era {x}.", {"negative": ("cattivo",), "positive": ("buono",)}, ("vino",)),
)
""",
}
"""Modules that hold data alone."""


@pytest.fixture(autouse=True)
def italian(tmp_path: Path):
    folder = tmp_path / "it"
    folder.mkdir()
    folder.joinpath("__init__.py").write_text(FACTS, "utf-8")
    for name, lines in TABLES.items():
        text = "".join(f"{line}\n" for line in ["# Source: a test. Licence: Apache-2.0.", *sorted(lines)])
        folder.joinpath(f"{name}.tsv").write_text(text, "utf-8")
    for name, code in RULES.items():
        folder.joinpath(f"{name}.py").write_text(code, "utf-8")
    add_languages(tmp_path)


MARTA = "Qui vive [Marta Neri answer] ."
QUOTED = "Una bozza di questo testo diceva per errore : “ Qui vive"


def variants(name: str, text: str, **params: object) -> set[str]:
    """What each edit makes of the text."""
    member, sentence = find(name).configured(language="it", **params), parse(text)
    return {render(apply(sentence, [edit]).sentence) for site in member.sites(sentence) for edit in site}


def test_the_folder_has_every_part_that_is_data():
    data = {name for name, kind in PARTS.items() if not isinstance(kind, Rules)}
    given = {name for name in data if has("it", name)}
    assert data - given == WITHOUT_SPACES | BESIDE_RULES
    assert {name for name in PARTS if has("it", name)} - given == {*RULES}


def test_every_perturbation_that_needs_data_alone_is_for_it():
    needing = [each for each in members().values() if each.needs and all(has("it", part) for part in each.needs)]
    open_to_data = [
        each.name
        for each in members().values()
        if each.needs and not any(isinstance(PARTS[part], Rules) or part in WITHOUT_SPACES for part in each.needs)
    ]
    assert [each.name for each in needing] == open_to_data
    assert all("it" in each.languages for each in needing)
    assert [each.name for each in members().values() if each.only_for] == ["other_gender"]


@every(
    ("name", "text", "expected"),
    [  # the last of each is one of the variants; "" if there is none
        ("antonym", "La grande casa", "La piccolo casa"),
        ("chat_style", "perché piove ?", "xké piove ?"),
        ("misspelling", "perché", "perchè"),
        ("emoji", "Il cane dorme", "Il 🐕 dorme"),
        ("synonym_wordnet", "un avvocato noto", "un legale noto"),
        ("letter_case", "la casa di Anna", "LA CASA DI ANNA"),
        ("number", "tre case", "quattro case"),
        ("word_insertion", "casa", "casa ehm"),
        ("irrelevant_text", "La casa di Anna era grande .", "A proposito , la casa di Anna era grande ."),
        ("prejudice", "[Paolo Neri PER] dorme .", "[Marta Neri PER] dorme ."),
        ("swap_antonym", "La casa è grande .", "La casa è piccolo ."),
        ("perturb_question", "Quale casa è grande ?", "Secondo il testo , quale casa è grande ?"),
        ("perturb_question", "Marta Neri dorme ?", "Secondo il testo , Marta Neri dorme ?"),
        ("perturb_question", "Qual è la casa ?", "Quale è la casa ?"),
        (
            "add_sent_diverse",
            "Qui vive [Marta Neri answer] .",
            f"{QUOTED} Brunilde Zorza . ” Qui vive [Marta Neri answer] .",
        ),
        ("add_sent_diverse", "Qui vive [Paolo Neri answer] .", ""),  # no man is invented
        ("perturb_answer", "[Anna answer] è un avvocato .", "[Anna answer] è un legale ."),
    ],
)
def test_a_perturbation_that_has_its_data_makes_variants(name, text, expected):
    made = variants(name, text)
    assert expected in made if expected else not made, made


@every(
    ("before", "number", "after", "others"),
    [
        ("il", "5", "maggio", {*range(4, 20)} - {5}),
        ("gli anni", "1980", "", {1940, 1950, 1960, 1970, 1990, 2000}),
        ("nel", "18º", "secolo", {*range(12, 20)} - {18}),
        ("nel", "1980", "", {1972, 1974, 1976, 1977, 1982, 1983, 1987}),
    ],
)
def test_a_number_is_exchanged_by_what_stands_beside_it(before, number, after, others):
    made = variants("add_sent_diverse", f"Era {before} [{number} answer] {after} .".replace("  ", " "))
    told = {int(next(word for word in each.split() if word[0].isdigit()).rstrip("º")) for each in made}
    assert told <= others
    assert len(told) > 1


def test_questions_are_paraphrased_formatted_and_known_by_their_words():
    assert language_of(question_of("Quale casa è la più grande?")) == "it"
    assert [each.text for each in paraphrases("Qual è la casa?")] == ["Qual è la casa?", "Quale è la casa?"]
    forms = {each.kind: each.text for each in formattings("Quale casa?", ["rosso", "verde"], 3)}
    assert forms["preamble"] == "Leggi la domanda e scegli una risposta. Quale casa?"
    assert Choice("q1", "Quale casa?", ("rosso", "verde"), 0, "it").language == "it"
    assert moving(["rosso", "verde", "Nessuna delle precedenti"]) == (0, 1)
    assert moving(["rosso", "verde", "solo a e b"]) is None


def test_answers_are_compared_without_articles():
    assert usual_normalisation("it", []) == "it" == normalisations()[-2]
    assert normalise_answer("L'Avana e il mare", "it") == "avana e mare"


@every(
    ("task", "fields", "said"),
    [
        ("ner", ["tokens"], "Hanno visto [{x} PER] ieri ."),
        ("pos", ["tokens"], "Il [{x} =NOUN] è qui ."),
        ("choice", ["options"], "Qual è la capitale di {paese}?"),
        ("pairs", ["premise"], "Il {x} non dorme."),
        ("aspects", ["aspect"], "Il {thing} era {x}."),
        ("classification", ["label"], "Il film è {x}."),
    ],
)
def test_a_first_file_of_capabilities_is_written(task, fields, said):
    assert said in starting_file(task, fields, "it", [])


def test_replies_are_read_by_listed_words():
    how = Closed(("label",), json=False, words=label_words())
    for said in ("Etichetta: positivo", "Risposta finale: positivo"):
        assert read_closed(said, OneName(AllowedNames.among(["positivo", "negativo"])), how) == ("positivo",)
    assert "il testo non risponde" in no_answers()
    assert TranslationForm(("en", "it")).read("Versione italiana: Il giudice", "The judge") == "Il giudice"


def test_a_prompt_names_the_language():
    assert " from Italian to Esperanto" not in TranslationForm(("it", "eo")).usual()
    assert " from Italian to English." in TranslationForm(("it", "en")).usual()


def test_text_is_recognised_and_mentions_are_resolved():
    told = ["Marta Neri che sono nel gli anche della più il .", "Lei vide una casa .", "Poi vendette la casa ."]
    text = document_of([(each.split(), [" "] * len(each.split())) for each in told], [], "d")
    assert language_of_text([text]) == "it"
    clusters = [[" ".join(text.tokens[slice(*each)]) for each in cluster] for cluster in resolve(text)]
    assert {("Marta Neri", "Lei"), ("una casa", "la casa")} <= {tuple(each) for each in clusters}
