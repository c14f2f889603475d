"""Every experiment in its short form."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from tests import site
from tests.prove.experiment import BOTH, Broken, Experiment, Found, must_break, registry


def short_forms() -> list[Any]:
    def marks(each: Experiment) -> list[Any]:
        engines = (each.short_on,) if each.short_on else each.engines
        return [] if engines == BOTH else [getattr(pytest.mark, engines[0])]

    return [pytest.param(each, id=each.name, marks=marks(each)) for each in registry().values()]


@pytest.mark.timeout(1800)  # only to end a hang; speed is not under test
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("experiment", short_forms())
def test_it_holds(experiment: Experiment, record_property: Callable[[str, object], None]) -> None:
    found = apart(experiment) if experiment.apart else experiment.at("short")
    assert found.asked
    assert found.found
    record_property("figure", f"{experiment.name} on {connection.vendor}: {found.found}")


def apart(experiment: Experiment) -> Found:
    """Run the short form in a process of its own, on the test database."""
    child = subprocess.run(
        [sys.executable, "-m", "tests.prove", "--child", experiment.name, "short"],
        env=site.environment(
            DJANGO_SETTINGS_MODULE="tests.settings", DATABASE_URL=site.owner_url()
        ),
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Found(**json.loads(child.stdout.splitlines()[-1]))


def test_each_is_for_both_engines_or_for_one() -> None:
    for each in registry().values():
        assert each.engines in (BOTH, ("sqlite",), ("postgresql",)), each.name
        assert each.short_on in ("", *BOTH), each.name
        assert each.full.keys() == each.short.keys(), each.name


def test_a_variant_that_does_not_break_is_told() -> None:
    with pytest.raises(Broken, match="not found out"):
        must_break(lambda: None)


def test_a_variant_that_fails_by_its_own_mistake_is_told() -> None:
    def run() -> None:
        raise Broken("3 logs are parked: AttributeError: 'bool' object has no attribute 'x'")

    with pytest.raises(Broken, match="does not run: 3 logs"):
        must_break(run)
