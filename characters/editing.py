"""Change a sheet. Each change is kept in its history: before, after, and who may know."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from characters import policy
from characters.locking import owned
from characters.models import Audience, Change, Character, Favour, Goal, Section
from characters.pasting import goal_kind, make_sections
from characters.selectors import no_such_goal
from matches import canonical, once
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotAllowed, NotFound
from matches.models import Player
from matches.policy import require_make

MAX_TEXT = 20_000
MAX_GOALS = 100
TYPED = {
    *(Section.Kind.PUBLIC, Section.Kind.PRIVATE, Section.Kind.MODE_DECK, Section.Kind.MANEUVERS),
    *(Section.Kind.DIARY, Section.Kind.NOTES, Section.Kind.UNPARSED),
}
"""Sections whose text is typed; the others are made of rows."""


def create(
    *,
    by: Actor,
    name: str,
    tagline: str = "",
    audience: str = Audience.PUBLIC,
    act_id: UUID | None = None,
) -> Character:
    """Create a character with an empty sheet. Idempotent by `act_id`."""
    owner = require_make(by)
    _require_audience(audience, policy.NARROWING)

    def keep(character: Character) -> None:
        character.save(force_insert=True)
        make_sections(character, {})

    return once.make(
        Character,
        owner.pk,
        act_id,
        keep=keep,
        owner=owner,
        name=_line(name, "name", 1),
        tagline=_line(tagline, "tagline"),
        audience=audience,
    )


def edit(
    *,
    by: Actor,
    character: Character,
    name: str | None = None,
    tagline: str | None = None,
    audience: str | None = None,
) -> None:
    """Change a character's name and tagline, and who may see it at all; None leaves each."""
    policy.require_edit(by, character)
    new: dict[str, str] = {}
    if name is not None:
        new["name"] = _line(name, "name", 1)
    if tagline is not None:
        new["tagline"] = _line(tagline, "tagline")
    if audience is not None:
        _require_audience(audience, policy.NARROWING)
        new["audience"] = audience
    with transaction.atomic():
        current = owned(by, character)
        for what, text in new.items():
            known = Audience.OWNER if what == "audience" else current.audience
            note(by, character, what, getattr(current, what), text, known)
            setattr(character, what, text)
        character.save(update_fields=list(new))


def edit_section(
    *,
    by: Actor,
    character: Character,
    kind: str,
    text: str | None = None,
    audience: str | None = None,
    named: Sequence[Player] | None = None,
) -> Section:
    """Change a section's text or audience; None leaves either unchanged."""
    policy.require_edit(by, character)
    if audience is not None:
        _require_audience(audience)
    with transaction.atomic():
        owned(by, character)  # what is noted of a text depends on its audience
        section = character.sections.filter(kind=kind).first()
        if section is None:
            raise NotFound(gettext("There is no such section."), "no-such-section")
        if text is not None:
            if kind not in TYPED:
                raise BadInput(
                    "not-typed", gettext("This part is not a text of its own."), "$.text"
                )
            new = _text(kind, text)
            known = _narrower(section.audience, audience or section.audience)
            note(by, character, kind, section.text, new, known)
            section.text = new
        if audience is not None:
            note(by, character, f"{kind} audience", section.audience, audience, Audience.OWNER)
            section.audience = audience
        section.save()
        if named is not None:
            before = ", ".join(player.name for player in section.named.all())
            after = ", ".join(player.name for player in named)
            note(by, character, f"{kind} by name", before, after, Audience.OWNER)
            section.named.set(named)
    return section


# -- goals --------------------------------------------------------------------------------------


def add_goal(*, by: Actor, character: Character, text: str, act_id: UUID | None = None) -> Goal:
    """Add a goal to a sheet, below the others. Idempotent by `act_id`."""
    policy.require_edit(by, character)
    line = _line(text, "text", 1)

    def keep(goal: Goal) -> None:
        owned(by, character)
        goals = character.goals
        if goals.count() >= MAX_GOALS:
            detail = gettext("At most {MAX_GOALS} goals.").format(MAX_GOALS=MAX_GOALS)
            raise BadInput("too-many", detail, "$.text")
        goal.ordinal = (goals.aggregate(last=Max("ordinal"))["last"] or 0) + 1
        goal.kind = goal_kind(line)
        goal.save(force_insert=True)
        note(by, character, "goals", "", line, _goals_audience(character))

    maker = require_make(by)
    return once.make(Goal, maker.pk, act_id, keep=keep, character=character, text=line)


def edit_goal(
    *,
    by: Actor,
    goal: Goal,
    text: str | None = None,
    current: bool | None = None,
    reached: bool | None = None,
    reached_on: date | None = None,
) -> Goal:
    """Change a goal. A new current goal replaces the old one; a reached goal is not current.

    It is reached now, unless `reached_on` gives the day. Raises: Conflict for a reached goal that
    is to be the current one.
    """
    policy.require_edit(by, goal.character)
    changed: list[str] = []
    with transaction.atomic():
        _lock(by, goal)
        before = goal_line(goal)
        if text is not None:
            goal.text = _line(text, "text", 1)
            goal.kind = goal_kind(goal.text)
            changed += ["text", "kind"]
        if reached is not None:
            goal.reached_at = (goal.reached_at or _reached(reached_on)) if reached else None
            current = False if reached else current
            changed += ["reached_at"]
        if current:
            _require_not_reached(goal)
            for old in goal.character.goals.filter(current=True).exclude(pk=goal.pk):
                edit_goal(by=by, goal=old, current=False)
        if current is not None:
            goal.current = current
            changed += ["current"]
        goal.save(update_fields=changed)
        audience = _goals_audience(goal.character)
        note(by, goal.character, "goals", before, goal_line(goal), audience)
    return goal


def _lock(by: Actor, goal: Goal) -> None:
    """Lock a goal's sheet, and read the goal anew. Raises: NotFound for one removed meanwhile."""
    owned(by, goal.character)
    try:
        goal.refresh_from_db(fields=["text", "kind", "current", "reached_at"])
    except Goal.DoesNotExist:
        raise no_such_goal() from None


def _require_not_reached(goal: Goal) -> None:
    if goal.reached_at is not None:
        raise Conflict("goal-reached", gettext("This goal is marked as reached: undo that first."))


def _reached(day: date | None) -> datetime:
    """Return when a goal was reached: now, or at noon of a past day. Raises: BadInput.

    East of Greenwich, today may be a day ahead of UTC.
    """
    now = timezone.now()
    if day is None or now.date() <= day <= now.date() + timedelta(days=1):
        return now
    if day > now.date() or day.year < 2000:
        raise BadInput("bad-day", gettext("A goal is reached on a past day."), "$.reached_on")
    return datetime.combine(day, time(12), UTC)


def remove_goal(*, by: Actor, goal: Goal) -> None:
    policy.require_edit(by, goal.character)
    with transaction.atomic():
        _lock(by, goal)
        audience = _goals_audience(goal.character)
        note(by, goal.character, "goals", goal_line(goal), "", audience)
        goal.delete()


def goal_line(goal: Goal) -> str:
    """Return a goal as a sheet's history writes it."""
    marks = ["current"] if goal.current else []
    marks += ["reached"] if goal.reached_at else []
    return goal.text + (f" ({', '.join(marks)})" if marks else "")


# -- favours and grudges ------------------------------------------------------------------------


def add_favour(
    *,
    by: Actor,
    character: Character,
    kind: str,
    text: str,
    about: Character | None = None,
    who: str = "",
    told: bool = False,
    match: str = "",
    audience: str = Audience.NAMED,
    act_id: UUID | None = None,
) -> Favour:
    """Enter a favour owed or a grudge borne in a character's diary.

    `told`: it also appears in the diary of the character it is about. `audience` narrows the
    diary's own. Idempotent by `act_id`.
    """
    policy.require_edit(by, character)
    if kind not in Favour.Kind:
        raise BadInput("bad-kind", gettext("It is a favour or a grudge."), "$.kind")
    if about is not None:
        policy.require_see(by, about)
    _require_audience(audience)
    code = canonical.text_from(match, "$.match", 8).upper()
    if code and not (code.isascii() and code.isalnum()):
        raise BadInput("bad-code", gettext("A match is named by its code."), "$.match")

    def keep(favour: Favour) -> None:
        owned(by, character)
        favour.save(force_insert=True)
        note(by, character, "favours", "", _favour_line(favour), Audience.OWNER)

    return once.make(
        Favour,
        require_make(by).pk,
        act_id,
        keep=keep,
        kind=kind,
        holder=character,
        about=about,
        who=_line(who, "who"),
        text=canonical.text_from(text, "$.text", 500, least=1, lines=True),
        told=told,
        match=code,
        audience=audience,
    )


def edit_favour(
    *,
    by: Actor,
    favour: Favour,
    text: str | None = None,
    told: bool | None = None,
    settled: bool | None = None,
    audience: str | None = None,
) -> Favour:
    """Change a diary entry: its text, whether the other side knows, whether it is settled."""
    if not policy.is_owner(by, favour.holder):
        raise NotAllowed("not-allowed", gettext("Only the owner of the diary can change it."))
    if audience is not None:
        _require_audience(audience)
    changes: dict[str, Any] = {"told": told, "audience": audience or None}
    if text is not None:
        changes["text"] = canonical.text_from(text, "$.text", 500, least=1, lines=True)
    changed = {name: value for name, value in changes.items() if value is not None}
    with transaction.atomic():
        owned(by, favour.holder)
        favour.refresh_from_db(fields=["text", "told", "settled_at", "audience"])
        before = _favour_line(favour)
        if settled is not None:
            changed["settled_at"] = (favour.settled_at or timezone.now()) if settled else None
        for name, value in changed.items():
            setattr(favour, name, value)
        favour.save(update_fields=changed)
        note(by, favour.holder, "favours", before, _favour_line(favour), Audience.OWNER)
    return favour


def _favour_line(favour: Favour) -> str:
    marks = ["told"] if favour.told else []
    marks += ["settled"] if favour.settled_at else []
    marks += [] if favour.audience == Audience.NAMED else [favour.audience]
    return f"{favour.kind}: {favour.text}" + (f" ({', '.join(marks)})" if marks else "")


def _require_audience(audience: str, known: Sequence[str] = Audience.values) -> None:
    if audience not in known:
        raise BadInput(
            "bad-audience",
            gettext("There is no audience {audience}.").format(audience=audience[:20]),
            "$.audience",
        )


# -- helpers -----------------------------------------------------------------------------------


def _goals_audience(character: Character) -> str:
    section = character.sections.filter(kind=Section.Kind.GOALS).first()
    return section.audience if section else Audience.OWNER


def _narrower(one: str, other: str) -> str:
    """Return the narrower of two audiences; people by name count as the owner alone."""
    if Audience.NAMED in (one, other):
        return Audience.OWNER
    return max(one, other, key=policy.NARROWING.index)


def _text(kind: str, text: str) -> str:
    """Return a section's validated text; in a mode deck an empty line is an unnamed card."""
    if kind != Section.Kind.MODE_DECK:
        return "\n".join(canonical.text_from(text, "$.text", MAX_TEXT, lines=True).splitlines())
    cards = [_line(line, "text") for line in text.splitlines()]
    if len(cards) > 3:
        raise BadInput("too-many", gettext("A mode deck names three design cards."), "$.text")
    return "\n".join(cards) if any(cards) else ""


def _line(text: str, where: str, least: int = 0) -> str:
    return canonical.text_from(text, f"$.{where}", 200, least=least)


def note(
    by: Actor, character: Character, what: str, before: str, after: str, audience: str
) -> None:
    """Add a change to the history, unless nothing changed."""
    if before != after:
        Change.objects.create(
            character=character,
            what=what,
            before=before,
            after=after,
            audience=audience,
            changed_by=by.player,
        )
