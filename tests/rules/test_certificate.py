"""A certificate proves itself, and any change is reported at the first bad entry."""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import rules
from rules import bots, certificate, chain, encoding
from rules.__main__ import main
from rules.certificate import Finding, Signed
from rules.chain import Record
from rules.proof import prove
from rules.replay import Entry, Timeline, entry_after
from rules.score.acts import GameWon, Options, ScoreOpened, ScoreSeat

LOG = "019a0000-0000-7000-8000-000000000000"
TIME = "2026-11-21T13:59:00.000001Z"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()

Path_ = tuple[Any, ...]


def stored(entries: list[Entry]) -> list[Record]:
    """Return entries as a site stores them."""
    records, previous = [], chain.GENESIS
    for entry in entries:
        record = Record(
            version=entry.version,
            act_id=f"6f1e2c1e-0000-4000-8000-{entry.version:012}",
            request_digest="a" * 64,
            verdict=encoding.verdict_text(entry.irregular),
            on=entry.on,
            repeats=entry.repeats,
            state_digest=entry.digest,
            recorded_at=TIME,
            recorded_by="6f1e2c1e-0000-4000-8000-000000000002",
            salt=f"{entry.version:032x}",
            rows=tuple(map(encoding.row_of, entry.events)),
        )
        records.append(chain.sealed(LOG, previous, record))
        previous = records[-1].hash
    return records


def signed(record: Record, key: Ed25519PrivateKey = KEY) -> Signed:
    said = chain.head_bytes(LOG, record.version, record.hash, TIME)
    public = key.public_key().public_bytes_raw().hex()
    signature = key.sign(said).hex()
    return Signed(
        version=record.version, hash=record.hash, time=TIME, key=public, signature=signature
    )


@cache
def plain(game: str) -> Any:
    """Return the certificate of a match of bots, as plain data. Do not change it."""
    ruleset = rules.get(game)
    timeline = bots.playout(ruleset, bots.sample_setup(ruleset, "3"), "3")
    records = stored(timeline.entries)
    written = certificate.certify(ruleset, LOG, records, signed(records[-1]))
    return json.loads(msgspec.json.encode(written))


def found(data: Any, key: str = "") -> Finding:
    return certificate.verify(certificate.read(json.dumps(data)), key)


@pytest.mark.parametrize("game", ["score", "zg", "zx", "zerpang"])
def test_a_certificate_proves_itself(game: str) -> None:
    finding = found(plain(game), PUBLIC)
    assert finding.ok, finding
    assert finding.entries == len(plain(game)["entries"]) and finding.headline
    assert (finding.signed, finding.key) == (finding.entries, PUBLIC)


def test_without_a_seed_no_draw_is_checked() -> None:
    ruleset, seats = rules.get("score"), (ScoreSeat(label="A"), ScoreSeat(label="B"))
    timeline = Timeline(ruleset)
    for act in (ScoreOpened(ruleset="score@1", options=Options(), seats=seats), GameWon(seat=1)):
        timeline.add(*entry_after(ruleset, timeline, act))
    written = certificate.certify(ruleset, LOG, stored(timeline.entries))
    finding = found(msgspec.to_builtins(written))
    assert (finding.ok, finding.draws_checked) == (True, False)
    assert found(plain("score")).draws_checked


def places(data: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the place of each text and number."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for name, value in pairs:
        if isinstance(value, dict | list):
            yield from places(value, (*path, name))
        else:
            yield (*path, name)


def changed(data: Any, path: Path_) -> Any:
    """Return the data with the value at a place changed a little."""
    data = copy.deepcopy(data)
    at = data
    for name in path[:-1]:
        at = at[name]
    match at[path[-1]]:
        case bool(value):
            at[path[-1]] = not value
        case int(value):
            at[path[-1]] = value + 1
        case str(value):
            at[path[-1]] = ("b" if value[:1] == "a" else "a") + value[1:]
    return data


def expected(path: Path_, last: int) -> tuple[int, set[str]]:
    """Return the entry and the problems that a change at a place may be named by."""
    match path:
        case ["log"]:
            return 1, {"leaf"}
        case ["ruleset"] | ["entries", 0, "events", 0, "ruleset"]:
            return 1, {"ruleset"}
        case ["version"]:
            return last + 1, {"gap"}
        case ["hash"]:
            return last, {"head"}
        case ["state_digest"]:
            return last, {"state"}
        case ["result", *_]:
            return last, {"result"}
        case ["signed", "version"]:
            return last + 1, {"signature"}
        case ["signed", _]:
            return last, {"signature"}
        case ["entries", n, "version"]:
            return n + 1, {"gap"}
        case ["entries", n, "hash"]:
            return n + 1, {"hash"}
        case ["entries", n, "events", *_]:
            return n + 1, {"leaf", "body"}
        case ["entries", n, _]:
            return n + 1, {"leaf"}
    raise AssertionError(path)


def test_every_value_changed_is_named_at_its_first_bad_entry() -> None:
    data = plain("score")
    last = len(data["entries"])
    seen = set()
    for path in places(data):
        if path == ("form",):
            continue
        finding = found(changed(data, path))
        first, problems = expected(path, last)
        assert not finding.ok and not finding.headline, path
        assert (finding.first_bad, finding.problem in problems) == (first, True), (path, finding)
        seen.add(finding.problem)
    assert seen == {
        *("ruleset", "gap", "body", "leaf", "hash", "head", "state", "result", "signature"),
    }


@pytest.mark.parametrize(("version", "first"), [(-3, 1), (0, 1), (2, 3)])
def test_what_follows_the_head_is_named(version: int, first: int) -> None:
    finding = found({**plain("score"), "version": version})
    assert (finding.first_bad, finding.problem) == (first, "head")


def test_entries_dropped_doubled_swapped_or_emptied_are_named() -> None:
    def after(work: Any) -> tuple[int | None, str]:
        data = copy.deepcopy(plain("score"))
        work(data["entries"])
        finding = found(data)
        assert not finding.ok
        return finding.first_bad, finding.problem

    last = len(plain("score")["entries"])

    def swap(lines: list[Any]) -> None:
        lines[1], lines[2] = lines[2], lines[1]

    assert after(lambda lines: lines.pop(2)) == (3, "gap")
    assert after(lambda lines: lines.pop()) == (last, "gap")
    assert after(lambda lines: lines.insert(2, lines[1])) == (3, "gap")
    assert after(swap) == (2, "gap")
    assert after(lambda lines: lines.append({**lines[-1], "version": last + 1})) == (
        last + 1,
        "leaf",
    )
    assert after(lambda lines: lines[1]["events"].clear()) == (2, "body")
    assert after(lambda lines: lines[1]["events"].append(lines[1]["events"][-1]))[0] == 2


def rechained(change: Any) -> Any:
    """Return a certificate whose second entry was changed, and all hashes made anew."""
    data = copy.deepcopy(plain("score"))
    lines = data["entries"]
    change(lines[1])
    ruleset = rules.get("score")
    previous = chain.GENESIS
    for line in lines:
        read = msgspec.convert(line, certificate.CertifiedEntry)
        events = certificate._events(ruleset, read)
        assert events
        record = chain.sealed(LOG, previous, certificate._record(read, events))
        line["leaf"], line["hash"] = chain.leaf(LOG, record).hex(), record.hash
        previous = record.hash
    data["hash"] = previous
    return data


def test_a_log_chained_anew_is_found_by_the_rules_or_by_the_signed_head() -> None:
    other_digest = rechained(lambda line: line.update(state_digest="b" * 64))
    assert (found(other_digest).first_bad, found(other_digest).problem) == (2, "digest")
    other_verdict = rechained(lambda line: line.update(verdict="irregular no"))
    assert (found(other_verdict).first_bad, found(other_verdict).problem) == (2, "verdict")

    other_salt = rechained(lambda line: line.update(salt="ab" * 16))
    last = len(other_salt["entries"])
    assert (found(other_salt).first_bad, found(other_salt).problem) == (last, "signed")
    unsigned = {name: value for name, value in other_salt.items() if name != "signed"}
    assert found(unsigned).ok  # what nobody signed, anybody may make up …
    asked = found(unsigned, PUBLIC)  # … so who knows the key asks for it
    assert (asked.ok, asked.problem, asked.first_bad, asked.signed) == (False, "unsigned", 1, 0)


def another_end(game: str) -> Any:
    """Return another match behind the first entry of an honest log, which its site signed."""
    ruleset = rules.get(game)
    setup = bots.sample_setup(ruleset, "3")
    honest = stored(bots.playout(ruleset, setup, "3").entries)
    forged = stored(bots.playout(ruleset, setup, "4").entries)
    assert forged[0] == honest[0] and forged[1:] != honest[1:]
    written = certificate.certify(ruleset, LOG, forged, signed(honest[0]))
    return json.loads(msgspec.json.encode(written))


def test_an_end_made_up_behind_a_signed_beginning_is_unsigned() -> None:
    finding = found(another_end("zg"), PUBLIC)
    assert (finding.ok, finding.problem, finding.first_bad) == (False, "unsigned", 2)
    assert (finding.signed, finding.key) == (1, PUBLIC)
    assert found(another_end("zg")).ok  # who knows no key trusts whoever made the file


def test_a_broken_chain_is_reported_before_a_missing_signature() -> None:
    finding = found(changed(another_end("zg"), ("entries", 4, "salt")), PUBLIC)
    assert (finding.first_bad, finding.problem, finding.signed) == (5, "leaf", 0)
    finding = found(changed(another_end("zg"), ("entries", 4, "salt")), "0" * 64)
    assert (finding.first_bad, finding.problem) == (1, "key"), "the first of two"


def test_a_signature_by_another_key_is_told_from_the_one_that_is_trusted() -> None:
    data = copy.deepcopy(plain("score"))
    line = msgspec.convert(data["entries"][-1], certificate.CertifiedEntry)
    events = certificate._events(rules.get("score"), line)
    assert events
    forged = signed(certificate._record(line, events), Ed25519PrivateKey.generate())
    data["signed"] = msgspec.to_builtins(forged)
    assert found(data).ok
    assert found(data, PUBLIC).problem == "key"
    assert found(plain("score"), PUBLIC.upper()).ok


@pytest.mark.parametrize("version", [0, -99])
def test_a_head_before_the_first_entry_is_not_signed(version: int) -> None:
    last = plain("score")["entries"][-1]["hash"]
    words = dict.fromkeys(("act_id", "request_digest", "state_digest", "recorded_at", "salt"), "")
    head = signed(Record(version=version, hash=last, rows=(), **words))
    data = {**plain("score"), "signed": msgspec.to_builtins(head)}
    assert (found(data).first_bad, found(data).problem) == (version, "signature")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"form": 1.5}',
        '{"form": NaN}',
        "[" * 100_000,
        json.dumps({**plain("score"), "form": "zgxl-certificate-2"}),
        json.dumps({**plain("score"), "more": 1}),
        json.dumps({**plain("score"), "entries": []}),
        json.dumps(plain("score")).replace('"log":', '"log": "x", "log":', 1),
        json.dumps(plain("score")).replace('"places": [1', '"places": [1.0', 1),
    ],
    ids=[
        *("nothing", "list", "empty", "float", "nan", "deep", "form", "more", "bare", "twice"),
        "float in the result",
    ],
)
def test_a_file_that_is_no_certificate_is_reported(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(text)
    assert main(["verify", str(file)]) == 2
    assert capsys.readouterr().err.startswith("python -m rules verify: ")


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(plain("zg"), indent=2))  # how it is laid out does not matter
    assert main(["verify", str(file), "--key", PUBLIC]) == 0
    told = capsys.readouterr().out
    assert "hold" in told and plain("zg")["hash"] in told and PUBLIC in told

    file.write_text(json.dumps(changed(plain("zg"), ("entries", 4, "salt"))))
    assert main(["verify", str(file)]) == 1
    assert "from entry 5 on (leaf)" in capsys.readouterr().err
    assert main(["verify", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["first_bad"] == 5


@pytest.mark.parametrize("place", [("log",), ("hash",), ("signed", "time"), ("signed", "key")])
@pytest.mark.parametrize("said", [f"today with the key {PUBLIC}", "x\n", "\x1b[8m", "\u202e", ""])
def test_no_text_in_a_certificate_can_imitate_our_output(
    place: Path_, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = copy.deepcopy(plain("score"))
    at = data if len(place) == 1 else data[place[0]]
    at[place[-1]] = said
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(data))
    assert main(["verify", str(file)]) == 2
    told = capsys.readouterr()
    assert not told.out and f"`$.{'.'.join(place)}`" in told.err


def test_the_name_of_a_side_holds_no_terminal_escape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ruleset = rules.get("score")
    setup = bots.sample_setup(ruleset, "3", seats=2)
    called = zip(setup.seats, ("\x1b[8m\nhead 7", "Blé"), strict=True)
    seats = tuple(msgspec.structs.replace(seat, label=label) for seat, label in called)
    setup = msgspec.structs.replace(setup, seats=seats)
    records = stored(bots.playout(ruleset, setup, "3").entries)
    file = tmp_path / "certificate.json"
    file.write_bytes(msgspec.json.encode(certificate.certify(ruleset, LOG, records)))
    assert main(["verify", str(file)]) == 0
    told = capsys.readouterr().out
    assert "\\x1b[8m\\nhead 7" in told and "Blé" in told and "\x1b" not in told


def test_a_terminal_with_a_small_character_set_does_not_fail_a_certificate(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(plain("zg")))
    told = ran("verify", str(file), PYTHONIOENCODING="ascii")
    assert (told.returncode, told.stderr) == (0, "")
    assert "\\xb7" in told.stdout
    told = ran("verify", str(file), "--json", PYTHONIOENCODING="ascii")
    assert "·" in json.loads(told.stdout)["headline"]


def test_a_closed_standard_input_is_reported_as_such() -> None:
    told = ran("verify", "-", preexec_fn=lambda: os.close(0))
    assert (told.returncode, told.stderr) == (
        2,
        "python -m rules verify: standard input is closed\n",
    )


def ran(
    *arguments: str, preexec_fn: Any = None, **environ: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "rules", *arguments],
        env={**os.environ, **environ},
        preexec_fn=preexec_fn,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_says_up_to_where_it_is_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(another_end("zg")))
    assert main(["verify", str(file), "--key", PUBLIC]) == 1
    told = capsys.readouterr()
    assert "whole, but not signed from entry 2 on (unsigned)" in told.err and not told.out
    assert main(["verify", str(file), "--key", PUBLIC, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["signed"] == 1
    assert main(["verify", str(file)]) == 0
    told = capsys.readouterr()
    assert "signed up to entry 1 at" in told.out and "not signed from entry 2 on" in told.out
    file.write_text(json.dumps(plain("zg")))
    assert main(["verify", str(file)]) == 0
    assert "not signed" not in capsys.readouterr().out


def test_the_first_entry_that_does_not_hold_is_told_whatever_else_does_not() -> None:
    """The third does not read back, the fifth does not follow, and the seed kept is another."""
    ruleset = rules.get("score")
    records = stored(bots.playout(ruleset, bots.sample_setup(ruleset, "3"), "3").entries)
    spaced = msgspec.structs.replace(records[2].rows[0], body=records[2].rows[0].body + " ")
    records[2] = msgspec.structs.replace(records[2], rows=(spaced, *records[2].rows[1:]))
    for at in range(2, len(records)):
        records[at] = chain.sealed(LOG, records[at - 1].hash, records[at])

    unread = prove(ruleset, LOG, records)
    assert (unread.flaw and unread.flaw[:2], unread.of_rules) == ((3, "body"), True)
    records[4] = msgspec.structs.replace(records[4], salt="ab" * 16)
    broken = prove(ruleset, LOG, records)
    assert (broken.flaw and broken.flaw[:2], broken.of_rules) == ((3, "body"), False)
    promised = prove(ruleset, LOG, records, b"another".hex())
    assert (promised.flaw and promised.flaw[:2], promised.of_rules) == ((1, "seed"), False)


def test_a_match_that_goes_on_or_does_not_hold_has_none() -> None:
    ruleset = rules.get("score")
    timeline = bots.playout(ruleset, bots.sample_setup(ruleset, "3"), "3")
    records = stored(timeline.entries)
    with pytest.raises(ValueError, match="not over"):
        certificate.certify(ruleset, LOG, records[:2])
    with pytest.raises(ValueError, match="hash"):
        certificate.certify(
            ruleset, LOG, [*records[:-1], msgspec.structs.replace(records[-1], salt="0" * 32)]
        )


@pytest.mark.parametrize(
    "text", ["", "ruleset score@1", '{"form": "zgxl-log-1"}\n{"version": 1}\n']
)
def test_a_log_is_told_to_be_no_certificate(text: str) -> None:
    with pytest.raises(ValueError, match="it is no certificate"):
        certificate.read(text)


@pytest.mark.parametrize("key", ["zz", "", "0" * 63, f"{'0' * 64} "])
def test_an_invalid_key_is_told_apart_from_one_that_did_not_sign(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["verify", "-", "--key", key])
    assert "is no public key: 64 hex digits" in capsys.readouterr().err
