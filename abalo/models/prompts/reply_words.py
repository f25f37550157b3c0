"""The words and sentences that announce an answer, by language."""

from __future__ import annotations

import re
from functools import cache

from perturbations.languages import language_named, with_parts

_MARKS = r"[*_`]*"

_THOUGHTS = "think|thinking|thoughts?|reason|reasoning|analysis|reflection|scratchpad"

OPENS = re.compile(
    rf"<(?:\w{{1,20}}:)?(?:{_THOUGHTS})(?:\s[^<>]{{0,80}})?>|\[(?:{_THOUGHTS})\]|◁(?:{_THOUGHTS})▷"
    rf"|<\|(?:begin_of_|start_)(?:{_THOUGHTS})\|>|<\|channel\|>analysis<\|message\|>",
    re.IGNORECASE,
)
CLOSES = re.compile(
    rf"</(?:\w{{1,20}}:)?(?:{_THOUGHTS})\s?>|\[/(?:{_THOUGHTS})\]|◁/(?:{_THOUGHTS})▷"
    rf"|<\|end_(?:of_)?(?:{_THOUGHTS})\|>|<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)

_ANSWERS = (
    r"antwort|lösung|respuesta|solución|risposta|antwoord|odpowiedź|svar"
    r"|vastaus|cevap|ответ|відповідь|απάντηση|الإجابة|jawaban|đáp án|정답|답변|답|正解|答え"
)
_LABELS = (
    r"etiquetas?|clase|categoría|sentimiento|relación|opción|klasse|kategorie|stimmung|beziehung"
    r"|relazione|etichetta|метка|категория|ラベル"
)
"""Words of languages without a folder in `perturbations.languages`, which have the others."""


def answer_words() -> str:
    """The words for an answer of all languages, as a regular expression."""
    return _joined(with_parts("answer_words"), "answer_words", _ANSWERS)


def label_words() -> str:
    """The words for an answer or a label of all languages, as a regular expression."""
    return f"{answer_words()}|{_joined(with_parts('label_words'), 'label_words', _LABELS)}"


@cache
def _joined(languages: tuple[str, ...], part: str, others: str) -> str:
    found = (re.escape(word) for code in languages for word in getattr(language_named(code), part))
    return "|".join([*dict.fromkeys(found), others])


_QUALITIES = (
    r"the|my|meine|minha|mi|ma|правильный|a|o|die|der|das|la|le|el|il"
    r"|finale?|correct|right|best|predicted|most likely|model|short|correta"
    r"|certa|correto|richtige|korrekte|endgültige|correcta|correcte|bonne|corretta|definitiva"
    r"|正确|正確|最终|最終|最佳|我的|的"
)


def anchor(words: str, cue: str) -> re.Pattern[str]:
    """A line that begins with one of the ``words``, or with ``cue``, and a colon.

    Group 1 holds marks that open before the word, group 2 those that close behind it, group 3 the rest.
    """
    named = f"{words}|{re.escape(cue)}" if cue else words
    quality = rf"(?:(?:{_QUALITIES})\s*)"
    begins = rf"[ \t]*(?:>[ \t]*)?(?:[-•][ \t]+)?(?:#{{1,6}}[ \t]*)?({_MARKS}){quality}{{0,3}}(?:{named})"
    ends = rf"(?:\s(?:final|correta?|correcta|correcte|finale|is|é|es|ist|est))?\s?({_MARKS})\s?[:：]({_MARKS}.*)"
    bracketed = rf"[ \t]*【(?:{named})】[ \t]*[:：]?(.*)"
    return re.compile(rf"{begins}{ends}|{bracketed}", re.IGNORECASE)


def heading(words: str, cue: str) -> re.Pattern[str]:
    """A line that is one of the ``words`` alone, as a heading or in bold."""
    named = f"{words}|{re.escape(cue)}" if cue else words
    quality = rf"(?:(?:{_QUALITIES})\s*)"
    return re.compile(rf"[ \t]*(?:#{{1,6}}[ \t]*{_MARKS}|\*\*){quality}{{0,3}}(?:{named}){_MARKS}[ \t]*", re.IGNORECASE)


_EN_NOUN = (
    r"(?:answer|option|choice|letter|label|sentiment|class|category|classification|relation|relationship|topic|rating)"
)
_PT_NOUN = r"(?:resposta|alternativa|opção|letra|rótulo|sentimento|classe|categoria|relação)"
_ES_NOUN = r"(?:respuesta|alternativa|opción|letra|etiqueta|sentimiento|clase|categoría|relación)"
_ZH_NOUN = r"(?:答案|选项|選項|标签|標籤|类别|類別|分类|情感|情感倾向|关系)"

_SO = r"(?:(?:so|thus|therefore|hence|in conclusion|overall)[, ]\s*|(?:based on|given|according to)[^,.!?]{1,60},\s)?"

SAYING = tuple(
    re.compile(rf"\s*{form}\s*", re.IGNORECASE | re.DOTALL)
    for form in (
        (
            rf"{_SO}(?:i\s(?:think|believe)\s(?:that\s)?)?(?:(?:the|my)\s)?(?:(?:most|final|correct|right"
            rf"|best|overall|likely|appropriate|predicted)\s)*{_EN_NOUN}s?(?:\s(?:here|of the text|of the sentence"
            rf"|to the question))?(?:\s(?:is|are|would be|should be))\s?:?\s(.+)"
        ),
        r"i(?:['’]d|\swould|\swill|['’]ll)?\s(?:choose|pick|select)\s(.+)",
        rf"(.+)\sis(?:\sthe)?\s(?:correct|right|best)(?:\s{_EN_NOUN})?",
        r"(.+)\sis\sthe\s(?:final\s)?answer",
        (
            rf"(?:(?:portanto|logo|assim)[, ]\s*)?(?:a|o|minha)(?:\s(?:minha|final))?\s{_PT_NOUN}(?:\s(?:correta|certa"
            rf"|correto|certo|final|do texto|da frase))?\sé\s?:?\s(?:(?:a|o)\s)?(.+)"
        ),
        rf"(.+)\sé\s(?:(?:a|o)\s)?(?:{_PT_NOUN}\s)?(?:correta|certa|correto|certo)",
        (
            rf"(?:(?:por lo tanto|entonces|así)[, ]\s*)?(?:la|el|mi)\s{_ES_NOUN}(?:\s(?:correcta|correcto|final))?\ses"
            rf"\s?:?\s(?:(?:la|el)\s)?(.+)"
        ),
        rf"(.+)\ses\s(?:(?:la|el)\s)?(?:{_ES_NOUN}\s)?(?:correcta|correcto)",
        (
            r"(?:(?:also|daher|somit)\s)?(?:die|meine|das)(?:\s(?:richtige|korrekte|endgültige|beste|passende))?\s"
            r"(?:antwort|option|lösung|label|stimmung|klasse|kategorie)(?:\sdes\s(?:textes|satzes))?\s(?:ist|lautet|wäre)\s?:?\s(?:(?:der|die|das)\s)?(.+)"
        ),
        r"(?:richtig|korrekt)\sist\s(.+)",
        r"(.+)\sist\s(?:richtig|korrekt|die\s(?:richtige|korrekte)\s(?:antwort|option|lösung))",
        (
            r"(?:(?:donc)[, ]\s*)?(?:la|ma|le|l['’])\s?(?:bonne\s|sentiment\s)?(?:réponse|option|étiquette|catégorie"
            r"|classe)?(?:\s(?:correcte|finale))?\sest\s?:?\s(?:(?:la|le|l['’])\s?)?(.+)"
        ),
        r"la\s(?:risposta|opzione|etichetta)(?:\s(?:corretta|giusta))?\sè\s?:?\s(?:(?:la|il)\s)?(.+)",
        r"het\s(?:juiste\s|correcte\s)?antwoord\sis\s?:?\s(.+)",
        r"(?:prawidłowa|poprawna)\sodpowiedź\sto\s?:?\s(.+)",
        r"(?:правильный\s)?ответ\s?(?:—|-|–|это)\s?(.+)",
        (
            rf"(?:因此|所以|综上所述|综上|故)?[,，]?\s?(?:[^\s，。,不非没無无]{{0,10}}的|本题|我(?:认为|觉得)?)?(?:最终|最佳|正确|正確|合适)?的?{_ZH_NOUN}"
            rf"(?:应该|应|應)?(?:是|为|為|选|選)\s?[:：]?\s?(.+?)的?"
        ),
        r"(?:因此|所以|综上所述|综上)?[,，]?\s?(?:本题|这道题|该题)?(?:我|应该|应|故|應|我会)?(?:选择|选|選擇|選)\s?[:：]?\s?(.+)",
        rf"(.+?)\s?是(?:最佳|正确|正確)的?(?:{_ZH_NOUN})?的?",
        r"(?:正解|答え)は\s?(.+?)\s?(?:です|だ|である)?",
        r"정답은\s?(.+?)\s?(?:입니다|이다|예요|이에요)?",
    )
)
"""Sentences that say an answer, in group 1, and that it is one."""

SENTENCES = (
    *SAYING,
    re.compile(rf"\s*{_SO}(?:it is|it's|it’s)\s(.+)", re.IGNORECASE | re.DOTALL),
    re.compile(r"\s*(?:é|es ist|es|c['’]est|è)\s(?:(?:a|o|la|el)\s)?(.+)", re.IGNORECASE | re.DOTALL),
)
"""Sentences that say an answer, in group 1, also those that say it of anything."""

_CORRECTIONS = (
    r"no|wait|hmm+|hold on|correction|corrected|sorry|on second thoughts?|on reflection|i mean|oops|my mistake"
    r"|não|espera|espere|aliás|correção|desculpe|ou melhor|perdón|corrección|mejor dicho|nein|moment|halt|korrektur"
    r"|entschuldigung|non|attends|pardon|plutôt|不|不对|不對|等等|更正|抱歉"
)
_RATHER = r"actually|or rather|rather|make that|na verdade|en realidad|eigentlich|en fait|其实|其實|应该是|應該是"

CORRECTION = re.compile(
    rf"(?:(?:{_CORRECTIONS}|{_RATHER})\s*[,.:;!…，。：；！—–-]+\s*|(?:{_RATHER})\s+|(?:{_CORRECTIONS})\s+(?=(?:{_CORRECTIONS}"
    rf"|{_RATHER})\b))+",
    re.IGNORECASE,
)
"""What begins a sentence that takes an answer back."""

NEGATION = re.compile(r"not|isn['’]t|não|nicht|kein(?:e|er|es)?|pas|не|不|不是|非", re.IGNORECASE)
"""A word that turns what follows into its opposite."""

OPTION = (
    r"(?:answer|option|choice|letter|opção|alternativa|letra|resposta|opción|respuesta|opzione|antwort|lettre|réponse"
    r"|risposta|вариант|选项|選項|选择|選擇|答案|选|選)"
)

_NO_ANSWERS = frozenset(
    (
        *("null", "n/a", "sin respuesta", "no hay respuesta", "no tiene respuesta", "ninguna respuesta"),
        *("keine antwort", "nicht beantwortbar", "unbeantwortbar", "es gibt keine antwort"),
        *("nessuna risposta", "geen antwoord", "brak odpowiedzi", "нет ответа", "немає відповіді", "cevap yok"),
        *("答えなし", "回答不能", "回答なし", "答えはありません", "답 없음", "답변 없음", "정답 없음", "لا إجابة"),
    )
)


def no_answers() -> frozenset[str]:
    """Replies of all languages that say that the passage holds no answer, in lower case."""
    return _no_answers(with_parts("no_answers"))


@cache
def _no_answers(languages: tuple[str, ...]) -> frozenset[str]:
    return _NO_ANSWERS.union(*(language_named(code).no_answers for code in languages))


_TRANSLATIONS = (
    r"übersetzung|traducción|traduzione"
    r"|vertaling|tłumaczenie|перевод|переклад|překlad|översättning|oversættelse|oversettelse|käännös|fordítás|traducere"
    r"|çeviri|ترجمة|الترجمة|תרגום|अनुवाद|翻訳|訳|번역|μετάφραση|bản dịch|terjemahan"
)


def _translation_words() -> str:
    return _joined(with_parts("translation_words"), "translation_words", _TRANSLATIONS)


_LANGUAGES = (
    r"final|english|portuguese|german|spanish|french|italian|chinese|japanese|korean|dutch|polish|russian|arabic"
    r"|中文|英文|英语|汉语|葡萄牙语|德语|deutsche|englische|portugiesische"
)


def translation_lead(cue: str) -> re.Pattern[str]:
    """What announces a translation at its beginning; group 1 holds marks that open, groups 2 and 3 marks that close."""
    words = _translation_words()
    named = f"{words}|{re.escape(cue)}" if cue else words
    into = r"(?:\s(?:to|into|in|para|em|ins|auf|al|en|au)\s[^:：\n]{1,30}|\s?[(（][^()（）\n]{1,30}[)）]|结果|如下)?"
    return re.compile(
        rf"(?:#{{1,6}}[ \t]*)?({_MARKS})(?:(?:{_LANGUAGES})\s?)?(?:{named}){into}\s?({_MARKS})\s?[:：]({_MARKS})"
        rf"|(?:#{{1,6}}[ \t]*{_MARKS}|\*\*)(?:{named}){_MARKS}[ \t]*(?=\n)",
        re.IGNORECASE,
    )


def courtesy() -> re.Pattern[str]:
    """A courtesy before a translation, with its colon."""
    return _courtesy(_translation_words())


@cache
def _courtesy(translations: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:sure|certainly|of course|okay|ok|absolutely|claro|certo|com certeza|natürlich|gerne?|por supuesto"
        rf"|bien sûr|certainement|好的|当然|當然)(?:\sthing)?[!,.，。！]?\s*)?"
        rf"(?:(?:here\sis|here['’]s|here\syou\sgo|aqui\s(?:está|vai)|segue|eis|hier\sist|aquí\s(?:está|tienes)|voici|ecco"
        rf"|以下是|这是|這是|下面是)\s?[^:：\n.!?。]{{0,40}}(?:{translations})(?:[^:：\n.!?。]{{0,40}})"
        rf"|翻译如下|翻譯如下|译文如下|譯文如下|(?:the|a)\s(?:translation|tradução)\s(?:is\sas\sfollows|é\sa\sseguinte))\s?[:：]",
        re.IGNORECASE,
    )
