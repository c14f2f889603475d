"""Pages of characters: finding them, their sheet, and pasting one."""

from datetime import date, timedelta
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from characters import aftermath, earlier, policy, portraits, selectors, services, shown, telling
from characters.forms.sheets import AnswersForm, PasteForm
from characters.hints import HINTS
from characters.models import Character
from characters.policy import Eyes
from characters.sheet import Sheet, write
from matches import selectors as logged
from matches.actors import Actor, actor_of
from matches.errors import BadInput, Refused
from matches.forms import form_status, posted, refuse
from matches.models import Log, Match, Seat
from matches.pages import results_off
from matches.seating import without_table

A_PAGE = 30
FEW = 5  # matches under way on a sheet


@require_safe
def character_list(request: HttpRequest) -> HttpResponse:
    """List visible characters, one's own first; `?q=` is a part of a name, or of the player's."""
    word = request.GET.get("q", "")[:80].replace("\0", "")
    actor = actor_of(request)
    found = selectors.own_first(actor, selectors.characters_for(actor))
    if word:
        found = found.filter(selectors.known_by(word))
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "q": word,
        "offered": selectors.moves_to(actor)[:A_PAGE],
        "trades": selectors.offers_to_own(actor)[:A_PAGE],
    }
    return render(request, "characters/character_list.html", context)


def eyes_asked(request: HttpRequest, character: Character) -> Eyes:
    """Return the view of `?as=`, or the actor's own. Raises: BadInput, NotAllowed."""
    actor, rank = actor_of(request), request.GET.get("as", "")
    match rank:
        case "":
            return policy.eyes_of(actor, character)
        case "public" | "players" | "officials" | "owner":
            return policy.eyes_as(actor, character, rank)
    raise BadInput("unknown-eyes", gettext("View it as public, players, officials or owner."), "as")


@never_cache
@require_safe
def character_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a character's sheet, in one's own view or that of `?as=`."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    eyes = eyes_asked(request, character)
    if not policy.knows_character(eyes, character):
        return render(request, "characters/character_unknown.html", {"character": character})
    day = parse_day(request.GET.get("on", ""))
    if day and eyes.results_off:
        return results_off(request)
    past = earlier.sheet_on(character, eyes, day) if day and day < timezone.localdate() else None
    own = policy.may_edit(actor, character) and eyes.own and past is None
    sheet = past.sheet if past else shown.sheet_of(character, eyes)
    blank = [part for part in sheet.ordered if not sheet.tells(part) and part.kind in HINTS]
    parts = [part for part in sheet.ordered if sheet.tells(part) or (own and part in blank)]
    seen_by_me = policy.eyes_of(actor, character)
    as_seen = past is None and eyes == seen_by_me
    keeps = policy.may_record(actor, character)
    context = {
        "character": character,
        "sheet": sheet,
        "columns": [[part for part in parts if part.wide == wide] for wide in (True, False)],
        "blank": [] if own or past else [part.title for part in blank],
        "past": past,
        "day": day,
        "yesterday": timezone.localdate() - timedelta(days=1),
        "own": own,
        "prompts": aftermath.prompts_of(actor, character) if as_seen else [],
        "waiting": selectors.offers_to(character).count() if own else 0,
        "money": telling.newest_money(sheet) if as_seen and keeps else [],
        "live": _live(actor, character) if as_seen and not eyes.results_off else [],
        "act_id": uuid4(),
        "looks": looks_of(seen_by_me),
        "as": request.GET.get("as", ""),
        "portrait": past.portrait if past else portraits.portrait_for(character, eyes),
    }
    return render(request, "characters/character_detail.html", context)


def _live(actor: Actor, character: Character) -> list[Match]:
    """Return the matches under way that a character is fielded in, the newest first."""
    fielded = Seat.objects.filter(appearance__character=character).values("match")
    found = logged.of_status(logged.seen_by(actor), Log.Status.OPEN).filter(pk__in=fielded)
    return list(without_table(found)[:FEW])


def parse_day(text: str) -> date | None:
    """Return the day in a form or query, None if there is none. Raises: BadInput."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise BadInput("bad-day", gettext("Say a day as 2110-05-31."), "on") from None


def looks_of(eyes: Eyes) -> list[tuple[str, str]]:
    """Return the views one may switch to."""
    names = [
        ("public", gettext("Everyone")),
        ("players", gettext("Players")),
        ("officials", gettext("Officials")),
    ]
    known = {"owner": 3, "officials": 2, "players": 1, "public": 0}[eyes.rank]
    return [("", gettext("As I see it")), *names[:known]] if known else []


@never_cache
@require_safe
def character_sheet(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Download the visible sheet as a text that can be pasted again."""
    character = selectors.character_for(actor_of(request), pk)
    sheet = shown.sheet_of(character, eyes_asked(request, character))
    text = write(shown.plain_sheet(sheet))
    headers = {"Content-Disposition": 'attachment; filename="sheet.txt"'}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def character_paste(request: HttpRequest) -> HttpResponse:
    """Take a pasted sheet: show how each line was read, then store it."""
    form = PasteForm(posted(request))
    sheet: Sheet | None = None
    answers: AnswersForm | None = None
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            sheet = services.preview(text)
            keeps = "keep" in request.POST
            answers = AnswersForm(sheet, request.POST if keeps else None)
            if keeps and answers.is_valid():
                given = services.Answers(**answers.answers())  # type: ignore[arg-type]
                act_id = form.cleaned_data["act_id"]
                by = actor_of(request)
                character = services.paste(by=by, text=text, answers=given, act_id=act_id)
                messages.success(request, gettext("{name} is kept.").format(name=character.name))
                return redirect(character)
        except Refused as refused:
            refuse(answers or form, refused)
    status = 200 if sheet and not form.errors and not (answers and answers.errors) else None
    context = {"form": form, "sheet": sheet, "answers": answers}
    return render(
        request,
        "characters/character_paste.html",
        context,
        status=status or form_status(request),
    )
