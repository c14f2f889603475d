"""Forms of loadouts: picking gear, setting which card a piece is, fielding it in a new match."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxLengthValidator
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from characters import ledger, loadouts
from characters.books import MAX_ITEMS
from characters.games import fielding_of
from characters.models import Appearance, Card, Character, GearItem, Loadout
from characters.services import FieldedPlace
from matches.actors import Actor
from matches.forms import OnceForm
from matches.forms.opening import OpenForm, SeatForm
from matches.models import Match, Player
from rules.ruleset import Ruleset

LOADOUT = "loadout:"


class LoadoutForm(OnceForm):
    """Gear to be ticked. Picked pieces that are no longer held stay listed, to be unticked.

    `draft`: what was entered before, as `draft_of` returns it, in place of what the loadout has.
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    game_class = forms.ChoiceField(
        label=gettext_lazy("Class"), widget=forms.RadioSelect, initial="standard"
    )
    with_modes = forms.BooleanField(
        label=gettext_lazy("With the Mode deck of the sheet: designs and maneuvers"),
        required=False,
        initial=True,
    )
    shared = forms.BooleanField(
        label=gettext_lazy("Others who see this gear may put it on a table"),
        required=False,
        help_text=gettext_lazy("What is fielded stands in the log of the match, Mode cards too."),
    )
    items = forms.MultipleChoiceField(
        label=gettext_lazy("Gear"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        validators=[MaxLengthValidator(MAX_ITEMS, gettext_lazy("At most %(limit_value)s pieces."))],
    )

    def __init__(
        self,
        data: Any,
        *,
        character: Character,
        loadout: Loadout | None = None,
        game: str = "zg",
        draft: QueryDict | None = None,
    ) -> None:
        picked = list(loadout.items.select_related("card")) if loadout else []
        said = _said_of(loadout, picked) if loadout else None
        super().__init__(data, initial=_read(draft) if draft else said)
        if loadout is not None:
            del self.fields["act_id"]
        self.fields["name"].required = "check" not in self.data
        held = [item for item in ledger.items_of(character) if item.kind == GearItem.Kind.PIECE]
        self.gear = {item.serial: item for item in (*held, *picked)}
        self._here = {item.serial for item in held}
        self._game, self._owner = game, character.owner_id
        _, self._fielding = fielding_of(game)
        pieces, classes = self.fields["items"], self.fields["game_class"]
        assert isinstance(pieces, forms.MultipleChoiceField)
        assert isinstance(classes, forms.ChoiceField)
        pieces.choices = [(serial, str(item)) for serial, item in self.gear.items()]
        classes.choices = list(self._fielding.classes.items())

    def groups(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Return the gear by slot, each piece as it is drawn, ticked or not."""
        ticked = set(self["items"].value() or ())
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for serial, item in self.gear.items():
            face = loadouts.card_of(self._fielding, self._game, item, self._owner)
            row = {
                "item": item,
                "face": face,
                "ticked": serial in ticked,
                "gone": serial not in self._here,
            }
            found[str(face.get("slot") or gettext("Other gear"))].append(row)
        return sorted(found.items())


def draft_of(sent: QueryDict) -> str:
    """Return what a form was sent with, whether it is valid or not, as a query."""
    names = ("name", "game_class", "with_modes", "shared", "items")
    return urlencode([("draft", "1"), *((n, value) for n in names for value in sent.getlist(n))])


def _read(draft: QueryDict) -> dict[str, Any]:
    """Return the values of a draft as those a form begins with."""
    return {
        "name": draft.get("name", ""),
        "game_class": draft.get("game_class", ""),
        "with_modes": "with_modes" in draft,
        "shared": "shared" in draft,
        "items": draft.getlist("items"),
    }


def _said_of(loadout: Loadout, picked: list[GearItem]) -> dict[str, Any]:
    return {
        "name": loadout.name,
        "game_class": loadout.game_class,
        "with_modes": loadout.with_modes,
        "shared": loadout.shared,
        "items": [item.serial for item in picked],
    }


class CardChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        traits = " ".join(word for word in (obj.quality, obj.colour, obj.slot) if word)
        cost = "" if obj.cost is None else f", c{obj.cost}"
        return f"{obj.name} · {traits}{cost} · {obj.card_set.name}"


class CardOfItemForm(forms.Form):
    """Which card of the catalogue a piece is; one with the piece's own name is chosen at first."""

    card = CardChoice(
        Card.objects.none(),
        label=gettext_lazy("Card"),
        required=False,
        empty_label=gettext_lazy("None yet: a blank, its ends typed as they are flipped"),
    )

    def __init__(self, data: Any, *, cards: QuerySet[Card], item: GearItem) -> None:
        namesake = cards.filter(name__in={item.name, str(item)}).values_list("pk", flat=True)
        super().__init__(data, initial={"card": item.card_id or namesake.first()})
        card = self.fields["card"]
        assert isinstance(card, CardChoice)
        card.queryset = cards


# -- a new match ------------------------------------------------------------------------------


class FieldSeatForm(SeatForm):
    """A seat whose cards may be a character's loadout, which brings its player along."""

    def __init__(self, data: Any, *, offered: Sequence[Loadout], first: str, **seat: Any) -> None:
        super().__init__(data, **seat)
        self.offered = {f"{LOADOUT}{loadout.pk}": loadout for loadout in offered}
        deck = self.fields.get("deck")
        if not self.offered or not isinstance(deck, forms.ChoiceField):
            return
        groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for key, loadout in self.offered.items():
            groups[loadout.character.name].append((key, f"{loadout.character.name}: {loadout}"))
        cards: Any = deck.choices
        initial = f"{LOADOUT}{first}" if f"{LOADOUT}{first}" in self.offered else deck.initial
        self.fields["deck"] = forms.ChoiceField(
            label=deck.label,
            choices=[*groups.items(), (gettext("Cards"), list(cards))],
            initial=initial,
            help_text=gettext("A loadout seats its player, unless you name somebody."),
        )

    def brings_player(self, cleaned: dict[str, Any]) -> bool:
        return cleaned.get("deck") in self.offered

    def deck(self, cleaned: dict[str, Any]) -> Any:
        return None if cleaned.get("deck") in self.offered else super().deck(cleaned)

    def place(self) -> FieldedPlace:
        """Return the seat as the service takes it."""
        loadout = self.offered.get(self.cleaned_data.get("deck", ""))
        return FieldedPlace(self.request(), loadout.pk if loadout else None)


class FieldForm(OpenForm):
    """The second page of a new match, with the actor's fieldable loadouts among the cards.

    `wanted`: the loadout preselected at the first seat.
    """

    def __init__(
        self, game: Ruleset, seats: int, actor: Actor, data: Any = None, wanted: str = ""
    ) -> None:
        self.offered = loadouts.fieldable(actor, game.key)
        self.wanted = wanted
        super().__init__(game, seats, actor, data)

    def seat_form(self, data: Any, *, number: int, players: Sequence[Player]) -> FieldSeatForm:
        first = self.wanted if number == 1 else ""
        return FieldSeatForm(
            data,
            number=number,
            players=players,
            game=self.game,
            offered=self.offered,
            first=first,
        )

    def repeat(self, match: Match) -> None:
        super().repeat(match)
        fielded = Appearance.objects.filter(seat__match=match).values_list(
            "seat__number", "loadout"
        )
        brought = {number: f"{LOADOUT}{loadout}" for number, loadout in fielded}
        for seat in self.seats:
            loadout = brought.get(seat.number)
            if isinstance(seat, FieldSeatForm) and loadout in seat.offered:
                seat.fields["deck"].initial = loadout

    def request(self) -> dict[str, Any]:
        places = [seat.place() for seat in self.seats if isinstance(seat, FieldSeatForm)]
        return {**super().request(), "seats": places}
