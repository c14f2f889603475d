"""What tables and the journal show of rulings and appeals: who ruled, and what one may do."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from league import appeals, desks, rulings
from league.displays import TableDisplay
from league.models import Krewe
from league.scene import Scene
from matches import people
from matches.models import Event
from rules.desk.acts import ResultCorrected, Ruled
from rules.desk.state import table_of
from rules.ruleset import Act


def recorder_name(scene: Scene, act: Act, player: UUID | None, name: str) -> str:
    """Return who recorded an act, noting if they play at the table they ruled on."""
    if isinstance(act, rulings.RULINGS) and _plays(scene, act, player):
        return gettext("{name}, who plays at this table").format(name=name)
    return name


def ruling_at(scene: Scene, seen: TableDisplay) -> str:
    """Describe who ruled last on a table, "" if nobody did or a match reported its result."""
    timeline = desks.timeline(scene.tournament)
    found = rulings.rulings_at(timeline, seen.round, seen.table.number, scene.at)
    last = next((each for each in found if each.version not in scene.cut.hidden), None)
    if last is None:
        return ""
    rows = Event.objects.filter(log=scene.tournament.pk, version=last.version, ordinal=0)
    by = rows.values_list("recorded_by", flat=True).first()
    name = people.known_as([by]).get(by) if by else None
    if by is None or not name:
        return ""
    who = recorder_name(scene, last.act, by, name)
    if isinstance(last.act, Ruled):
        return gettext("Ruled by {who}.").format(who=who)
    return gettext("Corrected by {who}.").format(who=who)


def _plays(scene: Scene, act: Ruled | ResultCorrected, player: UUID | None) -> bool:
    if player is None:
        return False
    table = table_of(scene.desk, act.round, act.table)
    entries = [scene.entries[n] for n in table.players] if table is not None else []
    krewes = [entry.krewe_id for entry in entries if entry.krewe_id]
    if any(entry.player_id == player for entry in entries):
        return True
    of_it = Q(captain=player) | Q(players=player)
    return bool(krewes) and Krewe.objects.filter(of_it, pk__in=krewes).exists()


@dataclass(frozen=True)
class AppealDisplay:
    """What a table shows about an appeal: its state, or the deadline, and what one may do."""

    text: str = ""
    until: datetime | None = None
    may_appeal: bool = False
    may_reject: bool = False
    is_anothers: bool = False


def appeal_at(scene: Scene, seen: TableDisplay) -> AppealDisplay | None:
    """Return what a table shows about an appeal, None if there is none and none is possible."""
    appeal = seen.table.appeal
    if not appeal:
        return None
    timeline, tournament = desks.timeline(scene.tournament), scene.tournament
    where = timeline, tournament, seen.round, seen.table.number
    if appeal == "may":
        end = appeals.until(*where)
        if end is None or end < timezone.now() or scene.desk.closed:
            return None
        return AppealDisplay(until=end, may_appeal=seen.mine)
    if appeal != "open":
        return AppealDisplay(_DECIDED[appeal]())
    if scene.desk.closed:
        return AppealDisplay(gettext("Appealed, and not decided before the close."))
    mine = scene.may_rule and appeals.may_decide(timeline, scene.actor, *where[1:])
    if scene.may_rule and not mine:
        text = gettext("Appealed: you ruled here, another official decides.")
        return AppealDisplay(text, is_anothers=True)
    return AppealDisplay(gettext("Appealed: an official decides."), may_reject=mine)


_DECIDED = {
    "rejected": lambda: gettext("An appeal was rejected: the ruling stands."),
    "granted": lambda: gettext("An appeal was granted: there is a new ruling."),
}
