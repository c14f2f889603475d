"""Fixtures for all tests. `DATABASE_URL` selects the engine; the default is SQLite."""

import gc
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, TransactionTestCase
from django.utils import translation

from deploy import stack, supervisor
from deploy.celery import app as celery_app
from tests import chromium, database, factories, services, site

FILESYSTEM = "filesystem://localhost"
DATABASE_FIXTURES = {"db", "transactional_db"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests for the other engine, and in one of the two runs those without a database."""
    vendor = connection.vendor
    wanted = {vendor, "both"}
    if os.environ.get("TESTS_WITHOUT_DATABASE") != "elsewhere":
        wanted.add("none")
    chosen, left = [], []
    for item in items:
        engine = engine_of(item)
        item.user_properties.append(("engine", engine))
        (chosen if engine in wanted else left).append(item)
    items[:] = sorted(chosen, key=_length)
    if left:
        config.hook.pytest_deselected(items=left)


def pytest_collection_finish() -> None:
    """Exempt imports and collected tests from garbage collection: they live until the end."""
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as pytest does, with room on the interpreter's stack: pytest stands deep in it."""
    return stack.roomy(runner.pytest_runtest_protocol)(item, nextitem)


def _length(item: pytest.Item) -> int:
    """Return a sort key that puts the longest first: proofs and rehearsal, all pages, browser."""
    if "prove" in item.path.parts or item.path.name == "test_rehearse.py":
        return 0
    if item.path.name == "test_every_page.py":
        return 1
    return 2 if item.get_closest_marker("browser") else 3


def engine_of(item: pytest.Item) -> str:
    """Return the engine a test is marked for, else `both`, or `none` if it uses no database.

    pytest-django allows database access only to tests that request it.
    """
    for engine in ("sqlite", "postgresql"):
        if item.get_closest_marker(engine):
            return engine
    asks = (
        item.get_closest_marker("django_db")
        or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    )
    return "both" if asks else "none"


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """Reset the active language: the one of the last page stays active in its thread."""
    yield
    translation.deactivate()


# -- the database -------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> None:
    """Create the web role before the test database is migrated and privileges are granted."""
    if connection.vendor == "postgresql":
        database.make_web_role(connection.settings_dict)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """On PostgreSQL run every test as the web role, except where a test asks for the owner."""
    if connection.vendor != "postgresql":
        yield
        return
    with django_db_blocker.unblock():
        database.serve_as_web_role()
        yield
        database.serve_as_owner()
        database.end_other_sessions()


@pytest.fixture
def staff(client: Client) -> Client:
    """A client signed in as a superuser."""
    client.force_login(User.objects.create_superuser("boss", password=factories.PASSWORD))
    return client


# -- the site as real processes -----------------------------------------------------------


@pytest.fixture
def database_url(transactional_db: None) -> str:
    """The URL of the test database, for another process."""
    return site.database_url()


@pytest.fixture(scope="session")
def _web(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[site.Running, str]]:
    site.collect_static()
    running, url = site.web(tmp_path_factory.mktemp("web") / "log")
    yield running, url
    running.stop()


@pytest.fixture
def live_site(transactional_db: None, _web: tuple[site.Running, str]) -> str:
    """The URL (without a trailing slash) of a real server on the test database."""
    return _web[1]


@pytest.fixture(scope="session")
def _streams(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[site.Running, str]]:
    running, url = site.streams(tmp_path_factory.mktemp("streams") / "log")
    yield running, url
    running.stop()


@pytest.fixture
def live_streams(transactional_db: None, _streams: tuple[site.Running, str]) -> str:
    """The URL of a real stream process on the test database; it also serves pages."""
    return _streams[1]


@pytest.fixture(scope="session")
def broker_url() -> Iterator[str]:
    """The URL of a real broker: a Valkey started for this run."""
    with services.valkey() as url:
        yield url


@pytest.fixture
def worker(transactional_db: None, tmp_path: Path) -> Iterator[Callable[..., site.Running]]:
    """Start real workers: `worker()` on the filesystem transport, `worker(broker_url)` on a broker.

    Further arguments are Celery options. Tasks that this process sends meanwhile go to the same
    broker, which starts empty.
    """
    running: list[site.Running] = []
    numbers = itertools.count(1)

    def start(broker: str = FILESYSTEM, *options: str) -> site.Running:
        _send_through(broker)
        name = f"worker-{next(numbers)}"
        program = supervisor.worker(tmp_path / f"{name}-schedule")
        program.command += ["--loglevel", "INFO", "--hostname", f"{name}@test", *options]
        running.append(site.Running(program, tmp_path / name, BROKER_URL=broker))
        running[-1].wait_for("ready.")
        return running[-1]

    yield start
    for process in running:
        process.stop()
    _send_through(FILESYSTEM)


def _send_through(broker: str) -> None:
    """Send this process's tasks to `broker` from now on, and empty it."""
    if celery_app.conf.broker_url != broker:
        celery_app.conf.broker_url = broker
        celery_app._after_fork()  # drop the connections to the previous broker
    celery_app.control.purge()


# -- a real browser -----------------------------------------------------------------------


PATIENCE = 60_000  # ms that a browser waits for anything: the machine's speed is not under test


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real Chromium, driven by playwright's synchronous API."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)

    program = chromium.find()
    assert program, f"Chromium is missing; type: {chromium.BY_HAND}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in program.environment.items():
            patch.setenv(name, value)
        playwright = sync_playwright().start()
        browser = playwright.chromium.launch(executable_path=program.path, args=chromium.FLAGS)
    # The synchronous API leaves an event loop in this thread, where Django refuses the ORM.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(site.ASYNC_UNSAFE, "true")
        yield browser
        browser.close()
        playwright.stop()


@pytest.fixture
def new_page(browser: Any, live_site: str) -> Iterator[Callable[..., Any]]:
    """Open pages of the live site, each in a browser context of its own.

    Keyword arguments are those of playwright's `Browser.new_context`, as in
    `new_page(java_script_enabled=False)`; paths are relative to the site.
    """
    contexts = []

    def open_page(**options: Any) -> Any:
        contexts.append(browser.new_context(base_url=live_site, **options))
        contexts[-1].set_default_timeout(PATIENCE)
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """A page of the live site in a default browser context."""
    return new_page()
