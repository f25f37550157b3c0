"""The parts that the folder of a language can have: facts of its `Language`, tables, and modules with rules.

Rules are modules that have the functions of a protocol. Where text is in lower case, `Verbs.read` has made it so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from perturbations.languages.exchange import Exchange, Pick
from perturbations.languages.layout import Layout, TokenRange
from perturbations.languages.opinion import Opinion
from perturbations.languages.readings import Features, PartsOfSpeech, Verb, VerbReading
from perturbations.languages.starters import StarterWords
from perturbations.languages.tagged import TaggedWords
from perturbations.resources import Entity, Sort
from perturbations.text import Edit, Perturbed, Sentence, Span

Sites = list[list[Edit]]
QuestionRule = Callable[[Sentence], Perturbed | None]
"""The function that applies a rule to a question; it gives None where the rule does not apply."""

Gender = Literal["woman", "man"]


class Borders(Protocol):
    """The borders of words, for a language whose words are more or less than tokens."""

    def layout(self, sentence: Sentence) -> Layout | None:
        """How the sentence is cut into tokens; None where nothing of it is in the script of the language."""
        ...

    def occurrences(self, layout: Layout, wanted: Container[str]) -> list[TokenRange]:
        """Where the wanted words stand, from left to right, never across the border of an entity."""
        ...


class Verbs(Protocol):
    """Finite verbs, by tables of their forms and by the words around them."""

    def read(self, tokens: Sequence[str]) -> list[str]:
        """The tokens in lower case, as the other rules want them."""
        ...

    def readings_of(self, word: str) -> Sequence[VerbReading]:
        """The readings of the word as a finite verb, by the tables."""
        ...

    def could_be_finite(self, word: str) -> bool:
        """Whether a word could be a finite verb, by itself."""
        ...

    def stands_as_verb(
        self, lowered: Sequence[str], place: int, readings: Sequence[VerbReading], in_entity: Sequence[bool]
    ) -> bool:
        """Whether it is one, by the words around it."""
        ...

    def heads_group(self, lowered: Sequence[str], place: int, kinds: Sequence[str]) -> bool:
        """Whether it is one, by parts of speech."""
        ...


class Tense(Protocol):
    """Tenses of verbs."""

    def tensed(
        self, sentence: Sentence, parts_of_speech: PartsOfSpeech | None, inflections: str
    ) -> Iterable[tuple[Verb, Iterable[str]]]:
        """Each finite verb with its forms in other tenses, in lower case; raises ValueError for other inflections."""
        ...


class Negation(Protocol):
    """Negations."""

    def is_negation(self, word: str) -> bool:
        """Whether the word, in lower case, negates."""
        ...

    def removal(self, sentence: Sentence, lowered: Sequence[str], in_entity: Sequence[bool]) -> Edit | None:
        """The edit that takes the first negation out; None where none can go."""
        ...

    def contracted(self, lowered: Sequence[str]) -> Sequence[Verb]:
        """The finite verbs that are contracted with their subject and have a token of their own."""
        ...

    def addition(self, sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Edit | None:
        """The edit that puts a negation to the verb; None where none can come."""
        ...


class Opinions(Protocol):
    """Words of praise and blame."""

    def denied(self, sentence: Sentence, taken: Sequence[bool]) -> Sites:
        """For each of them the edits that say the same by denying the opposite; tokens that are ``taken`` stay."""
        ...

    def strengthened(self, sentence: Sentence, adverbs: Sequence[str], taken: Sequence[bool]) -> Sites:
        """For each adjective among them the edits that put one of the adverbs before it."""
        ...


class AspectOpinions(Protocol):
    """Opinions on the aspects of a sentence."""

    def opinions(self, sentence: Sentence, aspects: Sequence[Span]) -> Sequence[Opinion]:
        """The opinions whose polarity is that of all their aspects, which is the type of these, from left to right."""
        ...

    def is_clear(self, sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion], opinion: Opinion) -> bool:
        """Whether nothing else can speak for or against the aspects of this one of the opinions found."""
        ...

    def rejoined(
        self, sentence: Sentence, aspects: Sequence[Span], found: Sequence[Opinion], polarities: Sequence[str]
    ) -> list[Edit] | None:
        """Edits of the words between opinions that have these polarities now; None where one would be wrong."""
        ...


class Adverbs(Protocol):
    """Adverbs that say little, and where they can stand."""

    def adverbial(self, sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None) -> Sites:
        """For each place where an adverb could come, the edits that put one of these there."""
        ...


class Contractions(Protocol):
    """Words that become one."""

    def contracted(self, sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
        """Edits that contract; ``lowered`` are the tokens in lower case, with ' for ’."""
        ...

    def expanded(self, sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
        """Edits that take contractions apart."""
        ...


class Slots(Protocol):
    """Places where any word of a class could stand, by parts of speech."""

    BEFORE_VERBS: Collection[str]
    """Words that stand before verbs and never before nouns."""
    BEFORE_CLAUSES: Collection[str]
    """Words that open a complement which only some verbs and nouns take."""

    def form_at(self, sentence: TaggedWords, place: int, pos: str) -> str | None:
        """The form that a word of this class must have to stand there; None where not every such word could."""
        ...

    def is_passive(self, sentence: TaggedWords, place: int) -> bool:
        """Whether a participle there is passive, and nothing that only some verbs have stands behind it."""
        ...

    def takes_object(self, sentence: TaggedWords, place: int) -> bool:
        """Whether a verb there has an object, and nothing that only some verbs have stands behind it."""
        ...


class Articles(Protocol):
    """Articles and the like whose form depends on the sound that follows."""

    def article_for(self, article: str, word: str) -> str | None:
        """The form of the article before the word, both in lower case; None for what is no such article."""
        ...


Number = Literal["singular", "plural"]
SINGULAR: frozenset[Number] = frozenset(["singular"])
PLURAL: frozenset[Number] = frozenset(["plural"])
BOTH: frozenset[Number] = SINGULAR | PLURAL


class GrammaticalNumber(Protocol):
    """The number of words."""

    def numbers_of(self, word: str, kind: str) -> frozenset[Number]:
        """The numbers that the word, in lower case, can have as that part of speech, a universal tag.

        Both, where its kind has no number, or the word has one form for both, as *ônibus* and *series* have.
        """
        ...


class GenderAgreement(Protocol):
    """Words that change with the gender of a noun or a subject; all are in lower case."""

    COPULAS: Collection[str]
    PLURAL_COPULAS: Collection[str]
    AUXILIARIES: Collection[str]
    OF_ONE_GENDER: Collection[str]
    """Nouns whose gender is not that of the person, whatever stands beside them."""

    def predicate(self, word: str, to: Gender, known: Mapping[str, str]) -> str | None:
        """The predicate in the other gender: itself if it has no gender, None if the form is not known."""
        ...

    def determiners(self, to: Gender) -> Mapping[str, str]:
        """Determiners in the other gender, by their form."""
        ...

    def adjectives(self, to: Gender) -> Mapping[str, str]:
        """Adjectives in the other gender, by their form; those of one form stand for themselves."""
        ...

    def around(
        self, lowered: Sequence[str], place: int, to: Gender, features: Sequence[Features] | None = None
    ) -> Mapping[int, str] | None:
        """The new words by place with a noun that becomes of that gender; None where what agrees is not certain."""
        ...

    def uncertain(
        self, lowered: Sequence[str], place: int, to: Gender, features: Sequence[Features] | None = None
    ) -> bool:
        """Whether the token there may agree with the noun beside it, and its other form is not known."""
        ...

    def refers(self, lowered: Sequence[str], place: int, to: Gender) -> bool:
        """Whether the word there stands for somebody, in the gender that is left."""
        ...

    def is_clitic(self, word: str, to: Gender) -> bool:
        """Whether the word, behind a hyphen, is a pronoun in the gender that is left, or ends in one."""
        ...

    def belongs_to_none(self, lowered: Sequence[str], place: int, to: Gender, turning: Collection[int]) -> bool:
        """Whether an adjective or a participle stands there in the gender that is left, beside no noun that stays."""
        ...

    def leaves_open(self, lowered: Sequence[str], to: Gender) -> bool:
        """Whether a noun of both genders has a determiner of the gender that is left, so that it may be anyone."""
        ...


Part = int | str
"""The place of a word, or another word."""


class Appositions(Protocol):
    """What is told of a person between commas behind the name, and in front of it; all words are in lower case.

    Each function gives parts: places of the words that it was given, and new words. None for words of another kind.
    """

    def birth_in_front(self, words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:
        """*Born in Lima* for what tells a birth; the gender of the person is None if it is not known."""
        ...

    def birth_behind(self, words: Sequence[str]) -> Sequence[Part] | None:
        """The same for words in front."""
        ...

    def age_in_front(self, words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:
        """*Aged 46* for what tells an age."""
        ...

    def age_behind(self, words: Sequence[str]) -> Sequence[Part] | None:
        """The same for words in front."""
        ...

    def post_in_front(self, words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:
        """*The president of Acme* for what tells a post."""
        ...

    def post_behind(self, words: Sequence[str]) -> Sequence[Part] | None:
        """The same for words in front."""
        ...

    def joined_birth(self, words: Sequence[str], gender: Gender | None) -> tuple[Sequence[Part], int] | None:
        """For the words behind a name, *was born in Lima and*: what stands in front then, and how many words go."""
        ...


class Persons(Protocol):
    """Names of persons, for a language whose names are no given names with a space behind."""

    def turned(self, layout: Layout, to: Gender) -> Sites:
        """Edits that give persons names of that gender."""
        ...


SURNAME = "surname"
"""The kind of a name by which any person can be called."""


class Kinds(Protocol):
    """Kinds of names, such as "woman" and "town": a name can stand where its kind can."""

    def kind_of(self, name: Entity, sort: Sort | None) -> str | None:
        """The kind of the name by itself; None if it does not tell.

        The kinds of names of other types than the three sorts are forms, such as "plural".
        """
        ...

    def kinds_at(self, sentence: Sentence, span: Span, sort: Sort | None) -> Collection[str]:
        """The kinds that can stand in the place of the name there; none if that is not certain."""
        ...


class OtherNames(Protocol):
    """Names that can take the place of others, where grammar could break."""

    def other_name(self, tokens: Sequence[str], start: int, stop: int, pick: Pick) -> Exchange | None:
        """Another name for the tokens, for a part of them, or none."""
        ...


class Exchangeable(Protocol):
    """Listed words for things that mean the same as alone, by the words around them."""

    def is_exchangeable(self, tokens: Sequence[str], place: int) -> bool:
        """Whether it is no part of a title, a compound or a set phrase."""
        ...


class OmittedSubjects(Protocol):
    """Sentences without a subject, for a language whose verbs need none."""

    def lacks_subject(self, lowered: Sequence[str]) -> bool:
        """Whether a sentence, in lower case, begins with its verb, so that the one before has the subject."""
        ...


class QuestionRules(Protocol):
    """Rules that put a question in other words, by name, in their order; then those of ``question_phrases``."""

    RULES: Mapping[str, QuestionRule]
    PHRASES: Sequence[str]


class OptionPhrases(Protocol):
    """Options that speak of others, as regular expressions of their plain form: lower case, without marks.

    ``NOUNS`` are words for options. ``ALL``, ``NONE``, ``SOME``, ``PAIR`` and ``PLACES`` speak of all others, of none,
    of some, of two, and of those before or behind; ``BARE`` are words that do so as the last option alone. ``ENDS`` may
    follow such an option, and ``GOES_ON`` are verbs with which it says something of its own.
    """

    NOUNS: str
    ALL: str
    NONE: str
    SOME: str
    PLACES: str
    PAIR: str
    BARE: str
    ENDS: str
    GOES_ON: str


class Starters(Protocol):
    """Sentences and words of a first file of capabilities."""

    WORDS: StarterWords


class Numbers(Protocol):
    """Numbers in digits, for a language whose words are no tokens."""

    def other_numbers(self, layout: Layout) -> Sites:
        """For each number edits that put another one there."""
        ...


class Numerals(Protocol):
    """Numbers in words."""

    def written_out(self, sentence: Sentence, agreement: str) -> Sites:
        """For each number in digits the edits that write it in words; raises ValueError for other ``agreement``."""
        ...


class Sounds(Protocol):
    """Characters that sound like others."""

    def homophones(self, char: str, *, same_tone: bool) -> list[str]:
        """Other characters with its reading."""
        ...

    def other_nasals(self, char: str) -> list[str]:
        """Characters with the other nasal."""
        ...

    def slips(self, char: str) -> list[str]:
        """Characters that come out when one letter of the reading is mistyped."""
        ...


class Surnames(Protocol):
    """Surnames before given names, for a language that writes both without a space."""

    def names_person(self, given: Sequence[str], place: int) -> bool:
        """Whether the word is a person's name, or a surname before a given name or a title."""
        ...

    def making_words(self, before: str, given: str) -> list[str]:
        """The surnames that make a word with the character before them, or with the first of a given name of two."""
        ...


@dataclass(frozen=True, slots=True)
class Facts:
    """A field of `Language`."""

    holds: str


@dataclass(frozen=True, slots=True)
class WordTable:
    """A .tsv file; ``columns`` are what its rows say."""

    columns: str


@dataclass(frozen=True, slots=True)
class Rules:
    """A module with the functions of a protocol."""

    protocol: type


PARTS: Mapping[str, Facts | WordTable | Rules] = {
    # How it is written
    "letters": Facts("its small letters; a language without is written without an alphabet"),
    "telling_letters": Facts("letters that tell a question in it from one in English, where no word does"),
    "borders": Rules(Borders),
    "keyboard": Facts("keyboards by the name of their layout"),
    "small_words": Facts("words that are small in titles; with an apostrophe, those that stand before one"),
    "behind_hyphens": Facts("words that are small in titles behind a hyphen"),
    "final_marks": Facts("marks that can end a sentence, where they are not . and ..."),
    "brackets": Facts("pairs of brackets and quotation marks, where they are not those of Latin script"),
    "misspellings": WordTable("word, wrong spellings"),
    "sounds": Rules(Sounds),
    # Words
    "function_words": WordTable("sign of the language or against it, its kind: by these it is found"),
    "stop_words": WordTable("word"),
    "synonyms": WordTable("word, part of speech, synonyms in the same inflection"),
    "refused_synonyms": WordTable("word, one of its synonyms that is not offered"),
    "near_synonyms": WordTable("word, part of speech, words near it in some sense: attacks choose among them"),
    "antonyms": WordTable("word, opposites in the same inflection"),
    "legal": WordTable("word, synonym in the language of courts, its gender where that is another"),
    "legal_signs": WordTable("word that says that a text is about law"),
    "word_classes": WordTable("word, its parts of speech"),
    "fixed_phrases": WordTable("phrase in which no word can stand for another"),
    "chat": WordTable("word or phrase, short forms"),
    "fillers": Facts("words without content, as hesitation and placeholders have them"),
    "emoji": WordTable("noun, as it stands in text, emoji of what it names"),
    "handles": Facts("handles of chats that nobody has"),
    "prefixes": WordTable("word, part of speech, words with another prefix"),
    "multi_pos": WordTable("word, part of speech, form, the other parts of speech it can be"),
    "short_forms": WordTable("short form, the words that it stands for"),
    "doubled_adjectives": WordTable("adjective of two characters, each of which can be doubled"),
    "repeated_verbs": WordTable("verb of one character that can be repeated, as what is done a little"),
    "counting_words": WordTable("word of one character behind a number of things"),
    "object_nouns": WordTable("noun of one character that is an object of verbs"),
    "words": WordTable("word of two characters or more, predicate for a verb that takes adverbs, else word"),
    # Grammar
    "articles": Rules(Articles),
    "determiner_kinds": Facts("determiners, each with its kind"),
    "grammatical_number": Rules(GrammaticalNumber),
    "irregular_numbers": WordTable("word, singular, plural or either"),
    "agreement": Rules(GenderAgreement),
    "contractions": Rules(Contractions),
    "slots": Rules(Slots),
    "verbs": Rules(Verbs),
    "tense": Rules(Tense),
    "negation": Rules(Negation),
    "adverbs": Rules(Adverbs),
    "neutral_adverbs": WordTable("adverb"),
    "factual_adverbs": Facts("neutral adverbs that fit texts that tell facts and rules"),
    "opinions": Rules(Opinions),
    "double_denials": WordTable("word of praise or blame, its part of speech, phrases that say the same by denial"),
    "aspect_opinions": Rules(AspectOpinions),
    "opinion_words": WordTable("word of praise or blame, its kind, + or - or ±, its opposites"),
    "aspect_clauses": WordTable("clause on an aspect, + or -, what it can be said of, words that speak of the same"),
    "degree_adverbs": WordTable("adverb that strengthens praise and blame alike"),
    # Numbers
    "number_words": Facts("the words for three to ten"),
    "plurals": WordTable("noun of what *one* counts, its plural"),
    "beside_numbers": WordTable("word, what it makes of a number beside it"),
    "numbers": Rules(Numbers),
    "numerals": Rules(Numerals),
    "months": Facts("the months, in lower case"),
    "date_words": Facts("words beside a number: of a decade, of a century, or a unit, so that the number is no year"),
    "range_words": Facts("words within a number in words, and between two numbers"),
    "things_counted_by": Facts("characters behind a number that go with some things alone"),
    # Phrases
    "openers": WordTable("opener, its tokens with spaces between"),
    "set_off_clauses": WordTable("clause behind a proper noun, its parts of speech, heads, relations"),
    "remarks": WordTable("remark, its tokens with spaces between"),
    "anaphors": WordTable("word or phrase near the beginning of a sentence that needs the sentence before it"),
    "pointing_words": WordTable("word that points to something told before, wherever it stands"),
    "joined_by": Facts("the word for *and*"),
    "contrasted_by": Facts("the word for *but*"),
    "phrases": WordTable("phrase, negates, affirms or asks"),
    "cohyponyms": WordTable("word, words of its kind that exclude it"),
    "other_things": WordTable("word for a thing or a person, words for others"),
    "exchangeable": Rules(Exchangeable),
    "open_words": WordTable("word that opposites or numbers do not go with, and the classes that say why"),
    "omitted_subjects": Rules(OmittedSubjects),
    "misquoted_by": Facts("words before a quotation that say that it is an error; they name nobody"),
    # Questions
    "question_phrases": WordTable("phrase of a question, one that means the same, its rule, words before, words after"),
    "paraphrases": Rules(QuestionRules),
    "question_frames": Facts("words that can stand before any question about a text"),
    "text_words": Facts("words of questions that name their text already"),
    "question_openers": Facts("words with which a question begins that does not begin with a name"),
    "question_synonyms": Facts("question words, each with one that means the same wherever it stands"),
    "passage_words": Facts("words for a text that a question can announce"),
    "announcing_words": Facts("words that say that the text comes behind"),
    "preamble": Facts("an instruction before a question, which says nothing about the answer"),
    "answer_articles": Facts("articles that scores of answers leave out; those with an apostrophe stand before a word"),
    # Replies of language models
    "answer_words": Facts("words that announce an answer, in lower case"),
    "label_words": Facts("words that announce a label, in lower case"),
    "translation_words": Facts("words that announce a translation, in lower case"),
    "no_answers": Facts("replies that say that a text holds no answer, in lower case"),
    # Options and first files
    "option_phrases": Rules(OptionPhrases),
    "option_words": WordTable("word of an option that names others, its classes"),
    "starters": Rules(Starters),
    # Persons and places
    "invented": WordTable("invented name, person, place or organisation"),
    "known_names": WordTable("name that readers know, woman, man or film, with told before it, what it is"),
    "names": WordTable("name in use, person, place or organisation"),
    "other_names": Rules(OtherNames),
    "name_joints": Facts("words within names"),
    "kept_names": Facts("words with a capital that no invented name can stand for"),
    "faker": Facts("the locale in which Faker knows names"),
    "pronouns": WordTable("pronoun; its person, number and gender"),
    "given_names": WordTable("given name, woman or man"),
    "invented_given_names": WordTable("given name of invented persons, woman or man"),
    "gendered_words": WordTable("word for a man, its counterpart for a woman"),
    "exclaimed": WordTable("word for a person that is exclaimed too, the words behind which it is not"),
    "surnames": Rules(Surnames),
    "titles": WordTable("title that stands behind a surname"),
    "gender_words": WordTable("word, female or male"),
    "appositions": Rules(Appositions),
    "posts": WordTable("word for a post, woman or man, both for either"),
    "side_clauses": WordTable("relative clause that says next to nothing, person, place or organisation"),
    "persons": Rules(Persons),
    "places": WordTable("place, region, and the article it takes, if some do"),
    "lands": WordTable("country, state or other land, among places and invented names"),
    "place_articles": Facts("words before places, with the article in them"),
    "kinds": Rules(Kinds),
}
"""All parts by name, with what each holds."""
