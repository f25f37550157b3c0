"""Rules of paraphrases: each rewords a question of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from docs.made import NOTICE, table
from perturbations.families.choice import PARAPHRASES, paraphrases
from perturbations.languages import language_named

PAGE = Path(__file__).parents[1] / "reference" / "questions.md"

INTRODUCTION = f"""\
# Paraphrases of questions

{NOTICE}

Each paraphrase of a question comes from one rule, which changes one thing and keeps the answer. `k` of
`paraphrase_consistency` takes the first rules that fit a question, in this order. [Questions](../how-to/questions.md)
shows the bounds. [Word lists](../how-to/word-lists.md) shows how to read the lists `question_phrases_en` and
`question_phrases_pt`, which hold the phrases of most rules.
"""

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "these": "Which of the following is a metal?",
        "probable": "What is the most likely cause?",
        "passive": "Which gas causes the haze?",
        "because": "The ice broke because the lake was warm.",
        "condition": "If rain falls, what happens to the soil?",
        "frame": "In old law, what was a fief?",
        "meaning": "What does frost mean?",
        "view": "According to Plato, the soul is",
        "stated": "What is the sum of 2 and 3?",
        "determiner": "In what year did the bridge fall?",
        "likely": "The jury will most likely",
        "example": "This is an example of",
        "best": "Which of the two best describes rust?",
        "called": "A group of lions is called a",
        "task": "Find the sum of 3 and 4.",
        "kind": "Sand is what type of soil?",
        "purpose": "What is the main reason for frost?",
        "verb": "The term thaw refers to",
        "about": "Which statement about frogs is true?",
        "people": "A person who bakes bread is a",
        "quantity": "Birds come each year to",
        "except": "All birds have the following EXCEPT",
        "connective": "In order to float, a boat needs",
        "adverb": "Frost most often comes in",
        "negation": "Which sentence is incorrect?",
        "contraction": "A whale is not a fish, since it",
    },
    "pt": {
        "these": "Qual das seguintes cidades fica no sul?",
        "probable": "Qual é a causa mais provável da geada?",
        "passive": "O vento causa as ondas.",
        "because": "O gelo quebrou porque o lago esquentou.",
        "determiner": "Qual planeta é maior?",
        "asked": "Sobre o voto, assinale a opção correta.",
        "except": "São crimes, EXCETO",
        "correct": "Sobre o prazo, é correto afirmar que",
        "asking": "No caso, qual o prazo do recurso?",
        "according": "De acordo com a lei, o juiz deve",
        "about": "No que se refere à posse, o dono",
        "given": "Diante do exposto, o réu",
        "choose": "Assinale a afirmativa incorreta.",
        "option": "Assinale a opção correta.",
        "must": "Nesta ação, o autor deverá",
        "verb": "Ana ajuizou ação contra Rui.",
        "connective": "Ele pagou em razão disso e",
    },
}
"""A question that each rule rewords, by language and rule."""


def made() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *map(section, PARAPHRASES)])


def section(language: str) -> str:
    """A row for each rule of a language, in the order in which rules are tried."""
    rows = [(f"`{rule}`", *example(rule, language)) for rule in PARAPHRASES[language]]
    return f"## {language_named(language).name}\n\n{table(('Rule', 'Question', 'Paraphrase'), rows)}"


def example(rule: str, language: str) -> tuple[str, str]:
    """The question of a rule and its paraphrase."""
    question = EXAMPLES[language][rule]
    return question, next(each.text for each in paraphrases(question, 99, language) if each.kind == rule)
