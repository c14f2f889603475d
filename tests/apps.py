"""The tests as an app of the site: they migrate in a quarter of the time."""

from typing import Any

from django.apps import AppConfig
from django.db.migrations.state import ProjectState


class Tests(AppConfig):
    name = "tests"

    def ready(self) -> None:
        ProjectState.add_model = add_model


def add_model(self: Any, made: Any) -> None:
    """Render the model that a migration makes, and nothing besides: nothing refers to it yet.

    Django renders all that is related to it anew, and the schema comes out the same. The programs
    that tests start migrate in its own way.
    """
    key = made.app_label, made.name_lower
    self.models[key] = made
    if self._relations is not None:
        self.resolve_model_relations(key)
    if "apps" in self.__dict__:
        self._reload({key})
