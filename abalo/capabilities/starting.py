"""A starter file of capabilities for a user's labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abalo.errors import AbaloError
from perturbations.languages import enumerate_names, has
from perturbations.resources import sort_of
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class StarterWords:
    """Sentences of one language for the starter file.

    Attributes:
        about: Sentences with ``{x}`` by sort of entity; "" for other labels.
        asides: Phrases that change nothing.
        tags: Sentence and words by part of speech.
        question: Question, its two keys, and pairs of values.
        opinions: Text with ``{x}``, and words by label.
        pair: Text with ``{x}``, an entailment, a contradiction, and words.
        aspects: Opinions of a ``{thing}``, and things.
        in_front: Whether asides begin the sentence, or precede its last word.
        names: Names by sort, if none can be invented.
    """

    about: Mapping[str, Sequence[str]]
    asides: Sequence[str]
    tags: Mapping[str, tuple[str, Sequence[str]]]
    question: tuple[str, str, str, Sequence[tuple[str, str]]]
    opinions: tuple[str, Mapping[str, Sequence[str]]]
    pair: tuple[str, str, str, Sequence[str]]
    aspects: tuple[str, Mapping[str, Sequence[str]], Sequence[str]]
    in_front: bool = False
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def with_aside(self, sentence: str) -> str:
        """Inserts a slot for an aside."""
        words, last = sentence.rsplit(" ", 1)
        return f"{{aside}} {sentence}" if self.in_front else f"{words} {{aside}} {last}"


_LANGUAGES: Mapping[str, StarterWords] = {
    "en": StarterWords(
        {
            "person": ("They met {x} last year .", "A letter from {x} arrived today ."),
            "place": ("They moved to {x} last year .", "It rains a lot in {x} ."),
            "organisation": ("They work for {x} .", "{x} hired ten people ."),
            "": ("They wrote about {x} .", "The text speaks of {x} too ."),
        },
        (", to be honest", ", as everybody knows", ", by the way"),
        {
            "NOUN": ("The {x} was there .", ("house", "dog", "river", "teacher")),
            "VERB": ("They will {x} tomorrow .", ("leave", "write", "sleep", "pay")),
            "ADJ": ("The house is very {x} .", ("small", "old", "green", "quiet")),
        },
        (
            "What is the capital of {country}?",
            "country",
            "city",
            (("France", "Paris"), ("Italy", "Rome"), ("Norway", "Oslo"), ("Japan", "Tokyo")),
        ),
        ("The film was {x}.", {"negative": ("bad", "boring", "awful"), "positive": ("good", "exciting", "excellent")}),
        (
            "The {x} is sleeping in the house.",
            "The {x} is sleeping.",
            "The {x} is not sleeping.",
            ("doctor", "child", "dog"),
        ),
        (
            "The {thing} was {x}.",
            {"negative": ("bad", "awful", "terrible"), "positive": ("good", "great", "excellent")},
            ("soup", "service", "music"),
        ),
    ),
    "pt": StarterWords(
        {
            "person": ("Eles viram {x} no ano passado .", "Uma carta de {x} chegou hoje ."),
            "place": ("Eles se mudaram para {x} no ano passado .", "Chove muito em {x} ."),
            "organisation": ("Eles trabalham para {x} .", "{x} contratou dez pessoas ."),
            "": ("Eles escreveram sobre {x} .", "O texto também fala de {x} ."),
        },
        (", para ser sincero", ", como todos sabem", ", aliás"),
        {
            "NOUN": ("Eles têm {x} .", ("casas", "livros", "rios", "professores")),
            "VERB": ("Eles vão {x} amanhã .", ("sair", "escrever", "dormir", "pagar")),
            "ADJ": ("A casa é muito {x} .", ("antiga", "bonita", "verde", "grande")),
        },
        (
            "Qual cidade é a capital de {country}?",
            "country",
            "city",
            (("Portugal", "Lisboa"), ("Angola", "Luanda"), ("Cuba", "Havana"), ("Moçambique", "Maputo")),
        ),
        (
            "O filme é {x}.",
            {"negative": ("ruim", "chato", "horrível"), "positive": ("bom", "emocionante", "excelente")},
        ),
        (
            "O {x} está dormindo em casa.",
            "O {x} está dormindo.",
            "O {x} não está dormindo.",
            ("médico", "menino", "cachorro"),
        ),
        (
            "O {thing} estava {x}.",
            {"negative": ("ruim", "horrível", "péssimo"), "positive": ("bom", "ótimo", "excelente")},
            ("prato", "atendimento", "vinho"),
        ),
    ),
    "fr": StarterWords(
        {
            "person": ("Ils ont rencontré {x} l' année dernière .", "Une lettre de {x} est arrivée ."),
            "place": ("Ils parlent souvent de {x} .", "Le train passe par {x} ."),
            "organisation": ("Ils travaillent pour {x} .", "{x} a engagé dix personnes ."),
            "": ("Ils ont écrit sur {x} .", "Le texte parle aussi de {x} ."),
        },
        (", pour être franc", ", comme chacun sait", ", bien sûr"),
        {
            "NOUN": ("Le {x} est là .", ("chien", "livre", "jardin", "professeur")),
            "VERB": ("Ils vont {x} demain .", ("partir", "dormir", "payer", "chanter")),
            "ADJ": ("La maison est très {x} .", ("petite", "belle", "verte", "grande")),
        },
        (
            "Quelle ville est la capitale de {country} ?",
            "country",
            "city",
            (("Cuba", "La Havane"), ("Malte", "La Valette"), ("Chypre", "Nicosie"), ("Bahreïn", "Manama")),
        ),
        (
            "Le film est {x}.",
            {"negative": ("mauvais", "ennuyeux", "horrible"), "positive": ("bon", "passionnant", "excellent")},
        ),
        ("Le {x} dort dans la maison.", "Le {x} dort.", "Le {x} ne dort pas.", ("médecin", "garçon", "chien")),
        (
            "Le {thing} était {x}.",
            {"negative": ("mauvais", "horrible", "décevant"), "positive": ("bon", "excellent", "parfait")},
            ("repas", "service", "vin"),
        ),
        names={
            "person": ("Claire Fontaine", "Luc Morel", "Amina Diallo"),
            "place": ("Namur", "Dakar", "Lausanne"),
            "organisation": ("Velmont", "Arcadel", "Nortia"),
        },
    ),
    "zh": StarterWords(
        {
            "person": ("他们 去年 见过 {x} 。", "{x} 今天 来信 了 。"),
            "place": ("他们 去年 搬到 了 {x} 。", "{x} 经常 下雨 。"),
            "organisation": ("他们 在 {x} 工作 。", "{x} 招聘 了 十 个 人 。"),
            "": ("他们 写 过 {x} 。", "这 篇 文章 也 谈到 {x} 。"),
        },
        ("其实 ，", "大家 都 知道 ，", "说 实话 ，"),
        {
            "NOUN": ("他们 有 {x} 。", ("房子", "书", "狗", "老师")),
            "VERB": ("他们 明天 {x} 。", ("离开", "睡觉", "付款", "唱歌")),
            "ADJ": ("这 个 房子 很 {x} 。", ("小", "旧", "漂亮", "大")),
        },
        (
            "{country}的首都是哪个城市？",
            "country",
            "city",
            (("法国", "巴黎"), ("意大利", "罗马"), ("挪威", "奥斯陆"), ("日本", "东京")),
        ),
        ("这部电影{x}。", {"negative": ("很差", "无聊", "糟糕"), "positive": ("很好", "精彩", "优秀")}),
        ("{x}正在家里睡觉。", "{x}正在睡觉。", "{x}没有在睡觉。", ("医生", "孩子", "小狗")),
        (
            "这里的{thing}{x}。",
            {"negative": ("很差", "很糟糕", "让人失望"), "positive": ("很好", "很棒", "不错")},
            ("服务", "环境", "饭菜"),
        ),
        in_front=True,
    ),
}

_USUAL = ("PER", "ORG", "LOC")


def starting_file(task: str, fields: Sequence[str], language: str, types: Sequence[str]) -> str:
    """Returns the text of the file; empty ``types`` mean the usual labels.

    Raises `AbaloError` if the language has no sentences.
    """
    if language not in _LANGUAGES:
        near = did_you_mean(language, _LANGUAGES)
        raise AbaloError(
            f"--language {language}: there are no sentences to begin with{near}; there are some for "
            f"{enumerate_names(_LANGUAGES)}; docs/how-to/capabilities.md says how to write your own"
        )
    words = _LANGUAGES[language]
    if "options" in fields:
        entries = [_questions(words)]
    elif "premise" in fields:
        entries = list(_pairs(words))
    elif "aspect" in fields:
        entries = list(_aspects(words, types))
    elif "label" in fields:
        entries = list(_opinions(words, types))
    elif task == "pos":
        entries = list(_tag_words(words, types))
    else:
        entries = list(_entities(words, types or _USUAL, language))
    return "\n".join([_HEAD.format(task=task), *(_entry(task, language, values) for values in entries)])


_HEAD = """\
# Capabilities of {task}, to begin with. Edit templates and values: what a template has wrong, every filling has.
#   abalo capabilities show capabilities.toml      prints fillings; no model is asked
#   pytest --pyargs tests_behavioral.{task}.test_capability      judges, with your --abalo-model and --abalo-corpus
# docs/how-to/capabilities.md says what can be written. Take blocking = false out where a failure should stop a release.
"""


def _entry(task: str, language: str, values: Mapping[str, object]) -> str:
    settings = {"name": values["name"], "capability": values["capability"], "language": language}
    every = {**settings, **{key: value for key, value in values.items() if key not in settings}}
    every |= {"min_pass_rate": 0.9, "blocking": False}
    return "\n".join([f"[[{task}.capability]]", *(f"{key} = {_toml(value)}" for key, value in every.items()), ""])


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _values_of(kind: str, words: StarterWords, language: str) -> str | Sequence[str]:
    sort = sort_of(kind) or ""
    if sort and has(language, "invented"):
        return f"pool:{kind}:invented:{language}"
    return words.names.get(sort, f"pool:{kind}")


def _entities(words: StarterWords, types: Sequence[str], language: str) -> Iterator[Mapping[str, object]]:
    for kind in types:
        sentences = words.about[sort_of(kind) or ""]
        values = {"x": _values_of(kind, words, language)}
        marked = [each.replace("{x}", f"[{{x}} {kind}]") for each in sentences]
        yield {"name": f"{kind} in a plain sentence", "capability": "plain sentences", "templates": marked, **values}
    first = types[0]
    sentence = words.about[sort_of(first) or ""][0]
    yield {
        "name": f"another {first}",
        "capability": "names",
        "templates": [sentence],
        "change": "x",
        "expect": "at most the entity in {x} changes",
        "x": _values_of(first, words, language),
    }
    yield {
        "name": "an aside",
        "capability": "robustness",
        "templates": [words.with_aside(sentence)],
        "change": "aside",
        "aside": [{"aside": "", "to": each} for each in words.asides],
        "x": _values_of(first, words, language),
    }


def _tag_words(words: StarterWords, types: Sequence[str]) -> Iterator[Mapping[str, object]]:
    for tag in types or words.tags:
        if tag not in words.tags:
            known = enumerate_names(words.tags)
            raise AbaloError(f"--types {tag}: there are no words to begin with; there are some for {known}")
        sentence, listed = words.tags[tag]
        marked = sentence.replace("{x}", f"[{{x}} ={tag}]")
        yield {
            "name": f"{tag} in a plain sentence",
            "capability": "plain sentences",
            "templates": [marked],
            "x": listed,
        }
        yield {
            "name": f"an aside beside {tag}",
            "capability": "robustness",
            "templates": [words.with_aside(sentence)],
            "change": "aside",
            "aside": [{"aside": "", "to": each} for each in words.asides],
            "x": listed,
        }


def _opinions(words: StarterWords, labels: Sequence[str]) -> Iterator[Mapping[str, object]]:
    text, known = words.opinions
    for label in _known_labels(labels, known):
        yield {
            "name": f"{label} words",
            "capability": "vocabulary",
            "templates": [{"text": text, "label": label}],
            "x": known[label],
        }
    yield {
        "name": "a web address behind the text",
        "capability": "robustness",
        "templates": [f"{text} {{address}}"],
        "change": "address",
        "address": [{"address": "", "to": "https://example.org"}, {"address": "", "to": "www.example.org/1"}],
        "x": [word for each in known.values() for word in each],
    }
    first, second = known
    yield {
        "name": f"{second} words speak for {second}",
        "capability": "vocabulary",
        "templates": [text],
        "change": "x",
        "expect": f"confidence of {second} rises",
        "x": [{"x": old, "to": new} for old, new in zip(known[first], known[second], strict=True)],
    }


def _known_labels(labels: Sequence[str], known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    unknown = next((each for each in labels if each not in known), None)
    if unknown is not None:
        raise AbaloError(
            f"--types {unknown}: there are no texts to begin with; there are some for {enumerate_names(known)}"
        )
    return labels or list(known)


def _pairs(words: StarterWords) -> Iterator[Mapping[str, object]]:
    premise, following, opposite, listed = words.pair
    yield {
        "name": "part of what is said follows",
        "capability": "overlap",
        "templates": [{"premise": premise, "hypothesis": following, "label": "entailment"}],
        "x": listed,
    }
    yield {
        "name": "a negation does not follow",
        "capability": "negation",
        "templates": [{"premise": premise, "hypothesis": opposite, "label": "non-entailment"}],
        "x": listed,
    }
    yield {
        "name": "who it is about changes nothing",
        "capability": "robustness",
        "templates": [{"premise": premise, "hypothesis": following}],
        "change": "x",
        "x": listed,
    }


def _aspects(words: StarterWords, labels: Sequence[str]) -> Iterator[Mapping[str, object]]:
    text, known, things = words.aspects
    for label in _known_labels(labels, known):
        yield {
            "name": f"{label} words",
            "capability": "vocabulary",
            "templates": [{"text": text, "aspect": "{thing}", "label": label}],
            "thing": things,
            "x": known[label],
        }
    yield {
        "name": "what the aspect is changes nothing",
        "capability": "robustness",
        "templates": [{"text": text, "aspect": "{thing}"}],
        "change": "thing",
        "thing": things,
        "x": [word for each in known.values() for word in each],
    }


def _questions(words: StarterWords) -> Mapping[str, object]:
    question, asked, told, pairs = words.question
    answers = [f"{{{asked}.{told}}}", f"{{{asked}2.{told}}}"]
    return {
        "name": "simple facts",
        "capability": "knowledge",
        "templates": [{"question": question, "options": answers, "answer": answers[0]}],
        asked: [{asked: name, told: answer} for name, answer in pairs],
    }
