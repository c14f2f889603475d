"""Base classes of models."""

import json
import uuid

import uuid_utils.compat
from django.db import models
from django.utils.translation import get_language


def uuid7() -> uuid.UUID:
    """Return a time-ordered uuid."""
    return uuid_utils.compat.uuid7()


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
