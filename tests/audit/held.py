"""What is left to see where results are hidden, and for a reader who switched them off."""

from uuid import uuid4

from django.contrib.auth.models import User

from league import services as desk
from league.models import Tournament
from matches import actors, selectors, services
from tests import chromium
from tests.audit.eyes import LOOKS, Eyes
from tests.screens import Photographer

OFF = "results off"


OFF_PATHS = (
    *("/", "/matches/", "/matches/{ended}/", "/matches/{ended}/?at=9"),
    *("{swiss}", "{swiss}standings/", "{swiss}rounds/1/", "{swiss}embed/standings/"),
    *("{league}", "{season}", "{circuit}", "{player}", "{character}", "{character}record/"),
)


def look_away(eyes: Eyes, photographer: Photographer) -> None:
    """Audit the pages as a reader who has switched results off."""
    tab = photographer.visitor
    cookie = {"name": actors.RESULTS_COOKIE, "value": "off", "url": photographer.site.url}
    tab.context.add_cookies([cookie])
    for path in OFF_PATHS:
        tab.goto(path.format(**photographer.places))
        chromium.show_whole_page(tab, 360)
        for each in LOOKS:
            eyes.axe_on(tab, f"{path}, {each}", each, kept_as=OFF)
    tab.context.clear_cookies(name=actors.RESULTS_COOKIE)


def look(eyes: Eyes, photographer: Photographer) -> None:
    """Hide the running matches, and audit what is left to see."""
    places = photographer.places
    by = actors.actor_for(User.objects.get(username="organiser"))
    match = selectors.match_for(by, places["live"])
    services.change_cut(by=by, match=match, held=True)
    cup = Tournament.objects.get(code=places["final"].split("/")[2])
    desk.record(tournament=cup, by=by, act_id=uuid4(), act={"type": "results-held", "round": 1})
    tab = photographer.visitor
    paths = {
        **{f"match{tail}": f"/matches/{places['live']}/{tail}" for tail in ("", "?at=1")},
        **{f"tournament{tail}": f"{places['final']}{tail}" for tail in ("", "standings/", "wall/")},
        **{name: f"/{name}/" for name in ("matches", "tournaments")},
        "home": "/",
    }
    for name, path in paths.items():
        tab.goto(path)
        chromium.show_whole_page(tab, 360)
        for each in LOOKS:
            eyes.axe_on(tab, f"{name}, {each}", each, kept_as=OFF)
