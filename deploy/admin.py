"""The admin's own log, and what libraries put into the admin that nobody there needs to see."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.models import LogEntry

from matches.admin.base import ReadOnly

admin.site.unregister([Authenticator, UserSession])  # secrets, and from where people come


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):
    """What was done in the admin: when, by whom, to what."""

    list_display = ["action_time", "user", "content_type", "__str__"]
    list_filter = ["action_flag", "action_time"]
    list_select_related = ["user", "content_type"]
    search_fields = ["user__username", "object_repr", "object_id"]
