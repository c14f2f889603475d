"""Who may do what in leagues and at desks: the only policy module. Anything not here is denied.

Organisers run a league and its tournaments; whoever opened a tournament organises that one. Judges
(zMarshals) rule, except where they play themselves; scorekeepers only enter results. Both are
appointed for a whole league or for one tournament. Players record for themselves what players may.
"""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from league.models import Entry, Krewe, League, Membership, PlaceText, Role, Tournament, Venue
from matches.actors import Actor, remembered
from matches.errors import NotAllowed, NotFound, NotSignedIn
from matches.models import Player, Seat, withdrawn
from matches.policy import require_make, visible_matches
from rules.desk.acts import (
    BY_PLAYERS,
    Announced,
    AppealRejected,
    CallAnswered,
    CheckedIn,
    ClockPaused,
    ClockResumed,
    Disqualified,
    Dropped,
    PairingChanged,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    Returned,
    Ruled,
    RulingAppealed,
    TableFixed,
    TimeCalled,
    TimeExtended,
    TimeProposed,
    Unannounced,
)
from rules.ruleset import Act, Audience

SCORES: tuple[type[Act], ...] = (ResultReported, ResultConfirmed, ResultDisputed)
JUDGES: tuple[type[Act], ...] = (
    *SCORES,
    CallAnswered,
    TimeProposed,
    CheckedIn,
    Dropped,
    Returned,
    Disqualified,
    PairingChanged,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultCorrected,
    Ruled,
    RulingAppealed,
    AppealRejected,
    TableFixed,
    ClockPaused,
    ClockResumed,
    TimeExtended,
    TimeCalled,
    Announced,
    Unannounced,
)
OFFICIALS = (Role.ORGANISER, Role.JUDGE, Role.SCOREKEEPER)
RULING = (Role.ORGANISER, Role.JUDGE)
MINE = "memberships"  # key of the actor's memberships in their request cache


def _memberships(actor: Actor) -> list[tuple[str, UUID | None, UUID | None]]:
    """Return all memberships of an actor's player: role, and league or tournament."""
    player = actor.player
    return [] if player is None else remembered(actor, MINE, lambda: _memberships_of(player))


def _memberships_of(player: Player) -> list[tuple[str, UUID | None, UUID | None]]:
    mine = Membership.objects.filter(player=player).order_by()
    return list(mine.values_list("role", "league", "tournament"))


# -- leagues ------------------------------------------------------------------------------


def roles_in(actor: Actor, league: League | None) -> frozenset[str]:
    """Return an actor's roles in a league."""
    if actor.is_superuser:
        return frozenset(OFFICIALS)
    if league is None:
        return frozenset()
    return frozenset(role for role, of, _ in _memberships(actor) if of == league.pk)


def staff_of(actor: Actor, league: League) -> list[Membership]:
    """Return who runs a league, caching the actor's own memberships from the same query."""
    wanted = Q(league=league) & ~Q(role=Role.PLAYER)
    if actor.player is not None:
        wanted |= Q(player=actor.player)
    rows = list(Membership.objects.filter(wanted).select_related("player"))
    mine = [row for row in rows if row.player_id == actor.player_id]
    remembered(actor, MINE, lambda: [(row.role, row.league_id, row.tournament_id) for row in mine])
    return [row for row in rows if row.league_id == league.pk and row.role != Role.PLAYER]


def is_member(actor: Actor, league: League) -> bool:
    """Return whether an actor has any role in a league, including player."""
    return any(of == league.pk for _, of, _ in _memberships(actor))


def may_run(actor: Actor, league: League | None) -> bool:
    """Return whether an actor may run a league: its organisers."""
    return Role.ORGANISER in roles_in(actor, league)


def run_by(actor: Actor) -> QuerySet[League]:
    """Return the leagues an actor may run."""
    if actor.is_superuser:
        return League.objects.order_by("name", "pk")
    mine = Membership.objects.filter(player=actor.player, role=Role.ORGANISER, league__isnull=False)
    return League.objects.filter(pk__in=mine.values("league")).order_by("name", "pk")


def may_discipline(actor: Actor, league: League | None) -> bool:
    """Return whether an actor may see the disciplinary record: organisers and judges."""
    return not roles_in(actor, league).isdisjoint(RULING)


def may_keep(actor: Actor, venue: Venue) -> bool:
    """Return whether an actor may edit a venue: its keeper.

    Not the organisers of leagues at home there: anybody may found one and say where it plays.
    """
    mine = actor.player is not None and venue.keeper_id == actor.player.pk
    return mine or actor.is_superuser


def kept_by(actor: Actor) -> QuerySet[Venue]:
    """Return the venues whose keeper is the actor."""
    return Venue.objects.filter(keeper=actor.player, keeper__isnull=False)


def require_play(actor: Actor, league: League) -> Player:
    """Return the player of an actor who plays in a league or runs it. Raises: NotAllowed."""
    player = require_make(actor)
    if not (is_member(actor, league) or may_run(actor, league)):
        detail = gettext("Only players of {league} can make a krewe in it.").format(league=league)
        raise NotAllowed("not-a-member", detail)
    return player


def may_lead(actor: Actor, krewe: Krewe) -> bool:
    """Return whether an actor manages a krewe: its captain, and organisers of its league."""
    mine = krewe.captain_id == actor.player_id
    return mine or may_run(actor, krewe.league)


def require_lead(actor: Actor, krewe: Krewe) -> None:
    """Raises: NotAllowed for all but the captain of a krewe and organisers of its league."""
    if not may_lead(actor, krewe):
        raise NotAllowed(
            "not-allowed", gettext("Only the captain of a krewe decides who is in it.")
        )


def require_run(actor: Actor, league: League | None) -> None:
    """Raises: NotAllowed for all but organisers of a league; for no league, all but superusers."""
    if not may_run(actor, league):
        raise NotAllowed("not-allowed", gettext("This is for an organiser of the league."))


def require_keep(actor: Actor, venue: Venue) -> None:
    """Raises: NotAllowed for those who may not edit a venue, see `may_keep`."""
    if not may_keep(actor, venue):
        raise NotAllowed("not-allowed", gettext("Only its keeper can change a venue."))


def require_discipline(actor: Actor, league: League | None) -> None:
    """Raises: NotAllowed for all but organisers and judges of a league."""
    if not may_discipline(actor, league):
        raise NotAllowed(
            "not-allowed", gettext("The disciplinary record is for organisers and zMarshals.")
        )


# -- texts about places -------------------------------------------------------------------


def may_write(actor: Actor) -> bool:
    """Return whether an actor may write about places: organisers of leagues, superusers."""
    mine = _memberships(actor)
    return actor.is_superuser or any(of and role == Role.ORGANISER for role, of, _ in mine)


def require_write(actor: Actor) -> None:
    """Raises: NotAllowed for those who may not write about places, see `may_write`."""
    if not may_write(actor):
        raise NotAllowed(
            "not-allowed", gettext("Only organisers of leagues can write about places.")
        )


def visible_texts(actor: Actor) -> QuerySet[PlaceText]:
    """Return the texts about places that an actor may see."""
    found = PlaceText.objects.filter(is_removed=False)
    if actor.is_superuser:
        return found
    shown = Q(audience=PlaceText.Audience.PUBLIC)
    if actor.is_signed_in:
        shown |= Q(audience=PlaceText.Audience.PLAYERS)
    if actor.player is not None:
        shown |= Q(league__in=run_by(actor).values("pk"))
    return found.filter(shown)


def require_know(actor: Actor, text: PlaceText) -> None:
    """Raises: NotFound. Those who may change a text see it even if it was removed."""
    known = may_run(actor, text.league) or visible_texts(actor).filter(pk=text.pk).exists()
    if not known:
        raise NotFound(gettext("There is no such text."), "no-such-text")


# -- tournaments --------------------------------------------------------------------------


def roles_at(actor: Actor, tournament: Tournament) -> frozenset[str]:
    """Return an actor's roles at a tournament: from its league, its staff, or opening it."""
    if actor.is_superuser:
        return frozenset(OFFICIALS)
    if actor.player is None:
        return frozenset()
    found = {
        role
        for role, league, there in _memberships(actor)
        if there == tournament.pk or (league and league == tournament.league_id)
    }
    if tournament.opener_id == actor.player.pk:
        found.add(Role.ORGANISER)
    return frozenset(found - {Role.PLAYER})


def is_organiser(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor organises a tournament."""
    return Role.ORGANISER in roles_at(actor, tournament)


def may_rule(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor may rule at a tournament: organisers and judges."""
    return not roles_at(actor, tournament).isdisjoint(RULING)


def rulers_of(tournament: Tournament) -> QuerySet[Player]:
    """Return who rules at a tournament and can sign in: of its league, its staff, or its opener."""
    roles = Membership.objects.filter(role__in=RULING)
    there = Q(tournament=tournament)
    if tournament.league_id is not None:
        there |= Q(league=tournament.league_id)
    return Player.objects.filter(
        Q(pk__in=roles.filter(there).values("player")) | Q(pk=tournament.opener_id),
        user__is_active=True,
    )


def ruled_among(actor: Actor, tournaments: Iterable[Tournament]) -> frozenset[UUID]:
    """Return which of several tournaments an actor rules, in one query."""
    if actor.is_superuser:
        return frozenset(each.pk for each in tournaments)
    me = actor.player
    if me is None:
        return frozenset()
    held = {(of, at) for role, of, at in _memberships(actor) if role in RULING}
    there, leagues = {at for _, at in held if at}, {of for of, _ in held if of}
    return frozenset(
        each.pk
        for each in tournaments
        if each.pk in there or each.league_id in leagues or each.opener_id == me.pk
    )


def is_official(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor has any role at a tournament other than player."""
    return bool(roles_at(actor, tournament))


def entry_of(actor: Actor, tournament: Tournament) -> Entry | None:
    """Return the entry by which an actor takes part: their own, or their krewe's."""
    player = actor.player
    if player is None:
        return None
    return remembered(actor, ("entry", tournament.pk), lambda: _entry_of(player, tournament))


def _entry_of(player: Player, tournament: Tournament) -> Entry | None:
    theirs = tournament.entries.filter(takes_part(player))
    return theirs.order_by(F("number").asc(nulls_last=True)).first()


def foresee(actor: Actor, tournaments: Iterable[Tournament]) -> None:
    """Prefetch the entries by which an actor takes part in several tournaments."""
    if actor.player is None:
        return
    wanted = [each.pk for each in tournaments]
    mine = Entry.objects.filter(takes_part(actor.player), tournament__in=wanted)
    found = {
        entry.tournament_id: entry for entry in mine.order_by(F("number").desc(nulls_first=True))
    }
    for pk in wanted:
        remembered(actor, ("entry", pk), partial(found.get, pk))


def keep_entry(actor: Actor, tournament: Tournament, entry: Entry | None) -> None:
    """Cache the entry by which an actor takes part, if it is known already."""
    remembered(actor, ("entry", tournament.pk), lambda: entry)


def answers_for(player: Player, entry: Entry) -> bool:
    """Return whether an entry is a player's own, or their krewe's as its captain."""
    if entry.krewe is not None and entry.krewe.captain_id == player.pk:
        return True
    return entry.player_id == player.pk


def takes_part(*players: Player) -> Q:
    """Return the condition for entries by which any player takes part, alone or in a krewe."""
    return names_one(*players) & ~Q(status=Entry.TAKEN_BACK)


def names_one(*players: Player) -> Q:
    """Return the condition for entries of any of the players, including entries taken back."""
    by_krewe = Q(krewe__captain__in=players) | Q(krewe__players__in=players)
    return Q(player__in=players) | by_krewe


def is_public(tournament: Tournament) -> bool:
    """Return whether everyone may see a tournament."""
    public = tournament.visibility == Tournament.Visibility.PUBLIC
    return public and not tournament.log.is_withdrawn


def may_see(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor may see a tournament: a withdrawn one only its organisers."""
    if tournament.log.is_withdrawn:
        return is_organiser(actor, tournament)
    if is_public(tournament):
        return True
    return is_official(actor, tournament) or entry_of(actor, tournament) is not None


def may_record(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor may record: officials, entrants, and those who may still sign up."""
    return (
        is_official(actor, tournament)
        or entry_of(actor, tournament) is not None
        or (tournament.sign_up and actor.is_signed_in)
    )


def audience(actor: Actor, tournament: Tournament) -> Audience:
    """Return an actor's audience: organisers and judges see penalties and unpublished pairings.

    All others see what the public does, scorekeepers too, since entering results takes no secrets.
    """
    return "officials" if may_rule(actor, tournament) else "public"


def may_act(actor: Actor, tournament: Tournament, act: Act) -> bool:
    """Return whether an actor may record an act as an official."""
    roles = roles_at(actor, tournament)
    if Role.ORGANISER in roles:
        return True
    if Role.JUDGE in roles and isinstance(act, JUDGES):
        return True
    return Role.SCOREKEEPER in roles and isinstance(act, SCORES)


def may_act_for(number: int, act: Act) -> bool:
    """Return whether players may record an act for their own entrant `number`; 0 is nobody."""
    if not number or not isinstance(act, BY_PLAYERS):
        return False
    return number in (getattr(act, "entrant", None), getattr(act, "by", None))


def visible_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments an actor may see: withdrawn ones only as an organiser."""
    found = Tournament.objects.all()
    if actor.is_superuser:
        return found
    shown = Q(visibility=Tournament.Visibility.PUBLIC)
    me = actor.player
    if me is None:
        return found.filter(shown, ~withdrawn())
    official = Membership.objects.filter(player=me).exclude(role=Role.PLAYER)
    entered = Entry.objects.filter(takes_part(me)).values("tournament")
    shown |= held_at(official) | Q(pk__in=entered)
    return found.filter(organised(me) | (shown & ~withdrawn()))


def public_tournaments() -> QuerySet[Tournament]:
    """Return the tournaments that everyone may see."""
    found = Tournament.objects.filter(visibility=Tournament.Visibility.PUBLIC)
    return found.exclude(withdrawn())


def ruled_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments an actor rules and sees: withdrawn ones only as an organiser."""
    found = Tournament.objects.all()
    if actor.is_superuser:
        return found
    me = actor.player
    if me is None:
        return found.none()
    judged = held_at(Membership.objects.filter(player=me, role=Role.JUDGE))
    return found.filter(organised(me) | (judged & ~withdrawn()))


def organised(player: Player) -> Q:
    """Return the condition for tournaments a player organises: as their opener, or by a role."""
    roles = Membership.objects.filter(player=player, role=Role.ORGANISER)
    return Q(opener=player) | held_at(roles)


def held_at(roles: QuerySet[Membership]) -> Q:
    """Return the condition for tournaments where these roles are held, there or in the league."""
    there = roles.filter(tournament__isnull=False).values("tournament")
    return Q(pk__in=there) | Q(league__in=roles.filter(league__isnull=False).values("league"))


def visible_players(actor: Actor) -> QuerySet[Player]:
    """Return the players an actor may look up.

    Those who are signed in see all players, as the API lists them. Others see players in matches or
    tournaments that they may see.
    """
    found = Player.objects.filter(claimed_by=None)
    if actor.is_signed_in:
        return found
    seated, entered = (rows.values("player") for rows in _met(actor))
    return found.filter(Q(pk__in=seated) | Q(pk__in=entered))


def _met(actor: Actor) -> tuple[QuerySet[Seat], QuerySet[Entry]]:
    """Return the seats and entries in matches and tournaments that an actor may see."""
    return (
        Seat.objects.filter(match__in=visible_matches(actor)),
        Entry.objects.filter(tournament__in=visible_tournaments(actor)),
    )


def require_met(actor: Actor, player: Player) -> None:
    """Raises: NotFound for a guest who only occurs where a signed-out visitor may not look."""
    known = player.user_id is not None or actor.is_signed_in
    there = player.claimed_by_id or player.pk  # a claimed guest's seats belong to the claimant
    if not known and not any(rows.filter(player=there).exists() for rows in _met(actor)):
        raise NotFound(gettext("There is no such player."), "no-such-player")


def require_see(actor: Actor, tournament: Tournament) -> None:
    """Raises: NotFound for a tournament that the actor may not see."""
    if not may_see(actor, tournament):
        raise NotFound(gettext("There is no such tournament."), "no-such-tournament")


def require_organise(actor: Actor, tournament: Tournament) -> None:
    """Raises: NotFound as `require_see`; NotAllowed for all but organisers."""
    require_see(actor, tournament)
    if not is_organiser(actor, tournament):
        raise NotAllowed("not-allowed", gettext("This is for an organiser of the tournament."))


def may_open_like(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor may open one like it: an organiser who runs its league, if any."""
    league = tournament.league
    return is_organiser(actor, tournament) and (league is None or may_run(actor, league))


def require_open_like(actor: Actor, tournament: Tournament) -> None:
    """Raises: NotFound as `require_see`; NotAllowed unless `may_open_like`."""
    require_organise(actor, tournament)
    if tournament.league is not None:
        require_run(actor, tournament.league)


def may_end_counting(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor may stop a tournament from counting for circuits.

    Its organisers may, since they agreed to it, until it is closed and the result is known.
    """
    return tournament.closed_at is None and is_organiser(actor, tournament)


def require_rule(actor: Actor, tournament: Tournament) -> None:
    """Raises: NotFound as `require_see`; NotAllowed for all but organisers and judges."""
    require_see(actor, tournament)
    if not may_rule(actor, tournament):
        raise NotAllowed("officials-only", gettext("This is for an organiser or a zMarshal."))


def require_official(actor: Actor, tournament: Tournament) -> None:
    """Raises: NotFound as `require_see`; NotAllowed for all but officials."""
    require_see(actor, tournament)
    if not is_official(actor, tournament):
        raise NotAllowed("officials-only", gettext("This is for those who run the tournament."))


def require_verify(actor: Actor, tournament: Tournament) -> None:
    """Raises: NotFound as `require_see`; NotSignedIn for those who are not signed in."""
    require_see(actor, tournament)
    if not actor.is_signed_in:
        raise NotSignedIn(gettext("Sign in to have a tournament verified."))
