# make demo      the site with a demo league, at http://127.0.0.1:8000/ (PORT=, DATA=)
# make serve     a site of your own, empty at first, kept in var/own (PORT=, DATA=)
# make test      every check, on SQLite and on PostgreSQL
# make bench     what all of it does here, beside other programs; ONLY="core log" for some parts
# make prove     what the log promises, at full size; ONLY=name for one; writes docs/proof.md
# make screens   the main page types into docs/screens/
# make messages  bring the catalogues of translations up to date (needs gettext)
# make audit     what every page weighs and asks, how soon it answers; writes docs/quality.md
# make pg        a PostgreSQL to run single tests against
# make rehearse  the whole server on this machine for a minute, hurt under load (ARGS=--help)
# make load      that server under 50 and 500 tables and 2,000 spectators, and how cost grows;
#                writes docs/performance.md; ARGS="--tables 5 --spectators 20 --seconds 10" is short
# make lock      pin what pyproject.toml asks for
# Everything is installed into .venv here; nothing else is needed than
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

# $(call install,file): from the hashed lock, by uv, else by pip.
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
