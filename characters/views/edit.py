"""Pages where an owner changes a character: each part in place, or on its own page."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import policy, selectors, services, shown, telling
from characters.forms.sheets import CharacterForm, GoalForm, NewCharacterForm, SectionForm
from characters.models import Character, Section
from characters.views.characters import parse_day
from matches.actors import actor_of
from matches.errors import BadInput, NotFound
from matches.forms import form_status, posted, refusals_in, taken
from matches.pages import HtmxRequest, act_id_in


def owned(request: HttpRequest, pk: UUID) -> Character:
    """Return a character that the actor may change. Raises: NotFound, NotAllowed."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    policy.require_edit(actor, character)
    return character


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def character_create(request: HttpRequest) -> HttpResponse:
    """Create a character with an empty sheet."""
    form = NewCharacterForm(posted(request))
    if form.is_valid():
        with refusals_in(form):
            return redirect(services.create(by=actor_of(request), **form.cleaned_data))
    context = {"form": form}
    status = form_status(request)
    return render(request, "characters/character_create.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def character_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change a character's name, and who may see it."""
    character = owned(request, pk)
    names = ("name", "tagline", "audience")
    form = CharacterForm(
        posted(request), initial={name: getattr(character, name) for name in names}
    )
    if taken(form, services.edit, by=actor_of(request), character=character):
        messages.success(request, gettext("Kept."))
        return redirect(character)
    context = {"form": form, "character": character}
    status = form_status(request)
    return render(request, "characters/character_edit.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def section_edit(request: HtmxRequest, pk: UUID, kind: str) -> HttpResponse:
    """Change a section in place, or on its own page without JavaScript.

    Before a change lets everyone read what they could not, it asks for confirmation.
    """
    character = owned(request, pk)
    section = character.sections.filter(kind=kind).first()
    if section is None:
        raise NotFound(gettext("There is no such section."), "no-such-section")
    form = SectionForm(section, posted(request))
    asks = form.is_valid() and form.reveals and "confirmed" not in request.POST
    if form.is_valid() and not asks:
        cleaned = form.cleaned_data
        with refusals_in(form):
            services.edit_section(
                by=actor_of(request),
                character=character,
                kind=kind,
                text=cleaned.get("text"),
                audience=cleaned["audience"],
                named=form.players,
            )
            return _kept(request, character, kind)
    part = "characters/_section_reveal.html" if asks else "characters/_section_form.html"
    template = part if request.htmx else "characters/section_edit.html"
    context = {"form": form, "character": character, "section": section, "part": part}
    return render(request, template, context, status=200 if asks else form_status(request))


def _kept(request: HtmxRequest, character: Character, kind: str) -> HttpResponse:
    """Respond with the part as it is now, or redirect to the sheet."""
    if not request.htmx:
        return redirect(f"{character.get_absolute_url()}#{kind}")
    sheet = shown.sheet_of(character, policy.eyes_of(actor_of(request), character))
    part = sheet.parts[kind]
    context = {"character": character, "sheet": sheet, "part": part, "own": True}
    if kind == Section.Kind.CURRENCY:
        context["money"] = telling.newest_money(sheet)
    return render(request, part.template, context | {"act_id": uuid4(), "changed": True})


@require_POST
def goal_add(request: HtmxRequest, pk: UUID) -> HttpResponse:
    """Add a goal."""
    character = owned(request, pk)
    form = GoalForm(request.POST)
    if not form.is_valid():
        act_id_in(request)
        raise BadInput("no-goal", gettext("Say the goal, in at most 200 characters."), "text")
    services.add_goal(by=actor_of(request), character=character, **form.cleaned_data)
    return _kept(request, character, Section.Kind.GOALS)


@require_POST
def goal_change(request: HtmxRequest, pk: UUID, goal: UUID) -> HttpResponse:
    """Make a goal the current one, mark it as reached, or remove it."""
    character, by = owned(request, pk), actor_of(request)
    found = selectors.goal_for(by, goal)
    if found.character_id != character.pk:
        raise selectors.no_such_goal()
    match request.POST.get("do"):
        case "current":
            services.edit_goal(by=by, goal=found, current=not found.current)
        case "reached":
            reached = found.reached_at is None
            day = parse_day(request.POST.get("on", ""))
            services.edit_goal(by=by, goal=found, reached=reached, reached_on=day)
        case "remove":
            services.remove_goal(by=by, goal=found)
        case _:
            raise BadInput(
                "unknown-value", gettext("A goal is made current, reached or removed."), "do"
            )
    return _kept(request, character, Section.Kind.GOALS)


@never_cache
@require_safe
def character_history(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show every change of a sheet, to its owner and as far as officials may see it."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    changes = selectors.changes_for(actor, character)
    context = {"character": character, "changes": changes[:200]}
    return render(request, "characters/character_history.html", context)
