"""Accounts, and the groups they are in."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from matches.models import Player

admin.site.unregister([User, Group])


class NewUserForm(AdminUserCreationForm):
    """A form without autofocus: the admin's own script sets the focus."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)


@admin.register(User)
class PlainUserAdmin(UserAdmin):
    """Users, with select fields that a screen reader can use.

    An account with a player is not deleted here: its player, with the name and all texts, would
    stay behind without anybody. Erasing the player deletes both.
    """

    add_form = NewUserForm
    filter_horizontal = ()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """List what deleting accounts would delete; their players count as protecting them."""
        listed, counts, lacking, protected = super().get_deleted_objects(objs, request)
        players = Player.objects.filter(user__in=[user.pk for user in objs])
        return listed, counts, lacking, [*protected, *map(_held, players)]


def _held(player: Player) -> SafeString:
    url = reverse("admin:matches_player_change", args=[player.pk])
    told = gettext("{player}: erase the player here, or make the account inactive")
    return format_html('<a href="{}">{}</a>', url, told.format(player=player))


@admin.register(Group)
class PlainGroupAdmin(GroupAdmin):
    filter_horizontal = ()
