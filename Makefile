# Needs Python 3.11 or newer and make; everything else goes into the folder $(VENV).

PYTHON ?= $(shell for p in python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n < 8 ? n : 8)))
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test quick full lint types docs bench bench-smoke dist clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/study.stamp ## Study shipped data; the report and the model go to demo/
	@$(BIN)/learnable demo

test: $(VENV)/test.stamp ## Run all tests and every example in the documentation
	$(PYTEST) -m "alone and not full"
	$(PYTEST) -m "not alone and not full" -n $(JOBS)

quick: lint types $(VENV)/test.stamp ## Check style, types, import rules and the quick tests
	$(PYTEST) -m "not slow and not alone and not full" -n $(JOBS)

full: $(VENV)/test.stamp ## Run the simulations; their dated result goes to docs/full-run.md
	$(BIN)/python tools/record_full_run.py docs/full-run.md

lint: $(VENV)/lint.stamp ## Check style, layout and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/lint.stamp ## Check types, strictly, in the typed rooms
	$(BIN)/mypy

docs: $(VENV)/docs.stamp ## Build the documentation and run its examples
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python tools/check_offline.py docs/_build/html
	@echo "The documentation lies in docs/_build/html/index.html"

bench: $(VENV)/test.stamp ## Measure against other libraries
	$(BIN)/python -m benchmarks

bench-smoke: $(VENV)/test.stamp ## Run every benchmark once on small data
	$(BIN)/python -m benchmarks --smoke

dist: $(VENV)/dev.stamp ## Build the packages and check what they hold
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python tools/check_packages.py dist

clean: ## Remove what was made, except the environment
	rm -rf build dist demo docs/_build docs/gallery docs/reference/generated .cache .hypothesis
	rm -rf .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

# One stamp an extra: installed once, and again when pyproject.toml changes.
$(VENV)/%.stamp: pyproject.toml | $(BIN)/python
	@echo "Installing learnable[$*] into $(VENV), once; this takes a few minutes."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
