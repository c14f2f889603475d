"""A small client of the API, in the standard library alone: copy it and go on from there.

    python client.py https://league.example KEY log      opens a match and records it to its end
    python client.py https://league.example KEY enter CODE     enters a tournament
    python client.py https://league.example KEY follow     prints what is recorded, and goes on

Make the key on the page "Keys for programs"; it writes matches (log) and league (enter).
"""

import base64
import hashlib
import hmac
import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class Refused(Exception):
    """The site said no: `code` is made for programs, the text for people."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(problem["detail"])
        self.code: str = problem["code"]


class Client:
    def __init__(self, site: str, key: str = "") -> None:
        self.root = f"{site.rstrip('/')}/api/v1/"
        self.headers = {"Authorization": f"Token {key}"} if key else {}

    def ask(self, path: str, body: Any = None) -> Any:
        """Get a path, or post a body to it. Raises: Refused; OSError when nobody answers."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(self.root + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)) from error

    def write(self, path: str, body: dict[str, Any]) -> Any:
        """Post a body under an id of its own, again if nobody answers: it is recorded once."""
        body = {"id": str(uuid.uuid4()), **body}
        for wait in (1, 4, 16):
            try:
                return self.ask(path, body)
            except OSError:
                time.sleep(wait)
        return self.ask(path, body)


def log_match(client: Client, title: str, names: list[str]) -> str:
    """Open a match of points, record that the first side wins two games, and return its code."""
    sides = [{"label": f"Side {n}", "name": name} for n, name in enumerate(names, 1)]
    setup = {"ruleset": "score", "options": {"best_of": 3}, "title": title, "seats": sides}
    match = client.write("matches/", setup)
    version = match["version"]
    for _ in range(2):
        act = {"type": "game-won", "seat": 1}
        receipt = client.write(f"matches/{match['code']}/acts/", {"after": version, "act": act})
        version = receipt["head"]["version"]
    code: str = match["code"]
    return code


def tell(entry: dict[str, Any]) -> str:
    """Return where an entry was recorded and what; of one that is hidden, where alone."""
    where = entry.get("match") or entry["tournament"]
    return f"{where} {entry.get('act', 'hidden')}"


def follow(client: Client, after: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield what was recorded since a position, each with the position to go on from."""
    while True:
        page = client.ask(f"feed/?after={after}")
        for entry in page["entries"]:
            yield entry["position"], entry
        after = page["last"]
        if not page["more"]:
            return


def enter(client: Client, tournament: str) -> int:
    """Enter a tournament oneself and return one's number in it."""
    entry = client.write("entries/", {"tournament": tournament})
    number: int = entry["entrant"]
    return number


def verify(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> Any:
    """Return what a message says. Raises: ValueError when it is not from whom has the secret."""
    name, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs((now or time.time()) - int(sent)) > 300:
        raise ValueError("too old, or from the future")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{name}.{sent}.".encode() + body, "sha256")
    wanted = f"v1,{base64.b64encode(digest).decode()}"
    given = headers["webhook-signature"].split(" ")  # two, for a day after a new secret
    if not any(hmac.compare_digest(wanted, each) for each in given):
        raise ValueError("the signature is not ours")
    return json.loads(body)


def leaf_of(log: str, entry: Mapping[str, Any]) -> bytes:
    """Return the leaf of an entry that `events/` told; `log` is the id of the log."""
    if "leaf" in entry:
        return bytes.fromhex(entry["leaf"])
    events = [entry["act"], *entry.get("consequences", [])]
    verdict = f"irregular {entry['irregular']}" if "irregular" in entry else "legal"
    fields = [log, entry["version"], entry["act_id"], entry["request_digest"], verdict]
    fields += [entry.get("on"), entry.get("repeats"), entry["state_digest"], entry["recorded_at"]]
    fields += [entry.get("recorded_by"), entry.get("said_at"), len(events)]
    for event in events:
        body = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
        fields += [event["type"], event.get("seat"), body]
    texts = [("" if each is None else str(each)).encode() for each in fields]
    data = b"".join(len(text).to_bytes(4, "big") + text for text in texts)
    return hashlib.sha256(b"zgxl leaf 1" + bytes.fromhex(entry["salt"]) + data).digest()


def first_bad(log: str, entries: Iterable[Mapping[str, Any]]) -> int:
    """Return the version of the first entry that the chain does not hold, 0 if it holds all."""
    previous = bytes(32)
    for version, entry in enumerate(entries, 1):
        link = b"zgxl link 1" + previous + version.to_bytes(8, "big") + leaf_of(log, entry)
        previous = hashlib.sha256(link).digest()
        if entry["version"] != version or previous.hex() != entry["hash"]:
            return version
    return 0


def main(site: str, key: str, what: str, *more: str) -> None:
    client = Client(site, key)
    if what == "log":
        print(f"{site}/matches/{log_match(client, 'By a program', ['Red', 'Green'])}/")
    elif what == "enter":
        print(f"You are entrant {enter(client, more[0])}.")
    elif what == "follow":
        position = 0
        while True:
            for at, entry in follow(client, position):
                print(at, tell(entry))
                position = at
            time.sleep(5)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:]) if len(sys.argv) > 3 else sys.exit(__doc__)
    except Refused as refused:
        sys.exit(f"{refused.code}: {refused}")
