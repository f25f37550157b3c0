.PHONY: ready gate test slow all nightly browser real check style types generated constraints bench sample transcripts docs release

ready:  ## .ci/run on a clone of HEAD, in the background, before handing in
	.ci/ready

gate:   ## judge the bundled model
	pytest && abalo verdict reports

test:   ## our own tests, but for those that take long
	pytest tests -n 2 --dist worksteal --durations=20

slow:   ## those of our own tests that take long
	pytest tests -n 2 --dist worksteal -m "slow and not real" --durations=20

all:    ## our own tests, all of them
	pytest tests -n 2 --dist worksteal -m "not real" --durations=20

nightly: ## all of them, with many more examples by Hypothesis, drawn anew
	pytest tests -n 2 --dist worksteal -m "not real" --hypothesis-profile nightly

browser: ## pages in a browser: pip install --group ui, and a Chromium on the machine
	pytest tests/reporting/test_page_in_chromium.py tests/plugin/test_phones.py

real:   ## models that nobody here trained; CONTRIBUTING.md says what they need
	pytest tests/real -m real

check: style types generated ## what needs no test

style:  ## lint and format
	ruff check
	ruff format --check

types:  ## mypy --strict
	mypy

generated: ## files that are made from others
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

docs:   ## the documentation as a site, in build/site: pip install --group docs
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict

constraints: ## the versions of CI, in ci/constraints.txt; raise them with ARGUMENTS=--upgrade
	.ci/constraints.sh $(ARGUMENTS)

bench:  ## speed, as tables and JSON under benchmarks/results
	python -m benchmarks

release: ## the distributions, in dist, built, checked and tried; RELEASING.md says what that shows
	release/build.sh dist
	python -m release.corners dist
