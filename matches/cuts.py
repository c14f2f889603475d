"""What the public sees of a match: one cut, stored in the row of its log, obeyed everywhere.

`Log.public_version` is None while everything is public as it is recorded. Otherwise it is the last
version the public sees: it stands still while the match is `held` (results off) or kept to its
table, follows the head `delay` seconds behind, and never goes back: what was shown stays shown.
What somebody held back by hand is released by hand alone.

The feed shows each entry once. One that was public when recorded appears at its own position; one
that became public later, at a position taken then (`Publication`). So a reader who continues from a
position misses none, and sees none twice.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Min
from django.db.models.functions import Coalesce, Least
from django.utils import timezone
from django.utils.translation import gettext

from matches import jobs, rows
from matches.errors import BadInput
from matches.models import Event, Log, Match, Publication
from matches.prepared import Prepared

MAX_DELAY = 24 * 3600  # seconds


def public_version(log: Log) -> int:
    """Return the last version of a log that the public sees."""
    if log.public_version is None:
        return log.head_version
    return min(log.public_version, log.head_version)


def change(
    match: Match,
    *,
    held: bool | None = None,
    delay: int | None = None,
    visibility: str | None = None,
    upto: int | None = None,
    by_hand: bool = True,
) -> None:
    """Change what is held back of a match, and publish what thereby becomes public.

    `upto`: also show the public this much of a match that stays held. Arguments not given stay as
    they are. Not `by_hand`: a higher floor changes many matches at once, and releases nothing that
    was held back by hand, be it that both hold it. Raises: BadInput for a version that does not
    exist, or is already public.
    """
    with transaction.atomic():
        log = Log.objects.select_for_update().get(pk=match.pk)
        now = Match.objects.only("visibility", "kept_back").get(pk=log.pk)
        if now.kept_back and not by_hand:
            held, visibility = held or None, None
        shown = public_version(log)
        was_public, was_held = now.visibility == Match.Visibility.PUBLIC, log.held
        log.held = log.held if held is None else held
        log.delay = log.delay if delay is None else delay
        visibility = visibility or now.visibility
        public = visibility == Match.Visibility.PUBLIC
        narrower = log.held > was_held or public < was_public
        kept = by_hand and (narrower or bool(held))
        kept_back = (log.held or not public) and (now.kept_back or kept)
        if upto is not None:
            _require_between(log, shown, upto, kept=log.held and public)
        then = _cut(log, shown, upto, public=public)
        publish(log, shown, log.head_version if then is None else then)
        log.public_version = then
        log.save(update_fields=["held", "delay", "public_version"])
        Match.objects.filter(pk=log.pk).update(visibility=visibility, kept_back=kept_back)
        jobs.due(log.pk)
    match.log, match.visibility, match.kept_back = log, visibility, kept_back


def keep_to_tables(matches: Iterable[UUID]) -> None:
    """Hide matches from all but their tables from now on; what was public of them stays public.

    In the caller's transaction. Takes no position in the feed, so that recording is not blocked.
    """
    pks = sorted(matches)
    shown = Least(Coalesce("public_version", "head_version"), "head_version")
    Log.objects.filter(pk__in=pks).update(public_version=shown)
    Match.objects.filter(pk__in=pks).update(visibility=Match.Visibility.TABLE)
    for pk in pks:
        jobs.due(pk)


def _require_between(log: Log, shown: int, upto: int, *, kept: bool) -> None:
    if not kept:
        raise BadInput(
            "not-held",
            gettext("`upto` applies only while the match's results are held back."),
            "$.upto",
        )
    if not shown <= upto <= log.head_version:
        raise BadInput(
            "bad-version",
            gettext("Choose a version from {first} to {last}.").format(
                first=shown, last=log.head_version
            ),
            "$.upto",
        )


def _cut(log: Log, shown: int, upto: int | None, *, public: bool) -> int | None:
    """Return the public version from now on; `shown` is the one until now."""
    if not public:
        return shown
    shown = max(shown, 1)  # the setup gives no result away
    if log.held:
        return max(shown, upto or 0)
    if log.delay:
        return max(shown, _old_enough(log, shown))
    return None


def _old_enough(log: Log, shown: int) -> int:
    """Return the last version whose entry, and every one before it, is older than the delay."""
    limit = timezone.now() - timedelta(seconds=log.delay)
    entries = Event.objects.filter(log=log, ordinal=0, version__gt=shown, recorded_at__gt=limit)
    first: int | None = entries.aggregate(first=Min("version"))["first"]
    return log.head_version if first is None else first - 1


def publish(log: Log, shown: int, then: int) -> None:
    """Give the entries after `shown` up to `then` their positions in the public's feed.

    In the caller's transaction, which keeps others from publishing entries of the same log.
    """
    if then > shown:
        first = rows.next_positions(then - shown)
        Publication.objects.create(
            log=log, first=shown + 1, last=then, position=first, end=first + then - shown - 1
        )


# -- in time ------------------------------------------------------------------------------


def move(match: Match) -> Match:
    """Return a match with its public version advanced to what the delay allows now."""
    return move_each([match])[0]


def move_each(matches: Iterable[Match]) -> list[Match]:
    """Return matches with their public versions advanced to what their delays allow now."""
    found = list(matches)
    due = _due([match.log for match in found if _waits(match)])
    for match in found:
        if match.log.pk in due:
            change(match)
    return found


def _waits(match: Match) -> bool:
    log = match.log
    delayed = bool(log.delay) and not log.held and match.visibility == Match.Visibility.PUBLIC
    return delayed and public_version(log) < log.head_version


def _due(logs: Sequence[Log]) -> set[UUID]:
    """Return which of some logs have an entry whose delay has passed, in one query."""
    if not logs:
        return set()
    delays, now = {log.pk: timedelta(seconds=log.delay) for log in logs}, timezone.now()
    first = Event.objects.filter(
        log__in=list(delays), ordinal=0, version=F("log__public_version") + 1
    )
    times = first.order_by().values_list("log", "recorded_at")
    return {log for log, at in times if at is None or at <= now - delays[log]}


_WAITING = Prepared(
    lambda: (
        Match.objects.order_by()
        .select_related("log")
        .filter(log__delay__gt=0, log__held=False, visibility=Match.Visibility.PUBLIC)
        .filter(log__public_version__lt=F("log__head_version"))
    )
)


def move_all() -> int:
    """Advance the public version of every log whose delay has passed; return how many moved.

    Called before reads of a list or the feed, and periodically by the worker.
    """
    found = _WAITING()
    before = [match.log.public_version for match in found]
    after = [match.log.public_version for match in move_each(found)]
    return sum(was != now for was, now in zip(before, after, strict=True))
