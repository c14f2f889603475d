"""The form of a text about a place."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from league import policy
from league.forms.fields import NamedField
from league.models import League, PlaceText
from matches.actors import Actor
from matches.forms import Lines, OnceForm


class PlaceTextForm(OnceForm):
    """A text about a place: a new one `by` an actor, or a change `of` one at its version."""

    league = forms.ModelChoiceField(
        League.objects.none(), label=gettext_lazy("In the name of"), required=False
    )
    title = forms.CharField(label=gettext_lazy("Title"), max_length=120)
    text = forms.CharField(
        label=gettext_lazy("What is told"),
        max_length=4000,
        widget=Lines(attrs={"rows": 10}),
    )
    audience = forms.ChoiceField(
        label=gettext_lazy("Who may read it"),
        choices=PlaceText.Audience.choices,
        help_text=gettext_lazy(
            "Players: everybody who is signed in. Organisers: those of its league."
        ),
    )
    when = forms.CharField(
        label=gettext_lazy("When it happened"),
        max_length=10,
        required=False,
        help_text=gettext_lazy(
            "As 2110-05-31, 2110-05 or 2110. It then stands in order among what happened here."
        ),
    )
    calendar = forms.ChoiceField(
        label=gettext_lazy("By which calendar"), choices=PlaceText.Calendar.choices
    )
    version = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, by: Actor | None = None, of: PlaceText | None = None, **kwargs: Any
    ) -> None:
        if of is not None:
            names = ("title", "text", "audience", "when", "calendar", "version")
            kwargs["initial"] = {name: getattr(of, name) for name in names}
        super().__init__(*args, **kwargs)
        self.of = of
        for name in ("league", "act_id") if of else ("version",):
            del self.fields[name]
        if by is not None:
            self._offer(by)

    def _offer(self, by: Actor) -> None:
        """Offer the leagues that the actor writes for; superusers write for the site, too."""
        leagues, whole = policy.run_by(by), by.is_superuser
        self.fields["league"] = NamedField(
            leagues,
            label=gettext("In the name of"),
            required=not whole,
            empty_label=gettext("The site") if whole else None,
            initial=None if whole else leagues.first(),
        )
        self.order_fields(["league"])

    def over(self, kept: PlaceText) -> "PlaceTextForm":
        """Return the form as sent, based on the text stored now, so that it can be sent again."""
        return PlaceTextForm({**self.cleaned_data, "version": kept.version}, of=kept)
