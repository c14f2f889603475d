"""Template tags of the logger. For every game; names none."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import template

from matches.forms.acts import FormGroup, OfferForm, Option
from rules.ruleset import Ruleset

register = template.Library()


@register.simple_tag
def pick(items: Iterable[Any], **fields: Any) -> Any:
    """Return the first item with these fields, compared as text; None if there is none.

    `{% pick scene.sides seat=asked.foe as foe %}`
    """
    for item in items or ():
        if all(str(_field(item, name)) == str(value) for name, value in fields.items()):
            return item
    return None


def _field(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, dict) else getattr(item, name, None)


@register.simple_tag
def offered(group: FormGroup | None, **values: str) -> bool:
    """Tell whether a form among those of one type of act takes these values.

    `{% offered forms.target_drawn spin="server" as draws %}`
    """
    return any(_takes(form, values) for form in (group.forms if group else ()))


@register.simple_tag
def options_of(group: FormGroup | None, name: str, seat: int | None = None) -> list[Option]:
    """Return the options of a field in the forms of a seat, each value once.

    `{% options_of forms.zx_played "card" seat=me.seat as cards %}`
    """
    fields = [f for form in _of_seat(group, seat) for f in form.fields if f.name == name]
    return list({option.value: option for field in fields for option in field.options}.values())


@register.simple_tag
def forms_with(group: FormGroup | None, seat: int | None = None, **values: str) -> list[OfferForm]:
    """Return the forms of a seat that take these values.

    `{% forms_with forms.effect_applied seat=me.seat op="draw" as ways %}`
    """
    return [form for form in _of_seat(group, seat) if _takes(form, values)]


def _of_seat(group: FormGroup | None, seat: int | None) -> list[OfferForm]:
    return [form for form in (group.forms if group else ()) if form.seat == seat]


def _takes(form: OfferForm, values: Mapping[str, str]) -> bool:
    """Tell whether a form's fields, by name, have these values among their options."""
    return all(value in _values_of(form, name) for name, value in values.items())


def _values_of(form: OfferForm, name: str) -> set[str]:
    return {option.value for field in form.fields if field.name == name for option in field.options}


@register.filter
def values(options: Iterable[Option]) -> list[str]:
    """Return the values of options."""
    return [option.value for option in options]


@register.filter
def each_once(rows: Iterable[Mapping[str, Any]], names: str) -> list[Any]:
    """Return the values of rows in some fields, each once: `pairs|each_once:"attack target"`."""
    return list(dict.fromkeys(row[name] for row in rows or () for name in names.split()))


@register.filter
def plainest_first(group: FormGroup) -> FormGroup:
    """Return a group sorted so that the forms with the fewest preset fields come first."""
    return replace(group, forms=sorted(group.forms, key=lambda form: len(form.given)))


@register.simple_tag
def having(mapping: Mapping[str, Any] | None, **changes: Any) -> dict[str, Any]:
    """Return a mapping with some values changed: `{% having view drawn=None as view %}`."""
    return {**(mapping or {}), **changes}


@register.filter
def numbers(field: Any) -> range:
    """Return the integers a field may have."""
    return range(field.low, field.high + 1)


@register.filter
def among(word: str, words: str) -> bool:
    """Tell whether a word is one of several, separated by spaces."""
    return word in words.split()


@register.simple_tag
def word_for(ruleset: Ruleset, field: str, value: str) -> str:
    """Return what a game calls a value of a field: `armour-blocks` as "armour blocks"."""
    return ruleset.texts.get(f"value.{field}.{value}", value)


@register.filter
def at(mapping: Any, key: Any) -> Any:
    """Return the value of a key in a mapping, None if it is missing."""
    return mapping.get(key) if isinstance(mapping, dict) else None


@register.filter(name="json")
def as_json(value: Any) -> str:
    """Write plain data as JSON, for a `data-` attribute."""
    return json.dumps(value, separators=(",", ":"))
