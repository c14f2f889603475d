"""The site's django-allauth: addresses, second factors, the status of its forms."""

from collections.abc import Callable, Collection
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.forms import LoginForm, SignupForm
from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailView, EmailView, SignupView
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext, gettext_lazy

from deploy import clients
from matches import actors, claiming, encryption
from matches.forms.accounts import read_name
from matches.prepared import Prepared

TOO_MANY = "too_many_login_attempts"
TRY_LATER = gettext_lazy(
    "That was wrong too often. Wait a quarter of an hour, or choose a new password by e-mail."
)


class Accounts(DefaultAccountAdapter):
    """Counts attempts by the client's address, and redirects to pages of this site alone."""

    error_messages = DefaultAccountAdapter.error_messages | {TOO_MANY: TRY_LATER}

    def get_client_ip(self, request: HttpRequest) -> str:
        return clients.address(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        read_name(username)
        return str(super().clean_username(username, shallow))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Redirect a client with seats it took before signing in to where it can claim them."""
        if claiming.free_seats(actors.actor_of(request)):
            return reverse("matches:account-detail")
        return str(super().get_login_redirect_url(request))

    get_signup_redirect_url = get_login_redirect_url

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, and notify the previous one: the address gives access."""
        user = email_address.user
        before = EmailAddress.objects.filter(user=user, primary=True, verified=True).first()
        confirmed = bool(super().confirm_email(request, email_address))
        if confirmed and before is not None:
            context = {"confirmed_email": email_address.email}
            self.send_notification_mail("account/email/email_confirm", user, context, before.email)
        return confirmed

    def is_safe_url(self, url: str | None) -> bool:
        return url is not None and url.startswith("/") and bool(super().is_safe_url(url))


class Backend(AuthenticationBackend):
    """Reads the user together with their player, whom every page names."""

    def get_user(self, user_id: int) -> User | None:
        user = _ACCOUNT.first(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None


_ACCOUNT = Prepared(lambda pk: User.objects.filter(pk=pk).select_related("player"), pk=-1)


class Login(LoginForm):
    """Login by name or by address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = gettext("Username or e-mail")
        self.fields["login"].validators.append(MaxLengthValidator(254))
        self.fields["password"].help_text = ""  # the page links to the reset itself
        _plain(self)


class SignUp(SignupForm):
    """Sign-up with an optional address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = gettext("E-mail")
        self.fields["password2"].label = gettext("The password again")
        _plain(self)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account with its player, or neither. Raises: IntegrityError."""
        with transaction.atomic():
            made: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return made


class SignUpPage(SignupView):
    """Answers the loser of a race for a name, or a double tap, that the name is taken."""

    def form_valid(self, form: SignUp) -> Any:
        try:
            return super().form_valid(form)
        except IntegrityError:
            form.add_error("username", get_adapter().validation_error("username_taken"))
            return self.form_invalid(form)


class ConfirmPage(ConfirmEmailView):
    """Says of a used or invalid link that it no longer works, for GET and POST alike."""

    def get(self, *args: Any, **kwargs: Any) -> Any:
        answer = super().get(*args, **kwargs)
        if self.object is None:
            answer.status_code = 404
        return answer

    def post(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().post(*args, **kwargs)
        except Http404:
            return self.get(*args, **kwargs)


class AddressPage(EmailView):
    """Says so if no mail goes out, and keeps one main address if two are set at once."""

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return super()._action_primary(request, *args, **kwargs)
        except IntegrityError:
            return None  # the page shows the result

    def _action_send(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        address = self._get_email_address(request)
        if address is None:
            return
        if address.verified:
            messages.info(request, gettext("This address is confirmed already."))
            return
        super()._action_send(request, *args, **kwargs)
        if not self._did_send_verification_email:
            messages.warning(
                request, gettext("A letter went there a moment ago. Look for it, or wait a little.")
            )


class SecondFactorPage(ActivateTOTPView):
    """Sets up a second factor once, however often it is tapped, and takes its first code once.

    A second tap redirects to where the first does: the library would ask whether to remove it
    again.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        answer: Any = super().dispatch(request, *args, **kwargs)
        is_set_up = getattr(answer, "url", "") == reverse("mfa_deactivate_totp")
        if is_set_up and request.method == "POST":
            return redirect("mfa_view_recovery_codes")
        return answer

    def form_valid(self, form: Any) -> Any:
        try:
            answer = super().form_valid(form)
        except IntegrityError:
            return redirect("mfa_view_recovery_codes")
        made = Authenticator.objects.get(user=self.request.user.pk, type=Authenticator.Type.TOTP)
        made.wrap().validate_code(form.cleaned_data["code"])  # marks the code as used
        return answer


def _plain(form: Any) -> None:
    """Remove placeholders that repeat the label."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class SecondFactors(DefaultMFAAdapter):
    """Encrypts the secrets of second factors, by keys derived from the site's own."""

    def encrypt(self, text: str) -> str:
        return encryption.seal(text, "second factors")

    def decrypt(self, encrypted_text: str) -> str:
        return encryption.unseal(encrypted_text, "second factors")


class FormStatus:
    """Sets status 400 when a page shows a form again with errors, 429 after too many tries.

    No browser keeps these pages: Back would show them to whoever is there after a sign-out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_template_response(
        self, request: HttpRequest, response: SimpleTemplateResponse
    ) -> SimpleTemplateResponse:
        form: Any = (response.context_data or {}).get("form")
        if request.method == "POST" and getattr(form, "errors", None):
            codes = {error.code for errors in form.errors.as_data().values() for error in errors}
            response.status_code = 429 if TOO_MANY in codes else 400
        if isinstance(response, TemplateResponse):  # not a response of the API
            add_never_cache_headers(response)
        return response


def username(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the login a sign-in names, a name or an address."""
    given = credentials or {}
    return str(given.get("username") or given.get("email") or "")


def addresses(users: Collection[int]) -> dict[int, str]:
    """Return the confirmed addresses of active accounts, of each the main one."""
    found = EmailAddress.objects.filter(user__in=users, user__is_active=True, verified=True)
    return dict(found.order_by("primary", "pk").values_list("user_id", "email"))
