"""The recorded runs of `tests.reporting.recording`, with edits: numbers that tests name, and what a run has seldom.

`sample` is six cases of a legal NER model, one failed and one undecided, `questioned` a run about questions; the others
add cases to `sample` or take something from it. Every call makes a new document.
"""

import json
from copy import deepcopy
from typing import Any

from perturbations import members, parse
from tests.reporting.recording import PATH

Json = dict[str, Any]

_RECORDED = PATH.read_text("utf-8")

BASELINE_F1 = 0.866373

DIGEST = "0" * 64
"""Stands for the digest of evidence that is not there."""

_VERSIONS = {"python": "3.11.7", "abalo": "0.1.0", "torch": "2.13.0", "transformers": "5.23.0"}


def recorded(task: str = "ner") -> Json:
    """A recorded document, where the facts of its task stand once more at its top."""
    document: Json = json.loads(_RECORDED)[task]
    for each in document["results"]:
        each["seconds"] = 1.234
    own = document["tasks"]["ner"] if task == "ner" else {}
    facts = {name: own[name] for name in ("notice", "model", "corpus", "device", "inputs", "seeds", "baseline") if own}
    return document | facts | {"versions": dict(_VERSIONS), "evidence_sha256": DIGEST}


RESULTS: Json = {each["name"]: each for each in recorded()["results"]}
"""The recorded results, each in its first view."""

TYPES = tuple(RESULTS["accents"]["per_type"])


def measured(value: float | None, spread: float = 0.03, n: int = 110) -> Json | None:
    """A measured number with a symmetric interval; None for None."""
    if value is None:
        return None
    return {"value": round(value, 6), "low": round(value - spread, 6), "high": round(value + spread, 6), "n": n}


def example(before: str, clean: str, after: str, predicted: str, origins: list[list[int]], **more: Any) -> Json:
    """An example from bracket notation: gold and clean prediction before, gold and prediction after."""
    gold, new_gold = parse(before), parse(after)
    edited = [
        new for new, origin in enumerate(origins) if len(origin) != 1 or gold.tokens[origin[0]] != new_gold.tokens[new]
    ]
    stands = {old for origin in origins for old in origin}
    return {
        "sentence_id": "9f2c41d0a7b3e865",
        "seed": 1,
        "broken": 2,
        "tokens": list(gold.tokens),
        "gold": list(gold.tags),
        "clean": list(parse(clean).tags),
        "new_tokens": list(new_gold.tokens),
        "new_gold": list(new_gold.tags),
        "predicted": list(parse(predicted).tags),
        "origins": origins,
        "edited": edited,
        "removed": [old for old in range(len(gold)) if old not in stands],
        "targets": [],
        "new_targets": [],
        **more,
    }


def judgement(bound: str, limit: float, value: float, verdict: str, spread: float = 0.03, **more: Any) -> Json:
    return {
        "bound": bound,
        "type": None,
        "limit": limit,
        "value": value,
        "low": round(value - spread, 6),
        "high": round(value + spread, 6),
        "p": 0.21,
        "verdict": verdict,
        "verdict_uncorrected": verdict,
        "reason": None,
        "needed": None,
        "detectable_loss": None,
        **more,
    }


def clean_score(
    value: float, limit: float = 0.3, bound: str = "min_f1", spread: float = 0.03, *, guesses: bool = False
) -> Json:
    """How the clean score of one training was judged, by its symmetric interval; a limit of 0 is not judged."""
    low, high = round(value - spread, 6), round(value + spread, 6)
    verdict, state = "inconclusive", "undecided"
    if low >= limit or high < limit:
        verdict, state = ("pass", "above") if low >= limit else ("fail", "below")
    own = {"training": 0, "bound": bound, "limit": limit, "value": value, "low": low, "high": high}
    judged = [{**own, "verdict": verdict, "reason": None, "needed": None}] if limit else []
    found = {"limit": limit, "guesses": guesses, "state": state if limit else "above", "reason": None}
    return {**found, "judgements": judged}


DAMAGE = {
    "entity_flip_rate": 0.151,
    "span_miss_rate": 0.288,
    "span_token_error_rate": 0.279,
    "conf_drop_gold": 0.996,
    "conf_drop_pred": 1.012,
    "prob_drop_gold": 0.141,
    "prob_drop_pred": 0.162,
}
"""Metrics with a meaning in the projected view alone."""


STRUCTURE = {
    "entity_retention_rate": 0.433,
    "entity_retention_rate_unshifted": 0.127,
    "entity_recovery_rate": 0.402,
    "entity_recovery_rate_unshifted": 0.119,
    "conf_drop_gold_structural": 0.102,
}
"""Metrics with a meaning in the structural view alone."""


def beyond_scores(view: str) -> Json:
    """The metrics that have a meaning in some views only, each null in the others."""
    known = {"projected": DAMAGE, "structural": STRUCTURE}.get(view, {})
    return {name: measured(known.get(name)) for name in (*DAMAGE, *STRUCTURE)}


def per_type(f1: float) -> Json:
    """Types a little above and below the overall F1."""
    rows = deepcopy(RESULTS["accents"]["per_type"])
    drop = BASELINE_F1 - f1
    for k, row in enumerate(rows.values()):
        value = min(1.0, max(0.0, f1 + 0.03 * (k - 2.5) / 2.5))
        row |= {"precision": measured(max(0.0, value - 0.01), 0.05), "recall": measured(min(1.0, value + 0.01), 0.05)}
        row |= {"f1": measured(value, 0.05), "support": 20 * row["support"]}
        row |= dict.fromkeys(("f1_drop", "f1_drop_changed"), measured(drop + 0.01 * (k - 2), 0.05))
    return rows


UNBOUND: Json = dict.fromkeys(("bound", "verdict", "reason", "p", "m", "verdict_uncorrected"))
UNBOUND |= {"judgements": [], "examples": []}

MEASURED_ON = {"seeds": [1, 2, 4], "sentences": 200, "distinct": 110, "changed": 180, "variants": 540, "inputs": 530}
MEASURED_ON |= {"nothing_fits": 20, "reach": None, "unscored": 0}


def result(perturbation: str, params: Json, f1: float, judgements: list[Json], **more: Any) -> Json:
    """A result in the projected view, bound by ``judgements``, whose verdict is the first one's.

    Everything else is as recorded of the case, or of Accents.
    """
    slug = "-".join(f"{key}-{value}" for key, value in params.items())
    drop = BASELINE_F1 - f1
    found = deepcopy(RESULTS.get(perturbation, RESULTS["accents"])) | UNBOUND | deepcopy(MEASURED_ON)
    found["metrics"] = {
        "precision": measured(f1 - 0.011),
        "recall": measured(f1 + 0.012),
        "f1": measured(f1),
        "f1_drop": measured(drop, 0.03 if drop else 0.0),
        "f1_changed": measured(f1 - 0.02, 0.04, 98) if drop else None,
        "f1_drop_changed": measured(drop, 0.03 if drop else 0.0),
        **beyond_scores("projected"),
    }
    found |= {
        "id": f"ner/{perturbation}" + (f"[{slug}]" if slug else ""),
        "name": perturbation,
        "kind": members()[perturbation].kind if perturbation in members() else None,
        "params": params,
        "view": "projected",
        "per_type": per_type(f1),
        "command": f"pytest 'tests_behavioral/ner/test_{perturbation}.py::test_f1[{slug or perturbation}]' "
        "--abalo-model ./my-checkpoint",
    }
    if judgements:
        found |= {"bound": {each["bound"]: each["limit"] for each in judgements}, "m": 7, "judgements": judgements}
        found |= {name: judgements[0][name] for name in ("verdict", "reason", "p", "verdict_uncorrected")}
    found |= more
    for each in judgements:  # what is bound is what was measured
        numbers = found["metrics"] if each["type"] is None else found["per_type"].setdefault(each["type"], {})
        name = each["bound"].partition("_")[2]
        numbers[name] = {**(numbers.get(name) or {"n": 110}), **{part: each[part] for part in ("value", "low", "high")}}
    return found


def in_view(bound: Json, view: str, f1: float) -> Json:
    """The same case in a view that is not bound."""
    drop = BASELINE_F1 - f1
    return deepcopy(bound) | {
        "view": view,
        "metrics": bound["metrics"]
        | {"f1": measured(f1), "f1_drop": measured(drop), "f1_drop_changed": measured(drop)}
        | beyond_scores(view),
        "per_type": per_type(f1),
        **UNBOUND,
    }


def all_views(bound: Json, structural: float | None = None, padded: float | None = None) -> list[Json]:
    f1 = bound["metrics"]["f1"]["value"]
    return [
        bound,
        in_view(bound, "structural", f1 if structural is None else structural),
        in_view(bound, "padded", f1 if padded is None else padded),
    ]


def results() -> list[Json]:
    shown = deepcopy(RESULTS["character_noise"]["examples"])
    deterministic = {"seeds": [1], "variants": 180}
    baseline = result(
        "baseline",
        {},
        BASELINE_F1,
        [judgement("min_f1", 0.8, BASELINE_F1, "pass")],
        m=1,
        changed=0,
        variants=0,
        seeds=[1],
        inputs=0,
    )
    noise = result(
        "character_noise",
        {"rate": 0.1},
        0.652632,
        [
            judgement("max_f1_drop_changed", 0.15, 0.213741, "fail", p=0.00002),
            judgement("max_f1_drop_changed", 0.4, 0.22, "pass", 0.05, type="PESSOA"),
        ],
        bound={"max_f1_drop_changed": {"overall": 0.15, "PESSOA": 0.4}},
        examples=[shown[0], shown[-1]],
    )
    insertion = result(
        "word_insertion",
        {"rate": 0.1},
        0.801,
        [judgement("max_f1_drop_changed", 0.1, 0.065, "pass")],
        examples=deepcopy(RESULTS["word_insertion"]["examples"][:2]),
    )
    masking = result(
        "token_masking",
        {"rate": 0.15},
        0.730539,
        [
            judgement(
                "max_f1_drop_changed",
                0.12,
                0.135834,
                "inconclusive",
                needed=840,
                reason="not significant after correction for 7 bounds (p = 0.021)",
                verdict_uncorrected="fail",
                spread=0.01,
                p=0.021,
            )
        ],
    )
    accents = result(
        "accents", {}, 0.823529, [judgement("max_f1_drop_changed", 0.1, 0.042844, "pass")], **deterministic
    )
    synonyms = result(
        "synonyms",
        {"lexicon": "legal_pt"},
        0.845697,
        [judgement("max_f1_drop_changed", 0.1, 0.020676, "pass")],
        **deterministic,
    )
    return [
        *all_views(accents),
        *all_views(baseline),
        *all_views(noise),
        *all_views(insertion, structural=0.792, padded=0.102339),
        *all_views(masking),
        *all_views(synonyms),
    ]


MISSPELT = "Tribunam"
"""A word of the first sentence that character noise broke."""


def sample() -> Json:
    """The whole document."""
    document = recorded() | {"results": results(), "capabilities": [], "date": "2026-11-22T09:30:15Z"}
    document |= {"counts": {"pass": 4, "fail": 1, "inconclusive": 1, "not_blocking": 0}}
    document |= {"commit": "89abcdef0123456789abcdef0123456789abcdef", "dirty": True}
    names = {"model": "./checkpoints/<b>lener|v2</b>", "corpus": "lener-br/dev.conll"}
    document["options"] |= {**names, "limit": 200}
    document["options"].pop("selection")
    document["gate"] |= {"bounds": 7, "resamples": 10_000, "seeds": [1, 2]}
    model, corpus, own = document["model"], document["corpus"], document["tasks"]["ner"]
    del model["code"], own["foreseen"]
    model |= {"name": names["model"], "fingerprint": "b7d1c0ffee5a4412", "black_box": False, "wordless": 3}
    model |= {"labels": ["O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BI")], "mask_fallback": False}
    model |= {"settings": {"dtype": "fp32", "aggregation": "mean", "max_length": 256, "stride": 64}}
    model |= {"temperature": 1.3, "temperature_at_limit": False}
    corpus |= {"name": names["corpus"], "sentences": 200, "distinct": 110, "limit": 200, "tokens": 6123}
    corpus |= {"language_found": True, "notices": []}
    corpus["entities"] = {kind: 20 * number for kind, number in corpus["entities"].items()}
    clean = next(each for each in document["results"] if each["name"] == "baseline")
    document["baseline"] |= {name: clean["metrics"][name] for name in ("precision", "recall", "f1")}
    document["baseline"] |= {name: clean[name] for name in ("verdict", "reason", "m", "judgements")}
    document["baseline"] |= {"per_type": deepcopy(clean["per_type"]), "least": clean_score(BASELINE_F1)}
    document["baseline"] |= {"f1_other_aggregation": 0.861}
    for each in document["baseline"]["per_type"].values():
        del each["f1_drop"], each["f1_drop_changed"]
    own |= {"notice": None, "bounds": 7, "device": "cpu", "inputs": {"clean": 110, "cases": 2650}, "skipped": []}
    own["types"] |= {"told_by_model": True}
    return document | {name: own[name] for name in ("notice", "device", "inputs")}


def with_least(document: Json, state: str = "above", reason: str | None = None) -> Json:
    """The document with a judgement on the clean score of each task, by numbers that give this state."""
    value = {"above": BASELINE_F1, "undecided": 0.31, "below": 0.2}[state]
    score = clean_score(value, spread=0.06)
    if state == "undecided":
        score["judgements"][0]["reason"] = reason

    def judged(baseline: Json) -> Json:
        if state == "above":
            return {**baseline, "least": {**(baseline.get("least") or score), "reason": reason}}
        measured_as = {name: score["judgements"][0][name] for name in ("value", "low", "high")}
        failed = judgement("min_f1", 0.3, value, "fail", 0.06, p=0.0)
        own = {"verdict": "fail", "judgements": [failed]} if state == "below" else {"verdict": None, "judgements": []}
        return {**baseline, **own, "f1": {**measured_as, "n": 200}, "least": {**score, "reason": reason}}

    tasks = {name: {**own, "baseline": judged(own["baseline"])} for name, own in document["tasks"].items()}
    again = {"baseline": judged(document["baseline"])} if document.get("baseline") else {}
    return document | {"tasks": tasks} | again


def tagged() -> Json:
    """The facts of a run about parts of speech, on a corpus of the same size."""
    own: Json = sample()["tasks"]["ner"]
    corpus = {name: value for name, value in own["corpus"].items() if name != "entities"} | {"tags": {}}
    baseline = {name: own["baseline"][name] for name in ("per_type", "reason", "blocking", "m", "least")}
    types = {name: own["types"][name] for name in ("corpus", "told_by_model", "never_predicted", "outside")}
    return own | {"corpus": corpus, "types": types, "baseline": baseline | {"verdict": None, "judgements": []}}


def many(number: int = 200, examples: int = 10) -> Json:
    """The same document with so many cases besides the clean corpus, each with examples that no other has.

    Every tenth failed, and every tenth is undecided.
    """
    document, shown = sample(), RESULTS["character_noise"]["examples"][0]
    found = [each for each in document["results"] if each["name"] == "baseline"]
    for k in range(number):
        drop = 0.3 * (k % 50) / 50
        decided = {0: "fail", 1: "inconclusive"}.get(k % 10, "pass")
        bound = drop + (-0.05 if decided == "fail" else 0.05)
        more = {"fail": {"p": 0.00002}, "inconclusive": {"p": None, "reason": "too few"}}.get(decided, {})
        own = result(
            "character_noise",
            {"rate": k / 1000},
            BASELINE_F1 - drop,
            [judgement("max_f1_drop_changed", bound, drop, decided, **more)],
            examples=[_varied(shown, k, j) for j in range(examples)],
        )
        found += all_views(own)
    verdicts = [each["verdict"] for each in found if each["bound"] is not None]
    counts = {name: verdicts.count(name) for name in ("pass", "fail", "inconclusive")}
    return document | {"results": found, "counts": {**counts, "not_blocking": 0}}


def _varied(shown: Json, case: int, number: int) -> Json:
    """An example with words of its own."""
    found = deepcopy(shown)
    for place in (0, 5, 7):
        found["tokens"][place] = f"palavra{case}x{number}"
        found["new_tokens"][place] = f"palarva{case}x{number}"
    return found | {"sentence_id": f"{case:08x}{number:08x}"}


def attack(perturbation: str, source: str, f1: float, **more: Any) -> Json:
    """A result in the projected view of an attack on the spans of a source, without a bound."""
    found = result(perturbation, {}, f1, [], span_source=source, **more)
    return found | {"id": f"ner/{perturbation}[{source}]"}


def attacked() -> Json:
    """The same document with a few attacks: one far worse than random noise, one that moves words, one alone."""
    document = sample()
    typo = next(deepcopy(each) for each in RESULTS["char_typo"]["examples"] if "José" in each["tokens"])
    document["results"] += [
        *all_views(attack("char_typo", "oracle", 0.312, examples=[typo])),
        *all_views(attack("char_typo", "predicted", 0.652, shared_inputs=400)),
        *all_views(attack("insert", "oracle", 0.806), structural=0.491, padded=0.1),
        *all_views(attack("synonym_attack", "predicted", 0.866373)),
    ]
    return document


SUCCESS = {
    "success_rate": 0.4,
    "missed_entity_rate": 0.625,
    "type_error_rate": 0.25,
    "boundary_error_rate": 0.125,
    "partial_success_rate": 0.15,
    "best_partial_success_rate": 0.2,
    "any_word_wrong_rate": 0.6,
    "best_any_word_wrong_rate": 0.65,
    "single_change_rate": 0.75,
    "words_perturbed": 0.132,
    "nothing_to_try_rate": 0.1,
    "filtered_by_similarity_rate": 0.05,
    "filtered_by_part_of_speech_rate": 0.0,
    "out_of_budget_rate": 0.0,
    "resisted_rate": 0.85,
}
"""Metrics of attacks that search alone."""


BY_SEED = {1: 0.38, 2: 0.4, 4: 0.42}
"""Success under each seed: 0.4 on average, with a sample standard deviation of 0.02."""


NGRAMS = RESULTS["entity_attack"]["attack"]["sources"]["similarity"]


def search(perturbation: str, facts: Json, judgements: list[Json], **more: Any) -> list[Json]:
    """An attack that searches, the structural view first: 120 entities in 60 of 80 sentences, under three seeds."""
    scores = {name: measured(value, 0.05, 60) for name, value in SUCCESS.items()}
    found = result(perturbation, {"sample": 60, "budget": 1000}, 0.7, judgements, view="structural")
    for k, row in enumerate(found["per_type"].values()):
        row |= scores | {"success_rate": measured(0.3 + 0.04 * k, 0.05, 60)}
    found["metrics"] = scores | found["metrics"] | beyond_scores("structural")
    found["attack"] |= {
        "targets": 360,
        "eligible_sentences": 80,
        "queries": {"total": 17_641, "median": 49.0, "most": 50},
        "log": f"{perturbation}-sample-60.jsonl",
        "untried": 32,
        "failures": {"nothing_to_try": 21, "similarity": 11, "part_of_speech": 0, "budget": 0, "resisted": 184},
        "median_similarity": 0.928,
        "by_seed": [{"seed": seed, **SUCCESS, "success_rate": rate} for seed, rate in BY_SEED.items()],
        "compared": {
            "sentence_length": {"successful": 31.7, "failed": 28.2},
            "choices": {"successful": 50.0, "failed": 48.5},
            "entity_length": {"successful": 1.8, "failed": 3.4},
        },
        **facts,
    }
    found |= {"id": f"ner/{perturbation}[sample-60]", "sentences": 60, "distinct": 60, "changed": 57, **more}
    views = [found, *(deepcopy(found) | UNBOUND | {"view": view} for view in ("projected", "padded"))]
    for view, f1 in zip(views, (0.7, 0.71, 0.4), strict=True):
        view["metrics"] |= {"f1": measured(f1)}
    return views


def searched() -> Json:
    """The same document with two attacks that search: one on contexts, without a draw, and one on entities."""
    document = sample()
    context = example(
        "A [União ORGANIZACAO] negou provimento ao recurso de [Ana Sá PESSOA] .",
        "A [União ORGANIZACAO] negou provimento ao recurso de [Ana Sá PESSOA] .",
        "A [União ORGANIZACAO] recusou acolhimento ao apelo de [Ana Sá PESSOA] .",
        "A [União ORGANIZACAO] recusou acolhimento ao apelo de Ana Sá .",
        [[i] for i in range(10)],
        broken=1,
        targets=[[7, 9, "PESSOA"]],
        new_targets=[[7, 9, "PESSOA"]],
    )
    replaced = example(
        "O réu [João PESSOA] apelou em [Belém LOCAL] .",
        "O réu [João PESSOA] apelou em [Belém LOCAL] .",
        "O réu [João PESSOA] apelou em [Vila Nova de Gaia LOCAL] .",
        "O réu [João PESSOA] apelou em [Vila Nova ORGANIZACAO] de [Gaia PESSOA] .",
        [[0], [1], [2], [3], [4], [5], [5], [5], [5], [6]],
        targets=[[5, 6, "LOCAL"]],
        new_targets=[[5, 9, "LOCAL"]],
    )
    synonyms = {
        "targets": 120,
        "untried": 10,
        "failures": {"nothing_to_try": 7, "similarity": 3, "part_of_speech": 0, "budget": 3, "resisted": 59},
        "parts_of_speech": [
            {"part": "VERB", "replaced": 30, "could": 100},
            {"part": "NOUN", "replaced": 20, "could": 300},
        ],
        "by_seed": [{"seed": 1, **SUCCESS}],
        "queries": {"total": 9_012, "median": 61.5, "most": 1_000},
        "spent": 3,
        "offsets": [[-40, 1], [-17, 2], [-15, 1], [-4, 3], [-2, 9], [-1, 14], [1, 11], [2, 6], [7, 2], [16, 1]],
    }
    rarity = {"of": "entities", "changes": 144, "pairs": 70, "original": 6.25, "replacement": 1.5, "p": 0.00001}
    entities = {"rarity": rarity | {"training": "train.conll + dev.conll"}}
    bound = judgement("max_success_rate", 0.3, 0.4, "fail", 0.05)
    document["results"] += search("context_attack", synonyms, [], seeds=[1], examples=[context])
    document["results"] += search("entity_attack", entities, [bound], examples=[replaced])
    return document


INVARIANCE: Json = RESULTS["typo_outside"]["invariance"] | {
    "sentences": 87,
    "searched": {"edits": 256, "stopped": None},
}
INVARIANCE["counterexample"] |= {"confidence": {"before": 0.912, "after": 0.405}}
"""An invariance that one edit breaks."""


def invariant() -> Json:
    """The same document with two invariances, one of them broken."""
    document = sample()
    for name, value, invariance in (
        ("typo_outside", 23.0, INVARIANCE),
        ("doubled_space", 0.0, INVARIANCE | {"text": "A doubled space.", "broken": False, "counterexample": None}),
    ):
        bound = judgement("max_violations_per_thousand", 20.0, value, "fail" if value else "pass", 9.0)
        found = result(name, {"draws": 1000, "margin": 0.5}, 0.8, [bound], view="structural", invariance=invariance)
        found |= {"probe": "invariance", "headline": "violations_per_thousand"}
        document["results"].append(found | {"id": f"ner/{name}", "variants": 1000, "per_type": {}})
    return document


SLICE: Json = RESULTS["slice"]["slice"] | {"text": "the <longest> sentences, 20 %: at least 38 words"}
SLICE["rest"] = {"sentences": 150, "distinct": 88, "f1": measured(0.88)}
"""Which part of the corpus a slice is."""


def sliced() -> Json:
    """The same document with three slices: one too hard, one too small, one without a bound."""
    document = sample()
    few = judgement("max_f1_gap", 0.1, 0.2, "inconclusive", 0.15, needed=50, reason="fewer than 50 (22)", p=None)
    for f1, gap, bounds, params in (
        (0.72, 0.16, [judgement("max_f1_gap", 0.1, 0.16, "fail", p=0.001)], {"of": "length", "end": "longest"}),
        (0.68, 0.2, [few], {"of": "unseen_entities", "training": "data/train.conll"}),
        (0.9, None, [], {"of": "phrase"}),
    ):
        part = SLICE | {"of": params["of"]}
        found = result("slice", params, f1, bounds, slice=part, seeds=[0], sentences=50, distinct=22, changed=0)
        found["metrics"] |= {
            "f1_gap": measured(gap),
            "f1_drop": measured(0.0, 0.0),
            "f1_drop_changed": measured(0.0, 0.0),
        }
        for row in found["per_type"].values():
            row["f1_gap"] = measured(gap)
        document["results"] += all_views(found | {"variants": 0, "inputs": 0})
    return document


CAPABILITY: Json = RESULTS["capability"]["capability"] | {"exist": 471, "run": 200, "failed": 62, "census": False}
CAPABILITY["templates"] = [
    each | {"exist": exist, "run": run, "failed": failed}
    for each, (exist, run, failed) in zip(CAPABILITY["templates"], ((400, 129, 60), (71, 71, 2)), strict=True)
]
CAPABILITY["failures"] = [each for each in CAPABILITY["failures"] if each["template"] == "template 1"]
"""The demand of a capability, and the fillings that broke."""


def able() -> Json:
    """The same document with three capabilities: one sampled and failed, one run in full, one without a bound."""
    document = sample()
    bound = judgement("min_pass_rate", 0.9, 0.69, "fail", 0.06, p=0.0)
    full = judgement("min_pass_rate", 0.5, 0.75, "pass", 0.0, p=1.0)
    of_all = {"kind": "invariance", "change": "who", "exist": 4, "run": 4, "failed": 1, "census": True}
    for name, more, value, spread, bounds in (
        ("firm", {}, 0.69, 0.06, [bound]),
        ("names", {"name": "other names", **of_all}, 0.75, 0.0, [full]),
        ("spelling", {"name": "spelling", "capability": "robustness", "failed": 0, "failures": []}, 1.0, 0.02, []),
    ):
        found = result("capability", {"name": name}, 0.8, bounds, capability=CAPABILITY | more, seeds=[1])
        found["id"] = f"ner/capability[{name}]"
        rates = {"pass_rate": measured(value, spread, 200), "support": 100}
        found |= {"metrics": {"pass_rate": rates["pass_rate"]}, "per_type": {"template 1": rates, "template 2": rates}}
        document["results"].append(found)
    return document


def filtered() -> Json:
    """The same document with a demand on the variants of one case that some did not keep."""
    document = sample()
    required = {"validator": "words_changed", "side": "max", "limit": 0.2, "by": "words <changed>"}
    for entry in document["results"]:
        if entry["name"] == "synonyms":
            entry |= {"require": [required], "filtered": 20}
    return document


def questioned(*, with_text: bool = True) -> Json:
    """A document about questions alone: sixty, answered by who always takes the first option.

    Right are the 20 questions whose first option is. Two of four variants move the options, so that all 120 answers to
    these change, to the last option, which is never right.
    """
    document = recorded("choice")
    notice = "The bounds on answers were measured on the baseline that ships, not on this model."
    document["tasks"]["choice"]["notice"] = notice
    answers = document["results"][1]
    answers["rewording"] |= {"left_out": {"pert:order_swap": 2}}
    answers["rewording"]["kinds"]["order:swap"] = 58
    for flip in answers["questions"]["flips"] if not with_text else ():
        del flip["question"], flip["options"]
    return document


def both() -> Json:
    """A document about tags and about questions."""
    document, other = sample(), questioned()
    document["results"] = other["results"] + document["results"]
    return document | {"tasks": other["tasks"] | document["tasks"]}


REGRESSION: Json = {
    "id": "entity_attack-9f2c41d0a7b3e865-5-6-0a1b2c3d",
    "attack": "entity_attack",
    "status": "still broken",
    "before": "O réu apelou em [Belém LOCAL] .",
    "after": "O réu apelou em [Gaia LOCAL] .",
    "labels": ["B-PESSOA"],
    "recorded": ["B-PESSOA"],
}
"""Replays of edits that once broke a model."""


def without_text() -> Json:
    """The document that --abalo-no-text leaves: no examples anywhere."""
    document = sample()
    for entry in document["results"]:
        entry["examples"] = []
    return document


def interrupted() -> Json:
    """A run stopped before it knew anything but what was collected."""
    return {
        "schema": "abalo-robustness/6",
        "complete": False,
        "missing": ["ner/accents", "ner/baseline"],
        "errors": [{"id": "ner/accents", "message": "the model gave 3 rows\nfor 4 tokens <b>"}],
        "not_run": [],
        "verdict": "fail",
        "counts": {"pass": 0, "fail": 0, "inconclusive": 0, "not_blocking": 0},
        "results": [],
        "regressions": [],
        "comparison": None,
        "capabilities": [],
    }


def result_of(document: Json, name: str, view: str = "projected") -> Json:
    """The result with ``name`` as its perturbation."""
    return next(entry for entry in document["results"] if entry["name"] == name and entry["view"] == view)
