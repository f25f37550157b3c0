"""A starter file of capabilities for a user's labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from abalo.errors import AbaloError
from perturbations.languages import enumerate_names, has, rules, with_parts
from perturbations.languages.parts import Starters
from perturbations.languages.starters import StarterWords
from perturbations.resources import sort_of
from perturbations.suggestions import did_you_mean

_USUAL = ("PER", "ORG", "LOC")


def starting_file(task: str, fields: Sequence[str], language: str, types: Sequence[str]) -> str:
    """Returns the text of the file; empty ``types`` mean the usual labels.

    Raises `AbaloError` if the language has no sentences.
    """
    known = with_parts("starters")
    if language not in known:
        near = did_you_mean(language, known)
        raise AbaloError(
            f"--language {language}: there are no sentences to begin with{near}; there are some for "
            f"{enumerate_names(known)}; docs/how-to/capabilities.md says how to write your own"
        )
    words = rules(language, "starters", Starters).WORDS
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
