# Needs Python 3.11 or newer and make. Everything else is installed into .venv from requirements-build.txt and
# requirements.txt, whose hashes pip checks. They name all that is needed, so pip need not find out.

PYTHON ?= python3
UV ?= uv
# Servers and browsers that tests start keep the processors busy while a test waits; one worker more only takes half a minute to begin.
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
VENV ?= .venv
BIN := $(VENV)/bin
QUICK := tests --ignore tests/stack --ignore tests/faults --ignore tests/jobs --ignore tests/bench --ignore tests/mutants --ignore tests/seasons --ignore tests/scale

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start the program hundreds of times, and each time it would be compiled anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo test reached quick near long check bench year seasons scale mutants wheel lock docs clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1 \2/p' Makefile | awk '{ printf "  make %-9s", $$1; $$1 = ""; print }'

install: $(VENV)/.installed ## put the program and what it needs into .venv, or into VENV

demo: install ## show a short game by mail between two house players, on this machine alone
	@$(BIN)/turnserver demo

# One processor alone would look through the types, so the tests begin meanwhile.
test: install ## run all that a change has to pass
	@$(MAKE) --no-print-directory -j 2 check reached

reached: install ## run the tests alone, and say which lines and branches they do not reach
	@$(BIN)/python -W "ignore:Unable to activate pytest" -m slipcover --out .coverage.json -m pytest -n $(WORKERS) --dist worksteal -m "not long"
	@$(BIN)/python -m tests.coverage .coverage.json

quick: install ## run the tests that take no time, without PostgreSQL and without second engines, as before a commit or on another Python
	@$(MAKE) --no-print-directory -j 2 check near

near: install ## run the tests of quick alone
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not thorough" -k "not postgresql and not killed" $(QUICK)

long: install ## run what takes long, and laws on examples drawn at random; one that fails belongs into the test's @example
	@HYPOTHESIS_PROFILE=random $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "long or hypothesis"

check: install ## look without running: ruff, mypy, imports, event catalogue
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/turnserver events check

bench: install ## measure the budgets and print them as a table
	@$(BIN)/python -m tests.bench

year: install ## play 2,000 games through a year, with outages, crashes and wrong clocks, beside a naive clock
	@$(BIN)/python -m tests.year

seasons: install ## play a league of 128 players in 16 divisions over four seasons, and count it again
	@$(BIN)/python -m tests.seasons

scale: install ## make a log of a million events by 14,600 games, verify it and play them again
	@$(BIN)/python -m tests.scale

mutants: install ## break the program in some 500 places, one after the other, and see that a test fails each time
	@$(BIN)/python -m tests.mutants --workers $(WORKERS)

wheel: install ## build the wheel into dist
	@$(BIN)/hatchling build -t wheel

LOCK = --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"
UPGRADE ?= --upgrade

lock: ## choose the newest versions that pyproject.toml allows and write both lock files (needs uv)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: pip install uv, or name it with make lock UV=/path/to/uv" >&2; exit 1; }
	@$(UV) pip compile $(LOCK) --group build --output-file requirements-build.txt
	@$(UV) pip compile $(LOCK) --extra dev --constraint requirements-build.txt --output-file requirements.txt pyproject.toml

DOCS = turnserver.config.league_guide turnserver.records.jsonform turnserver.tools.command_reference turnserver.tools.manual turnserver.tools.template_guide turnserver.web.pages tests.audit.tampering_docs \
	tests.mail.outbound.languages.catalogues

docs: install ## rewrite the files that are made from the code
	@$(BIN)/python -m turnserver.config > config/.new && mv config/.new config/turnserver.toml
	@$(BIN)/turnserver events write
	@for made in $(DOCS); do $(BIN)/python -m $$made || exit; done

clean: ## remove .venv and everything that was made
	@rm -rf .venv .venv-other dist build .coverage.json .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Both stamps lie in .venv, so that whoever removes it starts afresh. The first is newer than every package, the second newer than the project.
# A .venv that is a link is that of another checkout, for which nothing may be emptied or installed from here.
OWN = @[ ! -L $(VENV) ] || { echo "$(VENV) is a link, and make would change what it leads to; say make -o install docs, or the like" >&2; exit 1; }

$(VENV)/.locked: requirements-build.txt requirements.txt
	$(OWN)
	@command -v $(PYTHON) >/dev/null || { echo "turnserver needs Python 3.11 or newer, and there is no '$(PYTHON)'; name one with make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "turnserver needs Python 3.11 or newer, and '$(PYTHON)' is older; name another with make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "'$(PYTHON)' lacks venv; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Installing into $(VENV), once; this takes a minute"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements-build.txt
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --no-build-isolation --no-compile -r requirements.txt
	@# pip would compile on one processor, and what nobody imports; it is as quiet about files for other Pythons
	@$(BIN)/python -W ignore -m compileall -qq -j 0 -x '/(mypyc?|tests)/' $(VENV)/lib || true
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	$(OWN)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
