"""From outcomes to what people read: robustness.json, robustness.md, HTML and terminal lines."""
