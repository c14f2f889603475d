"""Acts as HTML forms: every offer becomes a form, every posted form an act as plain data.

A form field is named like the act's field. A field whose name begins with `with` carries several
fields, urlencoded, so that one tap can name a card and its end.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext

from matches import canonical
from matches.errors import BadInput
from rules import encoding, texts
from rules.bots import USUAL_WEIGHT, shortest_walks
from rules.capabilities import SupportsValueNames
from rules.fields import Choice, Field, Free, Ordered, Plain, Range, RangeList, Subset, Value, Walk
from rules.notation import NotationError
from rules.ruleset import Act, Offer, Ruleset, covers, event_type, fields_of

_MISFIT = re.compile(r" - at `\$\.(\w+)")
_MISSING = re.compile(r"missing required field `(\w+)`")
ORDERED_IN_FULL = 5  # so many values are offered as their 120 orders: ticks have no order
FEW = 4  # so many values to choose from are told at the head of a folded form
MANY = 4  # more forms of one type are folded, each by itself
NOTHING = "–"
"""The label of an empty value."""

SEAT_FIELDS = frozenset({*texts.SEATS, "seats", "winners"})


def act_from_form(ruleset: Ruleset, post: QueryDict) -> dict[str, Any]:
    """Return the act of a posted form, as plain data of exact types.

    `line` holds a whole act in notation instead of fields. An empty field is left out. Raises:
    BadInput.
    """
    if line := post.get("line", "").strip():
        return _from_line(ruleset, line)
    act_type = _act_type(ruleset, post.get("type", ""))
    given = _spread(post)
    data: dict[str, Any] = {"type": event_type(act_type)}
    for part in msgspec.structs.fields(act_type):
        values = [value for value in given.getlist(part.name) if value != ""]
        if values and part.name != "note":  # a note is stored beside the act, not in it
            data[part.name] = values if holds_many(part.type) else values[-1]
    try:
        return _plain(msgspec.convert(data, act_type, strict=False))
    except msgspec.ValidationError as error:
        wrong = f"{title_of(ruleset, data['type'])}: {_wrong(ruleset, data, error)}"
        raise BadInput("bad-act", wrong) from error


def _wrong(ruleset: Ruleset, data: dict[str, Any], error: msgspec.ValidationError) -> str:
    """Return what is wrong with a form's act, in words for people."""
    if (misfit := _MISFIT.search(str(error))) and misfit[1] in data:
        name = misfit[1]
        return gettext("{replace} cannot be {data!r}.").format(
            replace=_label(ruleset, name), data=data[name]
        )
    if missing := _MISSING.search(str(error)):
        name = _label(ruleset, missing[1])
        return gettext("{name} is missing.").format(name=name)
    return str(error)


def _from_line(ruleset: Ruleset, line: str) -> dict[str, Any]:
    try:
        return _plain(ruleset.read(line))
    except NotationError as error:
        raise BadInput("bad-notation", str(error)) from error


def _plain(act: Act) -> dict[str, Any]:
    """Return an act as data that passed the same strict checks as a request of the API."""
    plain: dict[str, Any] = canonical.parse(encoding.body(act).encode())
    return plain


def _act_type(ruleset: Ruleset, name: str) -> type[Act]:
    for act_type in ruleset.acts:
        if event_type(act_type) == name:
            return act_type
    raise BadInput(
        "unknown-type",
        gettext("{game} has no act “{act}”.").format(game=ruleset.name, act=name[:40]),
    )


def _spread(post: QueryDict) -> MultiValueDict[str, str]:
    given: MultiValueDict[str, str] = MultiValueDict()
    for name, values in post.lists():
        for value in values:
            pairs = parse_qsl(value) if name.startswith("with") else [(name, value)]
            for key, part in pairs:
                given.appendlist(key, part)
    return given


def holds_many(annotation: Any) -> bool:
    """Tell whether a field of this type holds several values."""
    shape = msgspec.inspect.type_info(annotation)
    return isinstance(shape, msgspec.inspect.VarTupleType | msgspec.inspect.ListType)


# -- offers as forms ------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """One value of a field: as the form sends it, and as people read it.

    `at`: the square it leads to, if that says all.
    """

    value: str
    label: str
    chosen: bool = False
    at: str = ""


@dataclass(frozen=True)
class FormField:
    """One field of an offer. `kind`: hidden choice switch range subset text dots …"""

    name: str
    label: str
    kind: str
    options: list[Option] = field(default_factory=list)
    low: int = 0
    high: int = 0
    value: str = ""
    needed: bool = False

    @property
    def is_filled(self) -> bool:
        """Whether it has an initial value."""
        return bool(self.value) or any(option.chosen for option in self.options)

    @property
    def settled(self) -> str:
        """The label of its only value, "" if there is a choice or it says nothing."""
        only = self.options[0].label if self.kind == "hidden" else ""
        return "" if only == NOTHING else only

    @property
    def choice(self) -> str:
        """The label of the field, and of what it leaves to choose the first."""
        labels = [option.label for option in self.options]
        if not labels:
            return self.label
        return f"{self.label}: {' / '.join(labels[:FEW])}{' …' if labels[FEW:] else ''}"

    @property
    def leaves(self) -> tuple[str, ...]:
        """What it leaves to choose, whatever it is filled in with."""
        return self.name, *(option.label for option in self.options)


@dataclass(frozen=True)
class OfferForm:
    """One offer as a form; `key` distinguishes it from the other forms of its page."""

    key: str
    type: str
    seat: int | None
    who: str
    fields: list[FormField]
    filled: bool = False

    @property
    def given(self) -> list[str]:
        """The labels of what is fixed: the seat, and every field with a single value.

        The offer's first field needs no name, nor does a yes or no that the game has own words
        for; after the first, two cards could not be told apart without one.
        """
        return [word for word in (self.who, *map(self._named, self._settled)) if word]

    @property
    def summary(self) -> list[str]:
        """What is `given`, with the values of the first field if these are to be chosen from."""
        first = self._told[0] if self._told else None
        if first is None or first.kind != "choice" or len(first.options) > FEW:
            return self.given
        choice = " / ".join(option.label for option in first.options)
        return [word for word in (self.who, choice, *map(self._named, self._settled)) if word]

    @property
    def _told(self) -> list[FormField]:
        return [each for each in self.fields if each.kind != "hidden" or each.settled]

    @property
    def _settled(self) -> list[FormField]:
        return [each for each in self.fields if each.settled]

    def _named(self, each: FormField) -> str:
        plain = each.settled in (gettext("yes"), gettext("no"))
        own = each.options[0].value in ("true", "false") and not plain
        alone = own or (each is self._told[0] and not plain)
        return each.settled if alone else f"{each.label}: {each.settled}"

    @property
    def plain(self) -> bool:
        """Whether nothing is left to choose: the form is one button."""
        return all(part.kind == "hidden" for part in self.fields)


@dataclass(frozen=True)
class FormGroup:
    """The forms of one type of act, and the templates that may render them, the game's first.

    `corrections`: templates that may render one of them for a correction.
    """

    type: str
    title: str
    forms: list[OfferForm]
    templates: list[str]
    corrections: list[str]

    @property
    def folded(self) -> list[tuple[OfferForm, list[str]]]:
        """Every form with its summary; where others read alike, with the choices only some have."""
        said = [(form, form.summary) for form in self.forms]
        return [
            (form, [*words, *_apart(form, [twin for twin, same in said if same == words])])
            for form, words in said
        ]

    @property
    def by_seat(self) -> list[tuple[str, list[tuple[OfferForm, list[str]]]]]:
        """The folded forms of everybody who acts, in the order of their first ones."""
        found: dict[int | None, list[tuple[OfferForm, list[str]]]] = {}
        for form, words in self.folded:
            found.setdefault(form.seat, []).append((form, words))
        return [(folded[0][0].who, folded) for folded in found.values()]

    @property
    def many(self) -> bool:
        """Whether the forms are too many to be shown unfolded."""
        return len(self.forms) > MANY

    @property
    def seats(self) -> set[int | None]:
        """The seats that have a form here."""
        return {form.seat for form in self.forms}

    @property
    def plain(self) -> bool:
        """Whether every form is one button."""
        return all(form.plain for form in self.forms)


def _apart(form: OfferForm, twins: Sequence[OfferForm]) -> Iterator[str]:
    """Yield the choices of a form that not all of its twins have."""
    had = Counter(part.leaves for twin in twins for part in twin.fields)
    for part in form.fields:
        if part.kind != "hidden" and had[part.leaves] < len(twins):
            yield part.choice


def form_groups(
    ruleset: Ruleset,
    offers: Iterable[Offer],
    names: Mapping[int, str],
    like: Act | None = None,
    *,
    rules: bool = True,
    state: Any = None,
) -> list[FormGroup]:
    """Return a form for each offer, grouped by type, the likeliest type first.

    `names`: who sits in which seat. The form of an offer that covers the act `like` is filled in
    with it, and comes first. Not `rules`: without acts that only an official records. With a
    `state` the game's own words are used.
    """
    groups: dict[str, FormGroup] = {}
    rulings = () if rules else {event_type(act) for act in ruleset.rulings}
    for number, offer in enumerate(offers, 1):
        if offer.type in rulings:
            continue
        given = like if like is not None and covers(offer, like) else None
        form = OfferForm(
            key=f"offer-{number}",
            type=offer.type,
            seat=offer.seat,
            who=names.get(offer.seat, "") if offer.seat else "",
            fields=_form_fields(ruleset, offer, _words(ruleset, state, offer, names), given),
            filled=given is not None,
        )
        group = groups.setdefault(offer.type, _group(ruleset, offer.type))
        group.forms.append(form)
    likely = ruleset.bot_weights
    for group in groups.values():
        group.forms.sort(key=lambda form: not form.filled)
    return sorted(
        groups.values(),
        key=lambda group: (not group.forms[0].filled, -likely.get(group.type, USUAL_WEIGHT)),
    )


def _group(ruleset: Ruleset, act_type: str) -> FormGroup:
    own = f"rules/{ruleset.key}/{{}}_{act_type.replace('-', '_')}.html"
    return FormGroup(
        act_type,
        title_of(ruleset, act_type),
        [],
        templates=[own.format("act"), "matches/_act_group.html"],
        corrections=[own.format("correct"), "matches/_correct_form.html"],
    )


def title_of(ruleset: Ruleset, act_type: str) -> str:
    """Return the heading of a form for an act."""
    return ruleset.texts.get(f"{act_type}.title") or act_type.replace("-", " ").capitalize()


Words = Callable[[str, Value], str]
"""Returns the label of a value of a field."""


def _words(ruleset: Ruleset, state: Any, offer: Offer, names: Mapping[int, str]) -> Words:
    """Return how to label an offer's values: by the game, by who sits there, or as written."""

    def call(name: str, value: Value) -> str:
        if state is not None and isinstance(ruleset, SupportsValueNames):
            called = ruleset.called(state, offer, name, value)
            if called is not None:
                return called
        if isinstance(value, tuple):
            return " ".join(map(str, value)) or NOTHING
        if value is None:
            return NOTHING
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        if isinstance(value, int) and name in SEAT_FIELDS:
            return names.get(value, gettext("Seat {value}").format(value=value))
        return ruleset.texts.get(f"value.{name}.{value}", str(value))

    return call


def _form_fields(ruleset: Ruleset, offer: Offer, words: Words, like: Act | None) -> list[FormField]:
    """Return the fields of an offer; `needed` are those an act cannot lack."""
    needed = {part.name for part in fields_of(_act_type(ruleset, offer.type)) if part.required}
    fields = (
        _form_field(name, _label(ruleset, name), part, words, like)
        for name, part in offer.fields.items()
    )
    return [replace(each, needed=each.name in needed) for each in fields]


def _label(ruleset: Ruleset, name: str) -> str:
    return ruleset.texts.get(f"field.{name}") or name.replace("_", " ").capitalize()


def _form_field(name: str, label: str, part: Field, words: Words, like: Act | None) -> FormField:
    filled = getattr(like, name, None)
    match part:
        case Choice(values) if any(isinstance(value, tuple) for value in values):
            return _field_of_many(name, label, values, words, filled)
        case Choice(values):
            options = [
                _option(name, value, words, chosen=like is not None and value == filled)
                for value in values
            ]
            if len(options) == 1:
                return FormField(name, label, "hidden", options)
            kind = "switch" if set(values) == {True, False} else "choice"
            return FormField(name, label, kind, options)
        case Ordered(values) if part.least == len(values) <= ORDERED_IN_FULL:
            return _field_of_many(name, label, permutations(values), words, filled)
        case Subset(values) | Ordered(values):
            options = list(_subset(name, values, words, tuple(filled or ())))
            return FormField(name, label, "subset", options, part.least, part.most)
        case Range(low, high):
            return FormField(name, label, "range", low=low, high=high, value=_written(filled))
        case Walk():
            walks = list(shortest_walks(part).values())
            if filled and filled not in walks:
                walks.append(filled)
            return _field_of_many(name, label, walks, words, filled)
        case RangeList():
            return FormField(name, label, "text", value=_written(filled))
        case Free(shape):
            return FormField(name, label, shape, value=_written(filled))


def _field_of_many(
    name: str, label: str, values: Iterable[Any], words: Words, filled: Any
) -> FormField:
    """Return a choice among several tuples of values, each sent as one."""
    options = [
        Option(
            urlencode([(name, each) for each in value]),
            words(name, value),
            value == filled,
            str(value[-1]) if value else "",
        )
        for value in values
    ]
    kind = "hidden" if len(options) == 1 else "choice"
    return FormField(f"with-{name}", label, kind, options)


def _subset(
    name: str, values: Iterable[Plain], words: Words, filled: tuple[Plain, ...]
) -> Iterator[Option]:
    """Yield the values to choose from, each as often as it is listed or chosen."""
    offered = list(values)
    for value in dict.fromkeys(offered):
        times = filled.count(value)
        for n in range(max(offered.count(value), times)):
            yield _option(name, value, words, chosen=n < times)


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def _option(name: str, value: Value, words: Words, *, chosen: bool = False) -> Option:
    sent = str(value).lower() if isinstance(value, bool) else _written(value)
    return Option(sent, words(name, value), chosen)
