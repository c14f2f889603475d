"""What an audience may see of a match: its state and its entries."""

from collections.abc import Callable, Collection, Iterable
from typing import Any
from uuid import UUID

import msgspec
from django.utils.translation import gettext

import rules
from matches import rows
from matches.errors import Conflict
from matches.models import Log, Match, Note
from matches.narration import names_of
from matches.selectors import is_open, timeline
from rules import encoding
from rules.chain import Record, leaf
from rules.ruleset import Act, Audience, Consequence


class ShownState(msgspec.Struct, frozen=True):
    """The state of a match at a version, as an audience may see it.

    Without its digest while the state hides something from them: a hand could be guessed from it.
    """

    version: int
    digest: str
    state: dict[str, Any]
    headline: str
    outcome: Any = None


def state_view(match: Match, at: int | None = None, as_: Audience = "public") -> ShownState:
    """Return the state at a version; `at` and `as_` as `cut` gives them."""
    folded = timeline(match)
    version = match.log.head_version if at is None else at
    state, ruleset = folded.at(version).state, folded.ruleset
    return ShownState(
        version,
        "" if withholding(match, as_)(version) else folded.entries[version - 1].digest,
        ruleset.view(state, as_),
        ruleset.headline(state, names_of(match)),
        ruleset.outcome(state),
    )


class Shown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry as an audience may see it.

    An audience that may not see all of it gets its version, position, hash and leaf, no more.
    """

    version: int
    position: int
    hash: str
    leaf: str = ""
    act_id: str = ""
    act: Act | None = None
    consequences: tuple[Consequence, ...] = ()
    irregular: str = ""
    on: int | None = None
    repeats: int | None = None
    state_digest: str = ""
    request_digest: str = ""
    salt: str = ""
    recorded_at: str = ""
    recorded_by: str | None = None
    imported: bool = False
    said_at: str | None = None
    note: str = ""


def entries(
    match: Match,
    after: int = 0,
    limit: int = 100,
    upto: int | None = None,
    as_: Audience = "public",
) -> list[Shown]:
    """Return the entries after a version, at most `limit`, none past `upto` (the head)."""
    last = min(match.log.head_version if upto is None else upto, after + limit)
    stored = list(rows.records_of(match.log, after, last))
    texts = texts_of({match.pk}, (record for record, _ in stored))
    withheld = withholding(match, as_)
    return [shown(match.log, record, position, texts, as_, withheld) for record, position in stored]


def texts_of(logs: Collection[UUID], records: Iterable[Record]) -> dict[str, str]:
    """Return the texts of the notes of some entries, by digest; `logs` are those of the entries."""
    noted = (msgspec.json.decode(record.rows[0].body).get("note") for record in records)
    digests = {digest for digest in noted if digest}
    if not digests:
        return {}
    notes = Note.objects.filter(log__in=logs, digest__in=digests)
    return dict(notes.values_list("digest", "text"))


def withholding(match: Match, as_: Audience) -> Callable[[int], bool]:
    """Return a predicate: does the state at this version hide anything from the audience?"""
    if as_ == "officials" or not rules.get(match.log.ruleset).secretive:
        return lambda version: False
    folded = timeline(match)
    return lambda version: bool(set(folded.ruleset.secrets(folded.at(version).state)) - {as_})


def shown(
    log: Log,
    record: Record,
    position: int,
    texts: dict[str, str],
    as_: Audience,
    withheld: Callable[[int], bool],
) -> Shown:
    """Return a stored entry as an audience may see it; `texts` are note texts by digest.

    While the state hides something from the audience, only the leaf proves the entry: from a
    state's digest a hand could be guessed.
    """
    ruleset = rules.get(log.ruleset)
    entry = encoding.entry_of(ruleset, record)
    if entry is None:
        raise Conflict(
            "unreadable", gettext("Entry {version} cannot be read.").format(version=record.version)
        )
    if not is_open(ruleset, entry, as_):
        return unseen(log, record, position)
    return Shown(
        version=record.version,
        position=position,
        hash=record.hash,
        act_id=record.act_id,
        act=entry.act,
        consequences=entry.consequences,
        irregular=entry.irregular,
        on=record.on,
        repeats=record.repeats,
        recorded_at=record.recorded_at,
        recorded_by=record.recorded_by,
        imported=record.version <= log.imported_version,
        said_at=record.said_at,
        note=texts.get(getattr(entry.act, "note", ""), ""),
        **_proof(log, record, secret=withheld(record.version)),
    )


def unseen(log: Log, record: Record, position: int) -> Shown:
    """Return an entry as it is shown to an audience that may not see its content."""
    hidden = leaf(str(log.pk), record).hex()
    return Shown(version=record.version, position=position, hash=record.hash, leaf=hidden)


def _proof(log: Log, record: Record, *, secret: bool) -> dict[str, str]:
    """Return what an entry's leaf is computed from, or only the leaf while the state is secret."""
    if secret:
        return {"leaf": leaf(str(log.pk), record).hex()}
    return {
        "state_digest": record.state_digest,
        "request_digest": record.request_digest,
        "salt": record.salt,
    }
