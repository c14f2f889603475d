"""Forms of accounts: signing up, a name, API keys, the end."""

from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy

from matches import canonical, claiming, keys
from matches.actors import Actor, player_of
from matches.errors import Refused
from matches.forms import OnceForm
from matches.forms.opening import as_met, told_apart
from matches.models import Player


def read_name(text: str) -> str:
    """Return a name as it is stored. Raises: ValidationError for one that shows nothing."""
    try:
        return canonical.text_from(text, "$", len(text), least=1)
    except Refused as refused:
        raise forms.ValidationError(refused.detail) from None


class SignUpForm(forms.Form):
    """The name a new account's player shows at tables."""

    name = forms.CharField(
        label=gettext_lazy("Name at the table"),
        max_length=80,
        help_text=gettext_lazy("What scoreboards show. Anything you like; you can change it."),
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    field_order = ["name", "username", "email", "password1", "password2"]

    def clean_name(self) -> str:
        return read_name(self.cleaned_data["name"])

    def signup(self, request: HttpRequest, user: User) -> None:
        """Create the player of a new user."""
        name = self.cleaned_data["name"]
        Player.objects.create(user=user, name=name, language=get_language() or "")
        messages.success(request, gettext("Welcome, {name}.").format(name=name))


class NameForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name at the table"), max_length=80)


class MergeForm(forms.Form):
    """Another guest who is the same person."""

    into = forms.ModelChoiceField(Player.objects.none(), label=gettext_lazy("The other guest"))

    def __init__(self, data: Any, by: Actor, guest: Player) -> None:
        super().__init__(data)
        field, me = cast(Any, self.fields["into"]), player_of(by)
        field.queryset = as_met(claiming.mergeable(by, guest), me)
        others = list(field.queryset)
        keys = [each.pk for each in others]
        field.choices = [("", "---------"), *zip(keys, told_apart(others, me), strict=True)]


class KeyForm(OnceForm):
    """An API key: its purpose, its scopes, and its expiry."""

    name = forms.CharField(label=gettext_lazy("What it is for"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Beside reading it may"),
        choices=list(keys.SCOPES.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(
        label=gettext_lazy("Valid for (days)"),
        min_value=1,
        max_value=3650,
        required=False,
        help_text=gettext_lazy("Left empty, until you end it."),
    )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `keys.make`."""
        cleaned = self.cleaned_data
        days = cleaned["days"]
        end = timezone.now() + timedelta(days=days) if days else None
        fields = {name: cleaned[name] for name in ("name", "scopes", "act_id")}
        return fields | {"expires_at": end}


class EraseForm(forms.Form):
    """Confirms an erasure by one's password; it cannot be undone."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=gettext_lazy("Erase me for good. I know there is no way back."))

    def __init__(self, data: Any, user: User) -> None:
        super().__init__(data)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(gettext("This is not your password."))
        return password
