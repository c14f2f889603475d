"""Admin fields in which another row is picked by typing part of its name."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import ValidationError
from django.forms import Media, Script
from django.http import HttpRequest

NAMES = Script("js/picking.js", type="module")


class _Picked:
    """Shows a submitted value again, except values that no key can have, which crash Django's own.

    A script labels its parts for screen readers.
    """

    field: Any

    @property
    def media(self) -> Media:
        own = Media(js=[NAMES])  # type: ignore[list-item]  # its stubs know paths alone
        return super().media + own  # type: ignore[misc,no-any-return]  # the widget's

    def optgroups(self, name: str, value: Sequence[str], attrs: Any = None) -> Any:
        kept = [each for each in value if self._is_key(each)]
        return super().optgroups(name, kept, attrs)  # type: ignore[misc]  # the widget's

    def _is_key(self, value: str) -> bool:
        try:
            self.field.remote_field.model._meta.pk.to_python(value)
        except ValidationError:
            return False
        return True


class Picker(_Picked, AutocompleteSelect):
    pass


class PickerOfSeveral(_Picked, AutocompleteSelectMultiple):
    pass


class Picking(BaseModelAdmin):
    """Uses those widgets for its `autocomplete_fields`."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", Picker(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", PickerOfSeveral(db_field, self.admin_site))
        return super().formfield_for_manytomany(db_field, request, **kwargs)
