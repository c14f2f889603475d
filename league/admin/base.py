"""What the admins of several subjects share."""

from typing import Any, TypeVar

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext

from league import policy, services
from league.removing import belonging
from matches.actors import actor_of
from matches.admin import Helped, ReadOnly
from matches.errors import Refused

Row = TypeVar("Row", bound=Model)


def as_kept(obj: Row) -> Row:
    """Return a row as it is kept, without what was typed."""
    return type(obj)._default_manager.get(pk=obj.pk)


def typed_anew(form: Any) -> dict[str, Any]:
    """Return what was typed anew, by field."""
    return {name: form.cleaned_data[name] for name in form.changed_data}


def tried(request: HttpRequest, what: str, work: Any) -> None:
    """Do something by a service and say what came of it."""
    try:
        work()
    except Refused as refused:
        messages.error(request, f"{what}: {refused.detail}")
    else:
        messages.success(request, gettext("{what}: done.").format(what=what))


class Removed(Helped):
    """What was made by mistake is removed by the service, as long as nothing belongs to it.

    What does is listed in the way of removing it. `fixed` are the fields said when one is made,
    and never after.
    """

    fixed: tuple[str, ...] = ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*self.readonly_fields, *(self.fixed if obj else ())]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what would go with some rows, and as protected all that belongs to them."""
        listed, counts, lacking, protected = super().get_deleted_objects(objs, request)
        held = [str(each) for one in objs for each in belonging(one)]
        return listed, counts, lacking, [*protected, *held]

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        services.remove(by=actor_of(request), thing=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for each in queryset:
                self.delete_model(request, each)


class OfTournament(ReadOnly, admin.ModelAdmin):
    """Rows of the tournaments one may see, only to be looked at."""

    to_tournament = "tournament"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = policy.visible_tournaments(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(**{f"{self.to_tournament}__in": shown})
