"""Agreement of Portuguese predicates with a subject whose gender changes."""

from collections.abc import Mapping

from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender

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
_NO_PREDICATES = words_in(
    "o os ao aos do dos no nos pelo pelos um isso isto como quando segundo quanto contudo portanto apenas a as à às da "
    "das na nas pela pelas uma para contra agora ora toda todas todo todos seu sua seus suas uns umas mas "
    "alvo objeto membro membros exemplo vítima vítimas testemunha testemunhas pessoa pessoas parte"
)
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
