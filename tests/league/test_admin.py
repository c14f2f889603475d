"""Every form of the admin writes through the services: nothing of a league bypasses them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user
from django.db.models.signals import m2m_changed, post_save, pre_delete
from django.test import Client
from django.urls import reverse

from league import models, services
from league.models import Circuit, Krewe, Season, Venue
from tests import factories
from tests.factories import signed_in
from tests.league import desks
from tests.league.api_rows import Desk

pytestmark = pytest.mark.django_db


class Watched:
    """Which services were called, and what was written outside of any."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.called: list[str] = []
        self.past: list[str] = []
        self.depth = 0
        for name in services.__all__:
            monkeypatch.setattr(services, name, self._noted(name, getattr(services, name)))

    def _noted(self, name: str, service: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.called.append(name)
            self.depth += 1
            try:
                return service(*args, **kwargs)
            finally:
                self.depth -= 1

        return call

    def written(self, sender: Any, **_: Any) -> None:
        if not self.depth and sender.__module__.startswith(models.__name__):
            self.past.append(sender.__name__)

    @contextmanager
    def on(self) -> Iterator["Watched"]:
        self.called.clear()
        for signal in (post_save, pre_delete, m2m_changed):
            signal.connect(self.written)
        try:
            yield self
        finally:
            for signal in (post_save, pre_delete, m2m_changed):
                signal.disconnect(self.written)
        assert self.past == []


def rows(prefix: str, *forms: dict[str, Any], kept: int = 0) -> dict[str, Any]:
    """Return the fields of an inline: so many rows, of which the first are kept ones."""
    said: dict[str, Any] = {
        f"{prefix}-TOTAL_FORMS": len(forms),
        f"{prefix}-INITIAL_FORMS": kept,
    }
    for number, form in enumerate(forms):
        said |= {f"{prefix}-{number}-{name}": value for name, value in form.items()}
    return said


class Office:
    """The admin of leagues, with a superuser at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room = Desk()
        staff = self.room.who("staff")
        assert staff is not None
        self.client: Client = signed_in(staff.user)
        self.watched = Watched(monkeypatch)

    def sends(self, path: str, form: dict[str, Any], status: int = 302) -> list[str]:
        """Send a form and return the services that were called."""
        with self.watched.on() as watched:
            answer = self.client.post(f"/admin/league/{path}/", form)
        assert answer.status_code == status, answer.content
        return watched.called


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Office:
    return Office(monkeypatch)


def test_a_venue_is_opened_changed_handed_over_and_removed(office: Office) -> None:
    told = {"name": "Pit", "region": "Luna", "tables": "6", "about": "Deep.", "lore": ""}
    assert office.sends("venue/add", told) == ["open_venue"]
    venue = Venue.objects.get(name="Pit")
    assert (venue.slug, venue.about, venue.tables) == ("pit", "Deep.", 6)
    other = office.room.stranger.player
    assert other is not None
    path = f"venue/{venue.pk}"
    changed = told | {"region": "Mars", "tables": "", "house_rules": "Crates.", "keeper": other.pk}
    assert office.sends(f"{path}/change", changed) == ["edit_venue"]
    venue.refresh_from_db()
    assert (venue.region, venue.keeper) == ("Mars", other)
    assert (venue.tables, venue.house_rules) == (None, "Crates.")
    assert office.sends(f"{path}/delete", {"post": "yes"}) == ["remove"]
    home = office.room.venue.pk
    assert office.sends(f"venue/{home}/delete", {"post": "yes"}, 200) == []
    many = {"action": "delete_selected", "_selected_action": str(home), "post": "yes"}
    assert office.sends("venue", many, 200) == []
    told = office.client.post("/admin/league/venue/", many).content.decode()
    assert "Cannot delete" in told  # and why: what belongs to it, not that one may not
    assert str(office.room.league) in told
    assert "permission" not in told
    spare = services.open_venue(by=office.room.opener, name="Spare")
    many |= {"_selected_action": str(spare.pk)}
    assert office.sends("venue", many) == ["remove"]
    assert [each.pk for each in Venue.objects.all()] == [home]


def test_a_league_is_founded_and_changed_and_stays(office: Office) -> None:
    told = {"name": "Rim", "game": "score", "about": "Far.", "house_rules": "", "is_open": "on"}
    judge = {"player": office.room.stranger.player_id, "role": "judge"}
    called = office.sends("league/add", told | rows("members", judge))
    assert called == ["found_league", "name_member"]
    league = models.League.objects.get(name="Rim")
    assert sorted(each.role for each in league.members.all()) == ["judge", "organiser"]
    about = "\n".join(["x" * 7] * 500)  # sent with two characters a line break
    form = told | {"name": "The Rim", "game": "zg", "about": about.replace("\n", "\r\n")}
    form |= rows("members")
    assert office.sends(f"league/{league.pk}/change", form) == ["edit_league"]
    league.refresh_from_db()
    assert (league.name, league.slug, league.game) == ("The Rim", "rim", "score")
    assert league.about == about
    assert office.sends(f"league/{league.pk}/delete", {"post": "yes"}, 403) == []


def test_a_season_and_its_divisions_are_made_by_the_services(office: Office) -> None:
    told = {
        "league": office.room.league.pk,
        "name": "Autumn",
        "starts_on": "2026-09-01",
        "ends_on": "2026-12-01",
    }
    level = {"name": "One", "level": "1", "up": "0", "down": "1", "play_off": "0"}
    wrong = told | {"ends_on": "2026-08-01"} | rows("divisions")
    refused = office.client.post("/admin/league/season/add/", wrong).content.decode()
    assert "A season ends on the day it begins, or later." in refused
    called = office.sends("season/add", told | rows("divisions", level))
    assert called == ["open_season", "add_division"]
    season = Season.objects.get(name="Autumn")
    one = season.divisions.get()
    kept = level | {"id": one.pk, "season": season.pk, "name": "First"}
    two = {
        "name": "Two",
        "level": "2",
        "up": "1",
        "down": "0",
        "play_off": "1",
        "season": season.pk,
    }
    form = told | {"name": "Fall"} | rows("divisions", kept, two, kept=1)
    called = office.sends(f"season/{season.pk}/change", form)
    assert called == ["edit_season", "edit_division", "add_division"]
    assert [each.name for each in season.divisions.order_by("level")] == ["First", "Two"]
    player = factories.actor().player
    services.place(by=office.room.opener, division=one, player=player)
    given = {"division": one.pk, "player": player.pk, "points": "-1", "reason": "Late."}
    assert office.sends("adjustment/add", given) == ["adjust"]
    [adjusted] = one.adjustments.all()
    assert (adjusted.points, adjusted.made_by is None) == (-1, False)
    assert office.sends("adjustment/add", given | {"points": "0"}, 200) == []
    assert office.sends("adjustment/add", given | {"points": "1001"}, 400) == ["adjust"]
    assert "Late." in office.client.get(f"/admin/league/adjustment/{adjusted.pk}/change/").text
    adjusted.delete()
    ring = services.open_circuit(by=office.room.opener, season=season, name="Ring", points=[5])
    desks.stand(ring, [player])
    counted = given | {"division": "", "circuit": ring.pk}
    for wrong in (given | {"circuit": ring.pk}, counted | {"circuit": ""}):
        assert office.sends("adjustment/add", wrong, 200) == []  # in both, or in neither
    assert office.sends("adjustment/add", counted) == ["adjust"]
    [adjusted] = ring.adjustments.all()
    assert (adjusted.points, adjusted.division) == (-1, None)
    assert "Ring" in office.client.get("/admin/league/adjustment/").text
    ring.qualifiers.all().delete()
    ring.delete()
    again = told | {"name": "Fall"} | rows("divisions", kept | {"DELETE": "on"}, kept=1)
    assert office.sends(f"season/{season.pk}/change", again) == ["edit_season", "remove"]
    assert office.sends(f"season/{season.pk}/delete", {"post": "yes"}, 200) == []
    season.divisions.all().delete()
    assert office.sends(f"season/{season.pk}/delete", {"post": "yes"}) == ["remove"]


def test_a_circuit_its_qualifiers_and_its_final_are_named_by_the_services(office: Office) -> None:
    room = office.room
    final = desks.tournament(room.opener, league=room.league)
    told = {"season": room.season.pk, "name": "Belt", "points": "5, 3, 1", "best": "2"}
    told |= {"direct": "1", "by_ranking": "1", "pass_down": "ranking", "about": ""}
    counts = {"tournament": room.tournament.pk, "tier": "2", "direct": ""}
    for points in ("x", "5;3", "", "[5, 3]"):
        form = told | {"points": points} | rows("qualifiers")
        assert office.sends("circuit/add", form, 200) == []
    form = told | {"points": "5, -1"} | rows("qualifiers")
    assert office.sends("circuit/add", form, 400) == ["open_circuit"]
    again = office.client.post("/admin/league/circuit/add/", form).content.decode()
    assert 'value="Belt"' in again  # nothing typed is lost, and why stands at its field
    assert re.search(r'<ul class="errorlist" id="id_points_error"><li>[^<]+</li>', again)
    assert not Circuit.objects.filter(name="Belt").exists()
    called = office.sends("circuit/add", told | {"final": final.pk} | rows("qualifiers", counts))
    assert called == ["open_circuit", "name_final", "add_qualifier"]
    circuit = Circuit.objects.get(name="Belt")
    assert (circuit.points, circuit.final) == ([5, 3, 1], final)
    [one] = circuit.qualifiers.all()
    assert (one.tournament, one.tier, one.order) == (room.tournament, 2, 1)
    kept = counts | {"id": one.pk, "circuit": circuit.pk, "tier": "3", "tournament": final.pk}
    form = told | {"best": "1", "final": final.pk} | rows("qualifiers", kept, kept=1)
    assert office.sends(f"circuit/{circuit.pk}/change", form) == ["edit_circuit", "edit_qualifier"]
    one.refresh_from_db()
    assert (one.tournament, one.tier) == (room.tournament, 3)
    form = told | {"best": "1", "final": room.tournament.pk} | rows("qualifiers", kept, kept=1)
    office.sends(f"circuit/{circuit.pk}/change", form, 409)  # it counts for the circuit
    gone = told | {"final": ""} | rows("qualifiers", kept | {"DELETE": "on"}, kept=1)
    called = office.sends(f"circuit/{circuit.pk}/change", gone)
    assert called == ["edit_circuit", "name_final", "remove"]
    assert office.sends(f"circuit/{circuit.pk}/delete", {"post": "yes"}) == ["remove"]


def test_a_krewe_is_made_changed_and_handed_over_by_the_services(office: Office) -> None:
    room = office.room
    captain, mate, outsider = (factories.actor().player for _ in range(3))
    assert captain and mate and outsider
    for player in (captain, mate):
        services.name_member(by=room.opener, league=room.league, player=player, role="player")
    told = {"league": room.league.pk, "name": "Cinders", "captain": captain.pk}
    called = office.sends("krewe/add", told | {"players": [mate.pk]})
    assert called == ["make_krewe"]
    krewe = Krewe.objects.get()
    assert set(krewe.players.all()) == {captain, mate}
    path = f"krewe/{krewe.pk}"
    form = told | {"name": "Ash", "captain": mate.pk, "players": [mate.pk]}
    assert office.sends(f"{path}/change", form) == ["edit_krewe", "leave_krewe"]
    krewe.refresh_from_db()
    assert (krewe.name, krewe.captain, set(krewe.players.all())) == ("Ash", mate, {mate})
    form |= {"players": [mate.pk, outsider.pk]}
    assert office.sends(f"{path}/change", form, 400) == ["add_to_krewe"]  # not of the league
    assert set(krewe.players.all()) == {mate}
    assert office.sends(f"{path}/delete", {"post": "yes"}) == ["remove"]


def test_what_the_admin_can_not_send_is_only_to_be_looked_at() -> None:
    """A model that joins the admin is sent by a test, or offers nothing to send."""
    sent = {"venue", "league", "season", "adjustment", "circuit", "krewe"}  # here
    sent |= {"tournament", "entry", "sanction"}  # in test_forms
    staff = factories.actor().user
    staff.is_superuser = staff.is_staff = True
    request: Any = type("Request", (), {"user": staff})()
    for model, each in admin.site._registry.items():
        if model.__module__.startswith(models.__name__) and model._meta.model_name not in sent:
            assert not each.has_add_permission(request)
            assert not each.has_change_permission(request)
            assert not each.has_delete_permission(request)


def picked(request: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the forms in which rows are picked by name, each with the fields that pick them."""
    for model, each in admin.site._registry.items():
        fields = list(each.get_autocomplete_fields(request))
        for inline in each.get_inline_instances(request):
            prefix = inline.get_formset(request).get_default_prefix()
            fields += [f"{prefix}-0-{name}" for name in inline.get_autocomplete_fields(request)]
        if fields and each.has_add_permission(request):
            yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add"), fields


def test_what_can_be_no_row_is_said_at_the_field_that_picks_one(
    office: Office, subtests: pytest.Subtests
) -> None:
    user = get_user(office.client)
    request: Any = type("Request", (), {"user": user, "method": "GET"})()
    forms = dict(picked(request))
    assert {"/admin/league/circuit/add/", "/admin/matches/player/add/"} <= set(forms)
    for path, fields in forms.items():
        with subtests.test(path):
            sent = dict.fromkeys(fields, "nobody")
            prefixes = {name.partition("-")[0] for name in fields if "-" in name}
            for prefix in prefixes:
                sent |= {f"{prefix}-TOTAL_FORMS": "1", f"{prefix}-INITIAL_FORMS": "0"}
            answer = office.client.post(path, sent)
            assert answer.status_code == 200
            assert "nobody" not in answer.content.decode().replace("“nobody” is not", "")
            assert "errorlist" in answer.content.decode()


@pytest.mark.parametrize("model", ["round", "pairing", "standing", "rating"])
def test_what_followers_write_is_only_read(office: Office, model: str) -> None:
    assert office.client.get(f"/admin/league/{model}/").status_code == 200
    assert office.client.get(f"/admin/league/{model}/add/").status_code == 403
