"""Agreement in Portuguese: what changes with the gender of a noun or a subject."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender
from perturbations.languages.readings import Features
from perturbations.lexicons import of_class, pairs, rows, words

COPULAS = words_in(
    "é era foi fora será seria seja fosse for está estava esteve estará esteja ficou ficará fica são eram foram serão "
    "seriam sejam fossem estão estavam estiveram estarão estejam ficaram ficarão ser sido sendo estar estando"
)
"""Forms of *ser*, *estar* and *ficar*, beside which an adjective or a participle agrees with the subject."""
PLURAL_COPULAS = frozenset(word for word in COPULAS if word.endswith(("am", "ão", "em")))
AUXILIARIES = words_in(
    "deve deverá devia pode poderá poderia há havia tem tinha teria terá vai devem deverão podem poderão haviam têm "
    "tinham teriam terão vão não já também ainda muito mais bem mal sempre nunca então tão pouco bastante"
)
"""Words between a subject and its copula, or before the adjective."""
OF_ONE_GENDER = words_in(
    "autoridade autoridades criança crianças figura figuras indivíduo indivíduos liderança lideranças membro membros "
    "pessoa pessoas testemunha testemunhas vítima vítimas"
)
"""Whatever their person is called, words agree with their own gender: *a vítima João foi ouvida*."""
_NO_PREDICATES = words_in(
    "o os ao aos do dos no nos pelo pelos um isso isto como quando segundo quanto contudo portanto apenas a as à às da "
    "das na nas pela pelas uma para contra agora ora toda todas todo todos seu sua seus suas uns umas mas "
    "alvo objeto membro membros exemplo vítima vítimas testemunha testemunhas pessoa pessoas parte"
)
_BEFORE_BARE_NOUNS = words_in("a ante após até com como contra de desde em entre para perante por sem sob sobre ( :")
_REFERRING = words_in(
    "ele ela eles elas dele dela deles delas nele nela neles nelas este esta esse essa aquele aquela mesmo mesma "
    "próprio própria cujo cuja"
)
"""Words by which a clause can come back to a noun, in its gender."""
_CLAUSE_ENDS = frozenset(".;:?!")
_STEMS = ("ad", "id", "os", "eir", "ári", "ic", "iv", "it", "ert", "ort", "pres", "eit", "us")
_WOMEN = {f"{stem}o{s}": f"{stem}a{s}" for stem in _STEMS for s in ("", "s")} | {
    f"{stem}or{es}": f"{stem}ora{s}" for stem in "dts" for es, s in (("", ""), ("es", "s"))
}
_ENDINGS: Mapping[str, Mapping[str, str]] = {"woman": _WOMEN, "man": {her: his for his, her in _WOMEN.items()}}


def predicate(word: str, to: Gender, known: Mapping[str, str]) -> str | None:
    """The predicate in the other gender: itself if it has no gender, None if the form is not known."""
    if word in known:
        return known[word]
    if word.endswith("s") and word[:-1] in known and word[-2] in "oaã":
        return known[word[:-1]] + "s"
    if word in _NO_PREDICATES or word in AUXILIARIES or not word.isalpha():
        return word
    for ending, other in _ENDINGS[to].items():
        if word.endswith(ending):
            return word.removesuffix(ending) + other
    marked = ("o", "os") if to == "woman" else ("a", "as")
    return None if word.endswith(marked) and not word.endswith(("ndo", "ista", "istas")) else word


@cache
def determiners(to: Gender) -> Mapping[str, str]:
    """Articles, contractions and other determiners in the other gender, by their form in lower case."""
    return _listed_forms("determiner", to)


@cache
def adjectives(to: Gender) -> Mapping[str, str]:
    """Adjectives in the other gender, by their form in lower case; those that have one form stand for themselves."""
    known = of_class("word_classes_pt", "ADJ") | {
        word for word in pairs("word_classes_pt") if word.endswith(_PARTICIPLE)
    }
    found = {
        his: her
        for his in known
        for ending, other in (
            ("o", "a"),
            ("os", "as"),
            ("or", "ora"),
            ("ores", "oras"),
            ("ês", "esa"),
            ("eses", "esas"),
        )
        if his.endswith(ending) and (her := his.removesuffix(ending) + other) in known
    }
    turned = dict(found) if to == "woman" else {her: his for his, her in found.items()}
    neither = {word: word for word in known if word.endswith(_COMMON) and word not in found}
    return MappingProxyType({**neither, **turned, **_listed_forms("adjective", to)})


_PARTICIPLE = ("ado", "ados", "ada", "adas", "ido", "idos", "ida", "idas")
_COMMON = ("al", "ais", "el", "eis", "il", "is", "ar", "ares", "e", "es", "z", "zes", "ista", "istas")
"""Endings of adjectives with one form for both genders."""


def _listed_forms(kind: str, to: Gender) -> Mapping[str, str]:
    listed = [(his, her) for his, her, each in rows("agreeing_words_pt") if each == kind]
    if kind == "adjective":
        listed += [(f"{his}s", f"{her}s") for his, her in listed if his.endswith("o")]
    listed = list(dict.fromkeys(listed))
    if to == "man":
        listed = [(her, his) for his, her in listed]
    keys = [key for key, _ in listed]
    return {key: other for key, other in listed if keys.count(key) == 1}


def around(
    lowered: Sequence[str], place: int, to: Gender, features: Sequence[Features] | None = None
) -> Mapping[int, str] | None:
    """The words that change with a noun here that takes the other gender: new words by place, in lower case.

    Its determiners and contractions, and the adjectives on both sides. None where something may have to agree of which
    no form is known, and where the clause comes back to the noun: with a predicate, a pronoun, a participle set apart.
    ``features`` are those of the tokens, by a model; without, what agrees is known by the lists and by endings.
    """
    found: dict[int, str] = {}
    first = place
    while first > 0 and lowered[first - 1] in adjectives(to) and _may_agree(first - 1, to, features):
        first -= 1
        found[first] = adjectives(to)[lowered[first]]
    if first > 0 and (first - 1 in found or uncertain(lowered, first - 1, to, features)):
        return None
    if first > 0 and lowered[first - 1] == "a" and to == "man":
        return None  # the article or the preposition
    while first > 0 and lowered[first - 1] in determiners(to) and lowered[first - 1] != "a":
        first -= 1
        found[first] = determiners(to)[lowered[first]]
    if first > 0 and not found and lowered[first - 1] not in _BEFORE_BARE_NOUNS:
        return None  # its determiner may stand farther off: before an abbreviation, or another noun
    last = _behind(lowered, place, to, found, features)
    if last is None or _comes_back(lowered, last, to):
        return None
    return {i: word for i, word in found.items() if word != lowered[i]}


def _behind(
    lowered: Sequence[str], place: int, to: Gender, found: dict[int, str], features: Sequence[Features] | None
) -> int | None:
    """Adds the adjectives behind the noun; the place behind the last, or None where one is not known."""
    i = place + 1
    while i < len(lowered):
        between = lowered[i] in ("e", ",")
        if (
            i + between < len(lowered)
            and lowered[i + between] in adjectives(to)
            and _may_agree(i + between, to, features)
        ):
            i += between
            found[i] = adjectives(to)[lowered[i]]
            i += 1
        elif uncertain(lowered, i, to, features):
            return None
        else:
            break
    return i


def _may_agree(place: int, to: Gender, features: Sequence[Features] | None) -> bool:
    """Whether the features, where there are any, leave it possible that the token agrees with a noun that turns."""
    return features is None or features[place].get("Gender") != _TAGS[to]


_TAGS: Mapping[Gender, str] = {"woman": "Fem", "man": "Masc"}


def uncertain(lowered: Sequence[str], place: int, to: Gender, features: Sequence[Features] | None = None) -> bool:
    """Whether the token there may agree with the noun beside it, and its other form is not known.

    By ``features`` if it has a gender, and is no noun; else if it ends as adjectives of the gender do that is left.
    """
    word = lowered[place]
    if not word.isalpha() or word in adjectives(to) or word in determiners(to) or word in words("stop_words_pt"):
        return False
    if features is not None:
        return features[place].get("Gender") == _TAGS["man" if to == "woman" else "woman"]
    endings = ("o", "os", "or", "ores", "ês") if to == "woman" else ("a", "as")
    if not word.endswith(endings) or word.endswith(("ndo", "mento", "mentos")):
        return False
    return pairs("word_classes_pt").get(word, "ADJ") == "ADJ" and word not in words("verb_homographs_pt")


def refers(lowered: Sequence[str], place: int, to: Gender) -> bool:
    """Whether a pronoun stands there for somebody, in the gender that is left: *estes*, before no noun; *os quais*."""
    if lowered[place] in ("qual", "quais"):
        return place > 0 and lowered[place - 1] in determiners(to)
    behind = lowered[place + 1] if place + 1 < len(lowered) else "."
    alone = not behind.isalpha() or behind in COPULAS | AUXILIARIES | _BEHIND_PRONOUNS
    return lowered[place] in _DEMONSTRATIVES[to] and (alone or pairs("word_classes_pt").get(behind) == "VERB")


_DEMONSTRATIVES: Mapping[Gender, frozenset[str]] = {
    "woman": words_in("este estes esse esses aquele aqueles destes desses daqueles nestes nesses naqueles"),
    "man": words_in("esta estas essa essas aquela aquelas destas dessas daquelas nestas nessas naquelas"),
}
_BEHIND_PRONOUNS = words_in("que tenham tenha tivessem tivesse último últimos última últimas se lhe lhes")


def is_clitic(word: str, to: Gender) -> bool:
    """Whether the word, behind a hyphen, is a pronoun in the gender that is left, or ends in one: *cobrá-los*."""
    return word.rpartition("-")[2] in _CLITICS[to]


_CLITICS: Mapping[Gender, frozenset[str]] = {"woman": words_in("o os lo los"), "man": words_in("a as la las na nas")}


def belongs_to_none(lowered: Sequence[str], place: int, to: Gender, turning: Collection[int]) -> bool:
    """Whether an adjective or a participle stands there in the gender that is left, beside no noun that stays.

    Behind *ter* and *haver* a participle has no gender. What could be a noun counts only behind a copula, or if commas
    set it apart.
    """
    word = lowered[place]
    if not _is_left(word, to) or (place and lowered[place - 1] in _PERFECT):
        return False
    if _is_noun(word):
        apart = (place == 0 or lowered[place - 1] == ",") and lowered[place + 1 : place + 2] in ((",",), [","])
        if apart or place == 0 or lowered[place - 1] not in COPULAS:
            return apart
    before = place - 1
    while before >= 0 and (lowered[before] in AUXILIARIES | COPULAS or lowered[before].endswith("mente")):
        before -= 1
    if before < 0:
        return "," in lowered[place:]  # *Orgulhoso com isso, João …*
    if before in turning:
        return before == place - 1 or not _is_of_another(lowered, before, to, turning)
    if lowered[before] in ("e", "ou", ",") and before > 0:
        before -= 1
    if before not in turning and _is_left(lowered[before], to) and not _is_noun(lowered[before]):
        return belongs_to_none(lowered, before, to, turning)
    if before not in turning and _stands_as_noun(lowered, before, to):
        return False
    if lowered[before] in adjectives(to) and not _is_left(lowered[before], to):
        return before == 0 or not _stands_as_noun(lowered, before - 1, to)
    behind = lowered[place + 1] if place + 1 < len(lowered) else "."
    before_noun = before == place - 1 and lowered[before] in words("stop_words_pt")
    return not (before_noun and _is_noun(behind) and place + 1 not in turning)


def _is_of_another(lowered: Sequence[str], place: int, to: Gender, turning: Collection[int]) -> bool:
    """Whether the words that turn and end there complete a noun that stays, or have the gender of one."""
    while place - 1 in turning:
        place -= 1
    if place and lowered[place - 1] in OF_ONE_GENDER:
        return True
    head = place - 1 if lowered[place] in _OF else place - 2 if place and lowered[place - 1] in _OF else -1
    return head >= 0 and (
        _stands_as_noun(lowered, head, to) or (head > 0 and lowered[head - 1] in _determiners_left(to))
    )


def _determiners_left(to: Gender) -> Collection[str]:
    """The determiners in the gender that is left."""
    return [word for word, other in determiners(to).items() if other != word]


_OF = words_in("de do da dos das")


def _stands_as_noun(lowered: Sequence[str], place: int, to: Gender) -> bool:
    """Whether the word could be a noun of the gender that is left: a verb too only behind a word that carries syntax.

    The list of word classes has not all nouns: a word that it lacks is one by its ending.
    """
    word = lowered[place]
    feminine = word.endswith(("a", "as", "ção", "ções", "são", "sões", "dade", "dades", "gem", "gens"))
    if not word.isalpha() or feminine != (to == "man"):
        return False
    if not pairs("word_classes_pt").get(word):
        return word.endswith(("o", "os", "or", "ores") if to == "woman" else ("a", "as", "ão", "ões", "de", "des"))
    behind_article = place > 0 and lowered[place - 1] in words("stop_words_pt")
    return _is_noun(word) and (behind_article or _kinds(word).isdisjoint(("VERB", "ADV")))


_PERFECT = words_in(
    "ter haver tendo havendo tem tinha têm tinham tenha tenham tivesse tivessem teria teriam terá terão há havia haviam"
    " haja houve teve tiveram houvesse haveria"
)


def _is_left(word: str, to: Gender) -> bool:
    """Whether the word is an adjective or a participle in the gender that is left, and not the same in both."""
    if not word.isalpha() or word in words("stop_words_pt") or word in _NO_PREDICATES or word in AUXILIARIES:
        return False
    ends = _PARTICIPLE_OF["man" if to == "woman" else "woman"]
    if adjectives(to).get(word, word) != word or (word.endswith(ends) and len(word) > _SHORTEST):
        return True
    return _kinds(word) == {"ADJ"} and word.endswith(("o", "os") if to == "woman" else ("a", "as"))


_PARTICIPLE_OF: Mapping[Gender, tuple[str, ...]] = {
    "woman": ("ada", "adas", "ida", "idas", "osa", "osas"),
    "man": ("ado", "ados", "ido", "idos", "oso", "osos"),
}
_SHORTEST = 4


def _kinds(word: str) -> frozenset[str]:
    return frozenset(pairs("word_classes_pt").get(word, "").split("|"))


def _is_noun(word: str) -> bool:
    return "NOUN" in _kinds(word)


def leaves_open(lowered: Sequence[str], to: Gender) -> bool:
    """Whether a noun of both genders stands there with a determiner of the gender that is left: it may be anyone."""
    return any(
        word in _OF_BOTH
        and i
        and (lowered[i - 1] in determiners(to) or lowered[i - 1].endswith("º" if to == "woman" else "ª"))
        for i, word in enumerate(lowered)
    )


_OF_BOTH = words_in(
    "agente agravante agravantes apelante apelantes cliente comandante contribuinte dirigente embargante gerente "
    "impetrante impetrantes intérprete militar militares oficial paciente pacientes policial policiais presidente "
    "recorrente recorrentes representante requerente requerentes sobrevivente suplente vice-presidente vogal"
)


def _comes_back(lowered: Sequence[str], start: int, to: Gender) -> bool:
    """Whether what follows may agree with the noun too: a predicate, a pronoun, a participle behind a comma."""
    for i in range(start, len(lowered)):
        word, before = lowered[i], lowered[i - 1]
        if word in _CLAUSE_ENDS:
            return False
        if word in COPULAS or word in _REFERRING or (word in ("qual", "quais") and before in determiners(to)):
            return True
        if before == "," and word.endswith(_PARTICIPLE):
            return True
    return False
