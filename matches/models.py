"""The log: logs and their events, the people at the table, matches and seats.

Events are append-only, in the database too. What they hold names seats and opaque
references, never people: names live in `Player`, free text in `Note`.
"""

import json
import re
import uuid
from collections import Counter
from typing import Any

import uuid_utils.compat
from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_lazy

from matches import titles


def uuid7() -> uuid.UUID:
    """Return a time-ordered uuid."""
    return uuid_utils.compat.uuid7()


class Player(models.Model):
    """A person at a table; a guest until a user claims them."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=80)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    invited_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="guests"
    )
    claimed_by = models.ForeignKey(  # of a guest: who took over all of theirs
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="claimed"
    )
    language = models.CharField(max_length=8, blank=True)  # of letters to them, where it is known
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("matches:player-detail", args=[self.pk])


class Claim(models.Model):
    """A link by which an account takes over a guest, and what came of it.

    `moved` holds the keys of the rows that were the guest's, by "app.Model.field"; `dropped`
    those the account had already, as JSON, to be put back when the claim is undone.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    guest = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    link = models.UUIDField(unique=True, default=uuid.uuid4)  # signed into the link
    made_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    taken_by = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    moved = models.JSONField(default=dict)
    dropped = models.TextField(blank=True)
    undone_by = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["guest"],
                condition=models.Q(taken_at__isnull=False, undone_at=None),
                name="claimed_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.guest}: {self.taken_by}" if self.taken_by else str(self.guest)


class Key(models.Model):
    """What a program signs in by, as a person and for some of what they may do.

    The key itself is told once and never kept; `digest` is its SHA-256.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="keys"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)  # the floors it writes on; it reads all
    by_password = models.BooleanField(default=False)  # made by `POST token/`
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_on = models.DateField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class Headlined(models.Model):
    """Something with a line on how it stands: `headline` in English, `headlines` in the others."""

    headline = models.CharField(max_length=200, blank=True)
    headlines = models.TextField(default="{}", db_default="{}")  # JSON by language

    class Meta:
        abstract = True

    @property
    def told(self) -> str:
        """The headline in the reader's language."""
        others: dict[str, str] = json.loads(self.headlines)
        return others.get(get_language() or "", self.headline)


class Log(Headlined):
    """The entries of one match or one tournament: what a ruleset folds."""

    class Status(models.TextChoices):
        OPEN = "open"
        ENDED = "ended"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    ruleset = models.CharField(max_length=40)  # pinned: "zg@1"
    options = models.TextField(default="{}")  # as opened, canonical JSON
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    head_version = models.PositiveIntegerField(default=0)
    head_hash = models.CharField(max_length=64, blank=True)
    public_version = models.PositiveIntegerField(null=True, blank=True)  # None: all is public
    held = models.BooleanField(default=False)  # results off, until released
    delay = models.PositiveIntegerField(default=0)  # seconds until an entry is public
    seed = models.CharField(max_length=64, blank=True)  # the draws' secret, until revealed
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(delay__gt=0), name="log_delayed"),
            models.Index(
                fields=["id"],
                condition=models.Q(status="open") | models.Q(public_version__isnull=False),
                name="log_unsettled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.id}"


class Event(models.Model):
    """One act (ordinal 0) or one of its consequences. Append-only; written by `log` alone."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, related_name="events")
    version = models.PositiveIntegerField()
    ordinal = models.PositiveSmallIntegerField()
    position = models.PositiveBigIntegerField()  # of the entry, in the feed of all logs
    type = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField(null=True)
    body = models.TextField()  # canonical JSON
    # The act's row alone:
    act_id = models.UUIDField(null=True)
    request_digest = models.CharField(max_length=64, blank=True)
    verdict = models.CharField(max_length=80, blank=True)  # "legal", "irregular:too-far"
    on = models.PositiveIntegerField(null=True)
    repeats = models.PositiveIntegerField(null=True)
    state_digest = models.CharField(max_length=64, blank=True)
    salt = models.CharField(max_length=32, blank=True)
    hash = models.CharField(max_length=64, blank=True)
    recorded_at = models.DateTimeField(null=True)
    recorded_by = models.UUIDField(null=True)  # opaque: an imported log stays whole
    said_at = models.DateTimeField(null=True)  # the phone's clock, never used for order

    class Meta:
        ordering = ["log_id", "version", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["log", "version", "ordinal"], name="event_place"),
            models.UniqueConstraint(fields=["log", "act_id"], name="event_act_id"),
            models.UniqueConstraint(fields=["position", "ordinal"], name="event_position"),
        ]

    def __str__(self) -> str:
        return f"{self.version}.{self.ordinal} {self.type}"


class Note(models.Model):
    """Free text of an act. The body holds its salted hash, so the text can be erased."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, related_name="notes")
    digest = models.CharField(max_length=64)
    salt = models.CharField(max_length=32, blank=True)
    text = models.TextField(blank=True)
    author = models.UUIDField(null=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "digest"], name="note_digest")]

    def __str__(self) -> str:
        return self.text[:60]


class Match(models.Model):
    """One game at one table: the page around one log."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Everyone")
        TABLE = "table", gettext_lazy("The table and its officials")

    just_opened = False  # true on what opening returns, where that call opened it; never stored

    log = models.OneToOneField(Log, primary_key=True, on_delete=models.PROTECT)
    code = models.CharField(max_length=8, unique=True)  # short, no ambiguous letters
    title = models.CharField(max_length=120, blank=True)
    place = models.CharField(max_length=120, blank=True)
    physical = models.BooleanField(default=True)
    sanctioned = models.BooleanField(default=False)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    opener = models.ForeignKey(
        Player, null=True, on_delete=models.SET_NULL, related_name="opened_matches"
    )
    officials = models.ManyToManyField(Player, blank=True, related_name="officiated_matches")
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at", "-log_id"]
        indexes = [
            models.Index(fields=["-started_at", "-log"], name="match_started"),
            models.Index(
                fields=["-ended_at", "-log"],
                condition=models.Q(ended_at__isnull=False),
                name="match_ended",
            ),
        ]
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return self.shown_title or gettext("Match {code}").format(code=self.code)

    def get_absolute_url(self) -> str:
        return reverse("matches:match-detail", args=[self.code])

    @property
    def shown_title(self) -> str:
        """The title in the language of who looks."""
        return titles.worded(self.title)

    @property
    def shown_place(self) -> str:
        """The place in the language of who looks."""
        return titles.worded(self.place)

    def named(self, text: str) -> str:
        """Return a text that tells of sides by label, with the names of who sits there."""
        seats = list(self.seats.all())
        alike = Counter(seat.label for seat in seats)
        names = {
            seat.label: seat.player.name if seat.player and alike[seat.label] == 1 else seat.label
            for seat in seats
            if seat.label
        }
        if not names:
            return text
        labels = "|".join(re.escape(label) for label in sorted(names, key=len, reverse=True))
        return re.sub(rf"(?<!\w)(?:{labels})(?!\w)", lambda side: names[side[0]], text)


class Seat(models.Model):
    """A place in a match, from 1, and who sits there."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    label = models.CharField(max_length=80)  # as the setup has it
    link = models.UUIDField(default=uuid.uuid4)  # signed into its link; a new one revokes the old

    class Meta:
        ordering = ["match_id", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="seat_number")]

    def __str__(self) -> str:
        return gettext("Seat {number}: {value}").format(
            number=self.number, value=self.player or self.label
        )


class ScribeLease(models.Model):
    """Who records a match, on which device; at most one is not ended. No part of the log."""

    just_taken = False  # true on what taking over returns, where that call did it; never stored

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="scribes")
    device = models.UUIDField()  # signed into a cookie or a token
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)  # by whose link a guest holds it
    taken_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    taken_away = models.BooleanField(default=False)  # ended by somebody else

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["match", "device"])]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(ended_at=None), name="scribe_of_match"
            )
        ]

    def __str__(self) -> str:
        return (
            self.player.name
            if self.player
            else gettext("Seat {seat}").format(seat=self.seat)
            if self.seat
            else "A guest"
        )


class Proposal(models.Model):
    """An act sent by one who is not, or no longer, the scribe: kept until the table decides."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"  # recorded, as entry `version`
        MERGED = "merged"  # says the same as entry `version`
        DISMISSED = "dismissed"

    just_kept = False  # true on what keeping returns, where that call kept it; never stored

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="proposals")
    act_id = models.UUIDField()
    act = models.TextField()  # canonical JSON
    after = models.CharField(max_length=36, blank=True)  # as sent: a version or an act's id
    since = models.PositiveIntegerField(default=0)  # the version it was said on top of
    irregular = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    said_at = models.DateTimeField(null=True)
    device = models.UUIDField(null=True)
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    kept_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    version = models.PositiveIntegerField(null=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["match", "act_id"], name="proposal_act_id")]

    def __str__(self) -> str:
        return f"{self.state} {self.act_id}"


class FeedHead(models.Model):
    """One row: the last position given out. Locked last in every append, so never a gap."""

    position = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.position)


class Publication(models.Model):
    """Entries `first` to `last` of a log became public after they were recorded.

    The public's feed tells them at `position` to `end`, which come from the feed head too.
    """

    log = models.ForeignKey(Log, on_delete=models.PROTECT, related_name="publications")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    position = models.PositiveBigIntegerField(unique=True)
    end = models.PositiveBigIntegerField(unique=True)

    class Meta:
        indexes = [models.Index(fields=["log", "first"])]

    def __str__(self) -> str:
        return f"{self.log_id} {self.first}–{self.last}"


class Headline(Headlined):
    """How a log stands for the public, while that is not its head. A follower's row."""

    log = models.OneToOneField(
        Log, primary_key=True, on_delete=models.CASCADE, related_name="public_line"
    )
    version = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Log.Status, default=Log.Status.OPEN)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.headline


class SeatResult(models.Model):
    """How a match came out for a seat, at its head and as far as the public is shown it.

    A follower's row, there once the match has ended for anyone.
    """

    class Result(models.TextChoices):
        WON = "won"
        DRAWN = "drawn"
        LOST = "lost"

    seat = models.OneToOneField(
        Seat, primary_key=True, on_delete=models.CASCADE, related_name="result"
    )
    result = models.CharField(max_length=10, choices=Result, blank=True)
    public_result = models.CharField(max_length=10, choices=Result, blank=True)

    def __str__(self) -> str:
        return f"{self.seat_id} {self.result}"


class SpinTally(models.Model):
    """How often a spin for one purpose fell one way for a seat, in one match. A follower's row.

    `count` is at the log's head, `public_count` as far as the public is shown it. `source` is
    `site` or `table`; seat 0 is the table as a whole.
    """

    log = models.ForeignKey(Log, on_delete=models.CASCADE, related_name="spin_tallies")
    seat = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10)
    purpose = models.CharField(max_length=80)
    value = models.CharField(max_length=80)
    count = models.PositiveIntegerField()
    public_count = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "spin tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["log", "seat", "source", "purpose", "value"], name="spin_tally"
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.value}: {self.count}"


class Checkpoint(models.Model):
    """How far a follower has come with a log."""

    follower = models.CharField(max_length=100)
    log = models.ForeignKey(Log, on_delete=models.CASCADE, related_name="checkpoints")
    version = models.PositiveIntegerField(default=0)
    public_version = models.PositiveIntegerField(null=True)  # the log's, as it was then
    code = models.PositiveIntegerField(default=0)  # the version of the follower's code
    error = models.TextField(blank=True)  # parked with this
    moved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["follower", "log"], name="checkpoint_of")]

    def __str__(self) -> str:
        return f"{self.follower} at {self.version}"


class FollowJob(models.Model):
    """The outbox of appends: a log whose followers are due. One row a log, however much comes."""

    log = models.OneToOneField(
        Log, primary_key=True, on_delete=models.CASCADE, related_name="follow_job"
    )
    asked = models.PositiveBigIntegerField(default=1)  # goes up with every append meanwhile
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"due {self.log_id}"


class Job(models.Model):
    """The outbox: work to be done by a worker. This row is the truth, the broker a wake-up.

    `about` is the id of what its kind works on, where that is no log; `title` is what it was
    called when it was asked for. `done` of `total` steps are made, 0 of 0 before the first. At
    `done_at` it is over: done, failed or cancelled.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        WORKING = "working", gettext_lazy("At work")
        DONE = "done", gettext_lazy("Done")
        FAILED = "failed", gettext_lazy("Failed")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=40)
    log = models.ForeignKey(Log, null=True, on_delete=models.CASCADE, related_name="jobs")
    about = models.UUIDField(null=True)
    title = models.CharField(max_length=200, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    asked_by = models.UUIDField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0, db_default=0)
    total = models.PositiveIntegerField(default=0, db_default=0)
    done_at = models.DateTimeField(null=True)
    is_cancelled = models.BooleanField(default=False, db_default=False)
    result: Any = models.JSONField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["done_at", "created_at"]),
            models.Index(fields=["asked_by", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def get_absolute_url(self) -> str:
        return reverse("matches:job-detail", args=[self.pk])

    @property
    def state(self) -> State:
        if self.done_at is None:
            begun = self.started_at is not None or self.total
            return self.State.WORKING if begun else self.State.WAITING
        if self.is_cancelled:
            return self.State.CANCELLED
        return self.State.FAILED if self.error and self.result is None else self.State.DONE
