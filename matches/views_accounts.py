"""One's own account: the name at the table, the key for programs, erasing oneself."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from matches import erasing, exporting, selectors, services
from matches.errors import Refused
from matches.forms import EraseForm, NameForm, form_status, posted
from matches.policy import actor_of, player_of
from matches.views_matches import listed


class SignedInRequest(HttpRequest):
    """What `login_required` lets through."""

    user: User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_detail(request: SignedInRequest) -> HttpResponse:
    """Show one's account, and change one's name at the table."""
    player = player_of(actor_of(request))
    form = NameForm(posted(request), initial={"name": player.name})
    if form.is_valid():
        try:
            services.rename(by=actor_of(request), player=player, name=form.cleaned_data["name"])
        except Refused as refused:
            form.add_error("name", refused.detail)
        else:
            messages.success(request, "Your name is kept.")
            return redirect("matches:account-detail")
    return _account(request, form_status(request), form=form)


@login_required
@never_cache
@require_POST
def token_renew(request: SignedInRequest) -> HttpResponse:
    """Make a new key for programs and show it, this once."""
    player = player_of(actor_of(request))
    form = NameForm(initial={"name": player.name})
    return _account(request, form=form, key=services.renew_key(request.user))


@never_cache
@require_safe
def account_export(request: HttpRequest) -> HttpResponse:
    """Give all that one owns as a zip: of an account, or of the seats one holds by a link."""
    packed = exporting.archive(by=actor_of(request))
    headers = {"Content-Disposition": 'attachment; filename="everything.zip"'}
    return HttpResponse(packed, content_type="application/zip", headers=headers)


@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_erase(request: SignedInRequest) -> HttpResponse:
    """Erase oneself, once the password is typed: the page says what goes and what stays."""
    actor = actor_of(request)
    player = player_of(actor)
    form = EraseForm(posted(request), request.user)
    if form.is_valid():
        try:
            services.erase(by=actor, player=player)
        except Refused as refused:
            form.add_error(None, refused.detail)
        else:
            logout(request)
            messages.success(request, "You are erased. What you played stays, without your name.")
            return redirect("matches:home")
    context = erasing.told(player) | {"form": form}
    return render(request, "matches/account_erase.html", context, status=form_status(request))


def _account(request: SignedInRequest, status: int = 200, **context: object) -> HttpResponse:
    actor = actor_of(request)
    context |= {
        "player": player_of(actor),
        "has_key": services.has_key(request.user),
        "lines": listed(actor, selectors.matches_of(actor, player_of(actor))[:5]),
    }
    return render(request, "matches/account_detail.html", context, status=status)
