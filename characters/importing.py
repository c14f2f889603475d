"""Files of cards: compared with the cards that are there, and taken in as a whole or not at all.

A card of a file is the one of its name and colour in the set it names, of the importer's own. It is
new, or changed as its page changes it, or unchanged, so that a file taken in again does nothing.
"""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from django.db.models import Q
from django.utils.translation import gettext

from characters import cards, policy
from characters.cards import CardFlaw
from characters.models import Card, CardSet
from matches import canonical, decks, once, people
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.models import Player
from matches.policy import require_make
from rules.ruleset import Ruleset

MAX_CARDS = 5000  # in one file
MAX_TEXT = 1_000_000  # characters in one file
SHARED = {"yes": True, "no": False, "true": True, "false": False}
BATCH = 500  # rows in a statement

Outcome = Literal["new", "changed", "unchanged", "refused"]
Key = tuple[str, str, str]
"""The set, name and colour of a card: a player has only one of each."""


class FieldChange(msgspec.Struct):
    """A field of a card before and after an import; null where it has no value."""

    field: str
    before: Any
    after: Any


class CardLine(msgspec.Struct):
    """What an import does with a card: `changes` are those of a card that is there.

    `card` is its number from 1, `line` that of a table, else 0. `like`: a card of its set that is
    called almost the same, as another colour or spelling makes another card.
    """

    card: int
    line: int
    name: str
    colour: str
    set: str
    outcome: Outcome
    shared: bool
    changes: list[FieldChange] = []
    like: str = ""


class SetLine(msgspec.Struct):
    """How many cards of each outcome go into a set of one's own; `exists` tells if it is there."""

    name: str
    exists: bool
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0


class CardsImported(msgspec.Struct):
    """What an import does, or on a dry run would do; with a problem, nothing is stored.

    `tried` stands for all of it.
    """

    cards: int
    kept: bool
    problems: list[CardFlaw]
    lines: list[CardLine] = []
    sets: list[SetLine] = []
    tried: str = ""

    @property
    def changes_something(self) -> bool:
        """Whether it is more than what is there already."""
        return any(line.outcome in ("new", "changed") for line in self.lines)

    @property
    def counts(self) -> Counter[str]:
        """How many lines there are of each outcome."""
        return Counter(line.outcome for line in self.lines)


def take_in(
    *,
    by: Actor,
    game: str,
    text: str,
    card_set: str = "",
    shared: bool = False,
    update: bool = False,
    tried: str = "",
    dry_run: bool = True,
) -> CardsImported:
    """Import a file of cards, JSON or a table, all or nothing.

    `card_set` and `shared` are for cards that do not say; the latter for new ones only. Cards that
    are there are changed only on `update`. `tried` is that of a dry run.

    Raises: NotAllowed, BadInput, Conflict if the import would do anything else than it did then, or
    cards are added beside it.
    """
    owner = require_make(by)
    ruleset = cards.game_of(game)
    try:
        rows = _read(ruleset, text, cards.set_name(card_set), owner)
    except BadInput as bad:
        return CardsImported(
            0, False, [CardFlaw(0, bad.where, bad.code, bad.detail, _line_in(bad))]
        )
    file = _File(by, owner, ruleset, rows, shared, update)
    return _Plan(file).result(kept=False) if dry_run else _carry_out(file, tried)


def _line_in(bad: BadInput) -> int:
    return int(bad.where[5:]) if bad.where.startswith("line ") else 0


# -- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A card of a file as read: without flaws it has a `card`, not in its set yet."""

    number: int
    line: int
    set: str
    shared: bool | None
    columns: Collection[str] | None
    card: Card | None = None
    name: str = ""
    flaws: list[CardFlaw] = field(default_factory=list)

    def flaw(self, where: str, code: str, detail: str) -> CardFlaw:
        return CardFlaw(self.number, where, code, detail, self.line)


@dataclass(frozen=True)
class _File:
    """A file that was sent, and how its sender wants it taken in."""

    by: Actor
    owner: Player
    ruleset: Ruleset
    rows: Sequence[_Row]
    shared: bool  # whether a new card is, unless it says so itself
    update: bool


def _read(ruleset: Ruleset, text: str, usual: str, owner: Player) -> list[_Row]:
    """Return the cards of a file, each checked by itself. Raises: BadInput."""
    canonical.require_plain(text, "$.text")
    found = decks.rows_in(ruleset, text, MAX_TEXT)
    if not found or len(found) > MAX_CARDS:
        detail = gettext("A file has 1 to {MAX_CARDS} cards.").format(MAX_CARDS=MAX_CARDS)
        raise BadInput("no-cards", detail, "$.text")
    return [_row(ruleset, number, row, usual, owner) for number, row in enumerate(found, 1)]


def _row(ruleset: Ruleset, number: int, row: decks.FileRow, usual: str, owner: Player) -> _Row:
    said = dict.fromkeys((decks.SET, decks.SHARED))
    face = row.card
    if isinstance(face, dict):
        said = {name: face.get(name) for name in said}
        face = {name: value for name, value in face.items() if name not in said}
    bad, card_set, shared = list(row.flaws), usual, None
    try:
        card_set = usual if said[decks.SET] in (None, "") else cards.set_name(said[decks.SET])
        shared = _shared_from(said[decks.SHARED])
    except BadInput as wrong:
        bad.append(wrong)
    flaws = [CardFlaw(number, each.where, each.code, each.detail, row.line) for each in bad]
    flaws = flaws or [
        msgspec.structs.replace(flaw, card=number, line=row.line)
        for flaw in cards.check(ruleset, face)
    ]
    named = face.get("name") if isinstance(face, dict) else ""
    return _Row(
        number,
        row.line,
        card_set,
        shared,
        row.columns,
        None if flaws else cards.card_from(ruleset, face, owner),
        named if isinstance(named, str) else "",
        flaws,
    )


def _shared_from(value: Any) -> bool | None:
    """Return whether a card of a file is shared, None if it does not say. Raises: BadInput."""
    if value in (None, ""):
        return None
    known = SHARED.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(known, bool):
        raise BadInput("unknown-value", gettext("A card is shared, yes or no."), "$.shared")
    return known


# -- comparing --------------------------------------------------------------------------------


def _what_is_there(file: _File, *, lock: bool) -> tuple[dict[str, CardSet], dict[Key, Card]]:
    """Return the importer's sets that a file names, by name, and the cards in them."""
    named = {row.set for row in file.rows}
    found = CardSet.objects.filter(owner=file.owner, game=file.ruleset.key, name__in=named)
    there = Card.objects.order_by("pk")
    if lock:
        found, there = found.select_for_update(no_key=True), there.select_for_update(no_key=True)
    sets = {each.name: each for each in found.order_by("pk")}
    names = {each.pk: each.name for each in sets.values()}
    return sets, {
        (names[card.card_set_id], card.name, card.colour): card
        for card in there.filter(card_set__in=names)
    }


class _Plan:
    """What a file does to the cards that are there, as they are now."""

    def __init__(self, file: _File, *, lock: bool = False) -> None:
        """Compare each row with the cards there are; `lock` these until the transaction ends."""
        self.file = file
        self.fields = list(decks.card_fields(file.ruleset))
        self.sets, self.there = _what_is_there(file, lock=lock)
        self.seen: dict[Key, _Row] = {}
        self.like = {_alike(key): _called(card) for key, card in self.there.items()}
        self.problems: list[CardFlaw] = []
        self.lines = [self._line(row) for row in file.rows]

    def _line(self, row: _Row) -> CardLine:
        line = CardLine(
            row.number,
            row.line,
            row.name,
            row.card.colour if row.card else "",
            row.set,
            "refused",
            bool(row.shared),
        )
        if row.card is None:
            self.problems += row.flaws
            return line
        there = self.there.get(_key(row))
        if row.shared is None:
            line.shared = there.shared if there else self.file.shared
        line.changes = _changes(self.fields, row, there) if there else []
        first = self.seen.setdefault(_key(row), row)
        if flaws := list(self._flaws(row, row.card, first, there, line.changes)):
            self.problems += flaws
        elif first is not row:
            line.outcome = "unchanged"
        elif there:
            line.outcome = "changed" if line.changes else "unchanged"
        else:
            line.outcome = "new"
            line.like = self.like.get(_alike(_key(row)), "")
            self.like[_alike(_key(row))] = _called(row.card)
        return line

    def _flaws(
        self,
        row: _Row,
        card: Card,
        first: _Row,
        there: Card | None,
        changes: Sequence[FieldChange],
    ) -> Iterator[CardFlaw]:
        """Yield what keeps a card of a file, right by itself, from being taken in.

        `first` is the row of the same card; a row may be repeated as it is.
        """
        if first.card and (first.card.face, first.shared) != (card.face, row.shared):
            said = gettext("{name} stands in this file twice, and differs: see line {line} too.")
            if not row.line:
                said = gettext(
                    "{name} stands in this file twice, and differs: see card {line} too."
                )
            at = first.line or first.number
            yield row.flaw("$.name", "card-exists", said.format(name=_called(card), line=at))
        elif changes and there and not policy.may_edit_card(self.file.by, there):
            yield row.flaw("$.name", "not-allowed", gettext("Only its owner changes a card."))
        elif changes and not self.file.update:
            said = gettext("There is a {name} in this set already.").format(name=_called(card))
            yield row.flaw("$.name", "card-exists", said)
        elif row.columns is not None:
            for change in changes:
                if change.field not in row.columns:
                    said = gettext("{name} has a value here, and the file no column for it.")
                    said = said.format(name=change.field)
                    yield row.flaw(f"$.{change.field}", "missing-column", said)

    def result(self, *, kept: bool) -> CardsImported:
        """Return what the plan does, for people and programs."""
        counts: dict[str, Counter[str]] = {line.set: Counter() for line in self.lines}
        for line in self.lines:
            counts[line.set][line.outcome] += 1
        sets = [SetLine(name, name in self.sets, **count) for name, count in counts.items()]
        kept = kept and not self.problems
        return CardsImported(len(self.lines), kept, self.problems, self.lines, sets, self.digest)

    @property
    def digest(self) -> str:
        """A short text that differs for every other plan."""
        faces = [row.card.face if row.card else "" for row in self.file.rows]
        return hashlib.sha256(msgspec.json.encode([self.lines, faces])).hexdigest()[:32]


def _key(row: _Row) -> Key:
    assert row.card is not None
    return row.set, row.card.name, row.card.colour


def _alike(key: Key) -> tuple[str, str]:
    """Return what two cards of a set have in common that people may take for one."""
    card_set, name, _ = key
    return card_set, unicodedata.normalize("NFKC", name).casefold()


def _called(card: Card) -> str:
    return f"{card.colour} {card.name}".strip()


def _changes(fields: Sequence[str], row: _Row, there: Card) -> list[FieldChange]:
    assert row.card is not None
    before, after = there.data, row.card.data
    changes = [
        FieldChange(name, before.get(name), after.get(name))
        for name in fields
        if before.get(name) != after.get(name)
    ]
    if row.shared not in (None, there.shared):
        changes.append(FieldChange(decks.SHARED, there.shared, row.shared))
    return changes


# -- writing ----------------------------------------------------------------------------------


def _carry_out(file: _File, tried: str) -> CardsImported:
    """Do what a file says, of the cards that are there now. Raises: Conflict."""
    text = gettext("This file would now do something else than when it was tried: look again.")
    with once.only_one("changed-meanwhile", text):
        people.locked(Q(pk=file.owner.pk))  # imports of one player go one after the other
        plan = _Plan(file, lock=True)
        if tried and tried != plan.digest:
            raise Conflict("changed-meanwhile", text)
        result = plan.result(kept=True)
        if result.kept:
            _write(plan)
    return result


def _write(plan: _Plan) -> None:
    file = plan.file
    new_sets = [
        CardSet(game=file.ruleset.key, name=name, owner=file.owner)
        for name in dict.fromkeys(line.set for line in plan.lines)
        if name not in plan.sets
    ]
    CardSet.objects.bulk_create(new_sets, BATCH)
    sets = plan.sets | {each.name: each for each in new_sets}
    new, changed = [], []
    for row, line in zip(file.rows, plan.lines, strict=True):
        assert row.card is not None
        if line.outcome == "new":
            row.card.card_set, row.card.shared = sets[row.set], line.shared
            new.append(row.card)
        elif line.outcome == "changed":
            card = plan.there[_key(row)]
            cards.take_face(card, row.card)
            card.shared = line.shared
            changed.append(card)
    Card.objects.bulk_create(new, BATCH)
    # `bulk_update` would leave `changed_at` as it is, and name every card once for each column.
    Card.objects.bulk_create(
        changed,
        BATCH,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*cards.FACE, "shared", "revision", "changed_at"],
    )
