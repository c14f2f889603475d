"""Answers on tournaments, made from the results of selectors and services."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.reverse import reverse

from league import (
    clocks,
    dates,
    desk_cuts,
    desk_reads,
    desks,
    planning,
    policy,
    prizes,
    ranking,
    reasons,
    scheduling,
    tiebreaks,
    timers,
)
from league.api import shapes
from league.api.responses_leagues import place_url
from league.desk_cuts import Cut
from league.models import Entry, Prize, Tournament
from league.pairing import Proposed
from league.recording import Preview
from matches.actors import Actor
from matches.api.responses import entries_response, plain, stream_link
from matches.api.shapes import Entries, FollowerChange, Head, ReceiptResponse
from matches.errors import MovedOn
from matches.log import Receipt
from rules.desk.previews import Contested
from rules.desk.shadow import Shadow
from rules.desk.standings import final_places
from rules.desk.state import Desk, Table, open_round, round_at, table_of
from rules.desk.tiebreaks import Value
from rules.ruleset import TakenBack

UNDER_A_TOURNAMENT = (
    *("state", "options", "events", "acts", "take-back", "correct", "verify", "propose"),
    *("file", "clinch", "hints"),
    *("prizes", "awards", "dates", "penalties", "pair-again", "withdraw", "staff", "import"),
)


def _of_tournament(tournament: Tournament, end: desk_reads.End, request: Request) -> dict[str, Any]:
    return {
        "code": tournament.code,
        "title": tournament.title,
        "ruleset": tournament.ruleset,
        "league": tournament.league.slug if tournament.league else "",
        "venue": tournament.venue.slug if tournament.venue else "",
        "starts_at": tournament.starts_at,
        "status": end.status,
        "headline": end.headline,
        "version": end.version,
        "url": reverse("api:tournament", args=[tournament.code], request=request),
    }


def tournament_lines(
    tournaments: Sequence[Tournament], actor: Actor, request: Request
) -> list[shapes.ListedTournament]:
    ends = desk_reads.ends(actor, tournaments)
    return [
        shapes.ListedTournament(
            **_of_tournament(each, end, request), place=getattr(each, "place", None)
        )
        for each, end in zip(tournaments, ends, strict=True)
    ]


def tournament_response(
    tournament: Tournament, actor: Actor, request: Request
) -> shapes.TournamentResponse:
    end = desk_reads.end_of(tournament, desk_cuts.cut_for(actor, tournament))
    desk = desks.desk_of(tournament)
    return shapes.TournamentResponse(
        **_of_tournament(tournament, end, request),
        log=tournament.pk,
        hash=end.hash,
        about=tournament.about,
        options=msgspec.json.decode(tournament.options),
        desk=plain(desks.setup_of(tournament).options),
        stages=planning.as_sent(tournament),
        cost_class=tournament.cost_class,
        timezone=tournament.timezone,
        visibility=tournament.visibility,
        enters=tournament.enters,
        decks=tournament.decks,
        decks_shown=tournament.decks_shown,
        sign_up=tournament.sign_up,
        self_report=tournament.self_report,
        shared_prizes=tournament.shared_prizes,
        remind_hours=tournament.remind_hours,
        round_minutes=tournament.round_minutes,
        season=tournament.season_id,
        division=tournament.division_id,
        circuits=list(tournament.qualifiers.values_list("circuit", flat=True)),
        closed_at=tournament.closed_at,
        may=shapes.DeskRights(
            record=policy.may_record(actor, tournament),
            rule=policy.may_rule(actor, tournament),
            organise=policy.is_organiser(actor, tournament),
            entrant=desks.number_for(actor, tournament, desk),
        ),
        links={
            name: reverse(f"api:tournament-{name}", args=[tournament.code], request=request)
            for name in UNDER_A_TOURNAMENT
        }
        | stream_link("api:tournament", tournament.code, request)
        | _around(tournament, request),
    )


def dates_response(tournament: Tournament, actor: Actor) -> shapes.RoundDates:
    desk = desk_reads.shown_desk(tournament, desk_cuts.cut_for(actor, tournament))
    tells = policy.may_rule(actor, tournament)
    return shapes.RoundDates(
        [
            shapes.RoundDateResponse(
                each.round,
                each.pairs_at,
                each.weekly and each.pairs_at is not None,
                each.deadline,
                scheduling.obstacle(each) if tells and each.is_late else "",
            )
            for each in dates.timetable(tournament, desk).dates
        ]
    )


def _around(tournament: Tournament, request: Request) -> dict[str, str]:
    """Return the URLs of a tournament's league and venue, and of the place where that lies."""
    league, venue = tournament.league, tournament.venue
    found = {
        "league": reverse("api:league", args=[league.slug], request=request) if league else "",
        "venue": reverse("api:venue", args=[venue.slug], request=request) if venue else "",
        "place": place_url(venue, request),
    }
    return {name: url for name, url in found.items() if url}


def head_response(tournament: Tournament, cut: Cut) -> Head:
    end = desk_reads.end_of(tournament, cut)
    return Head(end.version, end.hash, end.headline, end.status, end.outcome)


def receipt_response(tournament: Tournament, cut: Cut, receipt: Receipt) -> ReceiptResponse:
    return ReceiptResponse(
        version=receipt.version,
        position=receipt.position,
        hash=receipt.hash,
        act=plain(receipt.act),
        consequences=plain(receipt.consequences),
        head=head_response(tournament, cut),
    )


def missed_response(tournament: Tournament, actor: Actor, moved: MovedOn) -> Entries:
    """Return the entries that a request did not know of, as the caller may see them."""
    tournament.log.refresh_from_db()
    cut = desk_cuts.cut_for(actor, tournament)
    after = moved.missed[0].version - 1
    shown = desk_reads.entries(tournament, cut, after, len(moved.missed))
    return entries_response(shown, after, cut.version)


def blast_response(preview: Preview) -> shapes.BlastResponse:
    """Return the effect of an act; that which takes back is told by what it undoes."""
    act = {name: value for name, value in plain(preview.act).items() if name != "note"}
    blast = preview.blast
    return shapes.BlastResponse(
        act=None if isinstance(preview.act, TakenBack) else act,
        undone=list(preview.undone),
        moved=[shapes.MovedResponse(m.stage, m.entrant, *m.places) for m in blast.moved],
        stale=[list(each) for each in blast.stale],
        into=[list(each) for each in blast.into],
        out_of=[list(each) for each in blast.out_of],
        redrawn=[list(each) for each in blast.redrawn],
        followers=[FollowerChange(each.follower, each.text) for each in preview.followers],
    )


def _forced(why: reasons.Why) -> shapes.ForcedResponse | None:
    if why.forced is None:
        return None
    groups = [list(group) for group in why.forced.groups]
    return shapes.ForcedResponse(list(why.forced.few), groups, why.forced.pairs)


def _reasons(
    why: reasons.Why, tables: Iterable[tuple[int, Sequence[int]]]
) -> list[shapes.TableReason]:
    return [
        shapes.TableReason(number, list(players), list(why.reasons.get(number, ())))
        for number, players in tables
    ]


def _byes(why: reasons.Why) -> list[shapes.ByeReason]:
    return [shapes.ByeReason(player, text) for player, text in why.byes.items()]


def proposal_response(proposed: Proposed, *, shadows: bool) -> shapes.RoundProposal:
    drawn = proposed.proposal
    why = reasons.of_proposal(proposed.desk, drawn, proposed.seed)
    return shapes.RoundProposal(
        method=proposed.method,
        seed=proposed.seed,
        pairings=[list(each) for each in drawn.pairings],
        byes=list(drawn.byes),
        slots=list(drawn.slots),
        cost=list(why.parts),
        breaches=[list(each) for each in drawn.breaches],
        tables=_reasons(why, zip(proposed.tables, drawn.pairings, strict=True)),
        bye_reasons=_byes(why),
        forced=_forced(why),
        shadows=[_shadow(proposed, each) for each in proposed.shadows] if shadows else [],
    )


def _shadow(proposed: Proposed, each: Shadow) -> shapes.ShadowResponse:
    parts = reasons.parts_of(
        proposed.desk, msgspec.structs.astuple(each.cost), proposed.proposal.least
    )
    return shapes.ShadowResponse(
        each.way, [list(pair) for pair in each.pairings], list(each.byes), list(parts), each.floats
    )


# -- what is computed ---------------------------------------------------------------------


def entrant_response(
    tournament: Tournament,
    desk: Desk,
    entry: Entry,
    *,
    with_deck: bool,
    places: Mapping[int, int] | None = None,
) -> shapes.EntrantResponse:
    """Return an entrant's answer; `places` are those of the final order, if known already."""
    number = entry.number or 0
    person = desk.people[number - 1] if 0 < number <= len(desk.people) else None
    place = (final_places(desk) if places is None else places).get(number)
    return shapes.EntrantResponse(
        id=entry.pk,
        tournament=tournament.code,
        entrant=number,
        name=entry.name,
        player=entry.player_id,
        character=entry.character_id,
        krewe=entry.krewe_id,
        status=person.status if person else "",
        checked_in=person.here if person else False,
        rating=person.rating if person else 0,
        place=place,
        deck=bool(entry.deck),
        deck_problems=entry.deck_problems if with_deck else [],
    )


def table_response(
    number: int, table: Table, names: Mapping[int, str], matches: Sequence[str]
) -> shapes.TableResponse:
    result = table.result
    return shapes.TableResponse(
        round=number,
        table=table.number,
        slot=table.slot,
        players=list(table.players),
        names=[names.get(player, "") for player in table.players],
        status=table.status,
        scores=list(result.scores) if result else [],
        drawn=result.drawn if result else 0,
        absent=list(result.absent) if result else [],
        lost=result.lost if result else False,
        by=table.by,
        changed=table.changed,
        corrected=table.corrected,
        appeal=table.appeal,
        called=table.called,
        plays_at=clocks.moment(table.plays_at) if table.plays_at else None,
        proposed=[shapes.ProposedTime(by, clocks.moment(at)) for by, at in table.proposed],
        matches=list(matches),
    )


def round_response(
    tournament: Tournament, version: int, desk: Desk, number: int
) -> shapes.RoundResponse:
    this_round = round_at(desk, number)
    why = reasons.why(desks.timeline(tournament), version, desk, number)
    return shapes.RoundResponse(
        round=number,
        stage=this_round.stage + 1,
        seed=this_round.seed,
        by_hand=why.by_hand,
        published=this_round.published,
        timed=this_round.timed,
        closed=this_round.closed,
        byes=list(this_round.byes),
        cost=list(why.parts),
        tables=_reasons(why, [(table.number, table.players) for table in this_round.tables]),
        bye_reasons=_byes(why),
        proposed=[list(pair) for pair in why.proposed],
        proposed_byes=list(why.proposed_byes),
        forced=_forced(why),
        clock=_clock(tournament, version, desk, number),
    )


def _clock(
    tournament: Tournament, version: int, desk: Desk, number: int
) -> shapes.ClockResponse | None:
    timer = timers.timer_of(tournament, desk, version) if number == open_round(desk) else None
    if timer is None:
        return None
    this_round = round_at(desk, number)
    return shapes.ClockResponse(
        ends_at=None if timer.paused else timer.ends,
        paused=timer.paused is not None,
        left=int(timer.left.total_seconds()),
        extra=this_round.extra,
        tables={str(table.number): table.extra for table in this_round.tables if table.extra},
    )


def standing_row(row: ranking.Row, names: Mapping[int, str], *, terms: bool) -> shapes.StandingRow:
    won, drawn, lost = row.record
    return shapes.StandingRow(
        place=row.place,
        entrant=row.entrant,
        name=names.get(row.entrant, ""),
        points="" if row.points is None else str(row.points),
        won=won,
        drawn=drawn,
        lost=lost,
        moved=row.moved,
        provisional=row.provisional,
        group=row.group,
        annulled=row.annulled,
        tiebreaks=[
            _tiebreak(code, value, row.before, terms=terms) for code, value in row.breaks.items()
        ],
    )


def contested(desk: Desk, index: int, names: Mapping[int, str]) -> list[shapes.Contested]:
    """Return the disputed tables of a stage, each with the places that depend on it."""
    return [_contested(desk, each, names) for each in ranking.contested(desk, index)]


def _contested(desk: Desk, each: Contested, names: Mapping[int, str]) -> shapes.Contested:
    table = table_of(desk, each.round, each.table)
    one, other = (table.result, table.claim) if table else (None, None)
    return shapes.Contested(
        each.round,
        each.table,
        list(one.scores) if one else [],
        list(other.scores) if other else [],
        [shapes.ContestedPlace(n, names.get(n, ""), *both) for n, *both in each.places],
    )


def _tiebreak(code: str, value: Value, before: int, *, terms: bool) -> shapes.TiebreakResponse:
    return shapes.TiebreakResponse(
        code=code,
        name=tiebreaks.named(code),
        value=None if value.number is None else str(value.number),
        decimal=ranking.six(value.number),
        how=value.how,
        floor=str(value.floor) if value.floor else "",
        cap=str(value.cap) if value.cap else "",
        terms=[
            shapes.TermResponse(
                str(term.value),
                term.who,
                term.round and term.round + before,
                str(term.of) if term.of else "",
                term.counted,
                term.why,
            )
            for term in value.terms
        ]
        if terms
        else [],
    )


def prizes_response(tournament: Tournament, actor: Actor, found: Iterable[Prize]) -> shapes.Prizes:
    """Return prizes with their shares, as far as the caller may know them."""
    desk = desk_reads.shown_desk(tournament, desk_cuts.cut_for(actor, tournament))
    entries = desks.entries_by_number(tournament, desk)
    shares: dict[int, list[shapes.ShareResponse]] = defaultdict(list)
    every = tournament.prizes.all()
    won = prizes.parts(tournament, desk, every)
    due = [part for part in won if part.prize.given_at is None]
    for part in [*prizes.given_parts(tournament, desk, every), *due]:
        entry = entries[part.entrant]
        share = shapes.ShareResponse(entry.pk, entry.name, part.place, part.amount, part.line)
        shares[part.prize.pk].append(share)
    results = [
        shapes.PrizeResponse(
            *(each.pk, each.place, each.amount, each.line),
            *(each.entry_id, each.given_at, shares[each.pk]),
        )
        for each in found
    ]
    return shapes.Prizes(results, tournament.shared_prizes)
