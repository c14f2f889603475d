"""Base classes of the admin."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, TextField
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from matches import policy
from matches.actors import actor_of
from matches.errors import Refused
from matches.forms import Lines, refuse
from matches.models import Match, withdrawn
from matches.picking import Picking


class Excluding(admin.ModelAdmin):
    """Keeps what it excludes from filters in the address too: they would tell it bit by bit."""

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        asked = lookup.partition(LOOKUP_SEP)[0]
        kept = self.get_exclude(request) or ()
        return asked not in kept and super().lookup_allowed(lookup, value, request)


class CutAdmin(Excluding):
    """Shows only rows of logs that the staff member may see up to the head.

    `to_log` is the lookup from a row to its log; staff who may see less use the match's own page.
    So they do for what was said: `raw` fields hold hidden hands too, and only superusers see them.
    """

    to_log = "log__"
    raw: tuple[str, ...] = ()

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [
            each for each in super().get_list_display(request) if each not in self._kept(request)
        ]

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*(super().get_exclude(request, obj) or ()), *self._kept(request)]

    def _kept(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the fields kept from who asks."""
        return () if is_superuser(request) else self.raw

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if is_superuser(request):
            return rows
        whole = Q(**{f"{self.to_log}match__in": policy.whole_matches(actor_of(request))})
        public = Q(**{f"{self.to_log}public_version": None})
        return rows.filter(whole | (public & ~withdrawn(self.to_log)))


def is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


OF_LINES: dict[type[Any], Any] = {
    TextField: {"widget": Lines(attrs={"class": "vLargeTextField", "rows": 10})}
}
"""The fields of texts of several lines."""


class Helped(Picking, admin.ModelAdmin):
    """Shows a help text below each field, and errors of services in the form.

    `help_texts` by the name of the field. NotAllowed and NotFound have a page of their own.
    """

    help_texts: ClassVar[dict[str, Any]] = {}
    formfield_overrides = OF_LINES

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refused as refused:  # rolled back: the view is one transaction
            if refused.status in (403, 404):
                raise
            request.refused = refused  # type: ignore[attr-defined]
            answer = super().changeform_view(request, *args, **kwargs)
            answer.status_code = refused.status
            return answer

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        kwargs.setdefault("help_texts", self.help_texts)
        form = super().get_form(request, obj, change, **kwargs)
        refused = getattr(request, "refused", None)
        return _refusing(form, refused) if refused else form


def _refusing(form: Any, refused: Refused) -> Any:
    """Return a form that is not valid, with the reason."""

    class Refusing(form):
        def clean(self) -> Any:
            cleaned = super().clean()
            refuse(self, refused)
            return cleaned

    return Refusing


class HelpedRows(Picking, admin.StackedInline):
    """The same for inline rows."""

    help_texts: ClassVar[dict[str, Any]] = {}
    formfield_overrides = OF_LINES

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        kwargs.setdefault("help_texts", self.help_texts)
        return super().get_formset(request, obj, **kwargs)


class ReadOnly:
    """Nothing can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def asked_first(
    warning: Any, *, template: str = "admin/confirm_action.html", row: Callable[[Any], Any] = str
) -> Callable[..., Any]:
    """Make an action that cannot be undone ask for confirmation, with a warning.

    `row` returns of a chosen object what the template shows.
    """

    def asking(action: Any) -> Any:
        @wraps(action)
        def asked(self: Any, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
            if "sure" in request.POST:
                done: HttpResponse | None = action(self, request, chosen)
                return done
            context = self.admin_site.each_context(request) | {
                "title": action.short_description,
                "warning": warning,
                "action": action.__name__,
                "field": ACTION_CHECKBOX_NAME,
                "chosen": [(each.pk, row(each)) for each in chosen],
                "opts": self.opts,
            }
            return TemplateResponse(request, template, context)

        return asked

    return asking


def tried(request: HttpRequest, what: object, work: Callable[[], object], done: str = "") -> bool:
    """Call a service and tell its success, by default as `done`, or its refusal; return which."""
    try:
        work()
    except Refused as refused:
        messages.error(request, f"{what}: {refused.detail}")
        return False
    messages.success(request, done or gettext("{what}: done.").format(what=what))
    return True


def link(url: str, text: str = "Open") -> SafeString:
    """Return a link to a page."""
    return format_html('<a href="{}">{}</a>', url, text)


def moment(match: Match, version: int, text: str) -> SafeString:
    """Return a link to a moment of a match."""
    return link(f"{match.get_absolute_url()}?at={version}", text)
