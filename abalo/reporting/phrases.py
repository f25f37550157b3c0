"""What the reports say in words and figures, the same in Markdown and HTML. Nothing here is escaped yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from abalo.attacks import attacks
from abalo.bundled import USUAL_LANGUAGE
from abalo.core.case import OF, STEPS, step_of
from abalo.errors import visible
from abalo.promises import promises
from abalo.reporting.selection import (
    Json,
    cases,
    has_f1,
    headline_metric,
    is_about_questions,
    is_baseline,
    is_promise,
    is_search,
    is_slice,
    measured_value,
    needing_attention,
)
from abalo.sources.resources import LANGUAGE
from abalo.tasks.choice.asking import ASKINGS
from perturbations import members

NOTHING = "–"
"""Stands where a number has no meaning."""

NAME = 100
"""How many characters of a name are shown before it is cut; one that cannot be seen then takes six."""

SIGNS: Mapping[str | None, str] = {"pass": "✓", "fail": "✗", "inconclusive": "?", None: NOTHING}

VIEW_MEANINGS: Mapping[str, str] = {
    "projected": "each original word against the first word that stands for it now; a word that is gone counts as O",
    "structural": "the perturbed sentence against the gold labels carried into it",
    "padded": "position by position, the shorter side filled up with O: how stage 2 measured",
}

SOURCE_MEANINGS: Mapping[str, str] = {
    "oracle": "aimed at the gold spans, the worst case",
    "predicted": "aimed at what the model predicts on the clean sentence, as an attacker can",
}

METRIC_MEANINGS: Mapping[str, str] = {
    "entity_flip_rate": "of the gold entity words that were right on the clean sentence, those that are wrong now",
    "span_miss_rate": "of the gold entities, those not found with type and both ends right",
    "span_token_error_rate": "of the gold entities, those with at least one wrong word",
    "conf_drop_gold": "what the gold label lost, mean over gold entity words, in logits",
    "conf_drop_pred": "what the label predicted on the clean sentence lost, mean over the same words, in logits",
    "prob_drop_gold": "what the gold label lost, mean over gold entity words, in probability",
    "prob_drop_pred": "what the label predicted on the clean sentence lost, mean over the same words, in probability",
    "entity_retention_rate": "of the gold entities found on the clean sentence, those still found where they stand now",
    "entity_retention_rate_unshifted": "the same, looked for where they stood before",
    "entity_recovery_rate": "of all gold entities, those found where they stand now",
    "entity_recovery_rate_unshifted": "the same, looked for where they stood before",
    "conf_drop_gold_structural": "what the gold label lost where it stands now, mean over gold entities, in logits",
    "success_rate": "of the entities attacked, those with every word labelled wrong",
    "missed_entity_rate": "of the successes, those in which no word has a label any more",
    "type_error_rate": "of the successes, those in which a word has a label of another type",
    "partial_success_rate": "of the entities attacked, those with at least half of the words labelled wrong, not all",
    "any_word_wrong_rate": "of the entities attacked, those with any word labelled wrong",
    "single_change_rate": "of the successes, those that took a single change",
    "words_perturbed": "changed words over words outside entities, mean over the successes",
    "accuracy": "of the answers, those that are right; no answer is wrong",
    "missing_rate": "of the answers, those that name no option",
    "consistency_at_k": "of the questions, those answered with one and the same option in all variants",
    "fragility_score": "of the variants, those answered with another option than the original",
    "delta_accuracy": "accuracy of the originals less that of their variants",
    "f1_gap": "F1 of all sentences outside of the slice less F1 of those in it",
    "violations_per_thousand": "of a thousand single edits, those that lose an entity that the model was sure of",
}
"""What each metric of an attack counts, in words; docs/schema.md has it in full."""

_METRICS = {
    "consistency_at_k": "consistency",
    "fragility_score": "fragility",
    "delta_accuracy": "accuracy lost",
    "missing_rate": "without an answer",
    "conf_drop_gold": "confidence drop (gold label)",
    "conf_drop_pred": "confidence drop (predicted label)",
    "prob_drop_gold": "probability drop (gold label)",
    "prob_drop_pred": "probability drop (predicted label)",
    "entity_retention_rate_unshifted": "entity retention rate (unshifted)",
    "entity_recovery_rate_unshifted": "entity recovery rate (unshifted)",
    "conf_drop_gold_structural": "confidence drop (gold label, structural)",
}

_ABBREVIATIONS = {"f1": "F1"}


def shortened(text: str, length: int) -> str:
    """The text, cut to at most ``length`` characters, the last then an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def name(text: str) -> str:
    """A name on one line, its first `NAME` characters."""
    return visible(shortened(text, NAME))


def number(value: float | None, places: int = 3) -> str:
    """The value with ``places`` decimals and a true minus sign; a dash for None."""
    if value is None:
        return NOTHING
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def measured(estimate: Json | None) -> str:
    """An estimate with its interval, such as ``0.310 [0.262, 0.358]``; a dash where it has no meaning."""
    if estimate is None or estimate["value"] is None:
        return NOTHING
    return f"{number(estimate['value'])} {interval(estimate)}".rstrip()


def interval(estimate: Json) -> str:
    """The interval of an estimate or judgement, such as ``[0.262, 0.358]``; empty where there is none."""
    if estimate["low"] is None or estimate["high"] is None:
        return ""
    return f"[{number(estimate['low'])}, {number(estimate['high'])}]"


def p_value(p: float | None) -> str:
    """A one-sided p, three decimals, ``< 0.001`` below that; a dash for None."""
    return "< 0.001" if p is not None and p < 0.001 else number(p)


def count(number_of: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun, such as ``1,176 sentences`` or ``1 case``."""
    return f"{number_of:,} {noun if number_of == 1 else plural or noun + 's'}"


def confidence(document: Json) -> str:
    """The confidence of all intervals, such as ``95 %``; empty when the run ended before it was known."""
    gate = document.get("gate")
    return f"{100 * gate['confidence']:g} %" if gate else ""


def scenario(result: Json) -> str:
    """The case in words, such as ``Character noise (rate 0.1)``, at most `NAME` characters.

    Whose spans an attack is aimed at comes first of its settings, so that no cut hides it. Of an attack that searches
    or a promise, which have many, only those are named that are not as usual, and of a path only the last part.
    """
    source = [f"{result['span_source']} spans"] if result["span_source"] is not None else []
    return _named(result, [*source, *_settings(result)])


def attack(result: Json) -> str:
    """The case in words without whose spans it is aimed at, for tables that have a column for that."""
    return _named(result, _settings(result))


def _named(result: Json, settings: list[str]) -> str:
    title = sentence_case(result["perturbation"].replace("_", " "))
    if is_slice(result):
        title = f"Slice: {result['slice']['of'].replace('_', ' ')}"
    if is_about_questions(result) and is_baseline(result):
        title = "Questions as they are"
    return name(title + (f" ({', '.join(settings)})" if settings else ""))


def _settings(result: Json) -> list[str]:
    params: Mapping[str, Any] = result["params"]
    if is_slice(result):
        params = {
            key: value for key, value in params.items() if key != OF and (key, value) != (LANGUAGE, USUAL_LANGUAGE)
        }
        params |= {key: _last_part(value) for key, value in params.items() if ":" not in str(value)}
    if not has_f1(result):
        usual = _usual_settings(result["perturbation"])
        params = {key: _last_part(value) for key, value in params.items() if key not in usual or usual[key] != value}
    required = [
        f"{each['validator'].replace('_', ' ')} {'≥' if each['side'] == 'min' else '≤'} {each['limit']:g}"
        for each in result["require"]
    ]
    own = [
        ", then ".join(map(_step, value)) if key == STEPS else f"{key.replace('_', ' ')} {_setting(value)}"
        for key, value in _telling(result["perturbation"], params).items()
    ]
    return own + required


def _step(step: Any) -> str:
    """A step of a pipeline in words, such as ``character noise rate 0.05``."""
    title, params = step_of(step)
    shown = _telling(title, params)
    return " ".join([title.replace("_", " "), *(f"{key.replace('_', ' ')} {_setting(v)}" for key, v in shown.items())])


def _telling(perturbation: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, files by their name; less the usual for what is found where a case leaves it open."""
    usual = _usually_found(perturbation)
    return {
        key: value if ":" in str(value) else _last_part(value)
        for key, value in params.items()
        if key not in usual or usual[key] != value
    }


@cache
def _usually_found(perturbation: str) -> Mapping[str, Any]:
    """What stands for the language and the resources of a perturbation unless a case says otherwise."""
    found = members().get(perturbation)
    if found is None:
        return {}
    names = {name: found.params[name].name for name in found.resources()}
    return names | {name: value for name, value in found.params.items() if name == LANGUAGE}


def _last_part(value: Any) -> Any:
    return re.split(r"[/\\]", value.rstrip("/\\"))[-1] if isinstance(value, str) else value


@cache
def _usual_settings(name_of_attack: str) -> Mapping[str, Any]:
    found = attacks().get(name_of_attack) or promises().get(name_of_attack) or ASKINGS.get(name_of_attack)
    return {} if found is None else asdict(found.configured())


def _setting(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def metric(key: str) -> str:
    """A metric in words: ``F1 drop`` for ``f1_drop``."""
    words = key.split("_")
    return _METRICS.get(key) or " ".join(_ABBREVIATIONS.get(word, word) for word in words)


def sentence_case(words: str) -> str:
    """The words with a capital at the front."""
    return words[:1].upper() + words[1:]


def meaning(key: str) -> str:
    """What a metric counts, in words; its name for one that needs none."""
    return METRIC_MEANINGS.get(key, metric(key))


def bound(key: str, limit: float, kind: str | None = None) -> str:
    """A bound by its key in thresholds.toml as a relation, such as ``F1 drop of PESSOA ≤ 0.100``."""
    side, _, measure = key.partition("_")
    of_type = f" of {name(kind)}" if kind else ""
    return f"{metric(measure)}{of_type} {'≤' if side == 'max' else '≥'} {_as_written(limit)}"


def _as_written(limit: float) -> str:
    """The limit with three decimals, or with all it was written with where these are more."""
    return number(limit) if abs(limit - round(limit, 3)) < 1e-9 else f"{limit:g}".replace("-", "−")


def bounds(result: Json) -> str:
    """All bounds of a case, separated by semicolons; a dash where it has none."""
    parts = []
    for key, limits in (result["bound"] or {}).items():
        table = limits if isinstance(limits, Mapping) else {"overall": limits}
        parts += [bound(key, limit, None if kind == "overall" else kind) for kind, limit in table.items()]
    return "; ".join(parts) or NOTHING


def verdict(result: Json) -> str:
    """The verdict on a case in a word or two."""
    found: str | None = result["verdict"]
    if found is None:
        return "not judged"
    return found if result["blocking"] else f"{found} (not blocking)"


def judgement(judged: Json) -> str:
    """What was found against a bound: ``F1 drop 0.310 [0.262, 0.358], allowed ≤ 0.250; p < 0.001``."""
    side, _, measure = judged["bound"].partition("_")
    kind = f" of {name(judged['type'])}" if judged["type"] else ""
    sign = "≤" if side == "max" else "≥"
    line = f"{metric(measure)}{kind} {measured(judged)}, allowed {sign} {number(judged['limit'])}"
    if judged["p"] is not None:
        p = p_value(judged["p"])
        line += f"; p {p}" if p.startswith("<") else f"; p = {p}"
    return line


def doubt(judged: Json, result: Json) -> str:
    """Why a judgement of a case is no plain pass or fail, and what would settle it; empty with nothing to say."""
    parts = []
    if judged["reason"]:
        parts.append(visible(judged["reason"]))
    if judged["needed"] is not None:
        unit = "question" if is_about_questions(result) else "distinct sentence"
        where = " in the slice" if is_slice(result) else ""
        parts.append(f"about {count(judged['needed'], unit)}{where} would settle it ({result['distinct']:,} here)")
    return "; ".join(parts)


def outcome(result: Json) -> str:
    """The headline number of a case: a drop in F1, ``success 0.345 [0.255, 0.438]``, how often a promise breaks, …."""
    if is_promise(result):
        return per_thousand(result["metrics"][headline_metric(result)])
    found = measured(result["metrics"][headline_metric(result)])
    words = {"success_rate": "success ", "fragility_score": "fragility ", "f1_gap": "gap "}
    return words.get(headline_metric(result), "") + found


def per_thousand(estimate: Json | None) -> str:
    """Edits in a thousand with their interval, such as ``23.0 [14.1, 33.0] ‰``."""
    if estimate is None or estimate["value"] is None:
        return NOTHING
    low, high = number(estimate["low"], 1), number(estimate["high"], 1)
    return f"{number(estimate['value'], 1)} [{low}, {high}] ‰"


def changed(result: Json) -> str:
    """How many sentences the perturbation changed, such as ``180/200``; a dash where nothing is perturbed."""
    if is_baseline(result) or is_slice(result):
        return NOTHING
    filtered = f", {count(result['filtered'], 'variant')} filtered out" if result["filtered"] else ""
    return f"{result['changed']:,}/{result['sentences']:,}{filtered}"


def error(message: str) -> str:
    """What a failure says, on one line: of a traceback as pytest prints it, the lines that pytest marks with ``E``."""
    said = [line[1:] for line in message.splitlines() if line.startswith("E ")]
    return visible(" ".join(said) or message)


@dataclass(frozen=True, slots=True)
class Headline:
    """The whole run in one line. ``verdict`` is "incomplete" for a run that did not finish, whatever it found."""

    verdict: str
    text: str

    @property
    def sign(self) -> str:
        """A mark that tells the verdict without colour."""
        return SIGNS.get(self.verdict, "!")


def headline(document: Json) -> Headline:
    """The verdict that a person reads first."""
    counts = document["counts"]
    decided, regressions = sum(counts.values()) - counts["inconclusive"], document["regressions"]
    parts = []
    if decided:
        holds = "holds" if counts["pass"] == 1 else "hold"
        parts.append(f"{counts['pass']} of {count(decided, 'decided case')} {holds}")
    elif not counts["inconclusive"] and not regressions:
        parts.append("no case was judged")
    if counts["fail"]:
        parts.append(f"{counts['fail']} failed")
    if counts["inconclusive"]:
        parts.append(f"{counts['inconclusive']} inconclusive")
    if counts["not_blocking"]:
        parts.append(f"{counts['not_blocking']} failed without blocking")
    if regressions:
        parts.append(f"{len(broken(document))} of {count(len(regressions), 'regression')} broken")
    if document["errors"]:
        parts.append(f"{count(len(document['errors']), 'case')} could not run")
    if document["complete"]:
        return Headline(document["verdict"], ", ".join(parts))
    lead = "the run did not finish"
    if document["missing"]:
        lead = f"{count(len(document['missing']), 'collected case')} without a result"
    return Headline("incomplete", f"{lead}; so far {', '.join(parts)}")


def broken(document: Json) -> list[Json]:
    """What attacks once broke and is not fixed."""
    return [regression for regression in document["regressions"] if regression["status"] != "fixed"]


def regression(found: Json) -> str:
    """What became of something that an attack once broke, the changed sentence in the bracket notation if it is known.

    ``still broken, labelled O O: negou o recurso de [Ana Sá PESSOA]``.
    """
    changed_sentence = f": {visible(found['after'])}" if found["after"] else ""
    return f"{found['status']}, labelled {visible(' '.join(found['labels']))}{changed_sentence}"


def findings(document: Json) -> list[tuple[Json, Json]]:
    """Each case that failed or could not be decided with each judgement that made it so, worst cases first."""
    return [(result, judged) for result in needing_attention(document) for judged in deciding(result)]


def deciding(result: Json) -> list[Json]:
    """The judgements that made the verdict of a case."""
    return [judged for judged in result["judgements"] if judged["verdict"] == result["verdict"]]


def facts(document: Json) -> list[tuple[str, str]]:
    """What the numbers are about, as label and text: model, corpus, gate, device, seeds, versions, as far as known."""
    known = [
        ("Model", _model(document.get("model"))),
        ("Corpus", _corpus(document.get("corpus"))),
        ("Baseline", _baseline(document.get("baseline"))),
        ("Questions", _questions(document.get("questions"))),
        ("Answered by", _answering(document.get("questions"))),
        ("Gate", _gate(document.get("gate"))),
        ("Device", visible(document.get("device") or "")),
        ("Seeds", ", ".join(map(str, document.get("seeds") or ()))),
        ("Versions", _listed(f"{name} {version}" for name, version in (document.get("versions") or {}).items())),
    ]
    return [(label, text) for label, text in known if text]


def _model(model: Json | None) -> str:
    if model is None:
        return ""
    settings = [f"{name.replace('_', ' ')} {value}" for name, value in model["settings"].items()]
    return _listed([model["name"], f"fingerprint {model['fingerprint'][:12]}", *settings])


def _corpus(corpus: Json | None) -> str:
    if corpus is None:
        return ""
    first = f"the first {corpus['limit']:,} only" if corpus["limit"] is not None else ""
    return _listed(
        [
            corpus["name"],
            f"{count(corpus['sentences'], 'sentence')} ({corpus['distinct']:,} distinct)",
            first,
            count(corpus["tokens"], "token"),
            count(sum(corpus["entities"].values()), "entity", "entities"),
            f"read as {corpus['scheme']}",
            f"sha256 {corpus['sha256'][:12]}",
        ]
    )


def _questions(questions: Json | None) -> str:
    if questions is None:
        return ""
    first = f"the first {questions['limit']:,} only" if questions["limit"] is not None else ""
    number_of_them = count(questions["questions"], "question")
    return _listed([questions["name"], number_of_them, first, f"sha256 {questions['sha256'][:12]}"])


def _answering(questions: Json | None) -> str:
    return "" if questions is None else _model(questions["model"])


def _baseline(baseline: Json | None) -> str:
    if baseline is None:
        return ""
    return ", ".join(f"{metric(name)} {measured(baseline[name])}" for name in ("f1", "precision", "recall"))


def _gate(gate: Json | None) -> str:
    if gate is None:
        return ""
    correction = "no correction" if gate["correction"] == "none" else f"{gate['correction'].capitalize()} correction"
    return _listed(
        [
            gate["thresholds"],
            f"{correction} over {count(gate['bounds'], 'blocking bound')}",
            f"{100 * gate['confidence']:g} % intervals from {gate['resamples']:,} resamples",
            f"an inconclusive case counts as a {gate['inconclusive']}",
        ]
    )


def _listed(parts: Iterable[object]) -> str:
    return ", ".join(visible(part) for part in parts if part)


def notices(document: Json) -> list[str]:
    """What must be said first."""
    said = (document.get("notice"), (document.get("questions") or {}).get("notice"))
    return [notice for notice in said if notice]


def remarks(document: Json) -> list[str]:
    """What a careful reader should know before trusting the numbers; empty when there is nothing."""
    model, corpus = document.get("model"), document.get("corpus")
    found = []
    if model and model["mask_fallback"]:
        found.append(
            f"The model names no mask token, so masked words read {visible(model['mask_token'])}; "
            "give its own with --abalo-mask-token."
        )
    if model and model["wordless"]:
        words, verb = count(model["wordless"], "word"), "has" if model["wordless"] == 1 else "have"
        found.append(f"{words} {verb} no piece in the vocabulary of the model and went in as the unknown token.")
    if corpus and corpus["repairs"]:
        labels = count(corpus["repairs"], "label")
        found.append(f"{labels} of the corpus {'was' if corpus['repairs'] == 1 else 'were'} repaired on reading.")
    found += _aggregation(document) + _temperature(document) + _unscored(document)
    found += _flagged(document)
    return found + _unchanged(document) + _filtered(document) + _out_of_budget(document) + _untried(document)


def _aggregation(document: Json) -> list[str]:
    """Says so when the other way of joining word pieces is better by more than a point of F1, as definitions ask."""
    baseline = document.get("baseline")
    f1 = measured_value(baseline["f1"]) if baseline else None
    other = baseline["f1_other_aggregation"] if baseline else None
    if f1 is None or other is None or other - f1 <= 0.01:
        return []
    name = "first" if document["model"]["settings"].get("aggregation") == "mean" else "mean"
    line = f"On the clean corpus, --abalo-aggregation {name} reaches F1 {number(other)} instead of {number(f1)}."
    return [line]


def _temperature(document: Json) -> list[str]:
    model = document.get("model")
    if not model or not model["temperature_at_limit"]:
        return []
    line = (
        f"The temperature that fits the scores of the model, {number(model['temperature'], 2)}, lies at the limit of "
        "the search: its probabilities, and so the probability drops, are not to be trusted."
    )
    return [line]


def _unscored(document: Json) -> list[str]:
    """Says so when gold has labels that the model cannot score, since confidence is silent about them."""
    most = max((result["unscored"] or 0 for result in document["results"]), default=0)
    if not most:
        return []
    verb = "has" if most == 1 else "have"
    return [f"{count(most, 'token')} in gold entities {verb} a label the model lacks, and no part in confidence drops."]


def in_sample(document: Json) -> str:
    """Where the temperature behind probability drops comes from; empty without probabilities."""
    found = (document.get("model") or {}).get("temperature")
    if found is None:
        return ""
    return f"Probabilities at temperature {number(found, 2)}, fitted in-sample: on the very corpus that is judged."


_UNITS = {False: "sentence", True: "question"}


def _unchanged(document: Json) -> list[str]:
    """A search that asked the model and changed nothing does say something: that nothing it found did any harm."""
    return [
        f"{scenario(result)} could do nothing to any entity that the model finds, so it says nothing about the model."
        if is_search(result)
        else f"{scenario(result)} changed no {_UNITS[is_about_questions(result)]}, so it says nothing about the model."
        for result in cases(document)
        if not is_baseline(result)
        and not is_slice(result)
        and not (result["attack"]["queries"]["total"] if is_search(result) else result["changed"])
    ]


def _filtered(document: Json) -> list[str]:
    """Says how many variants did not count, and why."""
    return [
        f"{scenario(result)}: {result['filtered']:,} of {count(result['filtered'] + result['variants'], 'variant')} "
        "did not keep what is required and were filtered out; there the clean prediction stands."
        for result in cases(document)
        if result["filtered"]
    ]


def _flagged(document: Json) -> list[str]:
    """Says which questions had better be looked at before a model is judged by them."""
    flagged: Mapping[str, list[str]] = (document.get("questions") or {}).get("flagged") or {}
    if not flagged:
        return []
    named = "; ".join(f"{key} ({', '.join(rules)})" for key, rules in list(flagged.items())[:_FLAGGED])
    more = f" and {len(flagged) - _FLAGGED:,} more" if len(flagged) > _FLAGGED else ""
    verb = "has" if len(flagged) == 1 else "have"
    return [f"{count(len(flagged), 'question')} {verb} ambiguous options: {visible(named)}{more}; see abalo audit."]


_FLAGGED = 10
"""How many ambiguous questions are named."""


def _out_of_budget(document: Json) -> list[str]:
    return [
        f"{title}: {attack['spent']:,} of {searches} ended because the budget of queries was spent; with more, the "
        "success rate may be higher."
        for title, attack, searches in _searches(document)
        if attack["spent"]
    ]


def _untried(document: Json) -> list[str]:
    """Says so where an attack could not try anything on most of its targets, as with a lexicon of another language."""
    return [
        f"{title}: in {attack['untried']:,} of {searches} there was nothing to try; do its sources fit the language of "
        "the corpus?"
        for title, attack, searches in _searches(document)
        if 2 * attack["untried"] > attack["targets"] > attack["untried"]
    ]


def _searches(document: Json) -> list[tuple[str, Json, str]]:
    """The attacks that search: in words, what is known of them, and how many searches there were, in words."""
    found = [(scenario(result), result["attack"]) for result in cases(document) if is_search(result)]
    return [(title, attack, count(attack["targets"], "search", "searches")) for title, attack in found]
