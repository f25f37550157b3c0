"""Multiple-choice questions and the answers of models, studied without a run."""
