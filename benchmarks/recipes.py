"""Recipes of attacks beside each other, each with its own constraints and with the same ones for all.

    python -m benchmarks.recipes [--task classification ner] [--model MODEL --corpus CORPUS --language en] [--sample 60]
        [--only deepwordbug,...] [--encoder FOLDER] [--masked-lm SPEC] [--synonyms SOURCE]
        [--similarity 0.8] [--changed 0.2] [--budget 500] [--show 30]

Published success rates cannot be compared, since every paper allows other changes [Morris et al., TextAttack, EMNLP
2020, 5]. So the second half of the rows has one similarity by one measure, one share of words and one budget for all.
Perplexity is by n-grams of the corpus, median over the successes, and so is the similarity. With ``--show`` the first
so many successes of every recipe are printed, each word or run of words that was changed as [before → after].
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from abalo import Session
from abalo.attacks import Attack, attacks
from abalo.attacks.facts import facts_of
from abalo.attacks.log import Log, read
from abalo.attacks.recipe import RecipeSettings
from abalo.config.thresholds import case_of, refuse
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.run.execution import Execution
from abalo.run.results import Result
from abalo.validators.validator import validators
from benchmarks.arguments import Parser
from benchmarks.results import show, with_interval
from perturbations import Edit, Sentence, apply

TASKS = ("classification", "ner")


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--task", "classification", "--sample", "1"))
    parser.add_argument("--task", nargs="+", default=TASKS, choices=TASKS, help="whose bundled model is attacked")
    parser.add_argument("--model", help="another model than the bundled one, of one task")
    parser.add_argument("--corpus", help="another corpus")
    parser.add_argument("--language", help="of the corpus")
    parser.add_argument("--only", help="names of recipes, with commas between them (default: all that fit)")
    parser.add_argument("--show", type=int, default=0, help="successes to print of each (default: none)")
    parser.add_argument("--sample", type=int, default=60, help="sentences or texts (default: %(default)s)")
    parser.add_argument("--encoder", help="folder of a sentence encoder (default: likeness of characters)")
    parser.add_argument("--masked-lm", help="such as masked-lm:FOLDER, for BAE and BERT-Attack (default: what ships)")
    parser.add_argument("--synonyms", help="such as wordnet:FOLDER or vectors:FILE, for PWWS and TextFooler")
    parser.add_argument("--similarity", type=float, default=0.8, help="the least for all (default: %(default)s)")
    parser.add_argument("--changed", type=float, default=0.2, help="the most of the words (default: %(default)s)")
    parser.add_argument("--budget", type=int, default=500, help="of queries a target (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Attacks the bundled models by every recipe that has what it needs."""
    asked = parser().parse_args(given)
    same = {"least_similarity": asked.similarity, "most_changed": asked.changed, "budget": asked.budget}
    same |= {"similarity": f"encoder:{asked.encoder}"} if asked.encoder else {}
    rows = []
    own = {name: getattr(asked, name) for name in ("model", "corpus", "language") if getattr(asked, name)}
    for name in asked.task:
        session = Session(name, seeds=[1], **own)
        for constraints, settings in (("own", {}), ("the same", same)):
            for recipe in _recipes(session):
                if asked.only and recipe.name not in asked.only.split(","):
                    continue
                try:
                    given = {"sample": asked.sample, **_named(recipe, asked), **settings}
                    result, broken, seconds = _attacked(session, recipe.name, given)
                except AbaloError as error:  # a resource that was not named
                    print(f"{name}/{recipe.name}: {error}")
                else:
                    row = _row(name, recipe.name, constraints, result, broken, session.corpus)
                    rows.append(row | {"CPU s": round(seconds, 1)})
                    print(*rows[-1].values(), sep=" | ", flush=True)
                    for record in broken[: asked.show]:
                        print(_shown(record))
    show("recipes", rows)


def _recipes(session: Session) -> Iterator[Attack[Any]]:
    """Those that try to break a label; input reduction wants to keep it."""
    for each in attacks().values():
        if issubclass(each.settings, RecipeSettings) and each.fits(session.task) and each.name != "input_reduction":
            yield each


def _named(recipe: Attack[Any], asked: argparse.Namespace) -> Mapping[str, Any]:
    """The resources that the recipe needs, as far as they are asked for."""
    known = {"model": asked.masked_lm, "synonyms": asked.synonyms}
    return {name: known[name] for name in recipe.needs if known.get(name) is not None}


def _attacked(session: Session, recipe: str, given: Mapping[str, Any]) -> tuple[Result, list[Mapping[str, Any]], float]:
    """The result of a recipe with these settings, the records of what it broke, and its CPU seconds."""
    case = case_of(session.task, recipe, given, session.gate)
    refuse(Path(recipe), session.task.check([case], session.prepared.engine))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        session.prepared.engine.open_log = lambda _: partial(Log, log)
        began = time.process_time()
        result = Execution(session.prepared).judged(case, bounds=len(case.bounds))
        seconds = time.process_time() - began
        return result, [record for record in read(log)[1] if record["broken"]], seconds


def _row(
    task: str, recipe: str, constraints: str, result: Result, broken: Sequence[Mapping[str, Any]], corpus: Corpus
) -> dict[str, object]:
    attack, metrics = facts_of(result.results[0]), result.metrics
    ratio = _perplexity_ratio([*map(_changed, broken)], corpus)
    return {
        "task": task,
        "recipe": recipe,
        "constraints": constraints,
        "targets": attack.targets,
        "success": with_interval(metrics["success_rate"]),
        "queries": attack.queries.median,
        "words changed": f"{metrics['words_perturbed'].value:.2f}" if metrics["words_perturbed"].n else "–",
        "similarity": "–" if attack.median_similarity is None else f"{attack.median_similarity:.2f}",
        "perplexity ratio": "–" if ratio is None else f"{ratio:.2f}",
    }


def _shown(record: Mapping[str, Any]) -> str:
    """The sentence of a record with its changes, and the labels before and after."""
    words, copied = [], 0
    for edit in sorted(map(Edit.from_json, record["edits"]), key=lambda edit: edit.start):
        before, after = (" ".join(each) for each in (record["tokens"][edit.start : edit.stop], edit.tokens))
        words += [*record["tokens"][copied : edit.start], f"[{before} → {after}]"]
        copied = edit.stop
    target = f"{record['target']} " if record["target"] else ""
    labels = record["labels"]
    text = " ".join([*words, *record["tokens"][copied:]])
    return f"  {target}{labels['clean']} → {labels['attacked']}: {text}"


def _changed(record: Mapping[str, Any]) -> tuple[Sentence, Sentence]:
    """The sentence of a record, and what broke it."""
    before = Sentence(tuple(record["tokens"]), None, tuple(record["spaces"]))
    return before, apply(before, map(Edit.from_json, record["edits"])).sentence


def _perplexity_ratio(pairs: Sequence[tuple[Sentence, Sentence]], corpus: Corpus) -> float | None:
    """The median; None without a success."""
    validator = validators()["perplexity_ratio"]
    return median(validator.prepare(corpus, validator.configured()).of(pairs)) if pairs else None


if __name__ == "__main__":
    main()
