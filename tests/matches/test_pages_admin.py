"""The admin: what belongs to a log can be managed, the log itself is read-only."""

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.test import Client, RequestFactory

from matches import followers, services
from matches.models import (
    Checkpoint,
    Event,
    FollowJob,
    Job,
    Log,
    Match,
    Note,
    Proposal,
    ScribeLease,
)
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.mark.parametrize(
    "model", [Event, Log, Note, Job, ScribeLease, Proposal], ids=lambda model: model.__name__
)
def test_the_log_is_only_to_be_looked_at(staff: Client, model: type) -> None:
    match = factories.played()
    name = model.__name__.lower()
    assert staff.get(f"/admin/matches/{name}/").status_code == 200
    assert staff.get(f"/admin/matches/{name}/add/").status_code == 403
    event = Event.objects.filter(log=match.log).first()
    assert event is not None
    if model is Event:
        assert staff.post(f"/admin/matches/event/{event.pk}/change/", {}).status_code == 403
        assert staff.post(f"/admin/matches/event/{event.pk}/delete/").status_code == 403


def test_a_proposal_is_dismissed_and_kept(staff: Client) -> None:
    match = factories.match()
    by, act_id = factories.opener_of(match), uuid4()
    services.propose(match=match, by=by, act_id=act_id, act=factories.points())
    kept = Proposal.objects.get()
    form = {"action": "dismiss", "_selected_action": str(kept.pk)}
    assert staff.post("/admin/matches/proposal/", form).status_code == 302
    kept.refresh_from_db()
    assert (kept.state, kept.decided_at is None) == ("dismissed", False)


def test_events_link_to_their_moment(staff: Client) -> None:
    match = factories.played(acts=2)
    page = staff.get("/admin/matches/event/").content.decode()
    assert f'href="/matches/{match.code}/?at=3"' in page


def test_what_was_said_is_read_raw_by_superusers_alone(staff: Client) -> None:
    match = factories.played(acts=1)
    by = factories.opener_of(match)
    services.propose(match=match, by=by, act_id=uuid4(), act=factories.points())
    said = Event.objects.filter(log=match.log).latest("version")
    note = Note.objects.create(log=match.log, digest="0" * 64, text="said at the table")
    kept = Proposal.objects.get()
    urls = [f"/admin/matches/{each}/" for each in ("note", "proposal")]
    urls += [
        f"/admin/matches/{each._meta.model_name}/{each.pk}/change/" for each in (said, kept, note)
    ]
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(content_type__app_label="matches"))
    lesser = factories.signed_in(helper)
    for url in urls:
        pages = [each.get(url).content.decode() for each in (staff, lesser)]
        told = ["&quot;points&quot;" in page or "said at the table" in page for page in pages]
        assert told == [True, False], url
    for asked in ("event/?body", "note/?text", "proposal/?act"):
        filters = [each.get(f"/admin/matches/{asked}__contains=o") for each in (staff, lesser)]
        assert [page.status_code for page in filters] == [200, 400], asked


def test_the_secret_seed_is_not_shown(staff: Client) -> None:
    match = factories.match()
    page = staff.get(f"/admin/matches/log/{match.pk}/change/").content.decode()
    assert match.log.seed
    assert match.log.seed not in page
    secrets = {"log": "seed", "claim": "link"}
    for model, field in secrets.items():
        asked = staff.get(f"/admin/matches/{model}/?{field}__startswith=a")
        assert asked.status_code == 400, field


def test_titles_and_seats_can_be_changed(staff: Client) -> None:
    match, guest = factories.match(), factories.actor().player
    assert guest is not None
    one, two = match.seats.all()
    staff.post(
        f"/admin/matches/match/{match.pk}/change/",
        {
            "title": "Renamed",
            "place": "",
            "visibility": "public",
            "seats-TOTAL_FORMS": "2",
            "seats-INITIAL_FORMS": "2",
            "seats-0-id": one.pk,
            "seats-0-match": match.pk,
            "seats-0-player": str(guest.pk),
            "seats-1-id": two.pk,
            "seats-1-match": match.pk,
            "seats-1-player": "",
        },
    )
    changed = Match.objects.get()
    assert changed.title == "Renamed"
    assert changed.seats.get(number=1).player == guest


def test_the_history_of_a_player_says_what_their_name_was(staff: Client) -> None:
    guest = services.add_guest(by=factories.actor(), name="Ann")
    where = f"/admin/matches/player/{guest.pk}/"
    staff.post(f"{where}change/", {"name": "Bea", "language": "", "user": "", "invited_by": ""})
    guest.refresh_from_db()
    assert guest.name == "Bea"
    told = staff.get(f"{where}history/").content.decode()
    assert "Changed Name (“Ann” → “Bea”)" in told, told


def test_a_match_is_withdrawn_never_removed(staff: Client) -> None:
    match = factories.match()
    assert staff.post(f"/admin/matches/match/{match.pk}/delete/").status_code == 403
    chosen = {"action": "withdraw", "_selected_action": [str(match.pk)]}
    asked = staff.post("/admin/matches/match/", chosen).content.decode()
    assert "they cannot be shown again" in asked
    assert str(match) in asked
    assert Log.objects.get(pk=match.pk).status == Log.Status.OPEN
    staff.post("/admin/matches/match/", chosen | {"sure": "yes"})
    assert Log.objects.get(pk=match.pk).status == Log.Status.WITHDRAWN


@pytest.mark.parametrize("url", ["/admin/", "/admin/matches/"])
def test_the_front_pages_open(staff: Client, url: str) -> None:
    assert staff.get(url).status_code == 200


def test_every_list_opens(staff: Client) -> None:
    factories.played()
    for model in admin.site._registry:
        where = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert staff.get(where, {"q": "x"}).status_code == 200, where


def test_what_a_list_does_for_many_an_object_does_for_itself(staff: Client) -> None:
    match = factories.played(acts=2)
    page = staff.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    for name in ("verify", "rebuild", "withdraw", "hold", "release"):
        assert f'name="action" value="{name}"' in page
    assert f'href="/matches/{match.code}/log.ndjson"' in page
    assert "Who may watch" in page

    def do(name: str) -> None:
        form = {"action": name, "_selected_action": str(match.pk)}
        answer = staff.post("/admin/matches/match/", form, follow=True)
        assert "a worker" in answer.content.decode()

    followers.work(match.pk)
    do("verify")
    do("rebuild")
    assert Job.objects.get(log=match.log).done_at is None
    assert FollowJob.objects.filter(log=match.log).exists()
    assert set(Checkpoint.objects.filter(log=match.log).values_list("code", flat=True)) == {0}


def test_entries_are_found_from_their_match(staff: Client) -> None:
    match, other = factories.played(acts=2), factories.played(acts=2)
    of_match = f"log__id__exact={match.pk}"
    act = Event.objects.get(log=match.log, version=3, ordinal=0)
    of_type = f"{of_match}&type={act.type}"
    for query in (of_match, of_type, f"q={match.code.lower()}", f"q={act.act_id}"):
        page = staff.get(f"/admin/matches/event/?{query}").content.decode()
        assert f"/matches/{match.code}/?at=3" in page, query
        assert other.code not in page


def test_the_list_of_events_never_reads_all_of_them(
    staff: Client, django_assert_max_num_queries: Any
) -> None:
    match = factories.played(acts=2)
    with django_assert_max_num_queries(6) as asked:
        page = staff.get("/admin/matches/event/?_facets=True").content.decode()
    assert match.code in page
    assert not [one for one in asked.captured_queries if "DISTINCT" in one["sql"]]
    page = staff.get(f"/admin/matches/event/?log__id__exact={match.pk}").content.decode()
    assert "type=opened" in page
    for ignored in ("log__id__exact=x", "type=opened"):
        answer = staff.get(f"/admin/matches/event/?{ignored}", follow=True)
        assert match.code in answer.content.decode(), ignored


def test_a_list_fetches_what_it_names_with_its_rows() -> None:
    """A further query for each row is not seen before there are many."""
    for model, each in admin.site._registry.items():
        joined = each.list_select_related
        for name in each.list_display:
            found = getattr(model, str(name), None)
            field = getattr(found, "field", None)
            if field is None or not field.many_to_one:
                continue
            if joined is False:  # then Django joins those that are always there
                assert not field.null, f"{model._meta.label}.{name}"
            elif joined is not True:
                paths = [path for path in joined if path.split("__")[0] == name]
                assert paths, f"{model._meta.label}.{name}"


def test_who_claimed_a_guest_is_only_to_be_looked_at(staff: Client) -> None:
    """A claim moves rows and can be undone; and a list of all players fits on no page."""
    guest, other = services.add_guest(by=factories.actor(), name="Ann"), factories.actor().player
    where = f"/admin/matches/player/{guest.pk}/change/"
    assert "<select" not in staff.get(where).content.decode().partition("claimed_by")[2]
    form = {"name": "Ann", "language": "", "user": "", "invited_by": ""}
    assert staff.post(where, form | {"claimed_by": other.pk if other else ""}).status_code == 302
    guest.refresh_from_db()
    assert guest.claimed_by is None


def test_an_account_is_not_deleted_from_under_its_player(staff: Client) -> None:
    by = factories.actor("ada")
    for where, form in (
        (f"/admin/auth/user/{by.user.pk}/delete/", {}),
        ("/admin/auth/user/", {"action": "delete_selected", "_selected_action": by.user.pk}),
    ):
        page = staff.post(where, form | {"post": "yes"}).content.decode()
        assert f"/admin/matches/player/{by.player_id}/change/" in page, where
    assert User.objects.filter(pk=by.user.pk).exists()
    nobody = User.objects.create_user("nobody")
    staff.post(f"/admin/auth/user/{nobody.pk}/delete/", {"post": "yes"})
    assert not User.objects.filter(pk=nobody.pk).exists()


@pytest.mark.parametrize("chosen", ["x", "0x10", "\0", "9999-12-31", "9" * 20])
@pytest.mark.parametrize("of", ["matches/match", "matches/checkpoint", "auth/user"])
def test_rows_chosen_by_ids_that_are_none_are_400(staff: Client, of: str, chosen: str) -> None:
    factories.played()
    action = "delete_selected" if of == "auth/user" else next(iter(_actions(staff, of)), "")
    sent = {"action": action, "_selected_action": chosen, "index": "0"}
    staff.raise_request_exception = False
    answer = staff.post(f"/admin/{of}/", sent)
    assert answer.status_code == 400


def _actions(staff: Client, of: str) -> list[str]:
    model = apps.get_model(of.replace("/", "."))
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="boss")
    return list(admin.site.get_model_admin(model).get_actions(request))


def test_nul_in_the_address_of_a_list_is_400(staff: Client) -> None:
    staff.raise_request_exception = False
    for address in ("matches/checkpoint/?q=%00", "matches/match/?o=%00", "auth/user/?q=a%00"):
        assert staff.get(f"/admin/{address}").status_code == 400
