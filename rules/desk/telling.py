"""Describe what happened at a desk: a sentence per event, where it stands in a line."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rules import texts
from rules.desk.acts import (
    CallAnswered,
    EntrantNumbered,
    PenaltyWithdrawn,
    ResultCorrected,
    ResultReported,
    Ruled,
    TimeExtended,
    TimeProposed,
)
from rules.desk.standings import still_playing, winners_of
from rules.desk.state import Desk, State, open_round, round_at
from rules.desk.words import TEXTS
from rules.desk.worth import uncounted
from rules.ruleset import Event, event_type

ResultAct = ResultReported | Ruled | ResultCorrected


def tell(event: Event, desk: Desk, names: Mapping[int, str]) -> str:
    """Describe an event in a sentence; `desk` is the one before it, `names` are of entrants."""
    worded = partial(_worded, desk, names)
    params = {name: worded(name, getattr(event, name)) for name in event.__struct_fields__}
    code = event_type(event)
    match event:
        case PenaltyWithdrawn(number=number):
            given = desk.penalties[number - 1]
            for name in ("entrant", "infraction", "penalty"):
                params[name] = worded(name, getattr(given, name))
        case EntrantNumbered(entrant=entrant):
            params["entrant"] = entrant
        case ResultReported() | Ruled() | ResultCorrected():
            code += _how_it_ended(event)
            params["scores"] = _score(event, params)
        case TimeExtended(table=table) if table:
            code += ".table"
        case TimeProposed(by=0):
            code += ".set"
        case CallAnswered(by=by) if by:
            code += ".by"
    return texts.sentence(TEXTS, code, params, {})


def headline(state: State, names: Mapping[int, str]) -> str:
    """Return who won, or how far the open round is, or what comes next."""
    desk = state.desk
    if desk.closed:
        first = [names.get(one) or called(desk, one) for one in winners_of(desk)]
        kind = "shared" if first[1:] else "closed" if first else "off"
        return TEXTS[f"headline.{kind}"].format(winner=texts.listed(first))
    playing = len(still_playing(desk))
    number = open_round(desk)
    if number:
        current, only = round_at(desk, number), state.setup.options.confirmed_only
        return TEXTS["headline.confirmed" if only else "headline.round"].format(
            round=number,
            done=len(current.tables) - len(uncounted(current, confirmed_only=only)),
            tables=len(current.tables),
            playing=playing,
        )
    if desk.rounds:
        kind = "between" if playing else "over"
    else:
        kind = "begun" if desk.stages else "before"
    return TEXTS[f"headline.{kind}"].format(rounds=len(desk.rounds), playing=playing)


def called(desk: Desk, number: int) -> str:
    """Return the label of an entrant, or its number if it has none."""
    known = 1 <= number <= len(desk.people)
    return (desk.people[number - 1].label if known else "") or _numbered(number)


def _numbered(number: int) -> str:
    return TEXTS["word.entrant"].format(entrant=number)


def _worded(desk: Desk, names: Mapping[int, str], name: str, value: Any) -> Any:
    """Return a field of an event as it appears in a sentence."""

    def one(number: int) -> str:
        return texts.isolated(names.get(number) or called(desk, number))

    def together(numbers: Sequence[int]) -> str:
        return texts.listed([one(n) if n else TEXTS["word.bye"] for n in numbers])

    match name:
        case "entrant" | "by":
            return one(value) if value else TEXTS["word.desk"]
        case "entrants" | "byes" | "few" | "absent":
            return together(value)
        case "pairings" | "groups" if isinstance(value, tuple):
            return "; ".join(map(together, value))
        case "scores" | "left":
            return "–".join(map(str, value)) or TEXTS["word.no-score"]
        case "cost" | "least":
            return "-".join(map(str, value)) or TEXTS["word.nothing"]
        case "method" | "format":
            return TEXTS[f"format.{value}"]
        case "demerits" | "minutes":
            return texts.counted(TEXTS, f"word.{name}", value)
        case "label":
            return texts.isolated(value) or _numbered(len(desk.people) + 1)
    return TEXTS.get(f"value.{name}.{value}", value)


def _score(event: ResultAct, params: Mapping[str, Any]) -> str:
    """Return a result in words: its scores, who was absent, or what was left."""
    if event.left:
        return TEXTS["word.left"].format_map(params)
    if event.scores and event.absent:
        return TEXTS["word.without"].format_map(params)
    return str(params["scores"])


def _how_it_ended(event: ResultAct) -> str:
    """Return the suffix of a result's text code: "" if there are scores."""
    if event.lost:
        return ".lost"
    return ".absent" if event.absent and not event.scores else ""
