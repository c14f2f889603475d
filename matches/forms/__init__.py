"""What all forms share, and those of the shell."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Q, QuerySet
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

import rules
from matches import canonical, cuts, selectors
from matches.actors import Actor
from matches.errors import Refused
from matches.models import Match, Player


class Renderer(TemplatesSetting):
    """Renders every form field with `_field.html`."""

    field_template_name = "_field.html"


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the data sent to a form, even if it is empty; None if the form is only shown."""
    return request.POST if request.method == "POST" else None


def posted_files(request: HttpRequest) -> MultiValueDict[str, UploadedFile] | None:
    """Return the files sent to a form; None if it is only shown, and so cannot be invalid."""
    return request.FILES if request.method == "POST" else None


def form_status(request: HttpRequest) -> int:
    """Return the status of a form's page: 400 if it is shown again with errors."""
    return 400 if request.method == "POST" else 200


def refuse(form: forms.BaseForm, refused: Refused) -> None:
    """Add a service's error to the form: at its field, or above all if no field has it.

    `field_of` of a form names its fields for parts that the service names otherwise.
    """
    field_of = getattr(form, "field_of", {})
    for error in refused.errors or [{"where": "", "detail": refused.detail}]:
        part = str(error["where"]).rpartition(".")[2].partition("[")[0]
        name = field_of.get(part, part)
        form.add_error(name if name in form.fields else None, str(error["detail"]))


@contextmanager
def refusals_in(form: forms.BaseForm) -> Iterator[None]:
    """Show a refusal of the block as errors of the form, which is not valid then."""
    try:
        yield
    except Refused as refused:
        refuse(form, refused)


def taken(form: forms.BaseForm, work: Callable[..., Any], **of: Any) -> bool:
    """Call a service with a valid form; return False, with errors in the form, if it is refused."""
    if form.is_valid():
        with refusals_in(form), transaction.atomic():
            work(**of, **form.cleaned_data)
    return form.is_valid()


class Day(forms.DateInput):
    """A date input, picked as the device does it."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class Lines(forms.Textarea):
    """A text area; its text is as long as the browser counted it."""

    def value_from_datadict(self, *where: Any) -> Any:
        value = super().value_from_datadict(*where)
        return canonical.newlines(value) if value else value


class IdField(forms.UUIDField):
    """A hidden id that a form carries and keeps when it is shown again."""

    widget = forms.HiddenInput
    default_error_messages = {"invalid": gettext_lazy("The form's id is not valid; load it again.")}

    def bound_data(self, data: Any, initial: Any) -> Any:
        return data or initial


class OnceForm(forms.Form):
    """A form that creates something, idempotent by the id it carries."""

    act_id = IdField(initial=uuid4, required=False)


class LookForm(forms.Form):
    """How one reader sees the site. Each language is named in itself."""

    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[("auto", _("As the device says")), ("light", _("Light")), ("dark", _("Dark"))],
        widget=forms.RadioSelect,
    )
    text = forms.ChoiceField(
        label=_("Text size"),
        choices=[("", _("Normal")), ("larger", _("Larger")), ("largest", _("Largest"))],
        widget=forms.RadioSelect,
        required=False,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("As the browser says")), *settings.LANGUAGES],
        widget=forms.RadioSelect,
        required=False,
    )
    results = forms.ChoiceField(
        label=_("Results"),
        choices=[("", _("Shown")), ("off", _("Off"))],
        help_text=_(
            "Off: you see no result of what you only look on at, and matches from their start."
        ),
        widget=forms.RadioSelect,
        required=False,
    )


def games() -> list[tuple[str, str]]:
    """Return the newest version of every game as choices, those with cards first.

    A ruleset without seats, such as the desk, is no game.
    """
    seated = (ruleset for ruleset in rules.RULESETS.values() if any(ruleset.seats))
    played = sorted(seated, key=lambda ruleset: ruleset.deck_type is None)
    keys = dict.fromkeys(ruleset.key for ruleset in played)
    return [(key, rules.get(key).name) for key in keys]


def any_game() -> list[tuple[str, str]]:
    """Return the choices of a filter by game."""
    return [("", gettext("Any")), *games()]


class ListFilter(forms.Form):
    """Filters a list of what is played. An unknown value filters nothing."""

    all_optional = True  # so no field says so

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False, choices=any_game)
    whose = forms.ChoiceField(
        label=gettext_lazy("Whose"),
        required=False,
        choices=[("", gettext_lazy("Everyone’s")), ("mine", gettext_lazy("Mine"))],
    )

    @property
    def wanted(self) -> dict[str, Any]:
        """The values to filter by."""
        self.is_valid()
        return self.cleaned_data if self.is_bound else {}


class MatchFilter(ListFilter):
    """Filters a list of matches."""

    STATUSES = [
        ("", gettext_lazy("Any")),
        ("open", gettext_lazy("Live")),
        ("ended", gettext_lazy("Ended")),
    ]
    q = forms.CharField(
        label=gettext_lazy("Title, place, player or code"), required=False, max_length=80
    )
    status = forms.ChoiceField(label=gettext_lazy("Status"), required=False, choices=STATUSES)

    def narrow(self, matches: QuerySet[Match], actor: Actor) -> QuerySet[Match]:
        """Return the matches that pass the filters."""
        wanted = self.wanted
        if word := wanted.get("q"):
            matches = matches.filter(
                Q(title__icontains=word)
                | Q(place__icontains=word)
                | Q(code__iexact=word)
                | Q(pk__in=Match.objects.filter(seats__player__name__icontains=word))
            )
        if game := wanted.get("game"):
            matches = matches.filter(log__ruleset__startswith=f"{game}@")
        if status := wanted.get("status"):
            matches = selectors.of_status(matches, status)
        if wanted.get("whose") and actor.player:
            matches = matches.filter(
                Q(opener=actor.player) | Q(pk__in=Match.objects.filter(seats__player=actor.player))
            )
        return matches


class CutForm(forms.Form):
    """What is held back from the public.

    `by_hand`: for a match that its tournament holds, which otherwise releases it.
    """

    held = forms.BooleanField(
        label=gettext_lazy("Hold results back"),
        required=False,
        help_text=gettext_lazy(
            "Nobody but the table and the officials sees what happens from now on, until "
            "you release it."
        ),
    )
    by_hand = forms.BooleanField(
        label=gettext_lazy("Go on holding them by hand"),
        required=False,
        help_text=gettext_lazy(
            "The tournament holds them back, and releases them when it shows its results: this "
            "match then waits for you."
        ),
    )
    delay = forms.IntegerField(
        label=gettext_lazy("Delay in seconds"),
        min_value=0,
        max_value=cuts.MAX_DELAY,
        help_text=gettext_lazy("Everyone else sees each entry so much later. 0 is at once."),
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who may watch"),
        choices=Match.Visibility.choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any, match: Match) -> None:
        log = match.log
        now = {"held": log.held, "delay": log.delay, "visibility": match.visibility}
        super().__init__(data, initial=now)
        if not log.held or match.kept_back or match.opener_id:
            del self.fields["by_hand"]

    @property
    def changes(self) -> dict[str, Any]:
        """Return what was changed; to hold by hand what is held already is to hold it."""
        sent = {name: self.cleaned_data[name] for name in self.changed_data}
        return sent | ({"held": True} if sent.pop("by_hand", False) else {})


class JoinForm(forms.Form):
    """A short code, as printed beside its QR code."""

    code = forms.CharField(
        max_length=12,
        help_text=gettext_lazy(
            "Six letters and numbers, beside the QR code. Capitals do not matter."
        ),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def clean_code(self) -> str:
        return "".join(self.cleaned_data["code"].upper().split()).replace("-", "")


def player_by(name: str) -> Player:
    """Return the player with a username. Raises: ValidationError."""
    found = Player.objects.filter(user__username__iexact=name).first()
    if found is None:
        raise forms.ValidationError(
            gettext("Nobody with an account is called {name}.").format(name=name)
        )
    return found


class OfficialForm(forms.Form):
    """An account to be named an official."""

    username = forms.CharField(
        label=gettext_lazy("Username"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_username(self) -> Player:
        return player_by(self.cleaned_data["username"])

    @property
    def player(self) -> Player:
        player: Player = self.cleaned_data["username"]
        return player
