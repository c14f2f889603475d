# make demo      run the site with a demo league at http://127.0.0.1:8000/ (PORT=, DATA=)
# make serve     run a site of your own, empty at first, stored in var/own (PORT=, DATA=)
# make test      run every check, on SQLite and on PostgreSQL
# make bench     measure everything beside other programs; ONLY="core log" for some parts
# make prove     test the guarantees of the log at full size; ONLY=name for one; writes docs/proof.md
# make screens   take screenshots of the main page types into docs/screens/
# make messages  update the translation catalogues (needs gettext)
# make audit     measure every page's size, queries and speed; writes docs/quality.md
# make pg        run a PostgreSQL for single tests
# make rehearse  run the whole server here for a minute and break parts under load (ARGS=--help)
# make load      put that server under 50 and 500 tables and 2,000 spectators, and measure how cost
#                grows; writes docs/performance.md; short: ARGS="--tables 5 --spectators 20 --seconds 10"
# make lock      pin the dependencies of pyproject.toml
# Everything is installed into .venv; the only requirements are
# python3 python3-venv make git.

PYTHON ?= python3
UV = 0.13.9
PY = .venv/bin/python

export UV_PYTHON_DOWNLOADS = never
export UV_SYSTEM_CERTS = 1
export UV_LINK_MODE = copy
export UV_COMPILE_BYTECODE = 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo serve test pg bench prove screens rehearse load audit messages lock clean

demo: .venv/core
	@exec $(PY) manage.py serve --demo --tied

serve: .venv/core
	@DATA="$${DATA:-var/own}" exec $(PY) manage.py serve --tied

test: .venv/test
	@exec $(PY) -m tests.run

bench: .venv/bench
	@exec $(PY) -m tests.bench $(if $(ONLY),--only "$(ONLY)")

prove: .venv/test
	@exec $(PY) -m tests.prove $(ONLY)

screens: .venv/test
	@exec $(PY) -m tests.screens

audit: .venv/test
	@exec $(PY) -m tests.audit

messages: .venv/test
	@command -v msgfmt >/dev/null || { echo "gettext is missing: sudo apt-get install -y gettext"; exit 1; }
	@$(PY) manage.py makemessages --all --no-location --no-wrap --no-obsolete --ignore .venv --ignore tests --ignore var
	@$(PY) manage.py compilemessages --ignore .venv

rehearse: .venv/test
	@exec $(PY) -m tests.rehearse $(ARGS)

load: .venv/test
	@exec $(PY) -m tests.load $(or $(ARGS),--write)

pg: .venv/test
	@exec $(PY) -m tests.services

.venv/uv:
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing: sudo apt-get install -y python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name it with PYTHON="; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "venv is missing: sudo apt-get install -y python3-venv"; exit 1; }
	@$(PY) -m pip install --quiet --no-input uv==$(UV) || echo "uv cannot be had; pip will do"
	@touch $@

# $(call install,file): install from the hashed lock file with uv, else with pip.
install = .venv/bin/uv pip install --quiet --require-hashes --python $(PY) -r $(1) \
	|| $(PY) -m pip install --quiet --no-input --require-hashes -r $(1)

.venv/core: requirements.lock | .venv/uv
	@echo "Installing into .venv"
	@$(call install,requirements.lock)
	@touch $@

.venv/test: requirements-test.lock | .venv/uv
	@echo "Installing into .venv, tests included"
	@$(call install,requirements-test.lock)
	@touch $@

.venv/bench: requirements-bench.lock | .venv/test
	@echo "Installing into .venv what is measured beside"
	@$(call install,requirements-bench.lock)
	@touch $@

# UPGRADE=--upgrade takes newer releases.
compile = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header $(UPGRADE)

lock: | .venv/uv
	$(compile) pyproject.toml -o requirements.lock
	$(compile) pyproject.toml --group test -c requirements.lock -o requirements-test.lock
	$(compile) --group bench -c requirements-test.lock -o requirements-bench.lock

clean:
	rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
