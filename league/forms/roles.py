"""The form to give somebody a role."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from league.models import League, Role, Tournament
from matches.forms import OfficialForm


class RoleForm(OfficialForm):
    """A role for somebody with an account, in a league or at a tournament."""

    role = forms.ChoiceField(label=gettext_lazy("Role"))

    def __init__(self, *args: Any, of: League | Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of = of
        least = [] if isinstance(of, League) else [Role.PLAYER]
        self.fields["role"] = forms.ChoiceField(
            label=gettext("Role"),
            choices=[choice for choice in Role.choices if choice[0] not in least],
            initial=Role.JUDGE,
        )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `roles.name_member`, except the player."""
        kind = "league" if isinstance(self.of, League) else "tournament"
        return {kind: self.of, "role": self.cleaned_data["role"]}
