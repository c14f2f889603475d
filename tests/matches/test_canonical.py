"""One strict validation of all external input."""

import json
from typing import Any

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
    ],
    ids=["null", "empty", "everything", "brackets-in-a-text"],
)
@pytest.mark.parametrize("ascii_only", [True, False], ids=["escaped", "utf8"])
def test_plain_data_comes_through(data: Any, ascii_only: bool) -> None:
    assert canonical.parse(json.dumps(data, ensure_ascii=ascii_only).encode()) == data


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
    ["\n", "\r", "\t", "\v", "\x1b", "\x85", "\u2028", "\uffff", "\u202e", "\u2066", "\u2069"],
)
def test_one_line_holds_no_control_character(letter: str) -> None:
    with pytest.raises(BadInput) as refused:
        canonical.text_from(f"Ve{letter}ga", "$.name", 80)
    assert refused.value.code in ("not-a-line", "control-character")


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        *("\u200b", "\u3164", "\u2800", "\u115f", "\uffa0", "\u00ad", "\u200f", "\u2060"),
        *("\u200b \u200d", "\u3000\u0301", "\ufe0f", "\U000e0041"),
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


@pytest.mark.parametrize("lines", [False, True])
def test_a_text_is_composed_before_it_is_measured(lines: bool) -> None:
    assert canonical.text_from("Zoe\u0308", "$.name", 3, lines=lines) == "Zo\u00eb"
    with pytest.raises(BadInput) as refused:
        canonical.text_from("\u0958" * 80, "$.name", 80, lines=lines)  # each is stored as two
    assert refused.value.code == "bad-length"
