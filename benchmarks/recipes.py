"""Recipes of attacks beside each other, each with its own constraints and with the same ones for all.

    python -m benchmarks.recipes [--task classification ner] [--sample 60] [--encoder FOLDER] [--masked-lm SPEC]
        [--synonyms SOURCE] [--similarity 0.8] [--changed 0.2] [--budget 500]

Published success rates cannot be compared, since every paper allows other changes [Morris et al., TextAttack, EMNLP
2020, 5]. So the second half of the rows has one similarity by one measure, one share of words and one budget for all.
Perplexity is by n-grams of the corpus, median over the successes, and so is the similarity.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from abalo import Session
from abalo.api import Result
from abalo.attacks import Attack, attacks
from abalo.attacks.recipe import RecipeSettings
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.validators.validator import validators
from benchmarks.results import show, with_interval
from perturbations import Edit, Sentence, apply

TASKS = ("classification", "ner")


def main() -> None:
    """Attacks the bundled models by every recipe that has what it needs."""
    asked = _parser().parse_args()
    same = {"least_similarity": asked.similarity, "most_changed": asked.changed, "budget": asked.budget}
    same |= {"similarity": f"encoder:{asked.encoder}"} if asked.encoder else {}
    rows = []
    for name in asked.task:
        session = Session(name, seeds=[1])
        for constraints, settings in (("own", {}), ("the same", same)):
            for recipe in _recipes(session):
                try:
                    result = session.judge(recipe.name, sample=asked.sample, **_named(recipe, asked), **settings)
                except AbaloError as error:  # a resource that was not named
                    print(f"{name}/{recipe.name}: {error}")
                else:
                    rows.append(_row(name, recipe.name, constraints, result, session.corpus))
    show("recipes", rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--task", nargs="+", default=TASKS, choices=TASKS, help="whose bundled model is attacked")
    parser.add_argument("--sample", type=int, default=60, help="sentences or texts (default: %(default)s)")
    parser.add_argument("--encoder", help="folder of a sentence encoder (default: likeness of characters)")
    parser.add_argument("--masked-lm", help="such as masked-lm:FOLDER, for BAE and BERT-Attack (default: what ships)")
    parser.add_argument("--synonyms", help="such as wordnet:FOLDER or vectors:FILE, for PWWS and TextFooler")
    parser.add_argument("--similarity", type=float, default=0.8, help="the least for all (default: %(default)s)")
    parser.add_argument("--changed", type=float, default=0.2, help="the most of the words (default: %(default)s)")
    parser.add_argument("--budget", type=int, default=500, help="of queries a target (default: %(default)s)")
    return parser


def _recipes(session: Session) -> Iterator[Attack[Any]]:
    """Those that try to break a label; input reduction wants to keep it."""
    for each in attacks().values():
        if issubclass(each.settings, RecipeSettings) and each.fits(session.task) and each.name != "input_reduction":
            yield each


def _named(recipe: Attack[Any], asked: argparse.Namespace) -> Mapping[str, Any]:
    """The resources that the recipe needs, as far as they are asked for."""
    known = {"model": asked.masked_lm, "synonyms": asked.synonyms}
    return {name: known[name] for name in recipe.needs if known[name] is not None}


def _row(task: str, recipe: str, constraints: str, result: Result, corpus: Corpus) -> dict[str, object]:
    facts = result.results[0]
    attack, metrics = facts["attack"], result.metrics
    ratio = _perplexity_ratio([*_successes(result)], corpus)
    return {
        "task": task,
        "recipe": recipe,
        "constraints": constraints,
        "targets": attack["targets"],
        "success": with_interval(metrics["success_rate"]),
        "queries": attack["queries"]["median"],
        "words changed": f"{metrics['words_perturbed'].value:.2f}" if metrics["words_perturbed"].n else "–",
        "similarity": "–" if attack["median_similarity"] is None else f"{attack['median_similarity']:.2f}",
        "perplexity ratio": "–" if ratio is None else f"{ratio:.2f}",
        "seconds": round(facts["seconds"], 1),
    }


def _successes(result: Result) -> Iterator[tuple[Sentence, Sentence]]:
    """Each sentence that was broken, with what broke it."""
    for record in map(json.loads, result.records):
        if record.get("edits") and "tokens" in record:
            before = Sentence(tuple(record["tokens"]), None, tuple(record["spaces"]))
            yield before, apply(before, map(Edit.from_json, record["edits"])).sentence


def _perplexity_ratio(pairs: Sequence[tuple[Sentence, Sentence]], corpus: Corpus) -> float | None:
    """The median; None without a success."""
    validator = validators()["perplexity_ratio"]
    return median(validator.prepare(corpus, validator.configured()).of(pairs)) if pairs else None


if __name__ == "__main__":
    main()
