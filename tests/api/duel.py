"""The complete match in the API guide: requests that play the golden duel, made from its notation.

`python -m tests.api.duel` writes them into the guide, between its two marks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import rules
from rules import notation
from rules.replay import Entry, Timeline

HERE = Path(__file__).parents[2]
GOLDEN = HERE / "tests" / "golden" / "zg-duel.zgxl"
GUIDE = HERE / "docs" / "api.md"
BEGIN, END = "<!-- the duel, made by tests/api/duel.py -->\n", "<!-- end of the duel -->\n"
AT_ONCE = 20


def played() -> Timeline:
    """Return the golden duel as a timeline."""
    return notation.play(notation.read_match(GOLDEN.read_text("utf-8"), rules.get))


def section() -> str:
    """Return the requests and answers of the duel as the guide shows them."""
    return "\n".join(blocks(played()))


def blocks(duel: Timeline) -> Iterator[str]:
    yield from exchange(
        "POST /api/v1/matches/import/",
        notation.write_match(duel.ruleset, duel.entries[:1]).strip(),
        "201 Created",
        '{"code": "$duel", "version": 1}',
        media="text/plain",
    )
    acts = duel.entries[1:]
    for start in range(0, len(acts), AT_ONCE):
        batch = acts[start : start + AT_ONCE]
        yield from exchange(
            "POST /api/v1/matches/$duel/acts/",
            _list(_request(entry) for entry in batch),
            "200 OK",
            f'{{"results": {_list(_result(entry) for entry in batch)}}}',
        )
    head = duel.entries[-1]
    yield from exchange(
        "GET /api/v1/matches/$duel/state/",
        "",
        "200 OK",
        _json({"version": head.version, "digest": head.digest}),
    )


def exchange(
    start: str, body: str, status: str, answer: str, media: str = "application/json"
) -> Iterator[str]:
    """Yield a request and its answer as code blocks."""
    headers = f"Authorization: Token $token\nContent-Type: {media}\n\n{body}\n" if body else ""
    yield f"```http\n{start}\n{headers}```\n"
    yield f"```http\n{status}\n\n{answer}\n```\n"


def _request(entry: Entry) -> str:
    stood = {"irregular": True} if entry.irregular else {}
    return _json({"id": f"0190a000-0000-7000-8000-{entry.version:012}", "act": entry.act, **stood})


def _result(entry: Entry) -> str:
    drawn = [_short(msgspec.to_builtins(event)) for event in entry.consequences]
    return _json({"status": 201, "receipt": {"version": entry.version, "consequences": drawn}})


def _short(event: dict[str, Any]) -> dict[str, Any]:
    """Return a consequence without its lists, as the guide need not show every dot."""
    return {name: value for name, value in event.items() if not isinstance(value, list | tuple)}


def _list(items: Iterator[str]) -> str:
    return "[\n  " + ",\n  ".join(items) + "\n]"


def _json(data: object) -> str:
    return msgspec.json.format(msgspec.json.encode(data), indent=0).decode().replace("\n", " ")


def renew() -> None:
    """Rewrite the section of the guide."""
    before, rest = GUIDE.read_text("utf-8").split(BEGIN)
    after = rest.split(END)[1]
    GUIDE.write_text(before + BEGIN + "\n" + section() + "\n" + END + after, "utf-8")


if __name__ == "__main__":
    renew()
