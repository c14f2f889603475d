"""Claims of guests: the link with its QR code, taking over by it, merging two guests."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches import actors, claiming, policy, services
from matches.actors import actor_of
from matches.errors import Conflict, Refused
from matches.forms import form_status, posted, refusals_in, taken
from matches.forms.accounts import MergeForm, NameForm
from matches.models import Player
from matches.views.seats import qr


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest_link(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a guest's claim link, or who claimed the guest; create a link."""
    actor = actor_of(request)
    guest = get_object_or_404(Player.objects.select_related("claimed_by", "user"), pk=pk)
    policy.require_unclaim(actor, guest, guest.claimed_by)
    if request.method == "POST":
        services.offer_claim(by=actor, guest=guest)
        messages.success(
            request, gettext("The link is ready. An older one opens nothing any more.")
        )
        return redirect("matches:guest-link", guest.pk)
    if guest.user is not None:
        return redirect(guest)
    taken = guest.claims.exclude(taken_at=None).select_related("taken_by", "undone_by")
    context: dict[str, Any] = {
        "guest": guest,
        "taken": taken,
        "merged": guest.claimed.all(),
        "since": taken[0].taken_by if guest.claimed_by and taken else None,
        "undo_until": claiming.ends(taken[0]) if guest.claimed_by and taken else None,
    }
    offered = None if guest.claimed_by else claiming.offered(actor, guest)
    if offered is not None:
        path = reverse("matches:guest-claim", args=[claiming.token_of(offered)])
        link = request.build_absolute_uri(path)
        context |= {
            "offered": offered,
            "link": link,
            "qr": qr(link, gettext("QR code for {guest}").format(guest=guest)),
        }
    return render(request, "matches/guest_link.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest_claim(request: HttpRequest, token: str) -> HttpResponse:
    """Show what an account would take over with a guest; take it over on confirmation."""
    actor = actor_of(request)
    claim = claiming.of_token(token)
    if request.method == "POST":
        taken = services.claim(by=actor, token=token)
        messages.success(
            request, gettext("What {guest} played is yours now.").format(guest=taken.guest)
        )
        return redirect(actors.player_of(actor))
    refused: Refused | None = None
    if actor.is_signed_in:
        try:
            claiming.require_fits(claim.guest, actors.player_of(actor))
        except Conflict as why:
            refused = why
    context = {
        "claim": claim,
        "guest": claim.guest,
        "parts": claiming.parts_of(claim.guest),
        "back": claiming.BACK.days,
        "refused": refused,
    }
    return render(request, "matches/guest_claim.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest_merge(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what a guest would bring along to another guest; merge the two on confirmation."""
    actor = actor_of(request)
    guest = get_object_or_404(Player, pk=pk)
    policy.require_invite(actor, guest)
    if guest.claimed_by_id is not None:
        return redirect("matches:guest-link", guest.pk)
    form = MergeForm(posted(request) or request.GET or None, actor, guest)
    if request.method == "POST" and taken(form, services.merge_guests, by=actor, guest=guest):
        into: Player = form.cleaned_data["into"]
        messages.success(
            request,
            gettext("What {guest} played is on the record of {into} now.").format(
                guest=guest, into=into
            ),
        )
        return redirect(into)
    context: dict[str, Any] = {"guest": guest, "form": form, "back": claiming.BACK.days}
    if form.is_valid():
        context["into"] = form.cleaned_data["into"]
        with refusals_in(form):
            claiming.require_fits(guest, context["into"])
        context["parts"] = claiming.parts_of(guest)
    return render(request, "matches/guest_merge.html", context, status=form_status(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest_rename(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Rename a guest one added."""
    actor = actor_of(request)
    guest = get_object_or_404(Player, pk=pk)
    policy.require_rename_guest(actor, guest)
    form = NameForm(posted(request), initial={"name": guest.name})
    if taken(form, services.rename, by=actor, player=guest):
        messages.success(request, gettext("They are {guest} now.").format(guest=guest))
        return redirect("matches:player-detail", guest.pk)
    context = {"guest": guest, "form": form}
    return render(request, "matches/guest_rename.html", context, status=form_status(request))


@never_cache
@require_POST
def claim_undo(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Undo a claim."""
    guest = get_object_or_404(Player, pk=pk)
    services.undo_claim(by=actor_of(request), guest=guest)
    messages.success(
        request, gettext("{guest} is a guest again, with all that was theirs.").format(guest=guest)
    )
    return redirect("matches:player-detail", guest.pk)
