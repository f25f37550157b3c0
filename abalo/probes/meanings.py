"""Meanings of the parameters in thresholds.toml, by kind of case."""

from __future__ import annotations

from collections.abc import Mapping

EVERY_PERTURBATION: Mapping[str, str] = {
    "rate": "Share of places that are changed, each by chance.",
    "at_least": "1: one place is changed if chance leaves all of them unchanged.",
    "inside_entities": 'false: entities stay unchanged; "only": nothing else is changed.',
    "language": "Language of the rules and word lists (default: that of the corpus).",
    "span_source": 'Spans to aim at: "oracle" for the gold spans, "predicted" for those of the model.',
    "field": "Part of the example that is changed, such as one sentence of a pair.",
    "require": "Limits that variants must meet, by validator: {similarity = 0.8}. Other variants are dropped.",
}

OF_PIPELINES: Mapping[str, str] = {
    "steps": 'Perturbations in order: names, or tables such as {name = "typos", rate = 0.1}.',
    "sampled": "Instead of `steps`: number of combinations that are drawn.",
    "of": "Perturbations in each combination: 2 or 3.",
    **{name: EVERY_PERTURBATION[name] for name in ("language", "field", "require")},
}

OF_ATTACKS: Mapping[str, str] = {
    "sample": "Number of examples that are attacked, drawn by the seed; 0 for all.",
    "budget": "Largest number of variants that one search shows the model.",
    "similarity": 'Measure of similarity to the original: "ngrams", or an encoder such as "encoder:FOLDER".',
    "least_similarity": "Smallest similarity of a variant to the original; -1 for any.",
    "parts_of_speech": 'Source of the parts of speech that words keep: "auto" (the corpus, if it has any), "corpus", a '
    'tagger, or "off".',
    "training": "Corpora that the model learned from: the report compares how rare the words were there.",
    "require": EVERY_PERTURBATION["require"],
    "synonyms": 'Source of synonyms, such as "lexicon:near_synonyms_pt" or "wordnet:FOLDER"; "none" skips the case.',
    "gradients": 'Whose gradients are used: "model", those of the model that is judged.',
    "language": "Language of the lists of names, places and contractions.",
    "least_piece_similarity": "Smallest cosine between a piece of a word and the one in its place.",
    "most_replacements": "How often a word may be replaced again.",
    "words_allowed": "Number of words that may change in any text, however small their share is to be.",
    "most_synonyms": "Largest number of synonyms that are tried for a word.",
    "least_synonym_similarity": "Smallest similarity of a synonym to the word it replaces.",
    "stop_words": "Word list whose words stay unchanged; empty for none.",
    "ranking": 'Order of the words: "deletion", "unknown", "weighted_saliency", "importance" or "random".',
    "entities": 'Source of other entities: a corpus, or "corpus" for the one that is judged.',
    "candidates": "Number of other entities that are tried.",
    "search": 'Way to search: "greedy", "greedy_all", "beam", "genetic", "improved_genetic", "particle_swarm", '
    '"reduction" or "hard_label".',
    "width": "Width of a beam, or number of states in a genetic search.",
    "generations": "Generations of a genetic search.",
    "unknown": "Token that hides a word in rankings that hide words.",
    "most_words": "Largest number of words that are changed; 0 for any number.",
    "most_changed": "Largest share of words that are changed.",
    "most_edits": "Largest number of characters that are changed; 0 for any number.",
    "to": 'Only outcome that counts as a success: a label, or "missed", "retyped", "boundary" or "invented" for an '
    "entity; empty for any.",
    "kind": "Kind of characters that are used.",
    "draws": "Number of draws for each word.",
    "model": 'Folder of a masked language model; "none" skips the case.',
    "moves": "Changes that are made: replaced words, inserted words, or both.",
    "most_candidates": "Largest number of words that are tried for a place.",
    "left": "Number of words that a success leaves.",
    "layout": "Keyboard whose neighbouring keys are used.",
    "field": EVERY_PERTURBATION["field"],
}

OF_INVARIANCES: Mapping[str, str] = {
    "draws": "Number of single edits that are drawn.",
    "margin": "Only predictions count whose probability exceeds the runner-up by more than this.",
    "type": 'Entity type whose names are exchanged; "auto" for persons.',
    "stop_words": 'Word list whose letter case changes; "auto" for the list that fits the corpus best.',
    "field": EVERY_PERTURBATION["field"],
}

OF_SLICES: Mapping[str, str] = {
    "of": "Name of the slice. Required.",
    "share": "Share of the sentences that are in the slice.",
    "end": "End of the order that is in the slice.",
    "arcs": "Trees that are in the slice: with crossing arcs, or projective.",
    "first": "Span that comes first in the sentences of the slice.",
    "words": "Words that the sentences must have.",
    "language": "Language of the words.",
    "label": "Label of the examples in the slice.",
    "model": 'Language model: "ngrams", or a folder.',
    "training": "Corpus that the model learned from.",
    "phrase": "Kind of sentence.",
    "which": "Several entities of any type, or entities of several types.",
    "window": "Distance from an entity, in words.",
    "least": "Smallest number of unseen words.",
    "word": "Question word of the questions in the slice, in English for every language.",
}

OF_REWORDINGS: Mapping[str, str] = {
    "seed": "Seed that is passed to models that take one.",
    "exclude_flagged": "true: questions that the audit flags are left out.",
    "k": "Number of ways to put each question.",
}

OF_PROMPTS: Mapping[str, str] = {
    "ways": "Ways in which the prompt changes.",
    "draws": "Number of drawn orders of labels and examples, and of drawn choices of examples.",
    "alternatives": "TOML file with other prompts, a table for each, with the keys of a prompt file.",
}
