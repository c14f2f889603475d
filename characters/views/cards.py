"""Pages of the catalogue: finding, viewing, adding, changing, importing, exporting cards."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from characters import cards, career, comparing, importing, meetings, policy, search, selectors
from characters.forms.cards import (
    SORTS,
    CardFilter,
    CardForm,
    CardsForm,
    SetForm,
    face_of,
    label_of,
)
from characters.models import Card, CardSet
from characters.views.chosen import chosen_in
from matches.actors import Actor, actor_of
from matches.errors import NotAllowed
from matches.forms import form_status, posted, posted_files, refusals_in
from rules.ruleset import Ruleset

A_PAGE = 30


@require_safe
def card_list(request: HttpRequest) -> HttpResponse:
    """List visible cards, by a search string and plain filters in the URL."""
    actor = actor_of(request)
    form = CardFilter(request.GET or None)
    form.is_valid()
    wanted = form.cleaned_data if form.is_bound else {}
    query = search.read(wanted.get("q", ""), actor)
    exact = {name: wanted.get(name, "") for name in selectors.EXACT}
    all_ = selectors.cards_for(actor, **exact)
    found = selectors.sorted_cards(query.narrow(all_), wanted.get("sort") or "name")
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    chosen = chosen_in(request, actor)
    context = {
        "page": page,
        "cards": [(card, card.data) for card in page],
        "chosen": chosen,
        "elsewhere": [card for card in chosen if card not in page],
        "form": form,
        "sets": selectors.own_sets(actor),
        "search": query,
        "fatal": None if page.object_list else query.fatal(all_),
        "known": {"texts": search.TEXTS, "numbers": search.NUMBERS, "blazes": search.BLAZES},
        "query": urlencode({name: value for name, value in wanted.items() if value}),
        "offered": selectors.values_known(actor),
    }
    return render(request, "characters/card_list.html", context)


@require_safe
def card_export(request: HttpRequest) -> HttpResponse:
    """Export the cards of a game that match a search: a table, or JSON."""
    actor, given = actor_of(request), request.GET
    game = cards.game_of(_plain(given, "game") or cards.games()[0]).key
    exact = {name: _plain(given, name) for name in selectors.EXACT}
    wanted = search.require(_plain(given, "q"), actor)
    sort = _plain(given, "sort")
    found = selectors.sorted_cards(
        selectors.cards_for(actor, wanted, game=game, **exact), sort if sort in SORTS else "name"
    )
    if given.get("as") == "json":
        text, name, kind = msgspec.json.encode(cards.listed(found)), "json", "application/json"
    else:
        text, name, kind = cards.table(game, found).encode("utf-8-sig"), "csv", "text/csv"
    headers = {"Content-Disposition": f'attachment; filename="cards.{name}"'}
    return HttpResponse(text, content_type=f"{kind}; charset=utf-8", headers=headers)


def _plain(given: QueryDict, name: str) -> str:
    return given.get(name, "")[:200].replace("\0", "")


@require_safe
def card_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a card: both ends, drawn and in words, and everything printed on it."""
    actor = actor_of(request)
    card = selectors.card_for(actor, pk)
    face = card.data
    context = {
        "card": card,
        "face": face,
        "game": cards.game_of(card.game),
        "has_ends": comparing.has_ends(card),
        "facts": [(label_of(name), value) for name, value in comparing.facts_of(card)],
        "may_edit": policy.may_edit_card(actor, card),
        "benches": _benches(card, face),
        "record": None if actor.results_off else career.record_of_card(card),
        "meetings": [] if actor.results_off else meetings.of_card(card),
    }
    return render(request, "characters/card_detail.html", context)


def _benches(card: Card, face: dict[str, Any]) -> list[tuple[str, str]]:
    """Return links to the test bench of the card's game for each end, attacking and attacked."""
    if "bench" not in cards.game_of(card.game).pages:
        return []
    bench = reverse("matches:game-page", args=[card.game, "bench"])
    return [
        (f"{name} {end.upper()}", f"{bench}?{urlencode({side: face[end]})}")
        for side, name in (("attack", gettext("Attack with")), ("target", gettext("Attack")))
        for end in ("a", "b")
        if face.get(end)
    ]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_create(request: HttpRequest) -> HttpResponse:
    """Add a card of one's own."""
    game = cards.game_of(request.GET.get("game") or cards.games()[0])
    form = CardForm(game, posted(request))
    if form.is_valid():
        cleaned = form.cleaned_data
        with refusals_in(form):
            card = cards.add(
                by=actor_of(request),
                game=game.key,
                data=form.data_of_card(),
                card_set=cleaned["set"],
                shared=cleaned["shared"],
                act_id=cleaned["act_id"],
            )
            messages.success(request, gettext("{name} is kept.").format(name=card.name))
            return redirect("characters:card-detail", card.pk)
    context = {"form": form, "game": game, "games": _games()}
    return render(request, "characters/card_create.html", context, status=form_status(request))


def _games() -> list[Ruleset]:
    """Return the games that have cards."""
    return [cards.game_of(key) for key in cards.games()]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change a card of one's own, or remove it from the catalogue."""
    actor = actor_of(request)
    card = selectors.card_for(actor, pk)
    if not policy.may_edit_card(actor, card):
        raise NotAllowed("not-allowed", gettext("Only its owner changes a card."))
    if request.POST.get("do") == "remove":
        cards.remove(by=actor, card=card)
        messages.success(request, gettext("{name} is out of the catalogue.").format(name=card.name))
        return redirect("characters:card-list")
    form = _edit_form(card, posted(request))
    if form.is_valid():
        data, cleaned = form.data_of_card(), form.cleaned_data
        with refusals_in(form):
            cards.change(
                by=actor, card=card, data=data, shared=cleaned["shared"], card_set=cleaned["set"]
            )
            messages.success(request, gettext("Kept."))
            return redirect("characters:card-detail", card.pk)
    context = {"form": form, "card": card}
    return render(request, "characters/card_edit.html", context, status=form_status(request))


def _edit_form(card: Card, sent: QueryDict | None) -> CardForm:
    initial = {**face_of(card.data), "set": card.card_set.name, "shared": card.shared}
    form = CardForm(cards.game_of(card.game), sent, initial=initial)
    del form.fields["act_id"]
    return form


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a set of cards; its owner renames it, shares all its cards or none, or removes it."""
    actor = actor_of(request)
    card_set = selectors.set_for(actor, pk)
    may_edit = policy.may_edit_set(actor, card_set)
    if request.method == "POST" and not may_edit:
        raise NotAllowed("not-allowed", gettext("Only its owner changes a set of cards."))
    form = SetForm(posted(request), initial={"name": card_set.name, "about": card_set.about})
    do = request.POST.get("do", "")
    if do == "remove":
        cards.remove_set(by=actor, card_set=card_set)
        text = gettext("{name} is out of the catalogue.").format(name=card_set.name)
        messages.success(request, text)
        return redirect("characters:card-list")
    if do in ("share", "unshare"):
        cards.change_set(by=actor, card_set=card_set, shared=do == "share")
        messages.success(request, gettext("Kept."))
        return redirect("characters:card-set", pk)
    if form.is_valid():
        with refusals_in(form):
            renamed = selectors.set_for(actor, pk)
            cards.change_set(by=actor, card_set=renamed, **form.cleaned_data)
            messages.success(request, gettext("Kept."))
            return redirect("characters:card-set", pk)
    in_it = selectors.cards_for(actor).filter(card_set=card_set)
    context = {
        "set": card_set,
        "cards": [(card, card.data) for card in selectors.sorted_cards(in_it, "name")[:A_PAGE]],
        "form": form if may_edit else None,
        "game": cards.game_of(card_set.game),
        "query": urlencode({"q": _search_of(actor, card_set)}),
    }
    return render(request, "characters/set_detail.html", context, status=form_status(request))


def _search_of(actor: Actor, card_set: CardSet) -> str:
    """Return the search that finds the cards of a set."""
    owner = card_set.owner.name if card_set.owner else "site"
    whose = "me" if card_set.owner_id and card_set.owner_id == actor.player_id else owner
    terms = [f"game:{card_set.game}", _term("set", card_set.name)]
    return " ".join(terms if '"' in whose else [*terms, _term("owner", whose)])


def _term(key: str, text: str) -> str:
    """Return the term for a text, or for its longest part, as no term holds a quotation mark."""
    parts = text.split('"')
    return f'{key}{":" if parts[1:] else "="}"{max(parts, key=len)}"'


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_import(request: HttpRequest) -> HttpResponse:
    """Import a file of cards: first a dry run, then what it told is done, or nothing."""
    game = cards.game_of(request.GET.get("game") or cards.games()[0])
    sent = posted(request)
    form = CardsForm(sent, posted_files(request))
    context: dict[str, Any] = {
        "form": form,
        "game": game,
        "games": _games(),
        "columns": cards.columns(game),
    }
    if sent is None or not form.is_valid():
        status = form_status(request)
        return render(request, "characters/card_import.html", context, status=status)
    cleaned = {name: form.cleaned_data[name] for name in ("text", "set", "shared")}
    file: dict[str, Any] = {
        "by": actor_of(request),
        "game": game.key,
        "text": cleaned["text"],
        "card_set": cleaned["set"],
        "shared": cleaned["shared"],
        "update": True,
    }
    again = CardsForm(cleaned, initial=cleaned)
    if tried := request.POST.get("keep", ""):
        with refusals_in(again):
            taken = importing.take_in(**file, tried=tried, dry_run=False)
            if taken.kept:
                messages.success(request, _kept(taken))
                return redirect(reverse("characters:card-list") + "?q=owner:me")
    taken = importing.take_in(**file)
    context |= {
        "form": again,
        "taken": taken,
        "counts": taken.counts,
        "new": [line for line in taken.lines if line.outcome == "new"],
        "changed": [
            (line, _in_words(line.changes)) for line in taken.lines if line.outcome == "changed"
        ],
    }
    status = form_status(request) if tried else 200
    return render(request, "characters/card_import.html", context, status=status)


def _kept(taken: importing.CardsImported) -> str:
    text = gettext("Kept: {new} new, {changed} changed.")
    return text.format(new=taken.counts["new"], changed=taken.counts["changed"])


def _in_words(changes: list[importing.FieldChange]) -> list[tuple[str, str, str]]:
    """Return what is changed of a card: a field's label, its text before and after."""
    return [(label_of(each.field), _worded(each.before), _worded(each.after)) for each in changes]


def _worded(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return cards.cell(value) or gettext("nothing")
