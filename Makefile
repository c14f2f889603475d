# make demo      the site with a demo league, at http://127.0.0.1:8000/ (PORT=, DATA=)
# make test      every check, on SQLite and on PostgreSQL
# make bench     what the core and the log do here, beside plain baselines; ONLY=name for one part
# make prove     what the log promises, at full size; ONLY=name for one; writes docs/proof.md
# make screens   every page type into docs/screens/
# make pg        a PostgreSQL to run single tests against
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

.PHONY: demo test pg bench prove screens lock clean

demo: .venv/core
	@exec $(PY) manage.py serve --demo --tied

test: .venv/test
	@exec $(PY) -m tests.run

bench: .venv/test
	@exec $(PY) -m tests.bench $(if $(ONLY),--only $(ONLY))

prove: .venv/test
	@exec $(PY) -m tests.prove $(ONLY)

screens: .venv/test
	@exec $(PY) -m tests.screens

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

# UPGRADE=--upgrade takes newer releases.
compile = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header $(UPGRADE) pyproject.toml

lock: | .venv/uv
	$(compile) -o requirements.lock
	$(compile) --group test -c requirements.lock -o requirements-test.lock

clean:
	rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
