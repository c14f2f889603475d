"""The admin site: Django's own, with the site's login and, where required, a second factor."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.adapter import get_adapter
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from matches.errors import NotAllowed

GROUPS = {
    gettext_noop("Leagues and tournaments"): [
        *("league.League", "league.Season", "league.Adjustment", "league.Circuit"),
        *("league.Tournament", "league.Entry", "league.Round", "league.Pairing"),
        *("league.Standing", "league.Rating"),
        *("league.Krewe", "league.Venue", "league.Sanction", "league.Penalty"),
    ],
    gettext_noop("People"): [
        *("auth.User", "auth.Group", "matches.Player", "matches.Claim", "account.EmailAddress"),
    ],
    gettext_noop("Matches"): [
        "matches.Match",
        "matches.Proposal",
        "matches.ScribeLease",
        "matches.Note",
    ],
    gettext_noop("Characters and cards"): [
        *("characters.Character", "characters.Campaign", "characters.Loadout"),
        *("characters.Card", "characters.CardSet", "characters.GearItem"),
        *("characters.LedgerEntry", "characters.Appearance", "characters.Deed"),
        "characters.Aftermath",
    ],
}
"""Groups of the front page, by what organisers look for. Models not named come last."""

REST = gettext_noop("Logs and machinery")


def _plainly_asked(view: Callable[..., Any]) -> Callable[..., Any]:
    """Answer 400 to a broken link or form: NUL, or ids that are not ids or beyond all numbers."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        searched = [value for _, values in request.GET.lists() for value in values]
        if any("\0" in value for value in [*chosen, *searched]):
            raise BadRequest("NUL")
        try:
            return view(request, *args, **kwargs)
        except OverflowError:
            raise BadRequest("no id") from None
        except (ValidationError, ValueError):
            if chosen:
                raise BadRequest("no id") from None
            raise

    return answered


class Site(admin.AdminSite):
    """Lets staff in; with STAFF_SECOND_FACTOR, only those with a second factor."""

    index_title = gettext_lazy("What would you like to see to?")

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the models the staff member may see: of an app, or all of them by `GROUPS`."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        models = {each["model"]._meta.label: each for app in apps for each in app["models"]}
        groups = {
            name: [models.pop(label) for label in labels if label in models]
            for name, labels in GROUPS.items()
        }
        groups[REST] = [*models.values()]
        return [
            {
                "name": gettext(name),
                "app_label": slugify(name),
                "app_url": reverse("admin:app_list", args=[found[0]["model"]._meta.app_label]),
                "has_module_perms": True,
                "models": found,
            }
            for name, found in groups.items()
            if found
        ]

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        return super().admin_view(_plainly_asked(view), cacheable)

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not self._lacks_factor(request)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.user.is_authenticated and self._lacks_factor(request):
            messages.warning(
                request, gettext("The admin asks for a second factor. Set yours up first.")
            )
            return redirect("mfa_index")
        if request.user.is_authenticated and not super().has_permission(request):
            raise NotAllowed("not-staff", gettext("The admin is for those who run this site."))
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def _lacks_factor(self, request: HttpRequest) -> bool:
        required = settings.STAFF_SECOND_FACTOR and super().has_permission(request)
        return required and not get_adapter().is_mfa_enabled(request.user)
