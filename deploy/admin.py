"""The admin's own log; hides models of libraries that nobody needs to see in the admin."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.admin.models import LogEntry

from matches.admin.base import ReadOnly

admin.site.unregister([Authenticator, UserSession])  # they hold secrets and clients' addresses
admin.site.unregister([AccessFailureLog, AccessLog])  # nothing is written to them


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):
    """The admin's log: when, by whom, on what."""

    list_display = ["action_time", "user", "content_type", "__str__"]
    list_filter = ["action_flag", "action_time"]
    list_select_related = ["user", "content_type"]
    search_fields = ["user__username", "object_repr", "object_id"]
