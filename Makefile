.PHONY: gate test slow all browser real check bench sample transcripts docs release

gate:   ## judge the bundled model
	pytest && abalo verdict reports

test:   ## our own tests, but for those that take long
	pytest tests -n 2 --durations=20

slow:   ## those of our own tests that take long
	pytest tests -n 2 -m "slow and not real" --durations=20

all:    ## our own tests, all of them
	pytest tests -n 2 -m "not real" --durations=20

browser: ## pages in a browser: pip install -e '.[ui]', and a Chromium on the machine
	pytest tests/reporting/test_page_in_chromium.py tests/plugin/test_phones.py

real:   ## models that nobody here trained; CONTRIBUTING.md says what they need
	pytest tests/real -m real

check:  ## style and types
	ruff check
	ruff format --check
	mypy
	python fixtures/make_corpora.py --check
	python fixtures/make_pos_corpus.py --check
	python fixtures/make_sentiment_corpora.py --check
	python fixtures/make_aspect_corpora.py --check
	python fixtures/make_entailment_corpus.py --check
	python fixtures/make_reading_corpora.py --check
	python fixtures/make_relation_corpora.py --check
	python fixtures/make_coreference_corpora.py --check
	python fixtures/make_parsing_corpus.py --check
	python fixtures/make_segmentation_corpus.py --check
	python fixtures/hashes.py --check
	python fixtures/tried_cases.py --check
	python -m docs.made --check

sample: ## the report in reports/sample
	pytest
	cp reports/report.html reports/robustness.json reports/robustness.md reports/sample/

transcripts: ## transcripts and picture of README and tutorial; needs a Chromium
	folder=$$(mktemp -d) && python -m docs.transcripts README.md docs/tutorial.md --keep $$folder && \
	chromium --headless --no-sandbox --hide-scrollbars --window-size=900,700 \
	    --screenshot=docs/report.png "file://$$folder/readme/reports/report.html"

docs:   ## the documentation as a site, in build/site: pip install -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict

bench:  ## speed, as tables and JSON under benchmarks/results
	python -m benchmarks

release: ## the distributions, in dist, built, checked and tried; RELEASING.md says what that shows
	release/build.sh dist
	python -m release.corners dist
