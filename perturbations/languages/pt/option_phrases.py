"""Portuguese options that speak of others, as regular expressions of their plain form; ``n.d.a.`` too."""

NOUNS = (
    "alternativas?|opção|opções|respostas?|afirmativas?|afirmação|afirmações|assertivas?|proposição|proposições"
    "|itens|item|letras?|hipóteses"
)

_OUTRAS = (
    "(?: (?:alternativas|opções|respostas|afirmativas|afirmações|assertivas|proposições|itens|hipóteses|anteriores"
    "|acima|outr[ao]s|demais|precedentes|citad[ao]s|mencionad[ao]s|apresentad[ao]s)){1,3}"
)
_DELAS = "(?:dess[ae]s|dest[ae]s|del[ae]s)"
_CORRECT = "(?:são|é|estão|está) (?:corret[ao]s?|cert[ao]s?|incorret[ao]s?|errad[ao]s?|verdadeir[ao]s?|fals[ao]s?)"
_QUANTAS = (
    "(?:(?:apenas|somente|só|mais de|pelo menos|ao menos|exatamente) )?"
    "(?:algum[ao]?s?|alguns|um[ao]?|duas|dois|três|qualquer(?: um[a]?)?)"
)

ALL = rf"tod[ao]s(?: [ao]s| ess[ae]s| est[ae]s)?{_OUTRAS}|tod[ao]s el[ae]s|tod[ao]s {_CORRECT}|tudo acima"
NONE = (
    rf"nenhum[a]? {_CORRECT}"
    rf"|nenhum[a]? (?:d[ao]s{_OUTRAS}|{_DELAS}|anterior|acima|alternativa|opção|resposta)(?: anterior| acima)?"
    rf"|n ?[dr] ?a|não há (?:alternativa|opção|resposta)"
)
SOME = rf"{_QUANTAS} (?:d[ao]s{_OUTRAS}|{_DELAS})"
PLACES = (
    "[ao] (?:anterior|acima)|(?:[ao] )?(?:alternativa|opção|resposta|afirmativa) (?:anterior|acima)"
    "|(?:apenas |somente )?[ao]s (?:duas|dois|três) (?:primeir|últim)[ao]s(?: (?:alternativas|opções|respostas))?"
)
PAIR = rf"amb[ao]s(?: [ao]s)?(?:{_OUTRAS})?|(?:as duas|os dois)(?:{_OUTRAS})?|nenhum[a]? d[ao]s (?:duas|dois)"
BARE = "tod[ao]s|nenhum[a]?|qualquer(?: um[a]?)?"
ENDS = "(?: (?:é|são|estão|está))?(?: (?:corret[ao]s?|cert[ao]s?|verdadeir[ao]s?|fals[ao]s?))?"
GOES_ON = "é|são|pode|podem"
