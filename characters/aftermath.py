"""Questions after a match: a grudge, a repair, a goal. Answered with one tap, never automatically.

Questions are not stored: they are derived from the match's effective history and the answers given.
So a correction of the match may add or remove them. If something was paid or noted for a slag that
no longer stands, or in a match withdrawn since, that is asked about too, and a person confirms the
counter-entry.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct

from characters import books, career, editing, ledger, policy, shown
from characters.locking import locked
from characters.models import (
    Aftermath,
    Appearance,
    Audience,
    Campaign,
    Character,
    Deed,
    GearItem,
    Goal,
    LedgerEntry,
)
from characters.sheet.goals import held_of, matches_wanted, wanted_by
from matches.actors import Actor
from matches.errors import Conflict
from matches.models import SeatResult, withdrawn

Kind = Aftermath.Kind
Ask = Literal["grudge", "settle", "repair", "return", "goal"]
AfterSlag = Campaign.AfterSlag
LIMIT = 100  # the most matches with questions, the newest ones


class Prompt(Struct, omit_defaults=True):
    """A question after a match. `version` is the moment it is about.

    `settle` and `return` are about a slag that no longer stands: forget the grudge, undo the
    entries. `roll`: the answer needs a die roll. `aside`: it was put aside. `withdrawn`: the whole
    match was, so there is none to look at.

    `take`: what taking it would do, in words. `text`: the question. `price`: what a repair
    costs, in credits. `item` is the serial of the piece, empty for none.
    """

    appearance: UUID
    match: str
    kind: Ask
    text: str
    take: str  # the effect of taking it, for a button
    item: str = ""
    version: int | None = None
    price: int | None = None
    roll: bool = False
    aside: bool = False
    withdrawn: bool = False


# -- questions ---------------------------------------------------------------------------------


def prompts_of(actor: Actor, character: Character, match: str = "") -> list[Prompt]:
    """Return the questions about a character, newest match first, or only those about one match.

    Empty for actors who may not keep its books.
    """
    if match:
        return list(_prompts(actor, character, seat__match__code=match))
    came = [*_after_withdrawal(actor, character), *_on_others_slags(actor, character)]
    return [*came, *_prompts(actor, character)]


def _prompts(actor: Actor, character: Character, **which: Any) -> Iterator[Prompt]:
    """Yield the questions about some of a character's appearances, that about its goal last."""
    if not policy.may_record(actor, character):
        return
    ended = (
        career.appearances(actor, character=character)
        .filter(known_result__in=SeatResult.Result.values)
        .annotate(is_public=Q(seat__match__log__public_version=None))
    )
    played = {each.pk: each for each in ended.filter(**which)[:LIMIT]}
    if not played:
        return
    may_edit = policy.may_edit(actor, character)
    asking = _Asking.of(actor, character, played)
    for pk in played:
        for prompt in asking.about(pk):
            if may_edit or prompt.kind in ("repair", "return"):
                yield prompt
    if may_edit:  # everyone sees a goal that was reached: it may tell the result
        open_ones = (pk for pk, each in played.items() if each.is_public)
        of_all = ended.filter(is_public=True).values_list("pk", flat=True)
        newest = of_all.first() if which else next(open_ones, None)
        if newest and newest in played:
            yield from asking.goal_after(newest)


def _after_withdrawal(actor: Actor, character: Character, **which: Any) -> Iterator[Prompt]:
    """Yield the questions to the owner about what was answered after matches withdrawn since."""
    if not policy.may_edit(actor, character):
        return
    rows = Aftermath.objects.filter(appearance=OuterRef("pk"), taken=True)
    theirs = Q(Exists(rows), character=character) | _paid_by(character)
    answered = Appearance.objects.filter(
        theirs, withdrawn("seat__match__log__"), **which
    ).select_related("seat__match")
    gone = {each.pk: each for each in answered[:LIMIT]}
    if not gone:
        return
    asking = _Asking.of(actor, character, gone, withdrawn=True)
    for pk in gone:
        yield from asking.about(pk)


def _on_others_slags(actor: Actor, character: Character, **which: Any) -> Iterator[Prompt]:
    """Yield the questions about gear that was slagged when others of the campaign fielded it.

    The slag goes with the piece: whoever holds it now is asked, once the match is over in public.
    """
    if character.after_slag == AfterSlag.WHOLE or actor.results_off:
        return
    if not policy.may_record(actor, character):
        return
    slags = Deed.objects.filter(kind=Deed.Kind.LOST, public=True)
    in_hand = slags.filter(appearance=OuterRef("pk"), item__in=ledger.items_of(character))
    played = (
        Appearance.objects.filter(Q(Exists(in_hand)) | _paid_by(character), **which)
        .filter(campaign=character.campaign_id)
        .filter(seat__result__public_result__in=SeatResult.Result.values)
        .exclude(character=character)
        .exclude(withdrawn("seat__match__log__"))
        .select_related("seat__match")
    )
    others = {each.pk: each for each in played[:LIMIT]}
    if others:
        asking = _Asking.of(actor, character, others, slags=slags.filter(appearance__in=others))
        for pk in others:
            yield from asking.about(pk)


def _paid_by(character: Character) -> Q:
    """Return as a condition the appearances after which a character's books say what followed."""
    entered = LedgerEntry.objects.filter(giver=character, act_id=OuterRef("act_id"))
    rows = Aftermath.objects.filter(Exists(entered), appearance=OuterRef("pk"), kind=Kind.REPAIR)
    return Q(Exists(rows))


@dataclass(frozen=True)
class _Asking:
    """The data from which questions about some appearances of a character are derived."""

    character: Character
    played: Mapping[UUID, Any]
    lost: Mapping[UUID, list[tuple[Deed, str]]]  # slags that stand, and by whom
    answers: Mapping[tuple[UUID, str, UUID | None], Aftermath]
    standing: Mapping[UUID, set[UUID | None]]  # acts of the ledger that nobody has undone, by whom
    withdrawn: bool = False  # the matches were

    @classmethod
    def of(
        cls,
        actor: Actor,
        character: Character,
        played: Mapping[UUID, Appearance],
        withdrawn: bool = False,
        slags: QuerySet[Deed] | None = None,
    ) -> "_Asking":
        """Read them; `slags`: those to ask about, by default all that the actor may know."""
        lost: dict[UUID, list[tuple[Deed, str]]] = {pk: [] for pk in played}
        if slags is None:
            slags = career.deeds(actor, appearance__in=list(played), kind=Deed.Kind.LOST)
        deeds = list(slags.filter(item__isnull=False).select_related("item"))
        names = career.Names(actor, [played[pk] for pk in {deed.appearance_id for deed in deeds}])
        for deed in deeds:
            by = names.party(deed.match_id, deed.other_seat).name if deed.other_seat else ""
            lost[deed.appearance_id].append((deed, by))
        rows = Aftermath.objects.filter(appearance__in=list(played)).select_related(
            "item", "favour"
        )
        answers = {(row.appearance_id, row.kind, row.item_id or row.goal_id): row for row in rows}
        acts = [row.act_id for row in answers.values() if row.act_id]
        standing = standing_acts(acts) if acts else {}
        return cls(character, played, lost, answers, standing, withdrawn)

    @cached_property
    def held(self) -> list[GearItem]:
        return ledger.items_of(self.character)

    def about(self, pk: UUID) -> Iterator[Prompt]:
        """Yield the questions about one match: on slags that stand, then on those that do not."""
        stands = set()
        fielded = self.played[pk].character_id == self.character.pk
        for deed, by in self.lost[pk]:
            assert deed.item is not None
            stands.add(deed.item_id)
            grudge = deed.other_seat and fielded
            if grudge and (state := self._asked(pk, Kind.GRUDGE, deed.item_id)):
                question = gettext(
                    "{by} slagged your {item}. Add it to the book of grudges?"
                ).format(by=by, item=deed.item)
                yield self._prompt(
                    state, "grudge", question, gettext("Add the grudge"), deed.item, deed
                )
            ruled = self.played[pk].campaign_id == self.character.campaign_id
            state = self._asked(pk, Kind.REPAIR, deed.item_id) if ruled else None
            if state and deed.item in self.held:
                yield from self._repair(state, deed.item, deed)
        for (where, kind, item), row in self.answers.items():
            if where == pk and item not in stands and row.item is not None and row.taken:
                yield from self._undoing(row, row.item, kind)

    def _asked(self, pk: UUID, kind: str, key: UUID | None) -> "_PromptState | None":
        """Return whether something is asked and was put aside; None if it was answered."""
        row = self.answers.get((pk, kind, key))
        if row is None:
            return _PromptState(pk)
        if not row.taken:
            return _PromptState(pk, aside=True)
        undone = row.act_id is not None and row.act_id not in self.standing
        return _PromptState(pk) if undone else None

    def _repair(self, state: "_PromptState", item: GearItem, deed: Deed) -> Iterator[Prompt]:
        campaign, price = self.character.campaign, None
        match after := self.character.after_slag:
            case AfterSlag.REPAIR:
                price = campaign.repair_price if campaign else 0
                question = gettext("{item} was slagged. Repair it for c{price}?")
                take = gettext("Repair, c{price}").format(price=price)
            case AfterSlag.LOST:
                question = gettext("{item} was slagged, and is lost for good here. Enter the loss?")
                take = gettext("Enter the loss")
            case AfterSlag.ROLL:
                question = gettext("{item} was slagged. Roll a die for it: what does it show?")
                take = gettext("Enter the roll")
            case _:
                return
        text = question.format(item=f"{item} ({item.serial})", price=price)
        prompt = self._prompt(state, "repair", text, take, item, deed, price)
        prompt.roll = after == AfterSlag.ROLL
        yield prompt

    def _undoing(self, row: Aftermath, item: GearItem, kind: str) -> Iterator[Prompt]:
        state = _PromptState(row.appearance_id)
        fielded = self.played[row.appearance_id].character_id == self.character.pk
        favour = row.favour if kind == Kind.GRUDGE and fielded else None
        if favour is not None and not favour.settled_at:
            question = (
                gettext("The match was withdrawn. Settle the grudge over {item}?")
                if self.withdrawn
                else gettext(
                    "A correction gave {item} back: it was not slagged. Settle the grudge?"
                )
            ).format(item=item)
            yield self._prompt(state, "settle", question, gettext("Settle the grudge"), item)
        entered = self.standing.get(row.act_id, set()) if row.act_id else set()
        if kind == Kind.REPAIR and self.character.pk in entered:
            question = (
                gettext(
                    "The match was withdrawn in which {item} was slagged. Take back what the "
                    "books say came of it, by counter-entry?"
                )
                if self.withdrawn
                else gettext(
                    "A correction gave {item} back: it was not slagged. Take back what the books "
                    "say came of it, by counter-entry?"
                )
            ).format(item=item)
            yield self._prompt(state, "return", question, gettext("Enter the counter-entry"), item)

    def _prompt(
        self,
        state: "_PromptState",
        kind: Ask,
        text: str,
        take: str,
        item: GearItem,
        deed: Deed | None = None,
        price: int | None = None,
    ) -> Prompt:
        return Prompt(
            appearance=state.appearance,
            match=self.played[state.appearance].seat.match.code,
            kind=kind,
            text=text,
            take=take,
            item=item.serial,
            version=deed.version if deed else None,
            price=price,
            aside=state.aside,
            withdrawn=self.withdrawn,
        )

    def goal_after(self, pk: UUID) -> Iterator[Prompt]:
        """Yield the question after the newest of all matches: is the current goal reached?"""
        goal = self.character.goals.filter(current=True, reached_at=None).first()
        if goal is None:
            return
        state = self._asked(pk, Kind.GOAL, goal.pk)
        if state and self._may_be_reached(goal):
            match = self.played[pk].seat.match.code
            question = gettext("Is the goal reached: {text}?").format(text=goal.text)
            yield Prompt(pk, match, "goal", question, gettext("It is reached"), aside=state.aside)

    def _may_be_reached(self, goal: Goal) -> bool:
        """Tell whether a goal is complete, or of a kind that cannot be measured."""
        if of_matches := matches_wanted(goal.text):
            won, count = of_matches
            results = shown.results_of(self.character)
            return (results[SeatResult.Result.WON] if won else results.total()) >= count
        wanted = wanted_by(goal.text)
        there = [(one.kind, one.quality, one.colour, one.name) for one in self.held if wanted]
        return len(held_of(wanted, there)) == len(wanted)


@dataclass(frozen=True)
class _PromptState:
    appearance: UUID
    aside: bool = False


def standing_acts(acts: Collection[UUID]) -> dict[UUID, set[UUID | None]]:
    """Return the acts of the ledger with a line that has no counter-entry, and who gave there."""
    lines = LedgerEntry.objects.filter(act_id__in=acts, corrections=None, covers=None)
    found: dict[UUID, set[UUID | None]] = {}
    for act, giver in lines.values_list("act_id", "giver"):
        found.setdefault(act, set()).add(giver)
    return found


def unmended(character: Character, items: Iterable[GearItem]) -> dict[UUID, str]:
    """Return the items for which a slag has yet to be dealt with, each with the match's code.

    Counts matches in their public version, whoever fielded the piece: in a campaign its slag goes
    with it. Empty where the campaign has gear whole again; what was slagged while it was so, or
    outside this campaign, is whole.
    """
    if character.after_slag == AfterSlag.WHOLE:
        return {}
    waiting = Deed.objects.filter(
        item__in=[item.pk for item in items],
        appearance__campaign=character.campaign_id,
        kind=Deed.Kind.LOST,
        public=True,
    ).exclude(withdrawn("match__log__"))
    found = {(d.appearance_id, d.item_id): d for d in waiting.select_related("match")}
    rows = Aftermath.objects.filter(
        Q(taken=True), kind=Kind.REPAIR, appearance__in=[pk for pk, _ in found]
    )
    answered = list(rows)
    standing = standing_acts([row.act_id for row in answered if row.act_id])
    for row in answered:
        if row.act_id is None or row.act_id in standing:
            found.pop((row.appearance_id, row.item_id), None)
    return {deed.item_id: deed.match.code for deed in found.values() if deed.item_id}


# -- answers ----------------------------------------------------------------------------------


def answer(
    *,
    by: Actor,
    character: Character,
    appearance: UUID,
    kind: str,
    item: str = "",
    take: bool = True,
    roll: int | None = None,
) -> None:
    """Answer a question: take it, or put it aside.

    If a question about a slag that no longer stands is put aside, its entries stay in the books.
    Raises: NotAllowed; Conflict for a question that is not (or no longer) asked; the errors of the
    books.
    """
    policy.require_record(by, character)
    with transaction.atomic():
        locked(character.pk)
        prompt = _find(by, character, appearance, kind, item)
        _ANSWERS[prompt.kind](_Answer(by, character, prompt, roll), take)


def _find(by: Actor, character: Character, appearance: UUID, kind: str, item: str) -> Prompt:
    gone = _after_withdrawal(by, character, pk=appearance)
    others = _on_others_slags(by, character, pk=appearance)
    for prompt in (*gone, *others, *_prompts(by, character, pk=appearance)):
        if (prompt.kind, prompt.item) == (kind, item):
            return prompt
    raise Conflict(
        "not-asked", gettext("That is answered already, or the match was corrected since.")
    )


class _Answer:
    """An answer being given: the prompt, its item or goal, and the row it writes."""

    def __init__(self, by: Actor, character: Character, prompt: Prompt, roll: int | None) -> None:
        self.by, self.character, self.prompt, self.roll = by, character, prompt, roll
        self.item = GearItem.objects.filter(serial=prompt.item).first()
        self.seat = Appearance.objects.select_related("seat__match__log").get(pk=prompt.appearance)

    @property
    def is_public(self) -> bool:
        """Whether the whole match is public; if not, resulting entries are for the owner only."""
        return self.seat.seat.match.log.public_version is None

    def row(self, kind: str, goal: Goal | None = None) -> Aftermath:
        row, _ = Aftermath.objects.get_or_create(
            appearance=self.seat, kind=kind, item=self.item if goal is None else None, goal=goal
        )
        row.answered_by = self.by.player
        return row

    def grudge(self, take: bool) -> None:
        row = self.row(Kind.GRUDGE)
        if take:
            about, who = self._foe()
            row.favour = editing.add_favour(
                by=self.by,
                character=self.character,
                kind="grudge",
                text=gettext("Slagged my {item} in match {match}.").format(
                    item=self.item, match=self.prompt.match
                ),
                about=about,
                who=who,
                match=self.prompt.match,
                audience=Audience.NAMED if self.is_public else Audience.OWNER,
            )
        row.taken = take
        row.save()

    def _foe(self) -> tuple[Character | None, str]:
        """Return who slagged the item: a visible character, or the name used by the match."""
        deed = career.deeds(
            self.by, appearance=self.seat, item=self.item, kind=Deed.Kind.LOST
        ).first()
        assert deed is not None
        assert deed.other_seat is not None
        party = career.Names(self.by, [self.seat]).party(deed.match_id, deed.other_seat)
        if party.character is None:
            return None, party.name
        return Character.objects.get(pk=party.character), ""

    def settle(self, take: bool) -> None:
        row = self.row(Kind.GRUDGE)
        assert row.favour is not None
        if take:
            editing.edit_favour(by=self.by, favour=row.favour, settled=True)
            row.delete()
        else:
            row.favour = None
            row.save()

    def repair(self, take: bool) -> None:
        row = self.row(Kind.REPAIR)
        if take:
            assert self.item is not None
            before = row.act_id or ""
            act_id = uuid5(self.seat.pk, f"after {self.prompt.item} {before}")
            entries = books.after_slag(
                by=self.by,
                character=self.character,
                item=self.item,
                act_id=act_id,
                match=self.prompt.match if self.is_public else "",
                roll=self.roll,
                audience="" if self.is_public else Audience.OWNER,
            )
            row.act_id = act_id if entries else None
        row.taken = take
        row.save()

    def undo(self, take: bool) -> None:
        """Write the counter-entry; its act is stored, so that another slag asks again."""
        row = self.row(Kind.REPAIR)
        assert row.act_id is not None
        if not take:
            row.act_id = None
            row.save()
            return
        entry = LedgerEntry.objects.filter(act_id=row.act_id).earliest("ordinal")
        undone = uuid5(row.act_id, "undone")
        books.correct(by=self.by, entry=entry, act_id=undone, reason=gettext("no longer slagged"))

    def goal(self, take: bool) -> None:
        goal = self.character.goals.filter(current=True, reached_at=None).first()
        assert goal is not None
        row = self.row(Kind.GOAL, goal)
        if take:
            editing.edit_goal(by=self.by, goal=goal, reached=True)
        row.taken = take
        row.save()


_ANSWERS: Mapping[Ask, Any] = {
    "grudge": _Answer.grudge,
    "settle": _Answer.settle,
    "repair": _Answer.repair,
    "return": _Answer.undo,
    "goal": _Answer.goal,
}
