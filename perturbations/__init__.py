"""Text in, text out: perturbations of sentences that carry their labels along. Nothing here ever sees a model."""

from perturbations.application import apply, unchanged
from perturbations.catalogue import (
    UnknownPerturbation,
    character_level,
    entity_level,
    find,
    members,
    sentence_level,
    target_level,
    word_level,
)
from perturbations.composition import compose
from perturbations.languages import Language, add_languages
from perturbations.layers import ROOT, UNLABELLED, Arcs, Partner, Policy, TokenLayer, WholeLabel
from perturbations.levels import entity_edit
from perturbations.notation import parse, render
from perturbations.perturbation import Perturbation, sample_pipeline
from perturbations.pipelines import Pipeline
from perturbations.streams import stream
from perturbations.text import Edit, Perturbed, Sentence, Span, entity_spans, sentence_id

__all__ = [
    "ROOT",
    "UNLABELLED",
    "Arcs",
    "Edit",
    "Language",
    "Partner",
    "Perturbation",
    "Perturbed",
    "Pipeline",
    "Policy",
    "Sentence",
    "Span",
    "TokenLayer",
    "UnknownPerturbation",
    "WholeLabel",
    "add_languages",
    "apply",
    "character_level",
    "compose",
    "entity_edit",
    "entity_level",
    "entity_spans",
    "find",
    "members",
    "parse",
    "render",
    "sample_pipeline",
    "sentence_id",
    "sentence_level",
    "stream",
    "target_level",
    "unchanged",
    "word_level",
]
