# Every target sets up what it needs. On a machine without make, README gives the plain commands.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NB ?= ch03a_self_attention

export TF_CPP_MIN_LOG_LEVEL ?= 2

.PHONY: demo test lab course notebook experiments site lint lock bundle clean

# The main job: release, a class of twelve, grading, class page, nano BERT on real text.
demo: $(READY)
	$(BIN)/python tools/demo.py

# What CI runs: the main job, then lint and the default test suite.
test: demo lint
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

lab: $(READY)
	$(BIN)/jupyter lab --notebook-dir=course

course: $(READY)
	$(BIN)/autograder release --out course

notebook: $(READY)
	$(BIN)/autograder notebook $(NB)

# Measure what the notebooks claim: three seeds each, an hour in all; what is stored stays. Or a part:
# .venv/bin/python tools/experiments.py --list, --only ID, --quick
experiments: $(READY)
	$(BIN)/python tools/experiments.py

# The book as a web site in both languages, build/site/html: the first time an hour, for every notebook
# is run with its answers; what they showed is kept until they change.
site: $(READY)
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --no-build-isolation --editable ".[site]"
	$(BIN)/python tools/site/make_site.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/autograder lint

# Resolve the versions anew, for every system and Python at once, then install what was found.
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate --no-header \
		--extra lab --extra dev --extra kerashub --extra cluster --extra jax pyproject.toml --output-file requirements.lock
	$(BIN)/python tools/environment.py

# The course in one folder that installs without a network; for other systems: docs/getting-started.md.
bundle: $(READY)
	$(BIN)/python tools/bundle.py

clean:
	rm -rf build

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13) and "Python 3.11, 3.12 or 3.13 is needed, this is %d.%d. Try: make PYTHON=python3.12 …" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $@
