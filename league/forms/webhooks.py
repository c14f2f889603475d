"""Forms of webhooks."""

from django import forms
from django.utils.translation import gettext_lazy

from league.happenings import EVENTS
from matches.forms import OnceForm


class WebhookForm(forms.Form):
    """A webhook's address, and the events sent to it."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=400,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Tell it when"),
        choices=list(EVENTS.items()),
        initial=list(EVENTS),
        widget=forms.CheckboxSelectMultiple,
    )


class NewWebhookForm(OnceForm, WebhookForm):
    """A webhook to register."""
