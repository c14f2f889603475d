"""Opening a match in two forms: the game and the number of seats, then who sits there with what.

Options are built from the ruleset's own struct, so a new game brings its form along.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, get_args

import msgspec
from django import forms
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy, ngettext

import rules
from matches import decks, labels, practice, selectors
from matches.actors import Actor, player_of
from matches.errors import BadInput, Refused
from matches.forms import Lines, games
from matches.forms.acts import holds_many
from matches.models import Match, Player, Seat
from matches.services import SeatRequest
from rules.ruleset import Ruleset


class GameForm(forms.Form):
    """The game, the number of seats, and whether it is practice against bots."""

    game = forms.ChoiceField(label=gettext_lazy("Game"))
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        coerce=int,
        choices=[(n, str(n)) for n in range(1, 9)],
        initial=2,
    )
    practice = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = games()
        self.fields["game"] = forms.ChoiceField(
            label=gettext("Game"), choices=choices, initial=choices[0][0], widget=forms.RadioSelect
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "game" in cleaned and "seats" in cleaned:
            takes = rules.get(cleaned["game"]).seats
            if cleaned["seats"] not in takes:
                text = (
                    gettext("{game} takes {least} seats.")
                    if len(takes) == 1
                    else gettext("{game} takes {least} to {most} seats.")
                )
                game = rules.get(cleaned["game"]).name
                self.add_error("seats", text.format(game=game, least=takes[0], most=takes[-1]))
        if cleaned.get("practice") and "game" in cleaned:
            ruleset = rules.get(cleaned["game"])
            if not practice.has_bot(ruleset):
                self.add_error("game", practice.no_bot(ruleset))
        return cleaned


class TableForm(forms.Form):
    """The table itself."""

    title = forms.CharField(label=gettext_lazy("Title"), required=False, max_length=120)
    place = forms.CharField(label=gettext_lazy("Where"), required=False, max_length=120)
    physical = forms.TypedChoiceField(
        label=gettext_lazy("Played"),
        choices=[("yes", gettext_lazy("On a table")), ("no", gettext_lazy("On screens"))],
        coerce=lambda value: value == "yes",
        initial="yes",
        widget=forms.RadioSelect,
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who may watch"),
        choices=Match.Visibility.choices,
        initial="public",
        widget=forms.RadioSelect,
    )
    sanctioned = forms.BooleanField(
        label=gettext_lazy("Sanctioned"),
        required=False,
        help_text=gettext_lazy(
            "Counts officially: only a named official rules, not whoever opened the match."
        ),
    )


# -- options --------------------------------------------------------------------------------


def options_form(
    ruleset: Ruleset, data: Any = None, initial: Mapping[str, Any] | None = None
) -> forms.Form:
    """Return a form with one field per option of a game; `initial`: the chosen ones."""
    parts = {
        part.name: _option(ruleset, part) for part in msgspec.structs.fields(ruleset.options_type)
    }
    form_type = type("OptionsForm", (forms.Form,), parts)
    form: forms.Form = form_type(data, prefix="option")
    for name, value in (initial or {}).items():
        form.fields[name].initial = value
    return form


def options_of(form: forms.Form) -> dict[str, Any]:
    """Return the options of a form, without those left empty."""
    return {name: value for name, value in form.cleaned_data.items() if value not in ("", None)}


class NamedField(forms.ChoiceField):
    """A text of which the usual values have names. Another one that is chosen already is kept.

    Whether a value is any good the game itself says.
    """

    def __init__(self, named: Mapping[str, str], **common: Any) -> None:
        super().__init__(choices=[*named.items()], **common)
        self.named = named

    def valid_value(self, value: Any) -> bool:
        return True

    def prepare_value(self, value: Any) -> Any:
        """Offer the value that stands as well."""
        if value and value not in self.named:
            self.choices = [*self.named.items(), (value, value)]
        return value


class ThingsField(forms.CharField):
    """A list of things, one per line, their fields separated by bars: `Crate | 1 | 1 | 2`.

    A field with many values is separated by commas: `Airlock | open, vent`.
    """

    def __init__(self, kind: Any, **common: Any) -> None:
        self.kind = kind
        columns = " | ".join(part.name for part in msgspec.structs.fields(kind.item_type.cls))
        area = Lines(attrs={"rows": 2, "spellcheck": "false"})
        super().__init__(
            max_length=4000,
            widget=area,
            help_text=gettext("One a line: {columns}").format(columns=columns),
            **common,
        )

    def prepare_value(self, value: Any) -> Any:
        """Return things as lines."""
        if not isinstance(value, list):
            return value
        return "\n".join(" | ".join(map(_written, thing.values())) for thing in value)

    def clean(self, value: Any) -> Any:
        lines = [line for line in super().clean(value).splitlines() if line.strip()]
        thing = self.kind.item_type.cls
        try:
            return [msgspec.to_builtins(_thing(thing, line)) for line in lines] or None
        except (msgspec.ValidationError, ValueError) as error:
            raise forms.ValidationError(
                gettext("That cannot be read: {error}.").format(error=error)
            ) from error


def _written(part: Any) -> str:
    return ", ".join(part) if isinstance(part, list) else str(part)


def _thing(kind: type[msgspec.Struct], line: str) -> msgspec.Struct:
    """Read one line. Raises: ValueError."""
    parts = msgspec.structs.fields(kind)
    words = [word.strip() for word in line.split("|")]
    if len(words) != len(parts):
        text = ngettext(
            "“{line}” has {has} field, not {wants}",
            "“{line}” has {has} fields, not {wants}",
            len(words),
        )
        raise ValueError(text.format(line=line.strip()[:40], has=len(words), wants=len(parts)))
    given = {
        part.name: [each.strip() for each in word.split(",")] if holds_many(part.type) else word
        for part, word in zip(parts, words, strict=True)
    }
    return msgspec.convert(given, kind, strict=False)


def _option(ruleset: Ruleset, part: Any) -> forms.Field:
    text = ruleset.texts.get
    label = text(f"option-{part.encode_name}") or part.name.replace("_", " ").capitalize()
    common: dict[str, Any] = {"label": label, "required": False}
    default = None if part.default is msgspec.NODEFAULT else part.default
    kind = msgspec.inspect.type_info(part.type)
    if isinstance(kind, msgspec.inspect.BoolType):
        return forms.BooleanField(initial=default, **common)
    if isinstance(kind, msgspec.inspect.LiteralType):
        values = get_args(part.type)  # in the game's own order
        coerce: Any = type(values[0])
        called = _values_named(ruleset, part.name)
        choices = [(each, called.get(str(each)) or _as_spelt(each)) for each in values]
        return forms.TypedChoiceField(
            choices=choices, coerce=coerce, initial=default, empty_value="", **common
        )
    if isinstance(kind, msgspec.inspect.IntType):
        return forms.IntegerField(initial=default, min_value=kind.ge, max_value=kind.le, **common)
    if isinstance(kind, msgspec.inspect.VarTupleType) and isinstance(
        kind.item_type, msgspec.inspect.StructType
    ):
        return ThingsField(kind, **common)
    if named := _values_named(ruleset, part.name):
        return NamedField(named, initial=default, **common)
    return forms.CharField(initial=default, max_length=200, **common)


def _values_named(ruleset: Ruleset, option: str) -> dict[str, str]:
    """Return the values of an option that the texts of a game name, as `option-board-…`."""
    start = f"option-{option}-"
    texts = ruleset.texts.items()
    return {key.removeprefix(start): name for key, name in texts if key.startswith(start)}


def _as_spelt(value: object) -> str:
    return str(value).replace("_", " ").capitalize()


# -- seats ----------------------------------------------------------------------------------

GUEST, NOBODY, BOT = "guest", "nobody", "bot"
TYPED, BLANK = "typed", "blank"
KNOWN = 100


def known_players(me: Player) -> list[Player]:
    """Return one's own player first, then guests one added and people one has met, `as_met`."""
    met = Player.objects.filter(Q(invited_by=me) | Q(seats__match__seats__player=me))
    return [me, *as_met(met.exclude(pk=me.pk).distinct(), me)[:KNOWN]]


def as_met(players: QuerySet[Player], me: Player) -> QuerySet[Player]:
    """Annotate players with when they `met` me last at a table, and `in_match` at `at_seat`."""
    seats = Seat.objects.filter(player=OuterRef("pk"), match__seats__player=me)
    last = seats.order_by("-match__started_at", "number")
    return players.annotate(
        met=Subquery(last.values("match__started_at")[:1]),
        in_match=Subquery(last.values("match__code")[:1]),
        at_seat=Subquery(last.values("number")[:1]),
    )


def told_apart(players: Sequence[Player], me: Player) -> list[str]:
    """Return the names of players `as_met`; namesakes with what tells them apart."""
    shared = Counter(player.name.casefold() for player in players)
    return [
        _described(player, me) if shared[player.name.casefold()] > 1 else player.name
        for player in players
    ]


def _described(player: Player, me: Player) -> str:
    if player == me:
        return gettext("{name} (you)").format(name=player.name)
    met = getattr(player, "met", None)
    if not met:
        when = date_format(timezone.localtime(player.created_at), gettext("j M Y, H:i"))
        return gettext("{name} (added {when})").format(name=player.name, when=when)
    if player.user_id:
        text = gettext("{name} (account, met {when} in {in_match}, seat {at_seat})")
    else:
        text = gettext("{name} (guest, met {when} in {in_match}, seat {at_seat})")
    when = date_format(timezone.localtime(met), gettext("j M Y"))
    return text.format(when=when, **vars(player))


class SeatForm(forms.Form):
    """One seat: the player, the side's label, and the cards."""

    all_optional = True  # what is needed depends on the field above
    legend: str

    who = forms.ChoiceField(label=gettext_lazy("Who sits here"))
    name = forms.CharField(label=gettext_lazy("Guest's name"), required=False, max_length=80)
    label = forms.ChoiceField(required=False)

    def __init__(self, data: Any, *, number: int, players: Sequence[Player], game: Ruleset) -> None:
        super().__init__(data, prefix=f"seat{number}")
        self.number, self.game = number, game
        self.legend = gettext("Seat {number}").format(number=number)
        self.fields["label"] = forms.ChoiceField(
            label=self.legend, required=False, choices=labels.choices(game, number)
        )
        self.players = {str(player.pk): player for player in players}
        self.own = str(players[0].pk)
        choices = list(zip(self.players, told_apart(players, players[0]), strict=True))
        self.fields["who"] = forms.ChoiceField(
            label=gettext("Who sits here"),
            choices=[
                *choices,
                (GUEST, gettext("A guest, named below")),
                (NOBODY, gettext("Open: by link or QR")),
                *([(BOT, gettext("A bot, to practise against"))] if practice.has_bot(game) else []),
            ],
            initial=choices[0][0] if number == 1 else GUEST,
        )
        if decks.takes_cards(game):
            self._add_deck_fields()

    def _add_deck_fields(self) -> None:
        samples = list(decks.samples(self.game))
        first = samples[(self.number - 1) % len(samples)] if samples else TYPED
        self.fields["deck"] = forms.ChoiceField(
            label=gettext("Cards"),
            choices=[
                *((name, name) for name in samples),
                (BLANK, gettext("Blank cards, filled in as they are flipped")),
                (TYPED, gettext("Typed or pasted below")),
            ],
            initial=first,
        )
        self.fields["cards"] = forms.CharField(
            label=gettext("Typed cards"),
            required=False,
            max_length=decks.LIMIT,
            strip=False,
            widget=Lines(attrs={"rows": 4, "spellcheck": "false"}),
            help_text=self._how_to_type(),
        )

    def _how_to_type(self) -> str:
        columns = " | ".join(decks.usual_columns(self.game))
        if not columns:
            return gettext("A table whose first line names its columns, or JSON.")
        return gettext("A card a line: {columns}. A first line may name other columns.").format(
            columns=columns
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (
            cleaned.get("who") == GUEST
            and not cleaned.get("name")
            and not self.brings_player(cleaned)
        ):
            self.add_error("name", gettext("A guest needs a name. Or leave the seat open."))
        if cleaned.get("who") == BOT and self.brings_player(cleaned):
            self.add_error("deck", gettext("A bot brings no character: choose cards for it."))
        try:
            cleaned["plain_deck"] = self.deck(cleaned)
        except BadInput as wrong:
            self.add_error("cards", wrong.detail)
        return cleaned

    def repeat(self, player: Player | None, setup: Any) -> None:
        """Preselect who sat here, on which side, and with what."""
        known = str(player.pk) if player and str(player.pk) in self.players else NOBODY
        is_bot = player is None and practice.is_bots(setup.label)
        self.fields["who"].initial = BOT if is_bot else known
        self.fields["label"].initial = setup.label
        if "deck" in self.fields and setup.deck:
            given = {**decks.samples(self.game), BLANK: decks.blank(self.game)}
            kind = self.game.deck_type
            same = (
                name for name, deck in given.items() if msgspec.convert(deck, kind) == setup.deck
            )
            self.fields["deck"].initial = chosen = next(same, TYPED)
            if chosen == TYPED:
                self.fields["cards"].initial = msgspec.json.encode(setup.deck).decode()

    def brings_player(self, cleaned: dict[str, Any]) -> bool:
        """Tell whether the choice for this seat names a player."""
        return False

    def deck(self, cleaned: dict[str, Any]) -> Any:
        """Return the chosen deck, as plain data. Raises: BadInput."""
        match cleaned.get("deck"):
            case None:
                return None
            case "typed":
                columns = decks.usual_columns(self.game)
                return decks.read(self.game, cleaned.get("cards", ""), columns=columns)
            case "blank":
                return decks.blank(self.game)
            case name:
                return decks.samples(self.game)[name]

    def request(self) -> SeatRequest:
        """Return the seat as the service takes it."""
        cleaned = self.cleaned_data
        guest = cleaned["name"] if cleaned["who"] == GUEST else ""
        return SeatRequest(
            player=self.players.get(cleaned["who"]),
            name=guest,
            label=practice.LABEL if cleaned["who"] == BOT else cleaned["label"],
            deck=cleaned.get("plain_deck"),
        )


class OpenForm:
    """The whole second page: the table, the game's options and every seat."""

    def __init__(self, game: Ruleset, seats: int, actor: Actor, data: Any = None) -> None:
        players = known_players(player_of(actor))
        self.game = game
        self.table = TableForm(data)
        self.options = options_form(game, data)
        self.seats = [
            self.seat_form(data, number=number, players=players) for number in range(1, seats + 1)
        ]

    def seat_form(self, data: Any, *, number: int, players: Sequence[Player]) -> SeatForm:
        """Return the form of one seat."""
        return SeatForm(data, number=number, players=players, game=self.game)

    def practise(self) -> None:
        """Preselect a bot at every seat but the first."""
        for seat in self.seats[1:]:
            seat.fields["who"].initial = BOT

    def repeat(self, match: Match) -> None:
        """Preselect what a match was opened with: its options, and who sat where with what."""
        setup = selectors.timeline(match).at(1).state.setup
        self.options = options_form(self.game, initial=msgspec.to_builtins(setup.options))
        sat = match.seats.select_related("player")
        for form, seat, given in zip(self.seats, sat, setup.seats, strict=False):
            form.repeat(seat.player, given)

    def __iter__(self) -> Iterator[forms.BoundField]:
        return chain.from_iterable(self.parts)

    @property
    def parts(self) -> list[forms.Form]:
        return [*self.seats, self.table, self.options]

    @property
    def errors(self) -> bool:
        """Whether any part of it is invalid."""
        return any(part.errors for part in self.parts)

    @property
    def columns(self) -> str:
        """The possible columns of a typed table of cards, as its first line."""
        return " | ".join(decks.card_fields(self.game)) if decks.takes_cards(self.game) else ""

    @property
    def is_practice(self) -> bool:
        """Whether bots sit at every seat but the first one's own: nobody else is to sit down."""
        first, *others = (seat.cleaned_data["who"] for seat in self.seats)
        return first == self.seats[0].own and {*others} == {BOT}

    def is_valid(self) -> bool:
        """Tell whether all of it is valid."""
        return self.table.is_bound and not self.errors

    def shows(self, refused: Refused) -> bool:
        """Show a refusal at the cards typed for the seat it is about; False if it is about none."""
        about = {error["where"] for error in refused.errors}
        for seat in self.seats:
            typed = seat.cleaned_data.get("deck") == TYPED
            if typed and f"$.seats[{seat.number - 1}]" in about:
                seat.add_error("cards", refused.detail)
        return self.errors

    def request(self) -> dict[str, Any]:
        """Return the arguments of the service."""
        return {
            "ruleset": self.game.key,
            "options": options_of(self.options),
            "seats": [seat.request() for seat in self.seats],
            **self.table.cleaned_data,
        }
