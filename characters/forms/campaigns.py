"""Forms about campaigns, and about moving characters into them or to another player."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from characters.campaigns import MAX_PRICE
from characters.forms import players_by
from characters.models import Campaign
from matches.forms import OnceForm, player_by
from matches.models import Player


class MoveForm(forms.Form):
    """The username of the player who gets a character."""

    to = forms.CharField(label=gettext_lazy("Username"), max_length=150)

    def clean_to(self) -> Player:
        return player_by(self.cleaned_data["to"])


class JoinCampaignForm(forms.Form):
    """The campaign that a character asks to join."""

    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        label=gettext_lazy("Campaign"),
        empty_label=gettext_lazy("Choose"),
    )

    def __init__(self, campaigns: QuerySet[Campaign], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["campaign"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = campaigns


class CampaignForm(forms.Form):
    """A campaign's settings."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    after_slag = forms.ChoiceField(
        label=gettext_lazy("After a match, slagged gear is"),
        choices=Campaign.AfterSlag.choices,
    )
    repair_price = forms.IntegerField(
        label=gettext_lazy("A repair costs, in credits"), min_value=0, max_value=MAX_PRICE
    )
    officials = forms.CharField(
        label=gettext_lazy("Officials"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("Usernames, with commas between."),
    )

    def clean_officials(self) -> list[Player]:
        return players_by(self.cleaned_data["officials"])


class ChangeCampaignForm(CampaignForm):
    """The same form, for a campaign that may be handed to one of its officials."""

    owner = forms.ModelChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Run by"),
        required=False,
        help_text=gettext_lazy("An official may take it over; who ran it is an official then."),
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = self.fields["owner"]
        assert isinstance(owner, forms.ModelChoiceField)
        owner.queryset, owner.empty_label = campaign.officials.all(), campaign.owner.name


class NewCampaignForm(OnceForm, CampaignForm):
    """The same form, for a campaign to be created."""
