"""Entering a tournament: signing up, and the waiting list."""

from collections.abc import Iterable
from functools import partial
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

import rules
from characters.models import Character
from league import desks, fairness, policy, registering, sanctions
from league.models import Entry, Krewe, Tournament
from matches import canonical, labels, once, people
from matches import log as logs
from matches.actors import Actor
from matches.errors import (
    BadInput,
    Conflict,
    IdReused,
    Irregular,
    NotAllowed,
    Refused,
    answered,
)
from matches.log import Receipt, Request
from matches.models import Player
from rules.desk.acts import Entered, Waitlisted
from rules.desk.state import Desk
from rules.replay import Timeline


def enter(
    *,
    tournament: Tournament,
    by: Actor,
    act_id: UUID,
    player: Player | None = None,
    name: str = "",
    character: Character | None = None,
    krewe: Krewe | None = None,
    rating: int = 0,
    deck: Any = None,
    text: str | None = None,
    brought: fairness.Brought | None = None,
) -> Entry:
    """Enter a tournament, or its waiting list if it is full.

    Players enter themselves (no `player`, no `name`); organisers enter others, and guests by
    `name`. Idempotent per `act_id`; the same id with anybody else is an error. `text` is a deck as
    a list. `brought`: the seats they had before, if it should not be computed from the season.
    Raises: NotFound, NotAllowed, BadInput, Conflict, Impossible.
    """
    policy.require_see(by, tournament)
    if krewe is None and player is None and not name:
        player = policy.require_make(by)
    entry = Entry(tournament=tournament, character=character, krewe=krewe)
    if deck is not None or text is not None:
        registering.take_deck(entry, deck, text, by)
    # fill the cache before the transaction, inside which it is not filled
    logs.load(tournament.log)
    with transaction.atomic():  # a failed entry leaves no guest behind
        if name:
            player = _guest(by, tournament, act_id, name)
        entry.player = None if krewe else player
        receipt = _add(entry, by, act_id, rating, brought)
    found: Entry = Entry.objects.get(pk=entry.pk)
    return once.mark(found, receipt.recorded)


def enter_all(
    *, tournament: Tournament, by: Actor, act_id: UUID, players: Iterable[Player]
) -> list[tuple[Player, Entry | Refused]]:
    """Enter players one by one; return an entry or refusal for each. Raises: NotAllowed."""
    policy.require_organise(by, tournament)
    do = partial(enter, tournament=tournament, by=by)
    return [
        (each, answered(partial(do, act_id=uuid5(act_id, str(each.pk)), player=each)))
        for each in players
    ]


def was_entered(tournament: Tournament, act_id: UUID) -> bool:
    """Return whether an act has entered somebody already."""
    return _ref_of(tournament, act_id) is not None


def _ref_of(tournament: Tournament, act_id: UUID) -> UUID | None:
    """Return the id of the entry that an act recorded, or None."""
    found = desks.recorded_as(tournament, act_id)
    act = found.act if found else None
    return canonical.uuid_from(act.ref) if isinstance(act, Entered | Waitlisted) else None


def guest_id(tournament: Tournament, act_id: UUID) -> UUID:
    """Return the id of the guest whom an act enters."""
    return uuid5(tournament.pk, f"guest {act_id}")


def _guest(by: Actor, tournament: Tournament, act_id: UUID, name: str) -> Player:
    """Return the guest of that name, unsaved if new; the same act always means the same guest."""
    if not policy.is_organiser(by, tournament):
        raise NotAllowed("not-allowed", gettext("Only an organiser enters somebody else."))
    text = canonical.text_from(name, "$.name", 80, least=1)
    pk = guest_id(tournament, act_id)
    taken = was_entered(tournament, act_id)
    known = Player.objects.filter(pk=pk).first()
    if known.name != text if known else taken:
        raise IdReused(act_id)
    return known or Player(pk=pk, name=text, invited_by=by.player)


def _id_for(entry: Entry, act_id: UUID) -> UUID:
    """Return the id for an entry's row: a new one, or that of the same entrant's earlier entry."""
    tournament = entry.tournament
    if (recorded := _ref_of(tournament, act_id)) is not None:
        return recorded
    own = uuid5(tournament.pk, str(act_id))
    if entry.player is None and entry.krewe is None:
        return own
    before = tournament.entries.filter(player=entry.player, krewe=entry.krewe).first()
    return own if before is None else before.pk


def _require_same(kept: Entry, entry: Entry, act_id: UUID) -> None:
    """Raises: IdReused if the id entered another player, character or krewe."""
    player = entry.player
    one = {player.pk, player.claimed_by_id or player.pk} if player else {None}
    same = (kept.character_id, kept.krewe_id) == (entry.character_id, entry.krewe_id)
    if kept.player_id not in one or not same:
        raise IdReused(act_id)


def _keep(entry: Entry, act_id: UUID) -> None:
    """Save an entry once; if an act is sent twice at the same time, keep the first.

    Somebody who enters again after their entry was taken back keeps the row, with their new deck. A
    deck of gear goes with the character whose gear it is.
    Raises: IdReused; IntegrityError for a player, character or krewe entered already.
    """
    kept = Entry.objects.filter(pk=entry.pk).first()
    if kept is None:
        try:
            with transaction.atomic():
                _keep_guest(entry, act_id)
                entry.save(force_insert=True)
        except IntegrityError:
            kept = Entry.objects.filter(pk=entry.pk).first()
            if kept is None:
                raise
    elif entry.pk != uuid5(entry.tournament.pk, str(act_id)) and not was_entered(
        entry.tournament, act_id
    ):
        entry.save(force_update=True, update_fields=["character", "label", "status"])
        is_another_s = kept.character_id != entry.character_id and kept.pieces.exists()
        if entry.deck_at or is_another_s:
            registering.keep(entry)
        return
    if kept is not None:
        _require_same(kept, entry, act_id)


def _keep_guest(entry: Entry, act_id: UUID) -> None:
    """Save the guest whom an act enters, if any."""
    guest = entry.player
    if guest is not None and guest.pk == guest_id(entry.tournament, act_id):
        details = {"name": guest.name, "invited_by": guest.invited_by}
        Player.objects.get_or_create(pk=guest.pk, defaults=details)


def _add(
    entry: Entry,
    by: Actor,
    act_id: UUID,
    rating: int = 0,
    brought: fairness.Brought | None = None,
    after: logs.After = None,
) -> Receipt:
    """Save the entry and record it. Raises: as `enter`."""
    tournament = entry.tournament
    _require_may_enter(by, tournament, entry)
    if rating and not policy.is_organiser(by, tournament):
        raise NotAllowed("rating-by-organiser", gettext("Only an organiser can set a rating."))
    require_welcome(tournament, entry)
    recorder = policy.require_make(by).pk
    logs.load(tournament.log)
    entry.pk = _id_for(entry, act_id)
    seats, lean = brought or fairness.brought(tournament, act_id, entry.player)
    taken = gettext("{who} is entered already.").format(who=_one(entry))

    def record(kind: type[Entered] | type[Waitlisted]) -> Receipt:
        act = kind(label=entry.label, ref=str(entry.pk), rating=rating, seats=seats, lean=lean)
        request = Request(act_id, act, recorder, after=after)
        with once.only_one("entered-already", taken):
            if entry.player is not None:
                [entry.player] = people.by_now([entry.player])
            _keep(entry, act_id)
            return logs.append(tournament.log, request, partial(_require_once, entry))

    try:
        return record(Entered)
    except Irregular as refused:
        if refused.verdict.code != "full":
            raise
    except Conflict as refused:  # the same id may have put them on the waiting list
        if refused.code != "id-reused":
            raise
    return record(Waitlisted)


def _require_may_enter(by: Actor, tournament: Tournament, entry: Entry) -> None:
    """Raises: NotAllowed for another's entry, Conflict for one's own once sign-up is over."""
    if policy.is_organiser(by, tournament):
        return
    me = policy.require_make(by)
    if not policy.answers_for(me, entry):
        raise NotAllowed(
            "not-allowed", gettext("You can only enter yourself, or a krewe you are captain of.")
        )
    if not tournament.sign_up or desks.desk_of(tournament).stages:
        raise Conflict("sign-up-closed", gettext("Signing up is over; ask an organiser."))


def require_welcome(tournament: Tournament, entry: Entry) -> None:
    """Require the kind of entry that the tournament takes, and nobody who is banned.

    Raises: BadInput, NotAllowed, Conflict.
    """
    kinds = Tournament.Enters
    if tournament.enters == kinds.CHARACTER and entry.character is None and entry.player:
        raise BadInput("missing-field", gettext("Name the character that enters."), "$.character")
    if tournament.enters == kinds.KREWE and entry.krewe is None and entry.player:
        raise BadInput("missing-field", gettext("A krewe enters here."), "$.krewe")
    if tournament.enters != kinds.KREWE and entry.krewe is not None:
        raise BadInput("no-krewes", gettext("Krewes do not enter here."), "$.krewe")
    if entry.krewe is not None and entry.krewe.league_id != tournament.league_id:
        raise BadInput("other-league", gettext("That krewe is of another league."), "$.krewe")
    character = entry.character
    if character is not None and (entry.player is None or character.owner_id != entry.player.pk):
        raise BadInput(
            "other-player", gettext("A character enters together with its player."), "$.character"
        )
    sanctions.require_not_kept_out(tournament, entry)


def _one(entry: Entry) -> str:
    """Return the name of whom there can only be one: the player, whichever character they bring."""
    return (entry.krewe or entry.player or entry).name


def _require_once(entry: Entry, timeline: Timeline) -> None:
    """Raises: Conflict for an entrant at the desk, or a krewe with a player in another entry."""
    desk: Desk = timeline.head.state.desk
    if number := desks.number_of(desk, entry):
        text = gettext("{who} is entered already.")
        if desk.people[number - 1].status == "dropped":
            text = gettext("{who} was entered and dropped; an organiser lets them back in.")
        raise Conflict("entered-already", text.format(who=_one(entry)))
    if entry.krewe is None:
        return  # a player has at most one entry, and krewes never enter beside players
    theirs = Entry.objects.filter(policy.names_one(*entry.people), tournament=entry.tournament)
    others = theirs.exclude(pk=entry.pk).select_related(*desks.WHO)
    other = next((one for one in others if desks.number_of(desk, one)), None)
    if other is not None:
        text = gettext("Somebody in {krewe} takes part already: {other}.")
        text = text.format(krewe=entry.krewe, other=other.name)
        raise Conflict("entered-already", text)


def record(
    tournament: Tournament,
    by: Actor,
    act_id: UUID,
    act: Entered | Waitlisted,
    *,
    after: logs.After = None,
    irregular: bool = False,
) -> Receipt:
    """Record a bare `entered` or `waitlisted`: players for themselves, organisers for anybody.

    Raises: as `enter`; Impossible for a label that could name a person.
    """
    organises = policy.is_organiser(by, tournament)
    labels.require_neutral(act.label, rules.get(tournament.ruleset))
    named = canonical.uuid_from(act.ref)
    if not organises or act.ref:
        known = Player.objects.filter(pk=named).first() if named else None
        if known is not None or not organises:
            player = known or policy.require_make(by)
            entry = Entry(tournament=tournament, player=player, label=act.label)
            return _add(entry, by, act_id, act.rating, after=after)
    if act.ref and not _is_opaque(act.ref):
        raise BadInput(
            "bad-ref", gettext("A `ref` is an id: letters, digits, `-` and `_`."), "$.act.ref"
        )
    if named is not None:  # normalize the id
        act = msgspec.structs.replace(act, ref=str(named))
    request = Request(act_id, act, policy.require_make(by).pk, after=after, irregular=irregular)
    logs.load(tournament.log)
    with once.only_one("ref-taken", _taken()):
        if named is not None:  # the row is no other tournament's from now on
            row = {"tournament": tournament, "label": act.label}
            Entry.objects.get_or_create(pk=named, defaults=row)
        return logs.append(tournament.log, request, partial(_require_free, tournament, act.ref))


def _taken() -> str:
    return gettext("This `ref` is that of another entry.")


def _require_free(tournament: Tournament, ref: str, timeline: Timeline) -> None:
    """Raises: Conflict for a `ref` that is the id of another entry's row, here or elsewhere."""
    desk: Desk = timeline.head.state.desk
    if (named := canonical.uuid_from(ref)) is None:
        return
    numbers = range(1, len(desk.people) + 1)
    here = named in [desks.entry_id(tournament.pk, desk, number) for number in numbers]
    if here or Entry.objects.filter(pk=named).exclude(tournament=tournament).exists():
        raise Conflict("ref-taken", _taken())


def _is_opaque(ref: str) -> bool:
    return ref.isascii() and ref.replace("-", "").replace("_", "").isalnum()


def require_may_return(tournament: Tournament, desk: Desk, number: int) -> None:
    """Raises: Conflict for a claimed guest whose account takes part by another entry."""
    if not 1 <= number <= len(desk.people):
        return
    pk = desks.entry_id(tournament.pk, desk, number)
    account = Player.objects.filter(claimed__entries=pk).first()
    if account and tournament.entries.filter(policy.takes_part(account)).exists():
        text = gettext("{who} is entered already.").format(who=account)
        raise Conflict("entered-already", text)


def require_may_check_in(tournament: Tournament, desk: Desk, number: int) -> None:
    """Raises: Conflict for an entrant who is banned, or lacks the legal deck that is required."""
    needs_deck = tournament.needs_decks
    if not 1 <= number <= len(desk.people) or not (needs_deck or tournament.league_id):
        return
    pk = desks.entry_id(tournament.pk, desk, number)
    entry = Entry.objects.select_related(*desks.WHO, "krewe__captain").filter(pk=pk).first()
    if needs_deck:
        registering.require_deck(entry)
    if entry is not None:
        sanctions.require_not_kept_out(tournament, entry)
