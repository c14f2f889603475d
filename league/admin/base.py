"""What the admin classes of several subjects share."""

from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from league import policy, services
from league.removing import users_of
from matches.actors import actor_of
from matches.admin import Excluding, Helped, ReadOnly

Row = TypeVar("Row", bound=Model)


def as_kept(obj: Row) -> Row:
    """Return the stored row, without the changes the form made to the instance."""
    return type(obj)._default_manager.get(pk=obj.pk)


def typed_anew(form: Any) -> dict[str, Any]:
    """Return the changed fields of a form with their values."""
    return {name: form.cleaned_data[name] for name in form.changed_data}


class Removed(Helped):
    """Rows made by mistake, which the service removes as long as nothing belongs to them.

    Whatever belongs to a row is listed as protecting it. `fixed` names the fields that can be set
    only when the row is created.
    """

    fixed: tuple[str, ...] = ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*self.readonly_fields, *(self.fixed if obj else ())]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """List what deleting the rows would delete; whatever belongs to them counts as
        protected."""
        listed, counts, lacking, protected = super().get_deleted_objects(objs, request)
        held = [str(each) for one in objs for each in users_of(one)]
        return listed, counts, lacking, [*protected, *held]

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        services.remove(by=actor_of(request), thing=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for each in queryset:
                self.delete_model(request, each)


class OfTournament(ReadOnly, Excluding):
    """Read-only rows of the tournaments the user may see."""

    to_tournament = "tournament"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = policy.visible_tournaments(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(**{f"{self.to_tournament}__in": shown})
