# Two commands: `make demo` runs the main job, `make test` passes the tests; both set everything up.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
CONSTRAINTS := constraints.txt
PARSERS := tests/parsers.txt

.PHONY: setup demo test check check-static parts bench wheel-test clean

setup: $(STAMP)

$(STAMP): pyproject.toml $(CONSTRAINTS) $(PARSERS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $(PARSERS)
	touch $(STAMP)

demo: setup
	$(BIN)/curate demo

test: setup
	$(BIN)/python -m pytest

check: check-static test

check-static: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/curate lexicon check

wheel-test: setup
	PYTHON=$(PYTHON) sh tests/wheel.sh

# Sets up a Label Studio (about 1 GB) and needs a browser: Debian's Chromium is installed where there is none and apt-get may do so.
parts: setup
	@test -n "$$CURATE_BROWSER" || command -v chromium >/dev/null 2>&1 || \
		(apt-get update -qq && apt-get install -qq -y chromium)
	$(BIN)/python -m curate.annotation.studio.environment
	$(BIN)/python -m pytest tests/parts --override-ini addopts="-q --import-mode=importlib"

bench: setup
	$(BIN)/python tests/bench/swap_quality.py

clean:
	rm -rf $(VENV) out build dist
