"""What the forms of the console do: one of `DEEDS`, or recording an act of the desk."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

import rules
from characters.selectors import character_for
from league import desks, discipline, prizes, services, starting
from league.forms.acts import act_of, number
from league.forms.console import act_at
from league.models import Tournament
from league.scene import Scene
from league.views.console_context import TYPED, forms_for
from league.views.entries import krewe_in
from league.views.tables import table_in
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, NotFound, Refused
from matches.models import Player
from matches.pages import uuid_in, uuids_in
from rules.desk.acts import Ruled
from rules.desk.state import is_disqualified
from rules.ruleset import Act


def _player_in(request: HttpRequest) -> Player | None:
    """Return the player a form names by id, None if it names none. Raises: NotFound."""
    if not request.POST.get("player"):
        return None
    found = Player.objects.filter(pk=uuid_in(request, "player"), claimed_by=None).first()
    if found is None:
        raise NotFound(gettext("There is no such player."), "no-such-player")
    return found


def do(request: HttpRequest, actor: Actor, tournament: Tournament) -> None:
    """Do what a form of the console asks: one of `DEEDS`, or recording an act of the desk."""
    act_id = uuid_in(request, "act_id")
    if logs.version_of(tournament.log, act_id) is None:
        _require_typed(request.POST, actor, tournament)
    deed = DEEDS.get(request.POST.get("do", ""), _record)
    deed(request, actor, tournament, act_id)


def _require_typed(sent: QueryDict, actor: Actor, tournament: Tournament) -> None:
    """Raises: BadInput for an invalid form with typed numbers; its fields hold the reasons."""
    if sent.get("type") in TYPED:
        bound = [
            form for form in forms_for(Scene(actor, tournament), sent).values() if form.is_bound
        ]
        if not all(form.is_valid() for form in bound):
            raise BadInput("bad-form", gettext("This could not be taken yet."))


def _act(form: QueryDict, actor: Actor, tournament: Tournament) -> dict[str, Any]:
    """Return the act a form describes, at its table if scores were typed. Raises: BadInput."""
    if "place" in form:
        table, _, seat = form.get("place", "").partition("-")
        place = {"table": number(table, "table"), "seat_number": number(seat, "seat_number")}
        return act_of(form) | place
    if "score-1" not in form:
        return act_of(form)
    numbers = [number(form.get(name, ""), name) for name in ("round", "table")]
    return act_at(form, table_in(Scene(actor, tournament), *numbers))


Deed = Callable[[HttpRequest, Actor, Tournament, UUID], None]


def _pair(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    services.pair(tournament=tournament, by=actor, act_id=act_id)


def _pair_again(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    services.pair_again(tournament=tournament, by=actor, act_id=act_id)


def _close_and_pair(
    request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID
) -> None:
    closed = number(request.POST.get("round", ""), "round")
    services.close_and_pair(tournament=tournament, by=actor, act_id=act_id, number=closed)


def _start(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    order, cut = (number(request.POST.get(name, "0"), name) for name in ("order", "cut"))
    starting.start(by=actor, tournament=tournament, act_id=act_id, order=order, cut=cut)


def _replan(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    order = number(request.POST.get("order", ""), "order")
    chosen = request.POST.get("as", "")
    starting.replan(by=actor, tournament=tournament, order=order, chosen=chosen)


def _enter(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    krewe, player = krewe_in(request, tournament), _player_in(request)
    who: dict[str, Any] = {"krewe": krewe, "player": player}
    if request.POST.get("character"):
        character = character_for(actor, uuid_in(request, "character"))
        who = {"character": character, "player": character.owner}
    elif not krewe and not player:
        who["name"] = request.POST.get("name", "").strip()
        if not who["name"]:  # without a name the service would enter the actor
            raise BadInput("missing-field", gettext("Say who enters."), "$.name")
    services.enter(tournament=tournament, by=actor, act_id=act_id, **who)


def _enter_all(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    """Enter the players who are ticked; show for whom that was refused, and why."""
    ticked = uuids_in(request, "player")
    known = Player.objects.in_bulk(ticked)
    players = [known[pk] for pk in ticked if pk in known]
    answers = services.enter_all(tournament=tournament, by=actor, act_id=act_id, players=players)
    for player, each in answers:
        if isinstance(each, Refused):
            messages.error(request, f"{player}: {each.detail}")


def _check_in_all(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    """Check everybody in; show for whom that was refused, and why."""
    answers = services.check_in_all(tournament=tournament, by=actor, act_id=act_id)
    names = Scene(actor, tournament).names
    refused = [(entrant, each) for entrant, each in answers if isinstance(each, Refused)]
    for entrant, each in refused:
        messages.error(request, f"{names[entrant]}: {each.detail}")
    there = len(answers) - len(refused)
    messages.success(request, gettext("{there} checked in.").format(there=there))


def _show_decks(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    shown = request.POST.get("shown") == "1"
    services.edit_tournament(by=actor, tournament=tournament, decks_shown=shown)


def _award(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    given = services.award(by=actor, tournament=tournament)
    messages.success(request, gettext("{given} given.").format(given=len(given)))
    if prizes.are_due(tournament, desks.desk_of(tournament)):
        text = gettext(
            "Some winners have no character: hand over their prizes yourself, "
            "then tick them under Prizes."
        )
        messages.warning(request, text)


def _penalise(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    """Give a penalty, and show what it implied, or that no result was changed."""
    act, note = act_of(request.POST), request.POST.get("note", "")
    does = services.penalise(tournament=tournament, by=actor, act_id=act_id, act=act, note=note)
    sentences = _told(does, actor, tournament)
    if act["penalty"] in discipline.ENDING and not any(isinstance(each, Ruled) for each in does):
        sentences.append(
            gettext(
                "No result changed: they have no open match at a table of two. "
                "Correct a result at its table."
            )
        )
    if _is_given_twice(tournament, act):
        sentences.append(
            gettext(
                "The same was given in this round already: for one offence, withdraw one of them."
            )
        )
    messages.success(request, " ".join([gettext("It is on record."), *sentences]))


def _is_given_twice(tournament: Tournament, act: Mapping[str, Any]) -> bool:
    """Return whether a penalty that was just given had been given in the same round before."""
    desk, wanted = desks.desk_of(tournament), (act["entrant"], act["infraction"], act["penalty"])
    given = [
        number
        for number, each in discipline.on_record_at(desk)
        if (each.entrant, each.infraction, each.penalty) == wanted
    ]
    return bool(given) and given[-1] in discipline.given_twice(desk)


def _withdraw(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    """Withdraw a penalty, and show whether whom it disqualified is back."""
    chosen, note = number(request.POST.get("number", ""), "number"), request.POST.get("note", "")
    does = services.withdraw_penalty(
        tournament=tournament, by=actor, act_id=act_id, number=chosen, note=note
    )
    sentences = _told(does, actor, tournament)
    desk = desks.desk_of(tournament)
    entrant = desk.penalties[chosen - 1].entrant
    if is_disqualified(desk, entrant):
        name = Scene(actor, tournament).names[entrant]
        sentences.append(gettext("{name} stays disqualified.").format(name=name))
    messages.success(request, " ".join([gettext("It is withdrawn."), *sentences]))


def _told(acts: Iterable[Act], actor: Actor, tournament: Tournament) -> list[str]:
    state, names = desks.state_at(tournament), Scene(actor, tournament).names
    return [rules.get("desk").tell(each, state, names) for each in acts]


def _record(request: HttpRequest, actor: Actor, tournament: Tournament, act_id: UUID) -> None:
    form = request.POST
    services.record(
        tournament=tournament,
        by=actor,
        act_id=act_id,
        act=_act(form, actor, tournament),
        irregular="irregular" in form,
        note=form.get("note", ""),
    )


DEEDS: dict[str, Deed] = {
    "pair": _pair,
    "pair-again": _pair_again,
    "close-and-pair": _close_and_pair,
    "start": _start,
    "replan": _replan,
    "enter": _enter,
    "enter-all": _enter_all,
    "all-here": _check_in_all,
    "decks": _show_decks,
    "award": _award,
    "penalise": _penalise,
    "withdraw": _withdraw,
}
"""What a form of the console may `do` other than record its act."""
