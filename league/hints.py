"""Facts of a log that may deserve a look, for organisers and zMarshals only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

from league import desks, policy
from league.models import Tournament
from matches.actors import Actor
from rules import texts
from rules.desk import hints
from rules.desk.hints import Hint

WORDS: dict[str, Any] = {
    "drew-into-cut": gettext_lazy(
        "{names} drew in round {rounds}, the last before the cut, and both play on."
    ),
    "walked-into-cut": gettext_lazy(
        "Of {names}, one did not show up in round {rounds}, the last before the cut, and the other "
        "plays on."
    ),
    "drew-again": gettext_lazy("{names} drew with each other in rounds {rounds}."),
    "disputed-again": gettext_lazy("What {names} reported was disputed in rounds {rounds}."),
}


@dataclass(frozen=True)
class ShownHint:
    """A fact and its text."""

    hint: Hint
    text: str


def hints_for(actor: Actor, tournament: Tournament, names: Mapping[int, str]) -> list[ShownHint]:
    """Return the hints of a tournament, none for anybody who does not rule there."""
    if not policy.may_rule(actor, tournament):
        return []
    return [
        ShownHint(each, _words(each, names)) for each in hints.hints(desks.timeline(tournament))
    ]


def _words(hint: Hint, names: Mapping[int, str]) -> str:
    return str(WORDS[hint.code]).format(
        names=texts.listed([names.get(each, "") for each in hint.entrants]),
        rounds=", ".join(map(str, hint.rounds)),
    )
