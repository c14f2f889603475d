"""Certificates: proof of a finished match as a file, the same for everyone."""

from django.utils.translation import gettext

import rules
from matches import actors, cuts, heads, policy, rows
from matches.errors import Conflict
from matches.models import Log, Match
from matches.verify import verify
from rules.certificate import Certificate, Signed, certify, is_signed


def has_certificate(match: Match) -> bool:
    """Tell whether a match is over and all of it is public."""
    log = match.log
    return (
        log.status == Log.Status.ENDED
        and cuts.public_version(log) == log.head_version
        and policy.may_see(actors.NOBODY, match)
    )


def certificate_of(match: Match) -> Certificate:
    """Return the certificate of a match, the same for everyone.

    Raises: Conflict `no-certificate` while the match goes on or part of it is held back, without
    saying which; Conflict `unverified` or `broken` for a log that does not verify.
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
        if verify(log).unverified:
            text = gettext(
                "Nothing was altered: the whole chain holds. But the rules are a draft, and have "
                "changed since."
            )
            raise Conflict("unverified", text) from error
        raise Conflict("broken", f"The log does not hold: {error}.") from error


def _signed(log: Log) -> Signed | None:
    """Return the newest signed head of a log, None while there is none."""
    key = heads.public_key()
    for head in heads.newest_first(log.pk):
        signed = Signed(
            version=head.version,
            hash=head.hash,
            time=head.time,
            key=key,
            signature=head.signature,
        )
        if head.version <= log.head_version and is_signed(str(log.pk), signed):
            return signed
    return None
