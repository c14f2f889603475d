"""The form to give somebody a role."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.forms.fields import offer_choices
from league.models import League, Role, Tournament
from matches.forms import OfficialForm


class RoleForm(OfficialForm):
    """A role for somebody with an account, in a league or at a tournament."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), initial=Role.JUDGE)

    def __init__(self, *args: Any, of: League | Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of = of
        least = [] if isinstance(of, League) else [Role.PLAYER]
        offer_choices(self, "role", [each for each in Role.choices if each[0] not in least])

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `roles.name_member`, except the player."""
        kind = "league" if isinstance(self.of, League) else "tournament"
        return {kind: self.of, "role": self.cleaned_data["role"]}
