"""The panels of the HTML report, one module each with one `render`; ``abalo.reporting.html`` puts them in order."""
