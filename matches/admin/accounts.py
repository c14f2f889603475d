"""Accounts, and the groups they are in."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group, User

admin.site.unregister([User, Group])


class NewUserForm(AdminUserCreationForm):
    """A form without autofocus: the admin's own script sets the focus."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)


@admin.register(User)
class PlainUserAdmin(UserAdmin):
    """Users, with select fields that a screen reader can use."""

    add_form = NewUserForm
    filter_horizontal = ()


@admin.register(Group)
class PlainGroupAdmin(GroupAdmin):
    filter_horizontal = ()
