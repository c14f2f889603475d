"""The filters of a list of matches, with the tournament that they were played at."""

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from league import selectors
from matches.actors import Actor
from matches.forms import MatchFilter
from matches.models import Match


class PlayedAtFilter(MatchFilter):
    """Filters a list of matches, also by tournament."""

    tournament = forms.CharField(label=gettext_lazy("Tournament"), required=False, max_length=120)

    def narrow(self, matches: QuerySet[Match], actor: Actor) -> QuerySet[Match]:
        """Return the matches that pass the filters."""
        matches = super().narrow(matches, actor)
        if word := self.wanted.get("tournament"):
            matches = selectors.at_tables_of(matches, selectors.called(actor, word))
        return matches
