import pytest

from characters import services
from characters.models import Character
from matches.actors import Actor
from tests import factories
from tests.characters.sheets import SHEET


@pytest.fixture
def owner() -> Actor:
    return factories.actor()


@pytest.fixture
def oriel(owner: Actor) -> Character:
    return services.paste(by=owner, text=SHEET)
