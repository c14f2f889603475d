"""Export and import of log files: all or nothing, and identical on the other side."""

import hashlib
import json
from codecs import BOM_UTF8
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone, translation

import rules
from deploy.demo import ownership
from matches import (
    audiences,
    drafting,
    errors,
    exporting,
    headlines,
    log,
    rows,
    selectors,
    services,
    transfer,
)
from matches.errors import Conflict
from matches.models import Event, Log, Match, Note, Seat
from matches.narration import narrator
from matches.verify import verify
from rules import chain, notation
from tests import factories
from tests.html import squeezed

pytestmark = pytest.mark.django_db

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.zgxl"))


def played() -> Match:
    """Return a match with everything in it: consequences, notes, draws, taking back, an end."""
    match = factories.match(game="toy", title="A long evening", place="Luna")
    by = factories.opener_of(match)
    factories.record(match, {"type": "tossed", "seat": 1, "side": "heads"})
    factories.record(match, {"type": "said", "seat": 2}, note="“Was that the edge?”")
    factories.record(match, {"type": "tossed", "seat": 2, "spin": "server"})
    factories.record(match, {"type": "tossed", "seat": 2, "side": "tails"}, irregular=True)
    services.take_back(match=match, by=by, act_id=uuid4(), to=4)
    factories.record(match, {"type": "ruled", "winner": 2}, note="It was getting late.")
    return match


def digests(match: Match) -> list[str]:
    return [entry.digest for entry in selectors.timeline(match).entries]


def empty() -> None:
    """Leave an empty database, as another site would have."""
    call_command("flush", interactive=False, verbosity=0)


def take_in(data: bytes | str, content_type: str = "") -> Match:
    raw = data.encode() if isinstance(data, str) else data
    return services.import_log(by=factories.actor(), data=raw, content_type=content_type)


def counts() -> list[int]:
    return [model.objects.count() for model in (Log, Match, Event, Seat, Note)]


def test_of_a_match_that_came_in_a_file_its_pages_say_that_nobody_is_known() -> None:
    text = transfer.export_notation(played())
    match = take_in(text)
    by = factories.opener_of(match)
    client = factories.client_of(by)

    def told(path: str, words: str) -> bool:
        return words in squeezed(client.get(path))

    at = f"/matches/{match.code}/"
    assert told(at, "which does not say who played")
    assert told("/matches/", "imported, players not known")
    assert told(f"{at}seats/", "The match was imported")
    seat = match.seats.get(number=1)
    seat.player = by.player
    seat.save()
    assert not told(at, "which does not say who played")
    assert not told(f"{at}seats/", "The match was imported")


# -- files of the log itself -------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_log_file_comes_back_with_its_id_rows_and_hashes_under_a_new_code() -> None:
    match = played()
    file, before = transfer.export_ndjson(match), digests(match)
    rows = list(Event.objects.order_by("pk").values())
    empty()
    copy = take_in(file, "application/x-ndjson")
    ours = ("id", "position")
    assert [{k: v for k, v in row.items() if k not in ours} for row in rows] == [
        {k: v for k, v in row.items() if k not in ours}
        for row in Event.objects.order_by("pk").values()
    ]
    assert (copy.log.pk, copy.log.head_hash) == (match.log.pk, match.log.head_hash)
    assert copy.code != match.code
    assert digests(copy) == before
    assert transfer.export_ndjson(copy) == file
    assert verify(copy.log).ok


@pytest.mark.django_db(transaction=True)
def test_what_a_file_says_of_its_match_comes_along() -> None:
    match = played()
    tails = {"type": "tossed", "seat": 1, "side": "tails"}
    factories.correct(match, 2, tails)  # after the end, which is no later for it
    file, opened = transfer.export_ndjson(match), match.started_at
    ended = Match.objects.get(pk=match.pk).ended_at
    empty()
    copy = Match.objects.select_related("log").get(pk=take_in(file).pk)
    assert (copy.title, copy.place, copy.log.status) == ("A long evening", "Luna", "ended")
    assert (copy.ended_at, copy.ended_at is None) == (ended, False)
    assert abs((copy.started_at - opened).total_seconds()) < 1
    assert copy.started_at == Event.objects.get(log=copy.log, version=1, ordinal=0).recorded_at
    assert [seat.label for seat in copy.seats.all()] == ["Side 1", "Side 2"]
    assert [entry.note for entry in audiences.entries(copy) if entry.note][:3] == [
        "“Was that the edge?”",
        "It was getting late.",
        "It was read wrongly.",
    ]


@pytest.mark.django_db(transaction=True)
def test_a_log_that_goes_on_elsewhere_can_go_on_here() -> None:
    match = factories.played(3)
    file = transfer.export_ndjson(match)
    empty()
    copy = take_in(file)
    assert factories.record(copy).version == 5
    assert verify(copy.log).ok


def test_a_log_that_is_here_is_not_taken_in_twice() -> None:
    match = factories.played(2)
    with pytest.raises(errors.Conflict) as refused:
        take_in(transfer.export_ndjson(match))
    assert refused.value.code == "log-exists"


def test_a_file_holds_no_name_and_no_secret() -> None:
    match = factories.match(
        game="toy", seats=[services.SeatRequest(name="Ann Onymous"), services.SeatRequest()]
    )
    file = transfer.export_ndjson(match).decode()
    assert "Ann" not in file
    assert match.log.seed not in file


def test_an_erased_text_is_not_in_the_file_and_not_missed_in_it() -> None:
    match = played()
    from django.utils import timezone

    Note.objects.filter(text__contains="edge").update(text="", salt="", erased_at=timezone.now())
    lines = changed(match, lambda lines: None)
    assert b"edge" not in lines


# -- who recorded what came in a file -------------------------------------------------------------


def forged(victim: UUID | None, when: datetime | None = None) -> bytes:
    """Return a file that proves itself, made by hand, in which somebody recorded each act."""
    told = notation.play(
        notation.read_match(transfer.export_notation(factories.played(2)), rules.game)
    )
    coming, tip, records = Log(ruleset=told.setup.ruleset), (0, ""), []
    for entry, moment in zip(told.entries, told.moments, strict=True):
        request = log.Request(uuid4(), entry.act, by=victim)
        record = drafting.seal(coming, tip, entry, moment, request).record
        if when is not None:
            record = msgspec.structs.replace(record, recorded_at=rows.time_text(when))
            record = chain.sealed(str(coming.pk), tip[1] or chain.GENESIS, record)
        records.append(record)
        tip = entry.version, record.hash
    head = transfer.HeadLine(
        form=transfer.FORM, log=coming.pk, ruleset=coming.ruleset, entries=3, head_hash=tip[1]
    )
    lines = [head, *(transfer._entry_line(record, {}) for record in records)]
    return msgspec.json.Encoder().encode_lines(lines)


def test_a_file_makes_nobody_here_its_recorder() -> None:
    victim, sender = factories.actor("victim"), factories.actor("sender")
    data = forged(victim.player_id)
    match = services.import_log(by=sender, data=data)
    match = selectors.match_for(sender, match.code)
    receipt = factories.record(match, by=sender)
    timeline = selectors.timeline(match)
    told = narrator(match, timeline, "public").rows
    assert [told[version].by for version in range(1, receipt.version + 1)] == ["", "", "", "sender"]

    page = Client().get(f"/matches/{match.code}/").content.decode()
    assert "victim" not in page
    assert "Entries 1 to 3 were imported by sender; who recorded them is not known here." in page
    answer = Client().get(f"/api/v1/matches/{match.code}/").json()
    assert (answer["imported"], answer["opener"]) == (3, str(sender.player_id))
    entries = Client().get(f"/api/v1/matches/{match.code}/events/").json()["entries"]
    assert [each.get("imported", False) for each in entries] == [True, True, True, False]
    assert entries[0]["recorded_by"] == str(victim.player_id)  # it is hashed
    mine = exporting.as_data(by=sender)["matches"]
    assert [each["imported"] for each in mine] == [3]


def test_the_demo_takes_no_file_for_its_own() -> None:
    victim = factories.actor("victim")
    match = take_in(forged(victim.player_id))
    first = Event.objects.get(log=match.pk, version=1, ordinal=0)
    assert first.act_id is not None
    own = factories.match(victim)
    assert ownership.match(victim, [first.act_id], lambda _: own) == own


def test_what_is_recorded_here_names_who_recorded_it_and_nothing_is_imported() -> None:
    match = factories.played(1)
    page = Client().get(f"/matches/{match.code}/").content.decode()
    assert 'id="imported"' not in page
    told = narrator(match, selectors.timeline(match), "public").rows
    assert {row.by for row in told.values()} == {str(match.opener)}


@pytest.mark.parametrize(
    ("was", "now", "code", "where"),
    [
        (b'{"version":2', b'{"version":', "not-json", "line 3: $"),
        (b'{"version":2', b'\n{"version":NaN', "not-a-number", "line 4: $.version"),
        (b'{"version":2', b'{"version":"\xff"', "not-utf8", "line 3: $"),
        (b'{"version":2', b'{"version":' + b"[" * 99, "too-deep", "line 3: $"),
        (b'{"form":', b'\n{"form":1,"form":', "duplicate-key", "line 2: $"),
    ],
)
def test_a_line_that_is_no_json_is_named(was: bytes, now: bytes, code: str, where: str) -> None:
    file = forged(None)
    assert was in file
    with pytest.raises(errors.BadInput) as refused:
        take_in(file.replace(was, now))
    assert (refused.value.code, refused.value.where) == (code, where)


def test_nothing_was_recorded_in_the_future() -> None:
    ahead = forged(None, timezone.now() + timedelta(minutes=2))  # another site's clock
    assert take_in(ahead).log.head_version == 3
    before = counts()
    with pytest.raises(errors.BadInput) as refused:
        take_in(forged(None, timezone.now() + timedelta(minutes=7)))
    assert (refused.value.code, refused.value.where) == ("bad-time", "line 2: $.recorded_at")
    assert counts()[:2] == [before[0] + 1, before[1] + 1]  # the match that was forged from


# -- files that are not as they should be --------------------------------------------------------


def changed(match: Match, change: Callable[[list[dict[str, Any]]], Any]) -> bytes:
    """Return a match's file with its lines changed, as if it were of another log."""
    lines = [json.loads(line) for line in transfer.export_ndjson(match).splitlines()]
    change(lines)
    return b"\n".join(json.dumps(line).encode() for line in lines)


def set_in(number: int, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: lines[number].update(values)


BROKEN: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], str]] = {
    "an-event": (lambda lines: lines[2]["events"][0].update(side="tails"), "broken-log"),
    "an-event-less": (lambda lines: lines[2]["events"].pop(), "broken-log"),
    "no-event": (lambda lines: lines[2]["events"].clear(), "missing-field"),
    "a-line-less": (lambda lines: lines.pop(3), "broken-log"),
    "the-tail": (lambda lines: lines.pop(), "broken-log"),
    "a-line-twice": (lambda lines: lines.insert(3, lines[3]), "broken-log"),
    "two-swapped": (lambda lines: lines.insert(3, lines.pop(4)), "broken-log"),
    "only-the-head": (lambda lines: lines.__delitem__(slice(1, None)), "broken-log"),
    "another-salt": (set_in(2, salt="0" * 32), "broken-log"),
    "another-hash": (set_in(2, hash="0" * 64), "broken-log"),
    "another-id": (set_in(2, act_id=str(uuid4())), "broken-log"),
    "another-time": (set_in(2, recorded_at="2026-01-01T00:00:00Z"), "broken-log"),
    "another-note": (lambda lines: lines[3]["note"].update(text="Nothing"), "broken-log"),
    "another-head": (set_in(0, head_hash="0" * 64), "broken-log"),
    "more-entries": (set_in(0, entries=99), "broken-log"),
    "no-uuid": (set_in(2, act_id="x"), "wrong-type"),
    "no-time": (set_in(2, recorded_at="now"), "wrong-type"),
    "no-zone": (set_in(2, recorded_at="2026-01-01T00:00:00"), "wrong-type"),
    "no-hex": (set_in(2, salt="z" * 32), "bad-value"),
    "line-end-in-hex": (set_in(2, salt="0" * 31 + "\n"), "bad-value"),
    "version-zero": (set_in(2, version=0), "out-of-range"),
    "version-far": (set_in(2, version=2**40), "out-of-range"),
    "unknown-field": (set_in(2, colour="red"), "unknown-field"),
    "unknown-event": (lambda lines: lines[2]["events"][0].update(type="thrown"), "unknown-value"),
    "a-consequence-first": (lambda lines: lines[2]["events"].reverse(), "unknown-value"),
    "another-form": (set_in(0, form="zgxl-log-0"), "unknown-form"),
    "no-such-game": (set_in(0, ruleset="chess@1"), "unknown-ruleset"),
    "another-game": (set_in(0, ruleset="score@1"), "unknown-value"),
    "a-nul": (set_in(0, title="\0"), "nul"),
    "a-surrogate": (lambda lines: lines[3]["note"].update(text="\ud800"), "lone-surrogate"),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("change", "code"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_was_changed_leaves_nothing_behind(
    change: Callable[[list[dict[str, Any]]], Any], code: str
) -> None:
    file = changed(played(), change)
    empty()
    by = factories.actor()
    before = counts()
    with pytest.raises(errors.Refused) as refused:
        services.import_log(by=by, data=file, content_type="application/x-ndjson")
    assert refused.value.code == code
    assert counts() == before


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"{}", b"[]", b"null", b"\xff\xfe", b"{" * 100_000, b"ruleset", b"\0", b"{}\n{}"],
    ids=repr,
)
@pytest.mark.parametrize("content_type", ["application/x-ndjson", "text/plain", ""])
def test_something_that_is_not_a_log_file_is_refused(data: bytes, content_type: str) -> None:
    with pytest.raises(errors.BadInput):
        take_in(data, content_type)
    assert counts() == [0, 0, 0, 0, 0]


def test_a_file_has_its_limit() -> None:
    with pytest.raises(errors.TooLarge):
        take_in(b" " * (4 * 1024 * 1024 + 1))


def test_only_someone_who_may_open_matches_can_import() -> None:
    from matches.actors import NOBODY

    with pytest.raises(errors.NotAllowed):
        services.import_log(by=NOBODY, data=b"", content_type="")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("name", ["recorded_at", "said_at"])
def test_a_time_that_no_clock_shows_is_refused(name: str, time: str) -> None:
    head, first, *rest = transfer.export_ndjson(factories.played(2)).splitlines()
    line = json.dumps(json.loads(first) | {name: time}).encode()
    empty()
    with pytest.raises(errors.BadInput) as refused:
        take_in(b"\n".join([head, line, *rest]))
    assert refused.value.code == "bad-time"


# -- notation ------------------------------------------------------------------------------------


def test_notation_makes_a_new_log_of_the_same_states() -> None:
    match = played()
    copy = take_in(transfer.export_notation(match), "text/plain")
    assert copy.log.pk != match.log.pk
    assert digests(copy) == digests(match)
    report = verify(copy.log)
    assert (report.ok, report.draws_checked) == (True, 1)


def test_a_byte_order_mark_is_not_part_of_the_log() -> None:
    match = played()
    copy = take_in(f"\ufeff{transfer.export_notation(match)}", "text/plain")
    assert digests(copy) == digests(match)
    with pytest.raises(Conflict, match="is here already"):  # so it was read
        take_in(BOM_UTF8 + transfer.export_ndjson(match), "application/x-ndjson")


def test_notation_with_an_act_that_does_not_hold_is_refused_whole() -> None:
    text = transfer.export_notation(played()).replace("tossed 2", "tossed 1")
    before = counts()
    with pytest.raises(errors.BadInput) as refused:
        take_in(text, "text/plain")
    assert (refused.value.code, refused.value.where) == ("notation", "line 13, column 1")
    assert counts() == before


@pytest.mark.parametrize("text", ['label="\\u0000"', 'label="\\ud800"', "seed=0"], ids=repr)
def test_texts_in_notation_are_as_strict_as_in_json(text: str) -> None:
    with pytest.raises(errors.BadInput):
        take_in(f"ruleset toy@1\nseat 1 {text}\n\n", "text/plain")


def test_a_note_that_two_acts_share_comes_in_once() -> None:
    ruling = f"ruled 2 note={'a' * 64}"
    take_in(f"ruleset toy@1\nseat 1 label=x\nseat 2 label=y\n\n{ruling}\ntaken-back 1\n{ruling}")
    assert Note.objects.count() == 1


def test_a_seed_longer_than_any_of_ours_is_refused() -> None:
    seed = "ab" * 33
    promise = f'log x\ncommitment "{hashlib.sha256(bytes.fromhex(seed)).hexdigest()}"'
    seats = "seat 1 label=x\nseat 2 label=y"
    with pytest.raises(errors.BadInput):
        take_in(f"ruleset toy@1\n{promise}\n{seats}\n\nruled 2\nseed-revealed {seed}")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_match_is_the_same_wherever_it_is_kept(path: Path) -> None:
    """Read, replayed, stored, exported, and taken in by an empty site: the same digests."""
    script = notation.read_match(path.read_text(), rules.get)
    replayed = [entry.digest for entry in notation.play(script).entries]
    stored = take_in(path.read_text(), "text/plain")
    assert digests(stored) == replayed
    file, text = transfer.export_ndjson(stored), transfer.export_notation(stored)
    head = stored.log.head_hash
    empty()
    copy = take_in(file, "application/x-ndjson")
    assert (digests(copy), copy.log.head_hash) == (replayed, head)
    assert digests(take_in(text, "text/plain")) == replayed
    assert verify(copy.log).ok


@pytest.mark.parametrize("recorded_in", ["en", "de"])
def test_how_a_match_stands_is_told_in_the_readers_language(recorded_in: str) -> None:
    """Whoever records speaks one language; those who read its lists may speak another."""
    path = next(path for path in GOLDEN if path.stem == "zg-duel")
    with translation.override(recorded_in):
        match = take_in(path.read_bytes(), "text/plain")
    assert match.log.headline.endswith(" won")
    for language, told in (("en", "Ensign won"), ("de", "Ensign hat gewonnen")):
        client = Client(headers={"accept-language": language})
        assert told in client.get("/matches/").content.decode()
        answer = client.get(f"/api/v1/matches/{match.code}/").json()
        assert answer["headline"].endswith("Ensign won")  # programs are told in English
    line = headlines.line_at(match.log, match.log.head_version)
    assert (line.headline, line.headlines) == (match.log.headline, match.log.headlines)
