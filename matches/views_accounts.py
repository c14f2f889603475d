"""One's own account: signing up, the name at the table, the key for programs."""

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from matches import erasing, selectors, services
from matches.errors import Refused
from matches.forms import EraseForm, NameForm, SignUpForm, form_status, posted
from matches.policy import actor_of, player_of
from matches.views_matches import listed

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignedInRequest(HttpRequest):
    """What `login_required` lets through."""

    user: User


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_create(request: HttpRequest) -> HttpResponse:
    """Sign up, and be signed in."""
    form = SignUpForm(posted(request))
    if form.is_valid():
        said = form.cleaned_data
        try:
            user = services.sign_up(
                username=said["username"], password=said["password1"], name=said["name"]
            )
        except Refused as refused:
            form.add_error(None, refused.detail)
        else:
            login(request, user, backend=BACKEND)
            messages.success(request, f"Welcome, {said['name']}.")
            return redirect(_next(request))
    status = form_status(request)
    return render(request, "matches/account_create.html", {"form": form}, status=status)


def _next(request: HttpRequest) -> str:
    """Return where the visitor was going, if that is a page of ours."""
    to = request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(to, {request.get_host()}, request.is_secure())
    return to if ours and to.startswith("/") else "matches:home"


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
