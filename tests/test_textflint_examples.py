"""TextFlint's universal transformations for English, each on the example of its paper, by hand.

The examples are those of section 3 of the paper. Where it has none, the sentence stands beside the pair of words that
it names; where names are swapped, these are labelled, since ours are found by labels.
"""

from perturbations import apply, find, parse, render
from perturbations.resources import Entities
from tests.rows import every

ENGLISH = "en"


class Told:
    """Stands for a model: it says what the paper says that one says."""

    name = "told"

    def __init__(self, said):
        self.said = said

    def suggestions(self, sentence, place):
        return [(word, 0.5) for word in self.said.get(sentence.tokens[place], ())]

    def near(self, words):
        return [[(near, 0.9) for near in self.said.get(word, ())] for word in words]

    def translations(self, texts):
        return [self.said.get(text) for text in texts]


def variants(name: str, text: str, **params: object) -> set[str]:
    """The variants with one edit each."""
    perturbation = find(name)
    if "language" in perturbation.parameters() and ENGLISH in (*perturbation.languages, *perturbation.spoken):
        params.setdefault("language", ENGLISH)
    sentence = parse(text)
    sites = perturbation.configured(rate=1, **params).sites(sentence)
    return {render(apply(sentence, [edit]).sentence) for site in sites for edit in site}


TOWNS = ["Beijing", "Shanghai", *(f"Town {letter}" for letter in "ABCDEFGHIJKLMNOPQRST")]
"""As many as a pool has to have."""


class Names:
    """A corpus: its names by type."""

    name = "names"

    def entities(self, kind):
        return Entities(tuple(town.split()) for town in TOWNS if kind == "LOC")

    def shared(self, kind):
        return ()

    def has_word(self, word):
        return any((word,) in self.entities(kind) for kind in ("LOC", "PER"))

    has_text = has_word


EXAMPLES = [
    ("AppendIrr", "I love NLP", {}, "By the way , I love NLP"),
    (
        "BackTrans",
        "He loves NLP",
        {"forward": Told({"He loves NLP": "Er liebt NLP"}), "backward": Told({"Er liebt NLP": "He likes NLP"})},
        "He likes NLP",
    ),
    ("Contraction", "he will not", {}, "he won't"),
    ("Contraction", "he has left", {}, "he's left"),
    ("InsertAdv", "I love NLP from bottom of my heart", {}, "I really love NLP from bottom of my heart"),
    ("Keyboard", "word", {}, "worf"),
    ("Keyboard", "ambiguous", {}, "amviguous"),
    ("MLMSuggestion", "This is a good history", {"model": Told({"history": ["story"]})}, "This is a good story"),
    ("SwapNum", "Tom has 3 sisters", {}, "Tom has 2 sisters"),
    ("Ocr", "like", {}, "1ike"),
    ("Prejudice", "[Mary PER] loves NLP", {"to": "man"}, "[John PER] loves NLP"),
    ("Punctuation", "I love NLP", {}, '" I love NLP "'),
    ("ReverseNeg", "John lives in Ireland", {}, "John does not live in Ireland"),
    ("SpellingError", "definitely", {}, "definately"),
    ("SwapAntWordNet", "he is mortal", {}, "he is immortal"),
    ("SwapNamedEnt", "I'm from [Shanghai LOC]", {"entities": Names(), "language": "any"}, "I'm from [Beijing LOC]"),
    ("SwapSynWordEmbedding", "He loves NLP", {"vectors": Told({"loves": ["likes"]})}, "He likes NLP"),
    ("SwapSynWordNet", "He loves NLP", {}, "He adores NLP"),
    ("Tense", "He is studying NLP", {}, "He was studying NLP"),
    ("TwitterType", "I love NLP", {}, "@example_and_sons I love NLP"),
    ("Typos", "Ireland", {"mode": "delete"}, "Irland"),
    ("WordCase", "I love NLP", {"case": "upper"}, "I LOVE NLP"),
]


@every(("name", "text", "params", "expected"), EXAMPLES, ids=lambda value: str(value)[:20])
def test_the_example_of_the_paper_gives_a_variant(name, text, params, expected):
    found = variants(name, text, **params)
    assert expected in found


def test_all_twenty_have_an_example():
    assert len({name for name, *_ in EXAMPLES}) == 20
