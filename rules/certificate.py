"""Certificates: a finished match in one file that proves itself, without a site or a database.

It holds every entry with everything its leaf is computed from, the leaf and the hash; how the log
ends; and, if there is one, the signed head of the site that wrote it. `verify` recomputes all of
it. Nothing is in it that is not proven: no name, no title, no text of a note.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import rules
from rules import chain, encoding
from rules.chain import Record
from rules.proof import Flaw, Proof, prove
from rules.replay import Timeline
from rules.ruleset import Event, Ruleset

FORM = "zgxl-certificate-1"

Word = Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z.:-]{1,128}\Z")]
"""An id, a time or hex.

A forger controls these values and people read them, so they cannot contain a sentence that looks
like ours or control characters for a terminal.
"""


class Shape(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a certificate, which must have exactly its declared fields."""


class Signed(Shape, frozen=True, kw_only=True):
    """A head of the log at a time, as signed by the site (Ed25519). All bytes are hex.

    `time`: when it was signed. `signature`: 64 bytes. `key`: the public key.
    """

    version: int
    hash: Word
    time: Word
    key: Word
    signature: Word


class CertifiedEntry(chain.Header, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry: everything its leaf is computed from, the leaf, and its hash.

    `events`: the act, then its consequences, as hashed.
    """

    events: tuple[dict[str, Any], ...]
    leaf: str
    hash: str


class Certificate(Shape, frozen=True, kw_only=True):
    """A finished match: the log, how it ends, and who signed it.

    `form`: the form of the file, `zgxl-certificate-1`. `signed`: a head of the log as the site
    signed it, null if it has not yet. `result`: the places, the winners and why, as in an
    `Outcome`.
    """

    form: str
    log: Word
    ruleset: str
    version: int
    hash: Word
    state_digest: str
    result: dict[str, Any]
    signed: Signed | None = None
    entries: Annotated[tuple[CertifiedEntry, ...], msgspec.Meta(min_length=1)]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The result of verifying a certificate.

    `problem` is a permanent code: `ruleset gap body leaf hash head state result signature signed
    unsigned key`, or one from a replay: `on repeats verdict consequences digest draw`.
    `first_bad` is the first entry that does not hold, or the first not signed with `key`
    (`unsigned`).
    `signed` is the last entry covered by the signed head, and `key` the key it is signed with; 0
    and empty if there is no signed head, or something does not hold.
    """

    ok: bool
    log: str
    ruleset: str
    entries: int
    events: int
    draws_checked: bool
    signed: int = 0
    key: str = ""
    headline: str = ""
    first_bad: int | None = None
    problem: str = ""
    detail: str = ""


# -- writing ----------------------------------------------------------------------------


def certify(
    ruleset: Ruleset, log: str, records: Sequence[Record], signed: Signed | None = None
) -> Certificate:
    """Return the certificate of a finished log.

    Raises: ValueError for a log that does not hold, or is not over.
    """
    timeline, flaw, *_ = prove(ruleset, log, records)
    result = _result(timeline)
    if flaw or result is None:
        raise ValueError(flaw.detail if flaw else "the match is not over")
    last = records[-1]
    return Certificate(
        form=FORM,
        log=log,
        ruleset=timeline.setup.ruleset,
        version=last.version,
        hash=last.hash,
        state_digest=last.state_digest,
        result=result,
        signed=signed,
        entries=tuple(_line(log, record) for record in records),
    )


def _line(log: str, record: Record) -> CertifiedEntry:
    plain = msgspec.structs.asdict(record)
    events = tuple(msgspec.json.decode(row.body) for row in plain.pop("rows"))
    return CertifiedEntry(**plain, events=events, leaf=chain.leaf(log, record).hex())


def _result(timeline: Timeline) -> Any:
    """Return the outcome as plain data, or None while there is none."""
    if not timeline.moments:
        return None
    outcome = timeline.ruleset.outcome(timeline.head.state)
    return msgspec.json.decode(msgspec.json.encode(outcome))


# -- reading ----------------------------------------------------------------------------


def read(text: str) -> Certificate:
    """Read a certificate. Raises: ValueError for a text that is not one."""
    try:
        plain = json.loads(
            text, object_pairs_hook=_object, parse_float=_refuse, parse_constant=_refuse
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            "it is no certificate: that is the JSON file that a match's page of proof gives,"
            f" and not its log: {error}"
        ) from error
    certificate = msgspec.convert(plain, Certificate)
    if certificate.form != FORM:
        raise ValueError(f"it is no certificate of the form {FORM}")
    return certificate


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key is there twice")
    return data


def _refuse(digits: str) -> None:
    raise ValueError(f"{digits[:20]} is not a whole number")


# -- proving ----------------------------------------------------------------------------


def verify(certificate: Certificate, key: str = "") -> Finding:
    """Verify a certificate; with `key`, also that it is signed with it up to its last entry."""
    ruleset = rules.RULESETS.get(certificate.ruleset)
    if ruleset is None:
        flaw = Flaw(1, "ruleset", f"there is no ruleset {certificate.ruleset!a} here")
        return _finding(certificate, None, flaw)
    records, broken = _records(ruleset, certificate)
    proof = prove(ruleset, certificate.log, records)
    flaws = [proof.flaw, broken]
    if not proof.flaw and not broken:
        flaws += _end_flaws(certificate, proof.timeline)
    flaws += _signature_flaws(certificate, key)
    found = [flaw for flaw in flaws if flaw]
    if not found and key:
        found = list(_unsigned(certificate))
    return _finding(certificate, proof, min(found, key=lambda each: each.version, default=None))


def _records(ruleset: Ruleset, certificate: Certificate) -> tuple[list[Record], Flaw | None]:
    """Return the entries as they were stored, up to the first that cannot be read back as such."""
    records: list[Record] = []
    previous = chain.GENESIS
    for number, line in enumerate(certificate.entries, 1):
        if line.version != number:
            return records, Flaw(number, "gap", f"entry {number} is missing")
        events = _events(ruleset, line)
        if events is None:
            return records, Flaw(number, "body", f"entry {number} has an event that is none")
        if number == 1 and getattr(events[0], "ruleset", "") != certificate.ruleset:
            return records, Flaw(1, "ruleset", "the log was opened under another ruleset")
        record = _record(line, events)
        if not _leaf_holds(certificate.log, record, line.leaf):
            return records, Flaw(number, "leaf", f"entry {number} has not the leaf of its content")
        if not chain.holds(certificate.log, previous, record):
            return records, Flaw(number, "hash", f"entry {number} does not follow the one before")
        records.append(record)
        previous = record.hash
    return records, None


def _events(ruleset: Ruleset, line: CertifiedEntry) -> tuple[Event, ...] | None:
    act = encoding.union(encoding.act_types(ruleset))
    consequence = encoding.union(tuple(ruleset.consequences))
    try:
        return (
            tuple(
                msgspec.convert(plain, consequence if number else act)
                for number, plain in enumerate(line.events)
            )
            or None
        )
    except msgspec.ValidationError:
        return None


def _record(line: CertifiedEntry, events: Iterable[Event]) -> Record:
    plain = msgspec.structs.asdict(line)
    del plain["leaf"], plain["events"]
    return Record(**plain, rows=tuple(map(encoding.row_of, events)))


def _leaf_holds(log: str, record: Record, leaf: str) -> bool:
    try:
        return chain.leaf(log, record).hex() == leaf
    except ValueError:  # an invalid salt
        return False


def _end_flaws(certificate: Certificate, timeline: Timeline) -> Iterator[Flaw]:
    """Yield what is wrong with the end of the log that the certificate claims."""
    last = len(certificate.entries)
    if certificate.version > last:
        yield Flaw(last + 1, "gap", f"entry {last + 1} is missing: the head is another")
    elif certificate.version < last:
        first = max(certificate.version, 0) + 1
        yield Flaw(first, "head", "there are entries after the head")
    elif certificate.hash != certificate.entries[-1].hash:
        yield Flaw(last, "head", "the head has another hash than its entry")
    elif certificate.state_digest != certificate.entries[-1].state_digest:
        yield Flaw(last, "state", "the state after the last entry is another")
    elif certificate.result != _result(timeline):
        yield Flaw(last, "result", "the log comes to another result, or to none")


def _signature_flaws(certificate: Certificate, key: str) -> Iterator[Flaw]:
    """Yield what is wrong with the signed head, if there is one."""
    signed, last = certificate.signed, len(certificate.entries)
    if signed is None:
        return
    if key and signed.key != key.lower():
        yield Flaw(signed.version, "key", "it is signed with another key")
    elif not is_signed(certificate.log, signed):
        yield Flaw(signed.version, "signature", "the signature is not that of this key and head")
    elif signed.version > last:
        yield Flaw(last + 1, "gap", f"entry {last + 1} is missing: the signed head knows it")
    elif certificate.entries[signed.version - 1].hash != signed.hash:
        yield Flaw(signed.version, "signed", "it is not the entry that was signed")


def _unsigned(certificate: Certificate) -> Iterator[Flaw]:
    """Yield the first entry past the signed head: anyone may have made up what follows it."""
    signed, last = certificate.signed, len(certificate.entries)
    first = signed.version + 1 if signed else 1
    if first <= last:
        which = f"entries {first} to {last}" if first < last else f"entry {first}"
        yield Flaw(
            first, "unsigned", f"nobody has signed {which} yet, so anybody may have made that up"
        )


def is_signed(log: str, signed: Signed) -> bool:
    """Tell whether a head of a log is signed with the key that it names."""
    message = chain.head_bytes(log, signed.version, signed.hash, signed.time)
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        public.verify(bytes.fromhex(signed.signature), message)
    except (ValueError, InvalidSignature):
        return False
    return signed.version > 0


def _finding(certificate: Certificate, proof: Proof | None, flaw: Flaw | None) -> Finding:
    timeline = proof.timeline if proof else None
    holds = flaw is None or flaw.problem == "unsigned"
    signed = certificate.signed if holds else None
    return Finding(
        ok=flaw is None,
        log=certificate.log,
        ruleset=certificate.ruleset,
        entries=len(certificate.entries),
        events=sum(len(line.events) for line in certificate.entries),
        draws_checked=bool(proof and proof.seed),
        signed=signed.version if signed else 0,
        key=signed.key if signed else "",
        headline=timeline.ruleset.headline(timeline.head.state) if timeline and not flaw else "",
        first_bad=flaw.version if flaw else None,
        problem=flaw.problem if flaw else "",
        detail=flaw.detail if flaw else "",
    )
