"""The form to promise a prize."""

from django import forms
from django.utils.translation import gettext_lazy

from characters.ledger import MAX_MONEY
from league.prizes import MAX_PLACE
from matches.forms import OnceForm


class PrizeForm(OnceForm):
    """A prize to promise."""

    place = forms.IntegerField(
        label=gettext_lazy("Place"),
        min_value=1,
        max_value=MAX_PLACE,
        error_messages={
            "required": gettext_lazy("Say which place wins it: 1 for the first."),
            "min_value": gettext_lazy("The first place is 1."),
        },
    )
    amount = forms.IntegerField(
        label=gettext_lazy("Hard currency"),
        required=False,
        min_value=0,
        max_value=MAX_MONEY,
        help_text=gettext_lazy("For the winner's character. Empty for none."),
    )
    line = forms.CharField(
        label=gettext_lazy("Gear, or anything else"),
        required=False,
        max_length=200,
        help_text=gettext_lazy(
            "Gear written as on a sheet goes to the character: Superior Green Frontgear. "
            "Anything else is listed here and handed over by you."
        ),
    )

    def clean_amount(self) -> int:
        return self.cleaned_data["amount"] or 0
