"""Pages of the accounts that Django brings, answering 400 when they show a form again."""

from typing import Any

from django.contrib.auth import views
from django.http import HttpResponse


class LoginView(views.LoginView):
    redirect_authenticated_user = True

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)


class PasswordChangeView(views.PasswordChangeView):
    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)
