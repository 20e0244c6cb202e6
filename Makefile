# Everything runs in .venv, which the first target that needs it makes.
PYTHON ?= python3
BIN := .venv/bin
SAMPLE := tests/submissions/numpy_block

.PHONY: help grade test test-all test-containers test-attacks test-browser lint audit build bench figures clean

help:  ## say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,torch,cluster]'
	@touch $@

grade: .venv/installed  ## grade the sample class; says where the results are
	$(BIN)/autograder grade $(SAMPLE) --out graded || [ $$? -eq 1 ]

test: .venv/installed lint  ## the tests that need no root, under ten minutes
	$(BIN)/python -m pytest tests -m 'not slow and not containers' --ignore tests/attacks -n 2 --dist loadscope

lint: .venv/installed  ## ruff, mypy, the import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test-all: test test-slow test-attacks test-containers  ## with containers, browser, cold audit, attacks as two users

.PHONY: test-slow
test-slow: .venv/installed
	$(BIN)/python -m pytest tests -m slow --ignore tests/attacks

test-attacks: .venv/installed  ## the attacks as this user, and as another if this one is root
	$(BIN)/python -m pytest tests/attacks
	if [ $$(id -u) = 0 ]; then tests/as_user.sh tests/attacks; fi

test-containers: .venv/installed  ## the real `otter grade`, in containers
	$(BIN)/python -m pytest tests/test_containers.py -m containers

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
