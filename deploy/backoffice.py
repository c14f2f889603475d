"""The admin: Django's own, with the site's door and, where asked for, a second factor."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.adapter import get_adapter
from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class Site(admin.AdminSite):
    """Lets staff in, those with a second factor alone where STAFF_SECOND_FACTOR says so."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not self._lacks_factor(request)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.user.is_authenticated and self._lacks_factor(request):
            messages.warning(request, "The admin asks for a second factor. Set yours up first.")
            return redirect("mfa_index")
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def _lacks_factor(self, request: HttpRequest) -> bool:
        asked = settings.STAFF_SECOND_FACTOR and super().has_permission(request)
        return asked and not get_adapter().is_mfa_enabled(request.user)
