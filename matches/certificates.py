"""Certificates: what a finished match gives to take along, for all of the public alike."""

from django.utils.translation import gettext

import rules
from matches import cuts, heads, policy, rows
from matches.errors import Conflict
from matches.models import Log, Match
from rules.certificate import Certificate, Signed, certify


def has_certificate(match: Match) -> bool:
    """Tell whether a match is over and all of it is public."""
    log = match.log
    return (
        log.status == Log.Status.ENDED
        and cuts.public_version(log) == log.head_version
        and policy.may_see(policy.NOBODY, match)
    )


def certificate_of(match: Match) -> Certificate:
    """Return the certificate of a match, alike for whoever asks.

    Raises: Conflict `no-certificate` while it goes on or some of it is held back, and it does
    not say which; `broken` for a log that does not hold.
    """
    if not has_certificate(match):
        raise Conflict(
            "no-certificate",
            gettext("There is a certificate once a match is over and all of it is public."),
        )
    log = match.log
    records = [record for record, _ in rows.records_of(log, upto=log.head_version)]
    try:
        return certify(rules.get(log.ruleset), str(log.pk), records, _signed(log))
    except ValueError as error:
        raise Conflict("broken", f"The log does not hold: {error}.") from error


def _signed(log: Log) -> Signed | None:
    """Return the newest head of a log that is signed by itself, None while there is none."""
    said = heads.read().heads.get(log.pk, [])
    signed = [each for each in said if each.signature and each.version <= log.head_version]
    if not signed:
        return None
    head = signed[-1]
    return Signed(
        version=head.version,
        hash=head.hash,
        time=head.time,
        key=heads.public_key(),
        signature=head.signature,
    )
