"""One strict validation of all external input."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import pytest

from matches import canonical
from matches.errors import BadInput
from rules import encoding
from tests.matches.toy import PointWon, Tossed, Toy

GAME = Toy()


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        pytest.param(b"", "not-json", id="empty"),
        pytest.param(b"{", "not-json", id="cut"),
        pytest.param(b"'a'", "not-json", id="wrong-quotes"),
        pytest.param(b"{} {}", "not-json", id="two-values"),
        pytest.param(b"\xef\xbb\xbf{}", "not-json", id="byte-order-mark"),
        pytest.param(b'{"a": "\xff"}', "not-utf8", id="bad-utf8"),
        pytest.param(b'{"a": "\xed\xa0\x80"}', "not-utf8", id="encoded-surrogate"),
        pytest.param(b'{"a": NaN}', "not-a-number", id="nan"),
        pytest.param(b'{"a": -Infinity}', "not-a-number", id="infinity"),
        pytest.param(b'{"a": 1.0}', "float", id="float"),
        pytest.param(b'{"a": 1e400}', "float", id="huge-float"),
        pytest.param(b'{"a": 9223372036854775808}', "too-big", id="2**63"),
        pytest.param(b'{"a": -9223372036854775809}', "too-big", id="-2**63-1"),
        pytest.param(b'{"a": %s}' % (b"9" * 5000), "too-big", id="5000-digits"),
        pytest.param(b'{"a": "\\u0000"}', "nul", id="nul"),
        pytest.param(b'{"\\u0000": 1}', "nul", id="nul-in-a-key"),
        pytest.param(b'{"a": "\\ud800"}', "lone-surrogate", id="lone-surrogate"),
        pytest.param(b'{"a": 1, "a": 2}', "duplicate-key", id="duplicate-key"),
        pytest.param(deep(33), "too-deep", id="33-levels"),
        pytest.param(deep(100_000)[:60_000], "too-deep", id="brackets"),
        pytest.param(b"[" * 60_000, "too-deep", id="open-brackets"),
        pytest.param(b'{"a":' * 10_000, "too-deep", id="open-objects"),
        pytest.param(b'"' * 65_000, "not-json", id="quotes"),
        pytest.param(b'"' + b'\\"' * 32_000, "not-json", id="escaped-quotes"),
        pytest.param(b" " * 65_537, "too-large", id="too-large"),
        pytest.param(deep(100_000), "too-large", id="100000-brackets"),
    ],
)
def test_a_malformed_body_is_refused_with_its_code(raw: bytes, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.parse(raw)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (b'{"act": {"seats": [1, {"deep": NaN}]}}', "$.act.seats[1].deep"),
        (b'[0, {"a": {"b": 1, "b": 1}}]', "$[1].a"),
        (b'{"act": "\\udfff"}', "$.act"),
    ],
    ids=["value", "object", "text"],
)
def test_a_refusal_names_the_place(raw: bytes, where: str) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.parse(raw)
    assert refused.value.errors[0]["where"] == where


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"a": [1, -(2**63), 2**63 - 1, True, None, "ä 🂡 \n\t\u2028"]},
        [[[[["brackets in a text: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["]]]]],
        json.loads(deep(32)),
        [[]] * 40,
    ],
    ids=["null", "empty", "everything", "brackets-in-a-text", "32-levels", "brackets-in-a-row"],
)
@pytest.mark.parametrize("ascii_only", [True, False], ids=["escaped", "utf8"])
def test_plain_data_comes_through(data: Any, ascii_only: bool) -> None:
    assert canonical.parse(json.dumps(data, ensure_ascii=ascii_only).encode()) == data


def test_a_body_may_be_as_long_as_is_said() -> None:
    assert canonical.parse(b" " * 65_535 + b"1") == 1


@pytest.mark.parametrize(
    ("raw", "where"), [(b"[1,,]", "column 4"), (b"[1,\n2,\n,]", "line 3, column 1")]
)
def test_where_it_is_not_json_is_said(raw: bytes, where: str) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.parse(raw)
    assert refused.value.detail == f"This is not JSON: Expecting value, {where}."


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_a_number_from_elsewhere_than_json_fits_into_64_bits_too(number: int) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.require_plain({"a": [1, number]}, "$")
    assert (refused.value.code, refused.value.where) == ("too-big", "$.a[1]")


TOSSED = {"type": "tossed", "seat": 1, "side": "heads"}


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"seat": "1"}, "wrong-type", "$.act.seat"),
        ({"seat": True}, "wrong-type", "$.act.seat"),
        ({"seat": None}, "wrong-type", "$.act.seat"),
        ({"seat": [1]}, "wrong-type", "$.act.seat"),
        ({"side": "edge"}, "unknown-value", "$.act.side"),
        ({"type": "thrown"}, "unknown-value", "$.act.type"),
        ({"type": 1}, "wrong-type", "$.act.type"),
        ({"colour": "red"}, "unknown-field", "$.act.colour"),
        ({"type": "point-won"}, "unknown-value", "$.act.type"),
    ],
    ids=lambda value: str(value),
)
def test_an_act_has_exact_types_and_no_unknown_field(
    change: dict[str, Any], code: str, where: str
) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.act_from(GAME, TOSSED | change)
    assert (refused.value.code, refused.value.where) == (code, where)


def test_the_refusal_of_an_unknown_field_names_those_there_are() -> None:
    with pytest.raises(BadInput) as refused:
        canonical.act_from(GAME, TOSSED | {"colour": "red"})
    assert refused.value.detail == "There is no `colour` here, only seat, side, spin, type."
    with pytest.raises(BadInput) as refused:
        point = msgspec.defstruct("Point", ["left", "top"], forbid_unknown_fields=True)
        canonical.convert([{"left": 1, "x": 1}], list[point])
    assert (refused.value.where, refused.value.detail) == (
        "$[0].x",
        "There is no `x` here, only left, top.",
    )


class Asked(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a request may ask: one field of each kind that is refused in words of our own."""

    after: UUID | None = None
    who: UUID | None = None
    name: Annotated[str, msgspec.Meta(min_length=2)] = "ab"
    key: Annotated[str, msgspec.Meta(pattern="^[a-z]+$")] = "a"
    count: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    plain: int = 0
    sure: bool = False
    day: date | None = None
    at: datetime | None = None
    way: Literal["up", "down"] = "up"


@pytest.mark.parametrize(
    ("data", "code", "detail"),
    [
        ({"after": "x"}, "wrong-type", "Expected the number of a version, or the id of an act "),
        ({"who": "x"}, "wrong-type", "Expected an id (a UUID)."),
        ({"name": "a"}, "bad-length", "Expected `str` of length >= 2."),
        ({"key": "A"}, "bad-value", "Expected `str` matching regex "),
        ({"count": 0}, "out-of-range", "Expected `int` >= 1."),
        ({"count": 10}, "out-of-range", "Expected `int` <= 9."),
        ({"sure": "yes"}, "wrong-type", "Expected true or false."),
        ({"day": "May"}, "wrong-type", "Expected a day, as 2026-05-31."),
        ({"at": "noon"}, "wrong-type", "Expected a time with its zone, as 2026-05-31T18:30:00Z."),
        ({"way": "left"}, "unknown-value", "Invalid enum value 'left'; it is one of down, up."),
        ({"x" * 50: 1}, "unknown-field", f"There is no `{'x' * 40}` here, only after, at, count, "),
    ],
    ids=lambda value: None if isinstance(value, str) else next(iter(value))[:9],
)
def test_a_wrong_field_is_refused_in_words_with_its_code(
    data: dict[str, Any], code: str, detail: str
) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.convert(data, Asked)
    assert (refused.value.code, refused.value.detail[: len(detail)]) == (code, detail)


@pytest.mark.parametrize("data", [None, [], "tossed", 1, {}, {"type": "tossed"}], ids=repr)
def test_something_that_is_not_an_act_is_refused(data: Any) -> None:
    with pytest.raises(BadInput):
        canonical.act_from(GAME, data)


def test_a_body_is_in_declared_order_without_defaults() -> None:
    act = canonical.act_from(GAME, {"side": "heads", "spin": "table", "seat": 2, "type": "tossed"})
    assert encoding.body(act) == '{"type":"tossed","seat":2,"side":"heads"}'


def test_stored_events_read_back() -> None:
    act, won = Tossed(seat=1, side="tails", spin="server"), PointWon(seat=2)
    assert encoding.stored_act(GAME, encoding.body(act)) == act
    assert encoding.stored_consequences(GAME, [encoding.body(won)] * 2) == (won, won)


@pytest.mark.parametrize(
    "letter",
    [
        *("\n", "\r", "\t", "\v", "\x1b", "\x85", "\x9f", "\u2028", "\ufffe", "\uffff"),
        *("\u202e", "\u2066", "\u2069"),
    ],
)
def test_one_line_holds_no_control_character(letter: str) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.text_from(f"Ve{letter}ga", "$.name", 80)
    breaks = letter in "\n\r\u2028"
    assert refused.value.code == ("not-a-line" if breaks else "control-character")


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        *("\u200b", "\u3164", "\u2800", "\u115f", "\uffa0", "\u00ad", "\u200f", "\u2060"),
        *("\u200b \u200d", "\u3000\u0301", "\ufe0f", "\U000e0041", "\u20dd", "\u2800 \u3164"),
    ],
)
def test_a_text_must_have_a_visible_character(text: str, lines: bool) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.text_from(text, "$.name", 80, lines=lines)
    assert refused.value.code == "unseen"
    assert canonical.text_from(f"a{text}b", "$.name", 80) == f"a{text}b"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\ufeffVega", "Vega"),
        (" \u200b \ufeffVega\u2060\u200e ", "Vega"),
        ("\u202aVega\u202c", "Vega"),
        ("\u2068\u05d0\u05d1\u2069\n", "\u05d0\u05d1"),
        ("\u200dVe\u200dga", "Ve\u200dga"),
        ("\u0d28\u0d4d\u200d", "\u0d28\u0d4d\u200d"),  # ends in a joiner that shapes its letter
    ],
)
@pytest.mark.parametrize("lines", [False, True])
def test_zero_width_characters_are_trimmed_from_a_text(text: str, kept: str, lines: bool) -> None:
    assert canonical.text_from(text, "$.name", 80, lines=lines) == kept


@pytest.mark.parametrize(
    "text", ["", " ", "Åse", "ใจ", "한글", "👩\u200d🚀", "…", "क\u094d\u200dष"]
)
def test_a_text_may_be_empty_or_of_any_script(text: str) -> None:
    assert canonical.text_from(text, "$.name", 80) == text.strip()


def test_several_lines_hold_line_breaks_and_tabs_alone() -> None:
    text = "one\r\ntwo\n\tthree"
    kept = "one\ntwo\n\tthree"
    assert canonical.text_from(text, "$.note", len(kept), lines=True) == kept
    for letter in ("\v", "\r", "\x1b", "\u2029"):
        with pytest.raises(BadInput, match="control character"):
            canonical.text_from(f"one{letter}two", "$.note", 80, lines=True)
    with pytest.raises(BadInput, match="no visible characters"):
        canonical.text_from("\u2800\n\u3164", "$.note", 80, lines=True)


@pytest.mark.parametrize("lines", [False, True])
def test_a_text_is_composed_before_it_is_measured(lines: bool) -> None:
    assert canonical.text_from("Zoe\u0308", "$.name", 3, lines=lines) == "Zo\u00eb"
    with pytest.raises(BadInput) as refused:
        canonical.text_from("\u0958" * 80, "$.name", 80, lines=lines)  # each is stored as two
    assert refused.value.code == "bad-length"


@pytest.mark.parametrize(
    "moment",
    [datetime(2000, 1, 1, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, tzinfo=UTC)],
    ids=str,
)
def test_a_time_is_kept_in_utc(moment: datetime) -> None:
    told = moment.astimezone(timezone(timedelta(hours=-5)))
    assert canonical.time_from(told, "$.at").isoformat() == moment.isoformat()
    said = canonical.clock_from(told)
    assert said is not None and said.isoformat() == moment.isoformat()


@pytest.mark.parametrize(
    "moment",
    [
        *(datetime(1999, 12, 31, 23, 59, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))),  # in UTC it is in no year at all
    ],
    ids=str,
)
def test_a_time_of_no_year_that_every_page_accepts_is_refused_but_a_clock_may_be_wrong(
    moment: datetime,
) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.time_from(moment, "$.at")
    assert (refused.value.code, refused.value.where) == ("bad-time", "$.at")
    assert canonical.clock_from(moment) is None


def test_a_time_and_a_clock_say_their_zone() -> None:
    bare = datetime(2026, 5, 31, 18, 30)
    for read, where in (
        (lambda: canonical.time_from(bare, "$.at"), "$.at"),
        (lambda: canonical.clock_from(bare), "$.said_at"),
    ):
        with pytest.raises(BadInput) as refused:
            read()
        assert (refused.value.code, refused.value.where) == ("bad-time", where)
