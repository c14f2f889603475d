"""The organiser's console: one page of plain forms to run the day from."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from characters.selectors import character_for
from league import (
    desks,
    discipline,
    divisions,
    due,
    entering,
    following,
    hints,
    journal,
    known,
    policy,
    prizes,
    recording,
    sanctions,
    selectors,
    services,
    starting,
)
from league.discipline import OnRecord
from league.forms.acts import act_of, number
from league.forms.console import (
    ByeForm,
    Choices,
    ExtraForm,
    HeldForm,
    PenaltyForm,
    ScoresForm,
    act_at,
    scores_of,
)
from league.models import Entry, Sanction, Tournament
from league.scene import Scene
from league.seen import RoundDisplay, TableDisplay
from league.views.entries import krewe_in, krewes_to_enter
from league.views.tables import may_compare, results_for, table_in
from league.views.tournament import floor_rules, followed, prizes_of, shown
from matches import log as logs
from matches.actors import Actor, actor_of
from matches.errors import BadInput, NotFound, Refused
from matches.models import Player
from matches.pages import number_in, uuid_in, uuids_in
from rules.desk.acts import Ruled
from rules.desk.people import missed
from rules.desk.state import BRACKETS, entrants, open_round, round_at

ANCHOR = re.compile(r"due|pairing|tables|people|decks|[pt]\d{1,4}")
"""Parts of the console, people as in `p3` and tables as in `t3`."""
MAX_NAME = 80
TYPED = ("penalty-given", "bye-granted", "results-held", "time-extended")
"""Acts with forms of their own, since numbers are typed for them."""


def official(request: HttpRequest, code: str) -> tuple[Actor, Tournament]:
    """Return the actor and a tournament they are an official of. Raises: NotFound, NotAllowed."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    policy.require_official(actor, tournament)
    return actor, tournament


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def console(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show what is due and every queue; record any act of the desk.

    `?part=live` returns the live part, 304 if it has not changed.
    """
    refused = None
    if request.method == "POST":
        actor, tournament = official(request, code)
        if question_url := _question_url(request, actor, tournament):
            return HttpResponseRedirect(question_url)
        try:
            _do(request, actor, tournament)
        except Refused as error:
            refused = error
        else:
            return to_console(code, _next_part(request, tournament))
    scene, context = shown(request, code, live=True)
    policy.require_official(scene.actor, scene.tournament)
    over = scene.desk.closed and not following.wants_part(request)
    tag = "" if over else following.tag_of(request, scene.actor, [scene.tournament])
    if (same := following.unchanged(request, tag)) is not None:
        return same
    context |= console_context(scene, request.POST if refused else None)
    context |= _guests(request, scene) | _log(request, scene)
    context["refused"] = refused
    if refused:  # input is kept until it is sent again
        return render(request, "league/console.html", context, status=refused.status)
    context["tag"] = followed(scene, tag)
    pages = "league/console.html", "league/_console_live.html"
    return following.answer(request, *pages, tag, context)


def _log(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """Return a page of the log, the newest or the one `?before=` an entry."""
    before = number_in(request, "before")
    newest = journal.page_start(scene, before)
    older = newest - journal.PER_PAGE + 1 if newest > journal.PER_PAGE else 0
    return {
        "log": list(journal.log_lines(scene, before)),
        "older": older,
        "is_older": newest < scene.at,
    }


def _next_part(request: HttpRequest, tournament: Tournament) -> str:
    """Return the part of the console to go on at: what is due once no table is waited for."""
    anchor, state = anchor_in(request.POST) or "due", desks.state_at(tournament)
    number = open_round(state.desk)
    waits = number and desks.uncounted(state.setup.options, round_at(state.desk, number))
    return anchor if waits or not anchor.startswith("t") else "due"


def anchor_in(form: QueryDict) -> str:
    """Return the part of the console to go back to, "" if a form names none."""
    anchor = form.get("anchor", "")
    return anchor if ANCHOR.fullmatch(anchor) else ""


def to_console(code: str, anchor: str = "due") -> HttpResponse:
    """Redirect to a part of the console, by default to what is due."""
    return HttpResponseRedirect(f"{reverse('league:console', args=[code])}#{anchor}")


def _question_url(request: HttpRequest, actor: Actor, tournament: Tournament) -> str:
    """Return the address that asks whom a typed name means, "" if it means a new guest."""
    form = request.POST
    name = form.get("name", "").strip()[:MAX_NAME].replace("\0", "")
    if form.get("do") != "enter" or not name or form.get("player") or form.get("new"):
        return ""
    if not policy.is_organiser(actor, tournament):
        return ""
    if entering.was_entered(tournament, uuid_in(request, "act_id")):  # a repeated request
        return ""
    here = known.is_here(tournament, name)
    if not here and not known.namesakes(actor, tournament, name):
        return ""
    at = reverse("league:console", args=[tournament.code])
    return f"{at}?{urlencode({'name': name})}#people"


def _guests(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """Return the names to suggest, and for a typed name the players it may mean."""
    actor, tournament = scene.actor, scene.tournament
    if scene.desk.closed or not policy.is_organiser(actor, tournament):
        return {}
    name = request.GET.get("name", "").strip()[:MAX_NAME].replace("\0", "")
    if not name:
        return {"known": known.names(actor, tournament)}
    found = known.namesakes(actor, tournament, name)
    here = {number for number, each in scene.names.items() if each.casefold() == name.casefold()}
    dropped = entrants(scene.desk, "dropped")
    return {
        "typed": name,
        "gone": [(number, scene.names[number]) for number in dropped if number in here],
        "namesakes": [(each.pk, known.describe(each)) for each in found],
        "is_here": bool(here),
    }


def _player_in(request: HttpRequest) -> Player | None:
    """Return the player a form names by id, None if it names none. Raises: NotFound."""
    if not request.POST.get("player"):
        return None
    found = Player.objects.filter(pk=uuid_in(request, "player"), claimed_by=None).first()
    if found is None:
        raise NotFound(gettext("There is no such player."), "no-such-player")
    return found


def _do(request: HttpRequest, actor: Actor, tournament: Tournament) -> None:
    """Do what a form of the console asks: one of `DEEDS`, or recording an act of the desk."""
    act_id = uuid_in(request, "act_id")
    if logs.version_of(tournament.log, act_id) is None:
        _require_typed(request.POST, actor, tournament)
    deed = DEEDS.get(request.POST.get("do", ""), _record)
    deed(request, actor, tournament, act_id)


def _require_typed(sent: QueryDict, actor: Actor, tournament: Tournament) -> None:
    """Raises: BadInput for an invalid form with typed numbers; its fields hold the reasons."""
    if sent.get("type") in TYPED:
        bound = [form for form in _forms(Scene(actor, tournament), sent).values() if form.is_bound]
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
    scene = Scene(actor, tournament)
    state = desks.state_at(tournament)
    sentences = [rules.get("desk").tell(each, state, scene.names) for each in does]
    if act["penalty"] in discipline.ENDING and not any(isinstance(each, Ruled) for each in does):
        sentences.append(
            gettext(
                "They are not at a table of two now, so no result changed. "
                "Correct a result at its table."
            )
        )
    messages.success(request, " ".join([gettext("It is on record."), *sentences]))


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
    "start": _start,
    "replan": _replan,
    "enter": _enter,
    "enter-all": _enter_all,
    "all-here": _check_in_all,
    "decks": _show_decks,
    "award": _award,
    "penalise": _penalise,
}
"""What a form of the console may `do` other than record its act."""


def console_context(scene: Scene, sent: QueryDict | None) -> dict[str, Any]:
    """Return the console's context; a form that was `sent` and refused keeps its input."""
    if scene.desk.closed:
        prefetch_related_objects([scene.tournament], "prizes")
    found = scene.open_round
    return {
        "act_id": uuid4(),
        "round": found,
        "decks": due.decks_due(scene),
        **_context_of_due(scene),
        **_context_of_pairing(scene, found),
        **_context_of_tables(scene, found, sent),
        **_context_of_people(scene),
        **_context_of_more(scene, sent),
        **_context_of_prizes(scene),
    }


def _context_of_due(scene: Scene) -> dict[str, Any]:
    return {
        "due": due.next_due(scene),
        "otherwise": due.otherwise(scene),
        "waiting_for": due.waiting_for(scene),
        "timer": due.timer(scene),
        "obstacle": due.obstacle(scene),
        "overdue": due.overdue(scene),
        "floor": floor_rules(scene.tournament),
        "may_open_like": policy.may_open_like(scene.actor, scene.tournament),
        "undo_to": _undo_to(scene),
    }


def _context_of_pairing(scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    """Return the context of the open round's pairing: who may swap, and the reasons."""
    unpublished = found if found is not None and not found.round.published else None
    return {
        "unpublished": unpublished,
        "swap": _swap(scene, found) if found is not None else None,
        "gone": due.gone_from(found, scene) if found is not None else [],
        "why": scene.why(unpublished.number) if unpublished else None,
    }


@dataclass(frozen=True)
class TableRow:
    """A table of the open round, with what can be done there."""

    seen: TableDisplay
    results: list[dict[str, Any]]
    scores: ScoresForm | None
    compares: bool  # time is up: what both have left decides
    may_correct: bool

    @property
    def anchor(self) -> str:
        return f"t{self.seen.table.number}"


@dataclass(frozen=True)
class LookedAt:
    """A queue of tables of any round, each with the name of its round."""

    queue: due.Queue
    tables: list[tuple[str, TableDisplay]]


def _context_of_tables(
    scene: Scene, found: RoundDisplay | None, sent: QueryDict | None
) -> dict[str, Any]:
    tables = found.tables if found is not None and found.published else []
    queues = due.queues(scene)
    return {
        "queues": [queue for queue in queues if queue.name not in due.LOOKED_AT],
        "to_look_at": [
            LookedAt(queue, [(scene.round_name(seen.round), seen) for seen in queue.tables])
            for queue in queues
            if queue.name in due.LOOKED_AT and queue.tables
        ],
        "tables": [
            TableRow(
                seen,
                results_for(scene, seen),
                scores_of(seen, sent),
                may_compare(scene, seen),
                scene.may_correct(seen),
            )
            for seen in tables
        ],
    }


def _context_of_people(scene: Scene) -> dict[str, Any]:
    people = [
        (number, _called(scene.entries[number]), person)
        for number, person in enumerate(scene.desk.people, 1)
    ]
    return {
        "people": people,
        "playing": [(n, name) for n, name, person in people if person.status == "in"],
        "krewes": krewes_to_enter(scene.tournament),
        "characters": known.characters(scene.actor, scene.tournament),
        "in_play": _in_play(scene),
        "kept_out": _kept_out(scene),
    }


def _in_play(scene: Scene) -> list[divisions.InPlay]:
    """Return those in play for a place in a division here who are not entered, to an organiser."""
    actor, tournament = scene.actor, scene.tournament
    if scene.desk.stages or scene.desk.closed or tournament.enters != Tournament.Enters.PLAYER:
        return []
    if not policy.is_organiser(actor, tournament):
        return []
    here = {entry.player_id for entry in scene.entries.values()}
    found = [
        replace(each, players=[one for one in each.players if one.pk not in here])
        for each in divisions.in_play(tournament, actor)
    ]
    return [each for each in found if each.players]


def _context_of_more(scene: Scene, sent: QueryDict | None) -> dict[str, Any]:
    return {
        "announced": journal.announced(scene),
        "record": _on_record(scene),
        "hints": hints.hints_for(scene.actor, scene.tournament, scene.names),
        **_forms(scene, sent),
    }


def _context_of_prizes(scene: Scene) -> dict[str, Any]:
    tournament, desk = scene.tournament, scene.desk
    return {
        "prizes": prizes_of(scene) if prizes.are_due(tournament, desk) else [],
        "misgiven": prizes.misgiven(tournament, desk, scene.entries),
        "to_give": prizes.go_to_books(tournament, desk, scene.entries),
    }


def _swap(scene: Scene, found: RoundDisplay) -> dict[str, Any]:
    """Return a round's open tables and who may be seated there; none in a published bracket."""
    bracket = scene.desk.stages[-1].setup.format in BRACKETS
    if bracket and found.round.published:
        return {"tables": [], "entrants": []}
    tables = [seen for seen in found.tables if seen.table.status == "open"]
    seated = [side for seen in tables for side in seen.sides]
    return {
        "tables": tables,
        "entrants": sorted([*seated, *found.byes], key=lambda side: side.number),
    }


def _forms(scene: Scene, sent: QueryDict | None) -> dict[str, forms.Form]:
    """Return the forms for typed numbers; the one that was sent is bound."""
    everybody = [(number, _called(entry)) for number, entry in scene.entries.items()]
    playing = [(number, scene.names[number]) for number in entrants(scene.desk, "in")]
    rounds = len(scene.desk.rounds)

    def of(kind: str) -> QueryDict | None:
        return sent if sent is not None and sent.get("type") == kind else None

    penalty, bye, held, extra = map(of, TYPED)
    found = scene.open_round
    return {
        "penalty": PenaltyForm(_distinct(everybody), penalty),
        "bye": ByeForm(
            _distinct(playing), rounds + 1, min(sum(missed(scene.desk), (rounds + 1,))), bye
        ),
        "extra": ExtraForm(found.open_tables if found is not None else (), extra),
        "held": HeldForm(open_round(scene.desk) or rounds + 1, rounds, held),
    }


def _distinct(people: Choices) -> Choices:
    """Append the number to names that several people share, so that a choice is unambiguous."""
    having = Counter(name for _, name in people)
    label = gettext("{name}, no. {number}")
    return [
        (number, label.format(name=name, number=number) if having[name] > 1 else name)
        for number, name in people
    ]


def _called(entry: Entry) -> str:
    """Return an entrant's name and who plays them, whom the desk has to find."""
    return f"{entry} ({entry.played_by})" if entry.played_by else entry.name


def _on_record(scene: Scene) -> list[OnRecord]:
    """Return the entrants on the league's disciplinary record, to those who may see it."""
    found = discipline.record_for(scene.actor, scene.tournament.league) or []
    here = {entry.player_id for entry in scene.entries.values()}
    return [one for one in found if one.player.pk in here]


def _kept_out(scene: Scene) -> list[tuple[int, str, Sanction]]:
    """Return the banned entrants with number, name and sanction, to those who may see it."""
    if scene.desk.closed or not policy.may_rule(scene.actor, scene.tournament):
        return []
    out = entrants(scene.desk, "in", "waiting")
    entries = {number: scene.entries[number] for number in out}
    found = sanctions.all_kept_out(scene.tournament, entries)
    return [(number, _called(entry), held) for number, entry, held in found]


def _undo_to(scene: Scene) -> int | None:
    """Return the version that undoing the last act goes back to, None if the actor may not."""
    policy.keep_entry(scene.actor, scene.tournament, scene.entries.get(scene.me))
    folded = desks.timeline(scene.tournament)
    history = folded.effective()
    to = history[-2] if len(history) > 1 else None
    may = to is not None and recording.may_undo(folded, scene.actor, scene.tournament, to)
    return to if may else None
