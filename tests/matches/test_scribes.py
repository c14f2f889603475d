"""One scribe at a time; a former one's acts are kept as proposals, and never recorded twice."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone, translation

from matches import actors, errors, links, proposals, scribes, selectors, services
from matches.actors import Actor
from matches.log import Receipt
from matches.models import Event, Match, Note, Proposal, ScribeLease
from matches.services import SeatRequest
from tests import factories
from tests.prove import crowd
from tests.prove.crowd import WRITERS

pytestmark = pytest.mark.django_db


def on_a_phone(actor: Actor) -> Actor:
    return replace(actor, device=uuid4())


class Table:
    """A match of two players, each with a phone."""

    def __init__(self, game: str = "score", **details: Any) -> None:
        self.ann, self.ben, self.official = (
            on_a_phone(factories.actor(name)) for name in ("ann", "ben", "oda")
        )
        seats = [SeatRequest(player=self.ann.player), SeatRequest(player=self.ben.player)]
        opened = factories.match(game=game, seats=seats, **details)
        opened.officials.add(actors.player_of(self.official))
        self.code = opened.code

    @property
    def match(self) -> Match:
        """The match as a request of now finds it."""
        return selectors.match_for(self.ann, self.code)

    def record(self, by: Actor, points: int = 1, **details: Any) -> Receipt:
        return factories.record(self.match, factories.points(1, points), by=by, **details)

    def take(self, by: Actor) -> ScribeLease:
        seen = scribes.status_of(by, self.match).lease
        return scribes.take(match=self.match, by=by, over=seen.pk if seen else None)

    def scribe(self) -> str:
        lease = scribes.status_of(self.ann, self.match).lease
        return str(lease) if lease else ""

    def acts(self) -> list[int]:
        """The points of every act recorded, in order."""
        timeline = selectors.timeline(self.match)
        return [entry.act.points for entry in timeline.entries[1:]]

    def proposed(self, by: Actor, points: int, **details: Any) -> UUID:
        act_id: UUID = details.setdefault("act_id", uuid4())
        with pytest.raises(errors.NotTheScribe) as told:
            self.record(by, points, **details)
        assert told.value.extra["proposal"] == str(act_id)
        return act_id

    def accept(self, by: Actor, act_id: UUID, **details: Any) -> Receipt:
        return services.accept_proposal(match=self.match, by=by, act_id=act_id, **details)


@pytest.fixture
def table() -> Table:
    return Table()


# -- who is the scribe ------------------------------------------------------------------------


def test_without_devices_everybody_at_the_table_records_as_ever(table: Table) -> None:
    for by in (table.ann, table.ben, table.official):
        table.record(replace(by, device=None))
    assert not ScribeLease.objects.exists()


def test_who_records_first_on_a_device_is_the_scribe(table: Table) -> None:
    table.record(table.ann)
    assert table.scribe() == "ann"
    with pytest.raises(errors.NotTheScribe) as told:
        table.record(table.ben)
    assert told.value.status == 409
    assert told.value.extra["scribe"]["name"] == "ann"
    assert told.value.extra["scribe"]["you"] is False
    assert told.value.extra["proposal"] is None
    assert table.acts() == [1]


def test_an_act_that_is_refused_makes_nobody_the_scribe(table: Table) -> None:
    with pytest.raises(errors.WrongSeat):
        services.record(
            match=table.match, by=table.ann, act_id=uuid4(), act=factories.points(seat=9)
        )
    assert not ScribeLease.objects.exists()


def test_a_player_s_second_phone_is_not_the_scribe(table: Table) -> None:
    table.record(table.ann)
    with pytest.raises(errors.NotTheScribe):
        table.record(on_a_phone(table.ann))


def test_another_player_on_the_scribe_s_phone_is_not_the_scribe(table: Table) -> None:
    table.record(table.ann)
    with pytest.raises(errors.NotTheScribe):
        table.record(replace(table.ben, device=table.ann.device))


def test_a_program_without_a_device_records_for_its_player(table: Table) -> None:
    table.record(table.ann)
    table.record(replace(table.ann, device=None))
    with pytest.raises(errors.NotTheScribe):
        table.record(replace(table.ben, device=None))


def test_a_guest_by_link_is_the_scribe_by_seat(table: Table) -> None:
    opened = factories.match()
    guest = Actor(AnonymousUser(), None, frozenset({(opened.pk, 2)}), uuid4())
    factories.record(opened, by=guest)
    lease = scribes.status_of(guest, opened).lease
    assert (str(lease), scribes.status_of(guest, opened).mine) == ("Seat 2", True)
    with pytest.raises(errors.NotTheScribe):
        factories.record(opened, by=replace(guest, device=uuid4()))
    with translation.override("de"):
        assert str(ScribeLease()) == "Ein Gast", "of whom nothing is known any more"


def test_who_takes_the_seat_onto_an_account_stays_the_scribe_on_that_device(table: Table) -> None:
    opened = factories.match()
    seat = opened.seats.get(number=2)
    link, phone = links.seat_token(seat), uuid4()
    services.take_seat(by=Actor(AnonymousUser()), token=link, name="Greta")
    guest = Actor(AnonymousUser(), None, frozenset({(opened.pk, 2)}), phone)
    factories.record(selectors.match_for(guest, opened.code), by=guest)

    services.take_seat(by=replace(table.ann, device=phone), token=link)
    seated = selectors.match_for(table.ann, opened.code)
    assert not scribes.status_of(table.ann, seated).mine
    assert scribes.status_of(replace(table.ann, device=phone), seated).mine
    assert scribes.status_of(table.ann, seated).own


def test_officials_record_whoever_the_scribe_is_and_take_it_from_nobody(table: Table) -> None:
    table.record(table.ann)
    table.record(table.official)
    assert table.scribe() == "ann"


def test_one_tap_takes_over(table: Table) -> None:
    first = table.take(table.ann)
    second = table.take(table.ben)
    first.refresh_from_db()
    assert (first.taken_away, first.ended_by) == (True, table.ben.player)
    assert (second.ended_at, table.scribe()) == (None, "ben")
    table.record(table.ben)


def test_taking_over_twice_is_once(table: Table) -> None:
    assert table.take(table.ann) == table.take(table.ann)


def test_taking_over_from_someone_no_longer_the_scribe_fails(table: Table) -> None:
    table.take(table.ann)
    with pytest.raises(errors.NotTheScribe):
        scribes.take(match=table.match, by=table.ben, over=None)
    assert table.scribe() == "ann"


def test_an_idle_lease_expires(table: Table) -> None:
    table.take(table.ann)
    long_ago = timezone.now() - scribes.IDLE - timedelta(seconds=1)
    ScribeLease.objects.update(used_at=long_ago)
    assert table.scribe() == "ann"  # to ann: nobody else has it
    assert scribes.status_of(table.ben, table.match).lease is None
    table.record(table.ben)
    assert table.scribe() == "ben"


def test_use_and_renewal_keep_the_lease(table: Table) -> None:
    lease = table.take(table.ann)
    nearly = timezone.now() - scribes.IDLE + timedelta(minutes=1)
    for keep in (
        lambda: table.record(table.ann),
        lambda: scribes.renew(match=table.match, by=table.ann, pk=lease.pk),
    ):
        ScribeLease.objects.update(used_at=nearly)
        keep()
        lease.refresh_from_db()
        assert timezone.now() - lease.used_at < timedelta(minutes=1)


def test_renewing_does_not_restore_a_lost_lease(table: Table) -> None:
    lease = table.take(table.ann)
    table.take(table.ben)
    with pytest.raises(errors.NotTheScribe):
        scribes.renew(match=table.match, by=table.ann, pk=lease.pk)
    assert table.scribe() == "ben"


def test_a_lease_given_up_is_free_for_anyone(table: Table) -> None:
    lease = table.take(table.ann)
    scribes.end(match=table.match, by=table.ann, pk=lease.pk)
    table.record(table.ben)
    assert table.scribe() == "ben"


def test_a_lease_revoked_by_an_official_is_not_restored_by_sending(table: Table) -> None:
    lease = table.take(table.ann)
    scribes.end(match=table.match, by=table.official, pk=lease.pk)
    table.proposed(table.ann, 1)
    assert table.scribe() == ""
    table.take(table.ann)
    table.record(table.ann, 2)
    assert table.acts() == [2]


def test_a_player_cannot_revoke_a_lease(table: Table) -> None:
    lease = table.take(table.ann)
    with pytest.raises(errors.NotAllowed):
        scribes.end(match=table.match, by=table.ben, pk=lease.pk)


def test_who_is_not_at_the_table_is_never_the_scribe(table: Table) -> None:
    with pytest.raises(errors.NotAllowed):
        scribes.take(match=table.match, by=on_a_phone(factories.actor()), over=None)


# -- proposals --------------------------------------------------------------------------------


def test_what_a_former_scribe_sends_is_kept_and_accepted_under_its_own_id(table: Table) -> None:
    table.record(table.ann, 1)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 2, said_at=timezone.now())
    assert table.proposed(table.ann, 2, act_id=act_id) == act_id  # sent again, kept once
    assert table.acts() == [1]
    kept = Proposal.objects.get()
    receipt = table.accept(table.ben, act_id)
    assert (receipt.recorded, table.acts()) == (True, [1, 2])
    entry = Event.objects.get(act_id=act_id)
    assert (entry.recorded_by, entry.said_at) == (table.ann.player_id, kept.said_at)
    kept.refresh_from_db()
    assert (kept.state, kept.version, kept.decided_by) == ("accepted", 3, table.ben.player)


def test_accepted_twice_or_sent_again_it_is_recorded_once(table: Table) -> None:
    table.record(table.ann, 1)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 2)
    first = table.accept(table.ben, act_id)
    assert table.accept(table.ben, act_id) == first
    assert table.record(table.ann, 2, act_id=act_id) == first
    assert table.acts() == [1, 2]


def test_what_was_recorded_before_the_scribe_changed_gets_its_first_receipt(table: Table) -> None:
    act_id = uuid4()
    first = table.record(table.ann, act_id=act_id)
    table.take(table.ben)
    again = table.record(table.ann, act_id=act_id)
    assert (again, again.recorded) == (first, False)
    assert not Proposal.objects.exists()


def test_a_scribe_again_accepts_their_proposal_by_resending_it(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 1)
    table.take(table.ann)
    table.record(table.ann, 1, act_id=act_id)
    assert Proposal.objects.get().state == "accepted"
    assert table.acts() == [1]


def test_a_dismissed_proposal_is_kept_and_not_recorded_by_resending(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 1)
    proposals.dismiss(match=table.match, by=table.ben, act_id=act_id)
    kept = Proposal.objects.get()
    assert (kept.state, kept.decided_by, kept.decided_at is None) == (
        "dismissed",
        table.ben.player,
        False,
    )
    for by in (table.ann, table.ben):
        with pytest.raises(errors.Conflict) as told:
            table.record(by, 1, act_id=act_id)
        assert told.value.detail == "The table has dismissed this."
    assert table.acts() == []
    table.accept(table.ben, act_id)  # minds may change
    assert table.acts() == [1]


def test_a_dismissed_proposal_stays_dismissed_until_one_may_record_it(table: Table) -> None:
    table.take(table.ben)
    too_early, back = {"type": "game-closed"}, {"type": "taken-back", "to": 1}
    sent = [(uuid4(), act) for act in (too_early, back)]
    for act_id, act in sent:
        services.propose(match=table.match, by=table.ann, act_id=act_id, act=act)
        proposals.dismiss(match=table.match, by=table.ben, act_id=act_id)
    with pytest.raises(errors.Irregular):
        table.accept(table.ben, sent[0][0])
    assert {kept.state for kept in Proposal.objects.all()} == {"dismissed"}
    table.record(table.ben, 1)
    table.accept(table.ben, sent[1][0])
    assert selectors.timeline(table.match).effective() == (1,)
    assert Proposal.objects.get(act_id=sent[1][0]).state == "accepted"


def test_another_act_under_the_id_of_a_proposal_is_refused(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 1)
    for by in (table.ann, table.ben):
        with pytest.raises(errors.IdReused):
            table.record(by, 2, act_id=act_id)


def test_a_proposal_is_judged_when_it_is_accepted(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 1)
    factories.record(table.match, {"type": "conceded", "seat": 1}, by=table.ben)
    with pytest.raises(errors.Impossible):
        table.accept(table.ben, act_id)
    assert [kept.id for kept in proposals.shown(table.ben, table.match)] == [act_id]


def test_an_irregular_one_is_accepted_by_saying_that_it_stood(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    act: dict[str, Any] = {"type": "game-closed"}
    sent: dict[str, Any] = {"match": table.match, "act_id": uuid4(), "act": act}
    with pytest.raises(errors.NotTheScribe):
        services.record(by=table.ann, **sent)
    with pytest.raises(errors.Irregular):
        table.accept(table.ben, sent["act_id"])
    first = table.accept(table.ben, sent["act_id"], irregular=True)
    assert services.record(by=table.ann, **sent) == first


def test_an_accepted_act_whose_words_were_erased_is_still_the_same() -> None:
    table = Table("toy")
    table.take(table.ann)
    table.take(table.ben)
    said: dict[str, Any] = {"act": {"type": "said", "seat": 1}, "note": "Ann was cross."}
    sent: dict[str, Any] = {"match": table.match, "by": table.ann, "act_id": uuid4(), **said}
    with pytest.raises(errors.NotTheScribe):
        services.record(**sent)
    first = table.accept(table.ben, sent["act_id"])
    with pytest.raises(errors.IdReused):
        services.record(**{**sent, "note": "Ben was cross."})
    Proposal.objects.update(note="")
    Note.objects.update(text="", erased_at=timezone.now())
    assert services.record(**sent) == first


def test_the_former_scribe_accepts_nothing(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    act_id = table.proposed(table.ann, 1)
    with pytest.raises(errors.NotTheScribe):
        table.accept(table.ann, act_id)
    assert table.acts() == []


def test_a_taking_back_is_kept_too(table: Table) -> None:
    table.record(table.ann, 1)
    table.take(table.ben)
    sent: dict[str, Any] = {"match": table.match, "by": table.ann, "act_id": uuid4(), "to": 1}
    with pytest.raises(errors.NotTheScribe):
        services.take_back(**sent)
    [shown] = proposals.shown(table.ben, table.match)
    assert (shown.act, shown.by) == ({"type": "taken-back", "to": 1}, "ann")
    table.accept(table.ben, shown.id)
    assert selectors.timeline(table.match).effective() == (1,)


def test_who_never_was_the_scribe_may_propose(table: Table) -> None:
    table.take(table.ann)
    sent: dict[str, Any] = {"act_id": uuid4(), "act": factories.points()}
    services.propose(match=table.match, by=table.ben, **sent)
    services.propose(match=table.match, by=table.ben, **sent)
    table.accept(table.ann, sent["act_id"])
    assert table.acts() == [1]
    with pytest.raises(errors.Conflict, match="recorded"):
        services.propose(match=table.match, by=table.ben, **sent)


def test_a_match_keeps_so_many_proposals_and_no_more(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposals, "MAX_OPEN", 2)
    sent: dict[str, Any] = {"match": table.match, "by": table.ben, "act": factories.points()}
    first, *_ = [services.propose(act_id=uuid4(), **sent) for _ in range(2)]
    with pytest.raises(errors.Conflict, match="At most 2"):
        services.propose(act_id=uuid4(), **sent)
    assert services.propose(act_id=first.act_id, **sent) == first  # its answer was lost


def test_a_proposal_invalid_in_this_match_is_still_listed() -> None:
    table = Table("zg")
    act = {
        "type": "attacked", "seat": 1, "card": "Nothing", "end": "a", "foe": 2,
        "target": "Nowhere", "target_end": "b",
    }  # fmt: skip
    services.propose(match=table.match, by=table.ben, act_id=uuid4(), act=act)
    services.propose(match=table.match, by=table.ben, act_id=uuid4(), act={**act, "foe": 9})
    services.propose(match=table.match, by=table.ben, act_id=uuid4(), act={**act, "seat": 9})
    assert all(shown.text for shown in proposals.shown(table.ann, table.match))


# -- one meaning, logged twice ------------------------------------------------------------------


def test_the_same_act_logged_on_two_phones_is_offered_to_merge_once(table: Table) -> None:
    table.record(table.ann, 5)
    table.take(table.ben)
    table.record(table.ben, 3)  # both saw it: version 3
    first = table.proposed(table.ann, 3, after=2)
    second = table.proposed(table.ann, 3, after=first)
    other = table.proposed(table.ann, 5, after=second)  # entry 2 was before all of this
    same = {shown.id: shown.same_as for shown in proposals.shown(table.ben, table.match)}
    assert same == {first: 3, second: None, other: None}
    proposals.merge(match=table.match, by=table.ben, act_id=first, version=3)
    kept = Proposal.objects.get(act_id=first)
    assert (kept.state, kept.version) == ("merged", 3)
    assert table.acts() == [5, 3]
    with pytest.raises(errors.Conflict, match="as entry 3"):
        table.record(table.ann, 3, act_id=first)


def test_merging_with_an_entry_that_says_something_else_is_refused(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    table.record(table.ben, 4)
    act_id = table.proposed(table.ann, 3, after=1)
    for version in (0, 1, 2, 99):
        with pytest.raises(errors.BadInput):
            proposals.merge(match=table.match, by=table.ben, act_id=act_id, version=version)


def test_what_was_taken_back_is_not_the_same(table: Table) -> None:
    table.take(table.ann)
    table.take(table.ben)
    table.record(table.ben, 3)
    services.take_back(match=table.match, by=table.ben, act_id=uuid4(), to=1)
    table.proposed(table.ann, 3, after=1)
    assert [shown.same_as for shown in proposals.shown(table.ben, table.match)] == [None]


# -- at once ------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_phones_that_take_over_at_once_one_does() -> None:
    table = Table()
    matches = crowd.copies(table.match, table.ann)
    seen: list[UUID | None] = [None]

    def take(round_: int, writer: int) -> Any:
        phone = on_a_phone(table.ann)
        lease = scribes.take(match=matches[writer], by=phone, over=seen[round_])
        seen.append(lease.pk)
        return lease

    for each in crowd.rounds(take, 20):
        counted = Counter(getattr(answer, "code", "won") for answer in each)
        assert counted == {"won": 1, "not-the-scribe": WRITERS - 1}
    assert ScribeLease.objects.filter(ended_at=None).count() == 1
    assert ScribeLease.objects.count() == 20


@pytest.mark.django_db(transaction=True)
def test_one_proposal_sent_and_accepted_by_many_at_once_is_recorded_once() -> None:
    table = Table()
    table.take(table.ann)
    table.take(table.ben)
    ids = [uuid4() for _ in range(10)]
    matches = crowd.copies(table.match, table.ann)

    def send(round_: int, writer: int) -> Receipt:
        act_id = ids[round_]
        if writer % 2:
            return services.accept_proposal(match=matches[writer], by=table.ben, act_id=act_id)
        points = factories.points(1, round_ + 1)
        return services.record(match=matches[writer], by=table.ann, act_id=act_id, act=points)

    for each in crowd.rounds(send, len(ids)):
        codes = {getattr(answer, "code", "") for answer in each}
        assert codes <= {"", "not-the-scribe", "no-such-proposal"}
    for act_id in ids:
        table.accept(table.ben, act_id)
    assert sorted(table.acts()) == list(range(1, len(ids) + 1))
    assert Proposal.objects.filter(state="accepted").count() == len(ids)
