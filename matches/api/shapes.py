"""The shapes of requests and answers: exact types, which also write the OpenAPI schema."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from rules.ruleset import Audience

Line = Annotated[str, Meta(max_length=120)]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Word = Annotated[str, Meta(max_length=40, pattern=r"^[a-z0-9@-]*$")]
Delay = Annotated[int, Meta(ge=0, le=86_400)]
Plain = dict[str, Any]


class Request(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something asked: a field too many is an error, not noise."""


# -- people -------------------------------------------------------------------------------


class Credentials(Request):
    username: Annotated[str, Meta(max_length=150)]
    password: Annotated[str, Meta(max_length=500)]
    code: Annotated[str, Meta(max_length=40)] = ""  # of a second factor, where one is set up


class Token(Struct):
    """To be sent as `Authorization: Token …`; it holds for thirty days."""

    token: str


class PlayerRequest(Request):
    """A guest player, without an account."""

    name: Name


class PlayerAnswer(Struct):
    """A person at a table; a guest has no account. `claimed_by`: who took a guest over."""

    id: UUID
    name: str
    guest: bool
    url: str
    claimed_by: UUID | None


class RecordAnswer(Struct):
    """What a player has played of one ruleset, as far as the asker may know."""

    ruleset: str
    game: str
    played: int
    won: int
    drawn: int
    lost: int


class SpinsAnswer(Struct):
    """How spins for one purpose fell. `source`: the `site` spun, or the `table`.

    `as_uneven`: how many of 100 runs of as many fair spins fall at least as unevenly; null where
    too little fell to say.
    """

    purpose: str
    source: str
    counts: dict[str, int]
    as_uneven: int | None


class PlayerWhole(PlayerAnswer):
    """A player, with what is on record of them."""

    records: list[RecordAnswer]
    spins: list[SpinsAnswer]


class Nothing(Request):
    """Nothing has to be said."""


class ClaimLink(Struct):
    """A link by which an account takes over a guest, once and until then."""

    token: str
    url: str
    expires_at: datetime


class ClaimPart(Struct):
    """So many of one kind, and what the first of them are called."""

    what: str
    count: int
    names: list[str]


class ClaimOffer(Struct):
    """What an account would take over."""

    guest: PlayerAnswer
    expires_at: datetime
    parts: list[ClaimPart]


class ClaimAnswer(Struct):
    """Which guest was taken over by which player, and whether that was undone."""

    guest: UUID
    player: UUID | None
    taken_at: datetime | None
    undo_until: datetime
    undone_at: datetime | None


class SideLuck(Struct):
    """One side's luck: how many draws were reckoned, the strikes to expect of them, as a fraction
    in text, and those that came."""

    seat: int
    draws: int
    expected: str
    came: int


class LuckAnswer(Struct):
    """The luck of a match that is over, by side."""

    seats: list[SideLuck]


class Players(Struct):
    """One page: follow `next` until it is null."""

    results: list[PlayerAnswer]
    next: str | None
    previous: str | None


class PlayersQuery(Request):
    name: Annotated[str, Meta(max_length=80, pattern=r"^[^\x00]*$")] = ""


# -- games --------------------------------------------------------------------------------


class GameLine(Struct):
    """A game in its newest version."""

    key: str
    name: str
    ruleset: str
    seats: list[int]
    tools: list[str]
    url: str


class Games(Struct):
    results: list[GameLine]


class GameAnswer(Struct):
    """One ruleset: JSON schemas of what it takes in and draws, and its texts by code.

    `decks` are sample decks by name, `tools` what each tool takes.
    """

    key: str
    name: str
    ruleset: str
    seats: list[int]
    options: Plain
    deck: Plain
    acts: dict[str, Plain]
    consequences: dict[str, Plain]
    texts: dict[str, str]
    decks: dict[str, Plain]
    tools: dict[str, Plain]


class DeckRequest(Request):
    """A deck to be checked under options, or a list as players write one, as `text`."""

    deck: Any = None
    text: str | None = None
    options: Plain = {}


class DeckProblem(Struct):
    """What is wrong with a deck: the line of its list it is about, 0 for the whole."""

    code: str
    clause: str
    detail: str
    params: Plain
    line: int = 0


class DeckLine(Struct):
    """A line of a list; `known`: whether anybody has entered what is on that card."""

    line: int
    copies: int
    card: str
    heading: str
    known: bool


class DeckAnswer(Struct):
    """All that is wrong with a deck at once; nothing when it is legal.

    Of a list also the deck it was read as, and its lines.
    """

    problems: list[DeckProblem]
    deck: Any = None
    lines: list[DeckLine] = []


# -- matches ------------------------------------------------------------------------------


class SeatRequest(Request):
    """A seat: a player by id, or a guest by name; and the deck as the ruleset takes it."""

    player: UUID | None = None
    name: Annotated[str, Meta(max_length=80)] = ""
    label: Annotated[str, Meta(max_length=80)] = ""
    deck: Any = None


class MatchRequest(Request):
    """A match to be opened. `id` makes it safe to send again."""

    ruleset: Word
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=8)]
    options: Plain = {}
    id: UUID | None = None
    title: Line = ""
    place: Line = ""
    physical: bool = True
    sanctioned: bool = False
    visibility: Literal["public", "table"] = "public"
    held: bool = False
    delay: Delay = 0


class MatchesQuery(Request):
    ruleset: Word = ""
    status: Literal["", "open", "ended"] = ""
    player: UUID | None = None


class SeatAnswer(Struct):
    seat: int
    label: str
    name: str
    player: UUID | None


class MatchLine(Struct):
    """A match as lists show it.

    All of it as far as the asker may know: `held` says that results are off for the public,
    `delay` that it is told so many seconds late.
    """

    code: str
    title: str
    place: str
    ruleset: str
    status: str
    headline: str
    version: int
    physical: bool
    sanctioned: bool
    visibility: str
    started_at: datetime
    ended_at: datetime | None
    held: bool
    delay: int
    seats: list[SeatAnswer]
    url: str


class Matches(Struct):
    """One page: follow `next` until it is null."""

    results: list[MatchLine]
    next: str | None
    previous: str | None


class Rights(Struct):
    """What the asker may do here."""

    record: bool
    rule: bool
    manage: bool


class MatchAnswer(MatchLine):
    """A match: its head, who is at its table, and what hangs under it."""

    log: UUID
    hash: str
    options: Plain
    opener: UUID | None
    officials: list[UUID]
    may: Rights
    links: dict[str, str]


class Head(Struct):
    """The end of a log as it is now."""

    version: int
    hash: str
    headline: str
    status: str
    outcome: Plain | None


class StateQuery(Request):
    at: Version | None = None
    happened: bool = False
    as_: Annotated[str, Meta(pattern=r"^([0-9]{1,9}|officials|public)?$")] = field(
        default="", name="as"
    )

    @property
    def audience(self) -> Audience | None:
        match self.as_:
            case "officials" | "public" as group:
                return group
            case seat:
                return int(seat) if seat else None


class StateAnswer(Struct):
    """The state at a version, as one audience may know it. `digest` is that of the entry.

    As it happened, `version` is the entry that counts in the place of the one asked for.
    """

    version: int
    audience: int | str
    digest: str
    headline: str
    outcome: Plain | None
    state: Plain


class OptionsQuery(Request):
    seat: int | None = None


class OfferAnswer(Struct):
    """One kind of act that is legal now: each field with the values it may hold."""

    type: str
    seat: int | None
    fields: dict[str, Plain]


class StepAnswer(Struct):
    """A step along the log: the version `to` send to `take-back/`, and the act it is about."""

    to: int
    version: int
    act: Plain


class OptionsAnswer(Struct):
    """What is legal now, and where taking back and bringing back would lead."""

    version: int
    offers: list[OfferAnswer]
    undo: StepAnswer | None
    redo: StepAnswer | None


class EventsQuery(Request):
    """`happened`: only the entries that still count."""

    after: Version = 0
    happened: bool = False
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class FeedQuery(Request):
    after: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class EntryAnswer(Struct, kw_only=True, omit_defaults=True):
    """An act with all its consequences, and all that its hash covers.

    Of an entry that the asker may not see there is `version`, `position`, `hash` and `leaf`.
    `match` or `tournament` is the code, in the feed. What is empty is left out.
    """

    version: int
    position: int
    hash: str
    match: str = ""
    tournament: str = ""
    leaf: str = ""
    act_id: str = ""
    act: Plain | None = None
    consequences: list[Plain] = []
    irregular: str = ""
    on: int | None = None
    repeats: int | None = None
    state_digest: str = ""
    request_digest: str = ""
    salt: str = ""
    recorded_at: str = ""
    recorded_by: str | None = None
    said_at: str | None = None
    note: str = ""


class Entries(Struct):
    """Entries in order. Ask again with `after` = `last` for those that follow."""

    entries: list[EntryAnswer]
    last: int
    more: bool


class ActRequest(Request):
    """One act. `id` makes it safe to send again; `after` is a version or the act before.

    `irregular`: it stood against the rules. `note`: a reason in words, kept out of the log.
    """

    id: UUID
    act: Plain
    after: Version | UUID | None = None
    irregular: bool = False
    note: Annotated[str, Meta(max_length=2000)] = ""
    said_at: datetime | None = None


class TakeBackRequest(Request):
    """Make the state as at version `to` current again. `reason`: in words, kept out of the log."""

    id: UUID
    to: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    after: Version | UUID | None = None
    reason: Annotated[str, Meta(max_length=2000)] = ""


class CutRequest(Request):
    """What is held back from the public; what is not named stays as it is.

    `held`: results are off until released. `delay`: seconds. `upto`: show the public so much of
    a match that stays held; what was public once stays public.
    """

    held: bool | None = None
    delay: Delay | None = None
    visibility: Literal["public", "table"] | None = None
    upto: Version | None = None


class CutAnswer(Struct):
    """What is held back from the public: it is shown up to `version` of `head`."""

    held: bool
    delay: int
    visibility: str
    version: int
    head: int


class CorrectRequest(Request):
    """Put another act in the place of the one with the id `act_id`; null strikes it out.

    `preview`: only tell what it would change. `after`: the version the preview was made of.
    `irregular`: the new act stood against the rules. `reason`: in words, kept out of the log.
    """

    id: UUID
    act_id: UUID
    act: Plain | None
    reason: Annotated[str, Meta(max_length=2000)] = ""
    preview: bool = False
    after: Version | UUID | None = None
    irregular: bool = False


class ChangeAnswer(Struct):
    """An entry that counted and what it would be: `act` and what follows are null and empty
    where it counts no more.

    `told` and `consequences_told` are sentences; `irregular` is the code of the rule broken.
    `left_out` is the code of why a later act can not be any more, `why` its sentence.
    """

    version: int
    act_before: Plain
    told_before: str
    irregular_before: str
    consequences_before: list[str]
    act: Plain | None
    told: str
    irregular: str
    consequences: list[str]
    left_out: str = ""
    why: str = ""


class EndingAnswer(Struct):
    """How the match stands: its headline, and its outcome when it is over."""

    headline: str
    outcome: Plain | None


class FollowerChange(Struct):
    """What a correction would change elsewhere: what follows the log, and a sentence."""

    follower: str
    text: str


class PreviewAnswer(Struct):
    """What a correction would do to a log whose head is `head`: the result will be the same.

    `corrected` is the act itself, `changes` the later ones that turn out otherwise or are left
    out, `same` how many stay as they are, `hidden` how many the asker may not see.
    """

    head: int
    version: int
    needs_reason: bool
    corrected: ChangeAnswer
    changes: list[ChangeAnswer]
    same: int
    hidden: int
    before: EndingAnswer
    after: EndingAnswer
    followers: list[FollowerChange]


class EntryReceipt(Struct):
    """What was recorded, where it stands, and what the rules made of it."""

    version: int
    position: int
    hash: str
    act: Plain
    consequences: list[Plain]


class ReceiptAnswer(EntryReceipt):
    """What was recorded, where it stands, what the rules made of it, and the log's end."""

    head: Head


class Receipts(Struct):
    """The entries of a correction: the taking back, the new act, the later ones again."""

    version: int
    receipts: list[EntryReceipt]
    head: Head


class ActAnswer(Struct, omit_defaults=True):
    """One act of several: `status` as if it had been sent alone."""

    status: int
    receipt: ReceiptAnswer | None = None
    problem: Plain | None = None


class ActAnswers(Struct):
    results: list[ActAnswer]


# -- the scribe -----------------------------------------------------------------------------


class ScribeAnswer(Struct):
    """Who records a match, and since when. `you`: on this device, or for the same player."""

    id: UUID
    name: str
    seat: int | None
    since: datetime
    you: bool


class StandingAnswer(Struct, omit_defaults=True):
    """The scribe of a match; null when there is none, or it was idle for `idle_after` seconds.

    `proposals` wait to be decided. `device` is the signed name of yours: send it as `X-Device`.
    """

    scribe: ScribeAnswer | None
    proposals: int
    idle_after: int
    device: str = ""


class TakeRequest(Request):
    """Take over from the scribe you saw; null where there was none."""

    over: UUID | None


class LeaseRequest(Request):
    """`id`: the scribe's, as answered."""

    id: UUID


class ProposalAnswer(Struct, kw_only=True, omit_defaults=True):
    """An act that was kept. `same_as`: the version of an entry that says the same."""

    id: UUID
    act: Plain
    text: str
    kept_at: datetime
    state: str
    by: str = ""
    after: str = ""
    irregular: bool = False
    note: str = ""
    said_at: datetime | None = None
    version: int | None = None
    same_as: int | None = None
    decided_at: datetime | None = None
    decided_by: str = ""


class ProposalsQuery(Request):
    state: Literal["open", "accepted", "merged", "dismissed"] = "open"


class Proposals(Struct):
    """In the order they were kept."""

    results: list[ProposalAnswer]


class DecisionRequest(Request):
    """What becomes of a proposal. `irregular`: it stood, to accept; `version`: to merge with."""

    decision: Literal["accept", "merge", "dismiss"]
    irregular: bool = False
    version: Version | None = None


# -- heads kept outside -------------------------------------------------------------------


class HeadsAnswer(Struct):
    """The key that signs (hex), and the newest file: its number, time and SHA-256."""

    key: str
    files: int
    newest: int | None
    written_at: str | None
    digest: str


# -- jobs ---------------------------------------------------------------------------------


class JobFile(Struct):
    """A file that a job made, and until when it is kept."""

    name: str
    bytes: int
    url: str
    until: datetime


class JobAnswer(Struct):
    """Work that a worker does for who asked: `done` of `total` steps, 0 of 0 before the first.

    `result` is of its kind; `why` says in words why it failed.
    """

    id: UUID
    kind: str
    title: str
    state: Literal["waiting", "working", "done", "failed", "cancelled"]
    done: int
    total: int
    asked_at: datetime
    done_at: datetime | None
    why: str
    result: Any
    file: JobFile | None
    url: str


class Jobs(Struct):
    """One page: follow `next` until it is null."""

    results: list[JobAnswer]
    next: str | None
    previous: str | None
