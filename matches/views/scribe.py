"""The scribe's page: taking over in one tap, and proposals."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches import policy, proposals, scribes, selectors, services
from matches.actors import Actor, actor_of
from matches.errors import BadInput, Irregular, NotTheScribe, Refused
from matches.models import Match, Proposal
from matches.pages import number_in, of_match, of_table, on_a_device, over_in, page_of, uuid_in
from matches.scene import scene_of

BACK_TO = {"logger": "matches:logger", "acts": "matches:act-record"}


@never_cache
@on_a_device
@require_http_methods(["GET", "HEAD", "POST"])
def scribe(request: HttpRequest, code: str) -> HttpResponse:
    """Show the scribe and the proposals; on POST become the scribe, in place of `over`."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    if request.method != "POST":
        return _page(request, actor, match)
    if "over" not in request.POST:
        raise BadInput("missing-field", gettext("The form lacks whom to take over from."), "over")
    over = over_in(request)
    try:
        scribes.take(match=match, by=actor, over=over)
    except NotTheScribe as refused:
        return _page(request, actor, match, refused)
    messages.success(request, gettext("You are the scribe now."))
    return redirect(BACK_TO.get(request.POST.get("back", ""), "matches:scribe"), code)


@require_POST
def scribe_end(request: HttpRequest, code: str) -> HttpResponse:
    """Stop being the scribe, or end another's lease."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    scribes.end(match=match, by=actor, pk=uuid_in(request, "id"))
    messages.success(request, gettext("This match has no scribe now. Who records next is it."))
    return redirect("matches:scribe", code)


@require_POST
def proposal_decide(request: HttpRequest, code: str, act_id: UUID) -> HttpResponse:
    """Accept a proposal, merge it with an entry, or dismiss it."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    try:
        message = _decide(request, actor, match, act_id)
    except Refused as refused:
        return _page(request, actor, match, refused, act_id)
    messages.success(request, message)
    return redirect("matches:scribe", code)


def _decide(request: HttpRequest, actor: Actor, match: Match, act_id: UUID) -> str:
    """Carry out the decision of the form's button, and return what was done as a sentence."""
    match request.POST.get("decision"):
        case "accept":
            receipt = services.accept_proposal(
                match=match, by=actor, act_id=act_id, irregular="irregular" in request.POST
            )
            return gettext("Recorded as entry {version}.").format(version=receipt.version)
        case "merge":
            version = number_in(request, "version") or 0
            proposals.merge(match=match, by=actor, act_id=act_id, version=version)
            return gettext("Kept as the same act as entry {version}.").format(version=version)
        case "dismiss":
            proposals.dismiss(match=match, by=actor, act_id=act_id)
            return gettext("Dismissed. It is kept below.")
    raise BadInput("unknown-value", gettext("Accept, merge or dismiss it."), "decision")


def _page(
    request: HttpRequest,
    actor: Actor,
    match: Match,
    refused: Refused | None = None,
    about: UUID | None = None,
) -> HttpResponse:
    """Show the page; after a refusal with the reason. `about` is the proposal it is about."""
    match.log.refresh_from_db()
    states = (Proposal.State.ACCEPTED, Proposal.State.MERGED, Proposal.State.DISMISSED)
    decided = [each for state in states for each in proposals.shown(actor, match, state)]
    context = of_match(actor, match, scene_of(actor, match)) | of_table(actor, match)
    context |= {
        "about": about,
        "stands": isinstance(refused, Irregular),
        "proposals": proposals.shown(actor, match),
        "decided": sorted(decided, key=lambda each: each.decided_at or each.kept_at, reverse=True),
    }
    return page_of(request, "matches/scribe.html", context, refused)
