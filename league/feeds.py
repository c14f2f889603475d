"""Atom feeds of matches and tournaments that ended: site, league, tournament, or player.

Feeds are read without signing in, so they show what the public may know; held or delayed results
appear once they are released.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.views.decorators.http import require_safe

from league import desk_reads, desks, policy, selectors
from league.models import League, Tournament
from matches import selectors as logged
from matches.actors import NOBODY
from matches.models import Match, Player, Seat
from matches.pages import of_results

SHOWN = 30
FRESH = 300  # seconds a response may be cached


_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class News(NamedTuple):
    """A match or a tournament that ended."""

    title: str
    text: str
    url: str
    at: datetime
    id: str


class Atom(Atom1Feed):
    """An Atom feed whose content is stable as long as nothing is added."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self.feed["since"]


def _carried(text: str) -> str:
    """Return a text without characters that XML cannot contain."""
    return _NOT_XML.sub("", text)


class NewsFeed(Feed, ABC):
    """Matches and tournaments that ended, newest first."""

    feed_type = Atom
    item_guid_is_permalink = False

    def items(self, about: Any) -> list[News]:
        return self.news(about)[:SHOWN]

    @abstractmethod
    def news(self, about: Any) -> list[News]:
        """Return the news about the feed's subject, newest first."""

    def feed_extra_kwargs(self, about: Any) -> dict[str, Any]:
        """Return when the feed's subject was created: the date of an empty feed."""
        return {"since": getattr(about, "created_at", datetime.fromtimestamp(0, UTC))}

    def item_title(self, item: News) -> str:
        return _carried(item.title)

    def item_description(self, item: News) -> str:
        return escape(_carried(item.text))  # readers interpret it as HTML

    def item_link(self, item: News) -> str:
        return item.url

    def item_guid(self, item: News) -> str:
        return item.id

    def item_pubdate(self, item: News) -> datetime:
        return item.at

    def item_updateddate(self, item: News) -> datetime:
        return item.at


def _matches(narrow: Callable[[Any], Any]) -> list[News]:
    """Return the newest matches that ended, as far as the public may see them."""
    found = logged.last_ended(narrow(logged.matches_for(NOBODY)), SHOWN)
    return [_match_news(match) for match in found]


def _match_news(match: Match) -> News:
    head = logged.head_shown(NOBODY, match)
    who = " v ".join(seat.who for seat in match.seats.all())
    at = head.ended_at or match.started_at
    url = match.get_absolute_url()
    return News(match.title or who, f"{who}: {head.headline}", url, at, f"urn:uuid:{match.pk}")


def _tournaments(league: League | None) -> list[News]:
    found = selectors.tournaments_for(NOBODY).filter(closed_at__isnull=False)
    if league is not None:
        found = found.filter(league=league)
    rows = list(found.order_by("-closed_at", "-pk")[:SHOWN])
    return [
        News(each.title, line, each.get_absolute_url(), each.closed_at, f"urn:uuid:{each.pk}")
        for each, (line, _) in zip(rows, desk_reads.headlines(NOBODY, rows), strict=True)
        if each.closed_at and not desks.desk_of(each).held
    ]


def _newest(*lists: list[News]) -> list[News]:
    return sorted((each for found in lists for each in found), key=lambda one: one.at, reverse=True)


class SiteFeed(NewsFeed):
    title = "ZGXL"
    subtitle = "Matches and tournaments that ended."

    def link(self) -> str:
        return reverse("matches:home")

    def news(self, about: None) -> list[News]:
        return _newest(_matches(lambda matches: matches), _tournaments(None))


class LeagueFeed(NewsFeed):
    subtitle = "What ended in this league."

    def get_object(self, request: HttpRequest, slug: str) -> League:
        return selectors.league_for(slug)

    def title(self, league: League) -> str:
        return _carried(league.name)

    def link(self, league: League) -> str:
        return league.get_absolute_url()

    def news(self, league: League) -> list[News]:
        played = selectors.tournaments_for(NOBODY).filter(league=league).order_by().values("pk")
        at = {"table__tournament__in": played}
        return _newest(_matches(lambda matches: matches.filter(**at)), _tournaments(league))


class TournamentFeed(NewsFeed):
    subtitle = "Matches that ended at this tournament."

    def get_object(self, request: HttpRequest, code: str) -> Tournament:
        return selectors.tournament_for(NOBODY, code)

    def title(self, tournament: Tournament) -> str:
        return _carried(tournament.title)

    def link(self, tournament: Tournament) -> str:
        return tournament.get_absolute_url()

    def news(self, tournament: Tournament) -> list[News]:
        return _matches(lambda matches: matches.filter(table__tournament=tournament))


class PlayerFeed(NewsFeed):
    subtitle = "Matches that ended."

    def get_object(self, request: HttpRequest, pk: UUID) -> Player:
        player = get_object_or_404(Player, pk=pk)
        policy.require_met(NOBODY, player)
        return player

    def title(self, player: Player) -> str:
        return _carried(player.name)

    def link(self, player: Player) -> str:
        return player.get_absolute_url()

    def news(self, player: Player) -> list[News]:
        seated = Seat.objects.filter(player=player).values("match")
        return _matches(lambda matches: matches.filter(pk__in=seated))


def served(feed: NewsFeed) -> Callable[..., HttpResponse]:
    """Return the view of a feed."""

    @require_safe
    @of_results
    def view(request: HttpRequest, **about: Any) -> HttpResponse:
        answer = feed(request, **about)
        patch_cache_control(answer, public=True, max_age=FRESH)
        return answer

    return view


site_feed = served(SiteFeed())
league_feed = served(LeagueFeed())
tournament_feed = served(TournamentFeed())
player_feed = served(PlayerFeed())
