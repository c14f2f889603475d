"""`desk@1`: a tournament as a log, from the first entry to the close.

It stores inputs only: entries, pairings, results, rulings. Standings, brackets and who advances are
computed (`standings`), and pairings proposed (`pairing`), from the state alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules import texts
from rules.defaults import Defaults
from rules.desk import folding, record, results
from rules.desk.acts import (
    ACTS,
    BY_PLAYERS,
    CONSEQUENCES,
    CallAnswered,
    DeskOpened,
    EntrantNumbered,
    Options,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultCorrected,
    ResultReported,
    Ruled,
    TimeExtended,
    TimeProposed,
)
from rules.desk.limits import MAX_APPEAL, MAX_PEOPLE
from rules.desk.pairing import planned_rounds
from rules.desk.standings import stale_tables, still_playing, winners_of
from rules.desk.state import (
    Desk,
    Round,
    State,
    Table,
    keeps_seeds,
    open_round,
    round_at,
    seated,
)
from rules.desk.worth import uncounted
from rules.fields import Plain
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Event,
    Offer,
    Opened,
    Outcome,
    Pick,
    Problem,
    Seat,
    SetupError,
    Verdict,
    covers,
    event_type,
)

RESULTS = (ResultReported, Ruled, ResultCorrected)


class DeskRuleset(Defaults):
    key = "desk"
    seats = range(1)  # nobody sits at a desk: entrants enter
    opened: type[Opened] = DeskOpened
    options_type: type[msgspec.Struct] = Options
    acts = ACTS
    consequences = CONSEQUENCES
    texts = texts.load("rules.desk")
    rulings: tuple[type[Act], ...] = tuple(act for act in ACTS if act not in BY_PLAYERS)
    bot_weights: Mapping[str, int] = {
        "entered": 500,
        "waitlisted": 4,
        "dropped": 4,
        "returned": 20,
        "disqualified": 2,
        "results-annulled": 20,
        "pair-forbidden": 3,
        "pair-allowed": 20,
        "table-fixed": 3,
        "bye-granted": 4,
        "penalty-given": 3,
        "penalty-withdrawn": 20,
        "stage-started": 60,
        "stage-ended": 40,
        "round-paired": 400,
        "pairing-changed": 40,
        "round-published": 400,
        "time-proposed": 20,
        "result-reported": 600,
        "result-confirmed": 100,
        "result-disputed": 8,
        "ruled": 30,
        "result-corrected": 5,
        "official-called": 20,
        "call-answered": 200,
        "ruling-appealed": 300,
        "appeal-rejected": 200,
        "clock-paused": 10,
        "clock-resumed": 100,
        "time-extended": 5,
        "time-called": 20,
        "round-closed": 500,
        "cut-made": 30,
        "results-held": 4,
        "results-shown": 20,
        "announced": 2,
        "unannounced": 18,
        "tournament-closed": 60,
    }

    @property
    def name(self) -> str:
        return self.texts["ruleset.name"]

    def start(self, setup: DeskOpened) -> State:
        if setup.seats:
            raise SetupError(Problem("desk-has-no-seats"))
        if not 0 <= setup.options.cap <= MAX_PEOPLE:
            raise SetupError(Problem("bad-cap", params={"most": MAX_PEOPLE}))
        if not 0 <= setup.options.appeal_minutes <= MAX_APPEAL:
            raise SetupError(Problem("bad-appeal", params={"most": MAX_APPEAL}))
        return State(setup, Desk())

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        return () if seat is not None else tuple(record.offers(state))

    def judge(self, state: State, act: Act) -> Verdict:
        """An act is legal if an offer covers it; otherwise there is a reason."""
        if any(covers(offer, act) for offer in record.offers_like(state, act)):
            return LEGAL
        return record.refusal(state, act)

    def decide(self, state: State, act: Act) -> tuple[Consequence, ...]:
        return results.decide(state, act)

    def evolve(self, state: State, event: Event) -> State:
        return folding.evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """A tournament has no seats to place: its order is in the state.

        It is not over while results are held back.
        """
        if not state.desk.closed or state.desk.held:
            return None
        why = "played-out" if state.desk.order else "called-off"
        return Outcome(places=(), winners=(), why=why)

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Return everything except penalties, unpublished pairings and held results.

        A round that is held back shows who meets whom but not the results; a later stage shows the
        players named in its rounds, but not their seeds. Officials see everything.
        """
        desk = state.desk
        insider = audience == "officials"
        held = 0 if insider else desk.held
        rounds = [
            _round(number, each, hidden=0 < held <= number)
            for number, each in enumerate(desk.rounds, 1)
            if insider or each.published
        ]
        people = [
            {**msgspec.to_builtins(person), "entrant": n, "label": self._called(desk, n)}
            for n, person in enumerate(desk.people, 1)
        ]
        stages = [
            {
                **msgspec.to_builtins(stage.setup),
                "players": seated(desk, index)
                if held and keeps_seeds(desk, index)
                else list(stage.players),
                "cut": [] if held else list(stage.cut),
                "annulled": list(stage.annulled),
                "planned": planned_rounds(stage),
                "stale": [] if held else [list(each) for each in stale_tables(desk, index)],
            }
            for index, stage in enumerate(desk.stages)
        ]
        shown = {
            "options": msgspec.to_builtins(state.setup.options),
            "entrants": people,
            "stages": stages,
            "rounds": rounds,
            "forbidden": [list(pair) for pair in desk.forbidden],
            "held": desk.held,
            "closed": desk.closed,
            "order": [] if held else list(desk.order),
        }
        if insider:
            shown["penalties"] = msgspec.to_builtins(desk.penalties)
        return shown

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Penalties are visible to officials only; their effect on a match is a public ruling."""
        if isinstance(event, PenaltyGiven | PenaltyWithdrawn) and audience != "officials":
            return None
        return event

    def dump(self, state: State) -> bytes:
        return msgspec.json.encode(state.desk)

    def load(self, setup: DeskOpened, data: bytes) -> State:
        return State(setup, msgspec.json.decode(data, type=Desk))

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """`names` are those of entrants."""
        params = {
            name: self._worded(name, getattr(event, name), state.desk, names or {})
            for name in event.__struct_fields__
        }
        code = event_type(event)
        if isinstance(event, PenaltyWithdrawn):
            given = state.desk.penalties[event.number - 1]
            for name in ("entrant", "infraction", "penalty"):
                params[name] = self._worded(name, getattr(given, name), state.desk, names or {})
        if isinstance(event, EntrantNumbered):
            params["entrant"] = event.entrant
        if isinstance(event, RESULTS):
            code += _how_it_ended(event)
            params["scores"] = self._score(event, params)
        if isinstance(event, TimeExtended) and event.table:
            code += ".table"
        if isinstance(event, TimeProposed) and not event.by:
            code += ".set"
        if isinstance(event, CallAnswered) and event.by:
            code += ".by"
        return texts.sentence(self.texts, code, params, {})

    def _score(
        self, event: ResultReported | Ruled | ResultCorrected, params: Mapping[str, Any]
    ) -> str:
        """Return a result in words: its scores, who was absent, or what was left."""
        if event.left:
            return self.texts["word.left"].format_map(params)
        if event.scores and event.absent:
            return self.texts["word.without"].format_map(params)
        return str(params["scores"])

    def _worded(self, name: str, value: Any, desk: Desk, names: Mapping[int, str]) -> Any:
        """Return a field of an event as it appears in a sentence."""

        def called(number: int) -> str:
            return texts.isolated(names.get(number) or self._called(desk, number))

        def together(numbers: Sequence[int]) -> str:
            return texts.listed([called(n) if n else self.texts["word.bye"] for n in numbers])

        match name:
            case "entrant" | "by":
                return called(value) if value else self.texts["word.desk"]
            case "entrants" | "byes" | "few" | "absent":
                return together(value)
            case "pairings" | "groups" if isinstance(value, tuple):
                return "; ".join(map(together, value))
            case "scores" | "left":
                return "–".join(map(str, value)) or self.texts["word.no-score"]
            case "cost" | "least":
                return "-".join(map(str, value)) or self.texts["word.nothing"]
            case "method" | "format":
                return self.texts[f"format.{value}"]
            case "demerits":
                word = "word.demerit" if value == 1 else "word.demerits"
                return self.texts[word].format(demerits=value)
            case "minutes":
                word = "word.minute" if value == 1 else "word.minutes"
                return self.texts[word].format(minutes=value)
            case "label":
                return texts.isolated(value) or self._numbered(len(desk.people) + 1)
        return self.texts.get(f"value.{name}.{value}", value)

    def _called(self, desk: Desk, number: int) -> str:
        known = 1 <= number <= len(desk.people)
        return (desk.people[number - 1].label if known else "") or self._numbered(number)

    def _numbered(self, number: int) -> str:
        return self.texts["word.entrant"].format(entrant=number)

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        desk = state.desk
        if desk.closed:
            first = winners_of(desk)
            called = [(names or {}).get(one) or self._called(desk, one) for one in first]
            kind = "shared" if called[1:] else "closed" if called else "off"
            return self.texts[f"headline.{kind}"].format(winner=texts.listed(called))
        playing = len(still_playing(desk))
        number = open_round(desk)
        if number:
            current, only = round_at(desk, number), state.setup.options.confirmed_only
            return self.texts["headline.confirmed" if only else "headline.round"].format(
                round=number,
                done=len(current.tables) - len(uncounted(current, confirmed_only=only)),
                tables=len(current.tables),
                playing=playing,
            )
        if desk.rounds:
            kind = "headline.between" if playing else "headline.over"
        else:
            kind = "headline.begun" if desk.stages else "headline.before"
        return self.texts[kind].format(rounds=len(desk.rounds), playing=playing)

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> DeskOpened:
        chosen = {"cap": 2 + pick(7), "check_in": pick(4) == 0, "confirmed_only": pick(3) == 0}
        chosen["appeal_minutes"] = 30 * (pick(4) > 0)
        return DeskOpened(
            ruleset="desk@1",
            options=msgspec.convert(chosen | dict(options or {}), Options),
            seats=(),
        )

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        if shape == "note":
            return f"{pick(2**60):064x}"
        return f"Side {pick(100)}" if shape == "label" and pick(3) else ""


def _how_it_ended(event: ResultReported | Ruled | ResultCorrected) -> str:
    """Return the suffix of a result's text code: "" if there are scores."""
    if event.lost:
        return ".lost"
    return ".absent" if event.absent and not event.scores else ""


def _round(number: int, each: Round, *, hidden: bool) -> dict[str, Any]:
    """Return a round as it is shown, without its results if they are hidden."""
    return {
        "round": number,
        "stage": each.stage + 1,
        "seed": each.seed,
        "byes": list(each.byes),
        "by_hand": each.by_hand,
        "published": each.published,
        "timed": each.timed,
        "paused": each.paused,
        "extra": each.extra,
        "closed": each.closed,
        "order": [] if hidden else list(each.order),
        "tables": [_table(table, hidden=hidden) for table in each.tables],
    }


def _table(table: Table, *, hidden: bool) -> dict[str, Any]:
    shown = {
        "table": table.number,
        "players": list(table.players),
        "slot": table.slot,
        "changed": table.changed,
        "extra": table.extra,
        "called": table.called,
        "plays_at": table.plays_at,
        "proposed": [list(each) for each in table.proposed],
    }
    if hidden:
        return shown
    return shown | {
        "status": table.status,
        "result": msgspec.to_builtins(table.result),
        "by": table.by,
        "claim": msgspec.to_builtins(table.claim),
        "corrected": table.corrected,
        "appeal": table.appeal,
    }
