"""Words with capitals and small letters in turn, as mockery and broken keyboards write them."""

from perturbations.catalogue import word_level
from perturbations.graphemes import clusters
from perturbations.scripts import CASED


@word_level(
    kind="morphology",
    rate=0.1,
    alphabetic=True,
    scripts=CASED,
    example=("[Ana PESSOA] saiu", "[aNa PESSOA] SaIu"),
)
def mixed_case(word: str) -> list[str]:
    """Writes the letters of a word small and capital in turn, beginning with either, chosen uniformly.

    Words with fewer than two cased letters stay, and so do letters whose capital is several letters. Labels hold.
    """
    if sum(char.lower() != char.upper() for char in word) < 2:
        return []
    return [made for start in (0, 1) if (made := _in_turn(word, start)) != word]


def _in_turn(word: str, capital: int) -> str:
    made, turn = [], 0
    for cluster in clusters(word):
        cased = cluster.upper() if turn % 2 == capital else cluster.lower()
        turn += cluster.lower() != cluster.upper()
        made.append(cased if len(cased) == len(cluster) else cluster)
    return "".join(made)
