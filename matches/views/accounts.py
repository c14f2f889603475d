"""One's own account: the name at the table, API keys, export, erasing oneself."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from matches import claiming, erasing, exporting, keys, selectors, services
from matches.actors import actor_of, player_of
from matches.forms import form_status, posted, refusals_in, taken
from matches.forms.accounts import EraseForm, KeyForm, NameForm
from matches.forms.opening import as_met, told_apart
from matches.views.jobs import zip_response
from matches.views.matches import listed


class SignedInRequest(HttpRequest):
    """What `login_required` lets through."""

    user: User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_detail(request: SignedInRequest) -> HttpResponse:
    """Show one's account, and change one's name at the table."""
    actor = actor_of(request)
    player = player_of(actor)
    form = NameForm(posted(request), initial={"name": player.name})
    if taken(form, services.rename, by=actor, player=player):
        messages.success(request, gettext("Your name is kept."))
        return redirect("matches:account-detail")
    guests = list(as_met(player.guests.select_related("claimed_by"), player))
    context = {
        "form": form,
        "player": player,
        "lines": listed(actor, selectors.matches_of(actor, player)[:5]),
        "free_seats": claiming.free_seats(actor),
        "guests": zip(guests, told_apart(guests, player), strict=True) if guests else None,
    }
    return render(request, "matches/account_detail.html", context, status=form_status(request))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def key_list(request: SignedInRequest) -> HttpResponse:
    """List one's API keys; create one and show it, this once."""
    form, made = KeyForm(posted(request)), ""
    if form.is_valid():
        with refusals_in(form):
            made = keys.make(request.user, **form.arguments())
            form = KeyForm()
    context = {
        "form": form,
        "made": made,
        "keys": keys.keys_of(request.user),
        "scopes": keys.SCOPES.items(),
    }
    status = 200 if made else form_status(request)
    return render(request, "matches/key_list.html", context, status=status)


@require_POST
@login_required
@never_cache
def key_end(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Delete one of one's keys, or take one scope from it."""
    if scope := request.POST.get("scope"):
        keys.narrow(request.user, key, scope)
        messages.success(request, gettext("The key may do less from now on."))
    else:
        keys.end(request.user, key)
        messages.success(request, gettext("The key is worth nothing any more."))
    return redirect("matches:key-list")


@never_cache
@require_safe
def account_export(request: HttpRequest) -> FileResponse:
    """Download all that one owns as a zip: of an account, or of seats held by a link."""
    return zip_response("everything.zip", exporting.archive(by=actor_of(request)))


@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_erase(request: SignedInRequest) -> HttpResponse:
    """Erase oneself, once the password is typed; the page says what is erased and what stays."""
    actor = actor_of(request)
    player = player_of(actor)
    form = EraseForm(posted(request), request.user)
    if form.is_valid():
        with refusals_in(form):
            services.erase(by=actor, player=player)
            logout(request)
            messages.success(
                request, gettext("You are erased. What you played stays, without your name.")
            )
            return redirect("matches:home")
    context = erasing.extent_of(player) | {"form": form}
    return render(request, "matches/account_erase.html", context, status=form_status(request))
