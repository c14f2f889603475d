"""Leagues with their roles, and krewes."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Slug, Text
from league.models import Role
from matches.api.shapes import Making, Moment, Name, Page, PlayerName, Request, Word, among

RoleInLeague = Literal["organiser", "judge", "scorekeeper", "player"]


class LeagueRequest(Making):
    """A league. `venue` is the slug of its home venue."""

    name: Name
    game: Word = "zg"
    about: Text = ""
    house_rules: Text = ""
    venue: Slug = ""
    is_open: bool = True


class LeagueChange(Request):
    """Fields left out stay as they are; an empty `venue` removes it."""

    name: Name | None = None
    about: Text | None = None
    house_rules: Text | None = None
    venue: Slug | None = None
    is_open: bool | None = None


class MemberResponse(Struct):
    player: UUID
    name: PlayerName
    role: Annotated[str, among(Role.values)]


class LeagueLine(Struct):
    slug: str
    name: str
    game: str
    venue: str
    is_open: bool
    url: str


class LeagueResponse(LeagueLine):
    """A league with its officials. `players` counts its members with that role.

    `officials`: those who have another role than that of a player.
    """

    about: str
    house_rules: str
    officials: list[MemberResponse]
    players: int


class Leagues(Page[LeagueLine]):
    """One page: follow `next` until it is null."""


class MemberRequest(Request):
    """Join as a player, or (as an organiser) give `player` a role."""

    player: UUID | None = None
    role: RoleInLeague = "player"


class RoleRequest(Request):
    """A role, and the player who holds it."""

    player: UUID
    role: RoleInLeague


class RoleChangeResponse(Struct):
    """A role that was `given` or else taken away, `by` whom and when.

    `by`: the id of who did it; null for the site.
    """

    player: UUID
    name: PlayerName
    role: Annotated[str, among(Role.values)]
    given: bool
    by: UUID | None
    at: Moment


class RolesResponse(Struct):
    """Who holds which role, and all changes of roles, newest first.

    `members`: who holds one. `changes`: all of them.
    """

    members: list[MemberResponse]
    changes: list[RoleChangeResponse]


class KreweRequest(Making):
    """A krewe whose captain is the caller; `players` must be in the league."""

    name: Name
    players: Annotated[list[UUID], Meta(max_length=40)] = []


class KreweChange(Request):
    """Adds a player, names the captain, or removes a player.

    The captain and the league's organisers may do so; players may remove themselves. `removed`
    deletes a krewe that never entered a tournament.

    `add`: the id of the player who joins. `remove`: the id of the player who leaves. `captain`:
    the id of the new captain.
    """

    add: UUID | None = None
    captain: UUID | None = None
    remove: UUID | None = None
    removed: bool | None = None


class KreweResponse(Struct):
    id: UUID
    league: str
    name: str
    captain: UUID
    players: list[UUID]


class Krewes(Page[KreweResponse]):
    """One page: follow `next` until it is null."""
