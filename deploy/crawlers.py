"""robots.txt and the sitemap."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league import lore, policy
from league.models import League, Season, Tournament, Venue
from matches import policy as tables
from matches.actors import NOBODY
from matches.models import Match

DAY = 24 * 3600  # seconds

KEEP_OUT = {
    "/admin/": "the back office",
    "/api/": "made for programs",
    "/j/": "seats of a table",
    "/claim/": "links that give a guest to whoever has them",
    "/letters/": "links that end somebody's letters",
    "/calendars/": "somebody's own",
    "/me/": "somebody's own",
    "/search/": "as many pages as there are words",
    "/*/print/": "a page once more, for paper",
    "/*/compare/": "as many pages as there are choices",
    "/*/versus/": "as many pages as there are pairs of players",
    "/*/log.": "a log as a file",
    "/*/if/": "reckoned anew for each question",
    "/*?*at=": "every moment of every log",
    "/characters/*?*on=": "every day of every sheet",
    "/*?*after=": "what came after each of them",
}
"""Each rule and its reason; a test finds a page of the site behind each."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return the rules for crawlers, and where the sitemap is."""
    rules = [f"Disallow: {rule}" for rule in KEEP_OUT]
    map_ = request.build_absolute_uri(reverse("sitemap"))
    text = "\n".join(["User-agent: *", *rules, "", f"Sitemap: {map_}", ""])
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    patch_cache_control(answer, public=True, max_age=DAY)
    return answer


class Public(Sitemap):
    """Rows that everybody may see; people and characters are not listed."""

    limit = 5000

    def location(self, item: Any) -> str:
        path: str = item.get_absolute_url()
        return path


class Pages(Public):
    def items(self) -> list[str]:
        names = ("matches:home", "matches:match-list", "matches:rulebook-list", "proof")
        lists = ("league", "tournament", "venue", "lore")
        return [*names, *(f"league:{name}-list" for name in lists)]

    def location(self, item: str) -> str:
        return reverse(item)


class Leagues(Public):
    def items(self) -> list[Any]:
        found: list[Any] = [*League.objects.all(), *Season.objects.all(), *Venue.objects.all()]
        return [*found, *lore.lore().places]


class Tournaments(Public):
    def items(self) -> Iterable[Tournament]:
        return policy.visible_tournaments(NOBODY).order_by("-created_at", "-pk")

    def lastmod(self, item: Tournament) -> datetime:
        return item.created_at


class Matches(Public):
    """Matches, without when they ended: for one that is held back that is secret."""

    def items(self) -> Iterable[Match]:
        return tables.visible_matches(NOBODY).order_by("-started_at", "-pk")

    def lastmod(self, item: Match) -> datetime:
        return item.started_at


MAPS = {"pages": Pages, "leagues": Leagues, "tournaments": Tournaments, "matches": Matches}
