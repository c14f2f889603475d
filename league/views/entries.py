"""Pages of a tournament's entries: signing up, and registering decks."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

import rules
from characters import loadouts
from characters.models import Character, Loadout
from league import desks, registering, sanctions, selectors, services
from league.models import Entry, Krewe, Sanction, Tournament
from league.scene import Scene
from league.views.tournament import shown
from matches import decks
from matches.actors import actor_of
from matches.errors import NotAllowed, NotFound, Refused
from matches.models import Player
from matches.pages import number_in, page_of, uuid_in
from rules.desk.state import takes_more


@require_http_methods(["GET", "HEAD", "POST"])
def entry_list(request: HttpRequest, code: str) -> HttpResponse:
    """Show the entries of a tournament; sign up."""
    refused = None
    if request.method == "POST":
        actor = actor_of(request)
        tournament = selectors.tournament_for(actor, code)
        try:
            services.enter(
                tournament=tournament,
                by=actor,
                act_id=uuid_in(request, "act_id"),
                character=_own_character(request),
                krewe=krewe_in(request, tournament),
                name=request.POST.get("name", ""),
                text=request.POST.get("deck", "").strip() or None,
            )
        except Refused as error:
            refused = error
        else:
            return redirect("league:entry-list", code)
    scene, context = shown(request, code, live=True)
    actor = scene.actor
    game = rules.get(scene.tournament.ruleset)
    context |= {
        "people": [
            (scene.entries[number], person, number)
            for number, person in enumerate(scene.desk.people, 1)
        ],
        "mine": scene.entries.get(scene.me),
        "person": scene.desk.people[scene.me - 1] if scene.me else None,
        "may_sign_up": _may_sign_up(scene),
        "how_to_enter": _how_to_enter(scene),
        "kept_out": _kept_out(scene),
        "characters": Character.objects.filter(owner=actor.player) if actor.player else (),
        "krewes": krewes_to_enter(scene.tournament, actor.player) if actor.player else (),
        "takes_list": scene.tournament.takes_decks and decks.reads_lists(game),
        "deck_text": request.POST.get("deck", ""),
        "game": game,
        "shows_decks": registering.decks_public(scene.tournament),
        "forbidden": [[scene.names.get(one, "") for one in pair] for pair in scene.desk.forbidden],
    }
    return page_of(request, "league/entry_list.html", context, refused)


@require_POST
@login_required
def self_act(request: HttpRequest, code: str) -> HttpResponse:
    """Check oneself in, or drop."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    number = Scene(actor, tournament).me
    kind = request.POST.get("type", "")
    if kind not in ("checked-in", "dropped") or not number:
        raise NotFound(gettext("You are not entered here."), "no-such-entrant")
    services.record(
        tournament=tournament,
        by=actor,
        act_id=uuid_in(request, "act_id"),
        act={"type": kind, "entrant": number},
    )
    return redirect("league:entry-list", code)


def _may_sign_up(scene: Scene) -> bool:
    open_ = scene.tournament.sign_up and not scene.desk.stages and not scene.desk.closed
    return open_ and not scene.me


def _kept_out(scene: Scene) -> Sanction | None:
    """Return the sanction that keeps the actor out, where they could sign up otherwise."""
    me = scene.actor.player
    if me is None or not _may_sign_up(scene):
        return None
    return sanctions.kept_out(scene.tournament, [me])


def _how_to_enter(scene: Scene) -> str:
    """Tell how somebody enters who cannot sign up by themselves; "" if they can, or are in."""
    if scene.desk.closed or scene.me or _may_sign_up(scene):
        return ""
    if not scene.desk.stages:
        return gettext("Organisers enter everybody here.")
    if takes_more(scene.desk):
        return gettext("Play has begun. Organisers can still enter latecomers.")
    return ""


def _own_character(request: HttpRequest) -> Character | None:
    wanted = request.POST.get("character", "")
    if not wanted:
        return None
    player = actor_of(request).player
    found = Character.objects.filter(pk=uuid_in(request, "character"), owner=player).first()
    if found is None:
        raise NotFound(gettext("There is no such character of yours."), "no-such-character")
    return found


def krewes_to_enter(tournament: Tournament, captain: Player | None = None) -> QuerySet[Krewe]:
    """Return the krewes that may enter, of a captain or all; none if krewes do not enter."""
    if tournament.enters != Tournament.Enters.KREWE:
        return Krewe.objects.none()
    entered = desks.entries_there(tournament).filter(krewe__isnull=False).values("krewe")
    found = Krewe.objects.filter(league=tournament.league_id).exclude(pk__in=entered)
    return found.filter(captain=captain) if captain else found


def krewe_in(request: HttpRequest, tournament: Tournament) -> Krewe | None:
    """Return the krewe that a form names; the service decides who may enter it."""
    if not request.POST.get("krewe"):
        return None
    wanted = uuid_in(request, "krewe")
    found = Krewe.objects.filter(pk=wanted, league=tournament.league_id).first()
    if found is None:
        raise NotFound(gettext("There is no such krewe in this league."), "no-such-krewe")
    return found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deck_register(request: HttpRequest, code: str) -> HttpResponse:
    """Register the deck of one's entry as text; `?entrant=` shows another's, if permitted."""
    scene, context = shown(request, code, live=True)
    number = number_in(request, "entrant") or scene.me
    entry = scene.entries.get(number)
    if not request.user.is_authenticated and not (
        entry and registering.may_see_deck(scene.actor, entry)
    ):
        return redirect_to_login(request.get_full_path())
    if entry is None or (entry.player_id is None and entry.krewe_id is None):
        raise NotFound(gettext("You are not entered here."), "no-such-entrant")
    if not registering.may_see_deck(scene.actor, entry):
        raise NotAllowed("hidden", gettext("Decks are shown when an organiser publishes them."))
    refused = None
    text = request.POST.get("deck", "")
    if request.method == "POST":
        try:
            _register(request, scene, entry, text)
        except Refused as error:
            refused = error
        else:
            kept = gettext("The deck is registered.") if entry.deck else gettext("Taken back.")
            messages.success(request, kept)
            here = redirect("league:deck-register", code)
            here["Location"] += f"?entrant={number}"
            return here
    ruleset = rules.get(scene.tournament.ruleset)
    context |= {
        "entry": entry,
        "own": number == scene.me,
        "deck": registering.deck_of(entry),
        "fielded": registering.fielded(entry),
        "checked": registering.read_again(entry, scene.actor),
        "checked_template": f"rules/{ruleset.key}/_deck.html",
        "text": text or entry.deck_text or decks.written(ruleset, registering.deck_of(entry)),
        "reads_lists": decks.reads_lists(ruleset),
        "game": ruleset,
        "may_register": scene.may_organise or (number == scene.me and not scene.desk.stages),
        "locked": bool(scene.desk.stages),
        "loadouts": _loadouts(scene, entry),
        "day": registering.day_of(scene.tournament),
    }
    return page_of(request, "league/deck_register.html", context, refused)


def _loadouts(scene: Scene, entry: Entry) -> list[Loadout]:
    """Return the loadouts of an entry's character that the actor may register as its deck."""
    if entry.character is None:
        return []
    game = rules.get(scene.tournament.ruleset).key
    found = loadouts.loadouts_of(scene.actor, entry.character)
    return [each for each in found if each.game == game]


def _register(request: HttpRequest, scene: Scene, entry: Entry, text: str) -> None:
    """Register a loadout, or what was typed: a list if the game reads lists, else JSON or a
    table."""
    ruleset = rules.get(scene.tournament.ruleset)
    if request.POST.get("loadout"):
        loadout = loadouts.loadout_for(scene.actor, uuid_in(request, "loadout"))
        services.register_loadout(by=scene.actor, entry=entry, loadout=loadout)
    elif not text.strip():
        services.register_deck(by=scene.actor, entry=entry)
    elif decks.is_list(ruleset, text) or not decks.takes_cards(ruleset):
        services.register_deck(by=scene.actor, entry=entry, text=text)
    else:
        services.register_deck(by=scene.actor, entry=entry, deck=decks.read(ruleset, text))
