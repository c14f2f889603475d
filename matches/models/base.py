"""Base classes of models."""

import json
import uuid
from typing import Any

import uuid_utils.compat
from django.db import models
from django.utils.translation import get_language, gettext


def uuid7() -> uuid.UUID:
    """Return a time-ordered uuid."""
    return uuid_utils.compat.uuid7()


class NameField(models.CharField):
    """A name. What erasing leaves of it, `erased`, is read in the language of the reader."""

    def __init__(self, *args: Any, erased: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.erased = erased

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return gettext(value) if value and value == self.erased else value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.to_python(value)

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return self.erased if self.erased and value == gettext(self.erased) else value


class Headlined(models.Model):
    """Has a headline on how it stands: `headline` in English, `headlines` in other languages."""

    headline = models.CharField(max_length=200, blank=True)
    headlines = models.TextField(default="{}", db_default="{}")  # JSON by language

    class Meta:
        abstract = True

    @property
    def localized_headline(self) -> str:
        """The headline in the reader's language."""
        others: dict[str, str] = json.loads(self.headlines)
        return others.get(get_language() or "", self.headline)
