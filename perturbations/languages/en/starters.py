"""Sentences and words of a first file of capabilities in English."""

from perturbations.languages.starters import StarterWords

WORDS = StarterWords(
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
)
