"""What is hidden from the public: one cut that never moves back, obeyed by every read."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse

from matches import cuts, errors, feed, followers, selectors, services, tasks, verify
from matches.actors import NOBODY, Actor
from matches.models import Event, FeedHead, Headline, Log, Match, Publication
from tests import factories

pytestmark = pytest.mark.django_db


def change(match: Match, **cut: Any) -> Match:
    """Change what is held back, and return the match as a request finds it then."""
    services.change_cut(by=factories.opener_of(match), match=match, **cut)
    return Match.objects.select_related("log").get(pk=match.pk)


def shown(match: Match, actor: Actor = NOBODY) -> int:
    return selectors.shown_version(actor, selectors.match_for(actor, match.code))


# -- results off ----------------------------------------------------------------------------


def test_the_public_sees_no_entries_after_a_match_is_held() -> None:
    match = factories.played(2)
    change(match, held=True)
    factories.record(match)
    assert (shown(match), shown(match, factories.opener_of(match))) == (3, 4)


def test_releasing_shows_everything_and_what_comes() -> None:
    match = factories.played(2)
    change(match, held=True)
    factories.record(match)
    released = change(match, held=False)
    assert (released.log.public_version, shown(match)) == (None, 4)
    factories.record(released)
    assert shown(match) == 5


def test_a_match_is_opened_with_results_off() -> None:
    match = factories.match(held=True)
    factories.record(match)
    assert shown(match) == 1


def test_a_held_match_can_be_shown_up_to_a_version() -> None:
    match = factories.played(1)
    change(match, held=True)
    for _ in range(3):
        factories.record(match)
    assert shown(change(match, upto=4)) == 4
    for upto in (3, 6):
        with pytest.raises(errors.BadInput):
            change(match, upto=upto)
    with pytest.raises(errors.BadInput):
        change(match, held=False, upto=5)


def test_what_was_public_once_stays_public() -> None:
    match = factories.played(3)
    change(match, held=True, delay=3600)
    assert shown(match) == 4
    change(match, held=False, delay=3600)
    assert shown(match) == 4
    change(match, delay=0)
    factories.record(match)
    change(match, delay=7200)
    assert shown(match) == 5


# -- delay ----------------------------------------------------------------------------------


def test_an_entry_is_public_once_it_is_old_enough(later: Any) -> None:
    match = factories.match(delay=60)
    factories.record(match)
    assert shown(match) == 1
    later(30)
    factories.record(match)
    assert shown(match) == 1
    later(31)
    assert shown(match) == 2
    later(40)
    assert shown(match) == 3


def test_a_clock_set_back_reveals_nothing_too_early(later: Any) -> None:
    match = factories.match(delay=60)
    later(-120)
    factories.record(match)
    later(240)
    factories.record(match)
    later(-200)
    factories.record(match)
    later(180)
    assert shown(match) == 2
    later(81)
    assert shown(match) == 4


def test_the_schedule_releases_what_is_due(later: Any) -> None:
    match, other = factories.match(delay=60), factories.match(delay=600)
    for each in (match, other):
        factories.record(each)
    later(61)
    tasks.wake_overdue()
    versions = Log.objects.in_bulk()
    assert versions[match.pk].public_version == 2
    assert versions[other.pk].public_version == 1


# -- who may --------------------------------------------------------------------------------


def test_only_the_opener_and_officials_change_it() -> None:
    match = factories.played(
        1, seats=[factories.SeatRequest(player=(who := factories.actor()).player)]
    )
    for actor in (who, factories.actor(), NOBODY):
        with pytest.raises(errors.NotAllowed):
            services.change_cut(by=actor, match=match, held=True)
    official = factories.actor()
    assert official.player is not None
    match.officials.add(official.player)
    services.change_cut(by=official, match=selectors.match_for(official, match.code), held=True)
    assert Log.objects.get(pk=match.pk).held


def test_the_page_sets_shows_and_releases_a_hold(client: Client) -> None:
    match = factories.played(2)
    opener = factories.opener_of(match).user
    assert isinstance(opener, User)
    client.force_login(opener)
    url = reverse("matches:match-cut", args=[match.code])
    assert client.post(url, {"held": "on", "delay": "0", "visibility": "public"}).status_code == 302
    factories.record(match)
    page = Client().get(match.get_absolute_url()).content.decode()
    assert "The result of this match is held back for now. You see it up to entry 3." in page
    assert (
        "everyone else sees this match up to entry 3"
        in client.get(match.get_absolute_url()).content.decode()
    )
    client.post(url, {"delay": "0", "visibility": "public"})
    assert "held back" not in Client().get(match.get_absolute_url()).content.decode()


def test_the_admin_holds_and_releases(client: Client) -> None:
    match = factories.played(1)
    client.force_login(User.objects.create_superuser("staff"))
    url = reverse("admin:matches_match_changelist")
    client.post(url, {"action": "hold", "_selected_action": [str(match.pk)]})
    factories.record(match)
    assert shown(match) == 2
    release = {"action": "release", "_selected_action": [str(match.pk)]}
    assert "cannot be hidden again" in client.post(url, release).content.decode()
    assert shown(match) == 2
    client.post(url, release | {"sure": "yes"})
    assert shown(match) == 3


def test_staff_who_are_not_of_the_table_find_nothing_held_back_in_the_admin(
    client: Client,
) -> None:
    open_to_all, held = factories.played(1, title="Open one"), factories.played(1, title="Held one")
    change(held, held=True)
    gone = factories.played(1, title="Withdrawn one")
    services.withdraw(by=factories.opener_of(gone), match=gone)
    kept = factories.played(1, visibility="table")
    staff = User.objects.create_user("staff", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label="matches"))
    client.force_login(staff)
    for model in ("match", "log", "event", "job", "checkpoint", "followjob", "proposal"):
        page = client.get(reverse(f"admin:matches_{model}_changelist")).content.decode()
        for hidden in (held, gone, kept):
            assert str(hidden.pk) not in page
        assert "Held one" not in page
        assert "Withdrawn one" not in page
    assert "Open one" in client.get(reverse("admin:matches_match_changelist")).content.decode()
    for model in ("match", "log"):
        url = reverse(f"admin:matches_{model}_change", args=[held.pk])
        assert client.get(url).status_code == 302
        url = reverse(f"admin:matches_{model}_change", args=[open_to_all.pk])
        assert client.get(url).status_code == 200


# -- lists ----------------------------------------------------------------------------------


def ended_while_held() -> Match:
    match = factories.match(held=True)
    factories.record(match, {"type": "game-won", "seat": 2})
    return match


@pytest.mark.parametrize("followed", [False, True])
def test_lists_tell_a_held_match_as_the_public_knows_it(followed: bool) -> None:
    match = ended_while_held()
    if followed:
        followers.work(match.pk)
    for actor, status in ((NOBODY, "open"), (factories.opener_of(match), "ended")):
        found = selectors.matches_for(actor)
        for each in ("open", "ended"):
            assert selectors.of_status(found, each).exists() is (each == status)
        head = selectors.head_shown(actor, found.get())
        assert (head.status, head.ended_at is None) == (status, status == "open")
        assert head.cut is (status == "open")


def test_a_match_corrected_after_its_end_ended_no_later_for_the_public(later: Any) -> None:
    match = factories.match(delay=60)
    factories.record(match, {"type": "game-won", "seat": 1})
    ended = Match.objects.get(pk=match.pk).ended_at
    shown = []
    for seconds, winner in ((40, 2), (20, 1), (50, None), (60, None)):
        later(seconds)
        if winner:
            factories.correct(match, match.log.head_version, {"type": "game-won", "seat": winner})
        head = selectors.head_shown(NOBODY, selectors.match_for(NOBODY, match.code))
        shown.append((head.version, head.ended_at))
    assert shown == [(1, None), (2, ended), (4, ended), (6, ended)]


def test_no_delay_shows_half_a_correction() -> None:
    match = factories.played(3, delay=60)
    factories.correct(match, 2, factories.points(2))
    times = Event.objects.filter(log=match.log, version__gt=4).values_list("recorded_at", flat=True)
    assert (len(times), len({*times})) == (4, 1)


def test_a_match_is_over_in_lists_once_the_public_has_seen_its_end() -> None:
    match = factories.match(held=True)
    factories.record(match, {"type": "game-won", "seat": 2})
    factories.record(match, {"type": "taken-back", "to": 1})
    change(match, upto=2)
    followers.work(match.pk)
    row = Headline.objects.get()
    assert (row.version, row.status, row.ended_at is None) == (2, "ended", False)
    assert selectors.of_status(selectors.matches_for(NOBODY), "ended").exists()
    change(match, held=False)
    followers.work(match.pk)
    assert not Headline.objects.exists()
    assert not selectors.of_status(selectors.matches_for(NOBODY), "ended").exists()


def ended() -> Match:
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 1})
    return match


def test_what_ended_last_is_told_in_order_whether_some_of_it_is_held_back_or_not() -> None:
    first, reopened, second = ended(), ended(), ended()
    factories.record(reopened, {"type": "taken-back", "to": 1})
    shown = factories.match(held=True)
    factories.record(shown, {"type": "game-won", "seat": 2})
    factories.record(shown, {"type": "taken-back", "to": 1})
    change(shown, upto=2)
    followers.work(shown.pk)
    third, held, hidden = ended(), ended_while_held(), ended()
    services.withdraw(match=hidden, by=factories.opener_of(hidden))
    last = [each.pk for each in selectors.last_ended(selectors.matches_for(NOBODY), 10)]
    assert last == [third.pk, shown.pk, second.pk, first.pk]
    mine = selectors.matches_for(factories.opener_of(held))
    assert [each.pk for each in selectors.last_ended(mine, 2)] == [held.pk, third.pk]
    assert {each.pk for each in selectors.of_status(mine, "open")} == {reopened.pk}
    assert {each.pk for each in selectors.of_status(selectors.matches_for(NOBODY), "open")} == {
        reopened.pk,
        held.pk,
    }


def test_the_proof_of_a_held_match_is_of_what_is_shown() -> None:
    match = factories.played(3)
    assert (verify.verify(match.log, 2).entries, verify.verify(match.log).entries) == (2, 4)


# -- the feed -------------------------------------------------------------------------------


class Reader:
    """One who asks the feed again and again from where they were."""

    def __init__(self, actor: Actor = NOBODY, limit: int = 3) -> None:
        self.actor, self.limit, self.at = actor, limit, 0
        self.told: list[tuple[str, int]] = []

    def read(self) -> "Reader":
        while True:
            stretch = feed.feed(self.actor, self.at, self.limit)
            self.told += [(told.code, told.entry.version) for told in stretch.entries]
            self.at = stretch.last
            if not stretch.more:
                return self


def everything(*matches: Match) -> list[tuple[str, int]]:
    for match in matches:
        match.log.refresh_from_db()
    return sorted(
        (match.code, version)
        for match in matches
        for version in range(1, match.log.head_version + 1)
    )


def test_a_reader_with_a_cursor_is_told_what_was_held_back_once() -> None:
    held, other = factories.played(1), factories.played(1)
    early, table = Reader().read(), Reader(factories.opener_of(held)).read()
    change(held, held=True)
    for match in (held, other, held, other, held, held):
        factories.record(match)
        early.read(), table.read()
    change(held, upto=4)
    early.read(), table.read()
    factories.record(other)
    change(held, held=False)
    factories.record(held)
    for reader in (early, table, Reader(), Reader(factories.opener_of(held)), Reader(limit=1)):
        assert sorted(reader.read().told) == everything(held, other)
        versions = [version for code, version in reader.told if code == held.code]
        assert versions == sorted(versions)
    assert early.read().told == Reader().read().told


def test_the_feed_of_a_delayed_match_follows_in_time(later: Any) -> None:
    match = factories.match(delay=60)
    reader = Reader().read()
    for step in range(4):
        later(step * 25)
        factories.record(match)
        reader.read()
    assert len(reader.told) == 4
    later(200)
    assert sorted(reader.read().told) == everything(match)
    assert reader.told == Reader().read().told


def test_a_match_opened_to_the_public_is_told_from_its_beginning() -> None:
    match, other = factories.played(2, visibility="table"), factories.played(1)
    reader = Reader().read()
    assert sorted(reader.told) == everything(other)
    change(match, visibility="public")
    assert sorted(reader.read().told) == everything(match, other)
    change(match, visibility="table")
    factories.record(match)
    assert sorted(reader.read().told)[-1] not in everything(match)[-1:]
    change(match, visibility="public")
    factories.record(match)
    assert sorted(reader.read().told) == everything(match, other)


def test_positions_have_no_gap_and_the_proof_knows_it() -> None:
    match = factories.played(1)
    change(match, held=True)
    factories.record(match)
    change(match, held=False)
    factories.record(match)
    call_command("verify")
    assert Publication.objects.exists()
    FeedHead.objects.update(position=F("position") + 1)
    with pytest.raises(Exception, match="gap"):
        call_command("verify")


def test_nothing_past_the_head_of_the_feed_is_returned() -> None:
    """What commits while one reads is left for the next time, so nothing before it is missed."""
    match = factories.played(2)
    head = FeedHead.objects.get()
    FeedHead.objects.update(position=head.position - 1)
    assert Reader().read().told == everything(match)[:-1]


def test_an_unchanged_feed_is_a_304(client: Client) -> None:
    factories.played(1)
    tag = client.get("/api/v1/feed/")["ETag"]
    assert client.get("/api/v1/feed/", headers={"If-None-Match": tag}).status_code == 304


def test_a_match_kept_by_its_table_is_shown_its_setup_when_it_is_opened_but_held() -> None:
    match = factories.played(1, visibility="table")
    change(match, held=True)
    change(match, visibility="public")
    assert shown(match) == 1
    assert cuts.public_version(Log.objects.get(pk=match.pk)) == 1


@pytest.mark.parametrize("how", [{"held": True}, {"visibility": "table"}])
def test_what_was_held_back_by_hand_is_released_by_hand_alone(how: dict[str, Any]) -> None:
    match = factories.played(2)
    cuts.change(match, **how)
    cuts.change(match, held=False, visibility="public", by_hand=False)
    assert {"held": match.log.held, "visibility": match.visibility}.items() >= how.items()
    cuts.change(match, held=False, visibility="public")
    assert (match.log.held, match.visibility) == (False, "public")
