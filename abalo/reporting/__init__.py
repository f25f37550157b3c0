"""Reports for people: robustness.json, Markdown, HTML and terminal lines."""
