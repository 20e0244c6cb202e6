# Everything runs in .venv, which the first target that needs it makes.
PYTHON ?= python3
BIN := .venv/bin
SAMPLE := tests/submissions/numpy_block
QUICK := not slow and not containers and not mishaps and not browser

.PHONY: help grade test lint test-all test-slow test-attacks test-attacks-all test-containers test-mishaps test-browser audit
.PHONY: build bench figures clean

help:  ## say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,torch,cluster]'
	@touch $@

grade: .venv/installed  ## grade the sample class; says where the results are
	$(BIN)/autograder grade $(SAMPLE) --out graded || [ $$? -eq 1 ]

test: .venv/installed lint  ## the tests that need no root, under ten minutes
	$(BIN)/python -m pytest tests -m '$(QUICK)' --ignore tests/attacks -n 2 --dist loadscope

lint: .venv/installed  ## ruff, mypy, the import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test-all: test-slow test-browser audit test-attacks-all  ## what takes longer: laws, pages, the audit, attacks as two users

test-slow: .venv/installed  ## what needs minutes
	$(BIN)/python -m pytest tests -m 'slow and not browser' --ignore tests/attacks -n 2 --deselect tests/test_containers.py

test-browser: .venv/installed  ## the pages, in Debian's Chromium
	$(BIN)/python -m pytest tests -m browser --ignore tests/attacks

test-attacks: .venv/installed  ## attacks, shown to fail here: the quick ones
	$(BIN)/python -m pytest tests/attacks -m 'not slow'

test-attacks-all: .venv/installed  ## with the naive grader, the class of 500, and as two users
	$(BIN)/python -m pytest tests/attacks
	if [ $$(id -u) = 0 ]; then tests/as_user.sh tests/attacks -k 'not naive_grader'; fi  # shown once that they work

test-containers: .venv/installed  ## the real `otter grade`, in containers: root, Debian or Ubuntu
	$(BIN)/python -m pytest tests/test_containers.py

test-mishaps: .venv/installed  ## graders and workers killed at random moments, twenty times each: minutes
	$(BIN)/python -m pytest tests/test_mishaps.py

build: .venv/installed  ## assignments/ and dist/ from solutions/
	$(BIN)/autograder build

audit: .venv/installed  ## the marking against right and wrong answers and mutants
	$(BIN)/autograder audit

bench: .venv/installed  ## measure, and write benchmarks/results.md
	$(BIN)/python -m benchmarks

figures: .venv/installed  ## the figures of Lab 2 beside those of the lesson; TINY_SHAKESPEARE names the corpus
	$(BIN)/python scripts/figures.py

clean:  ## remove what can be made again
	rm -rf .venv graded dist .audit_cache
