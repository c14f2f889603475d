"""Matches, their seats, and who records them."""

import re
import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from matches import titles
from matches.models.base import uuid7
from matches.models.log import Log
from matches.models.people import Player
from rules.texts import isolated


class Match(models.Model):
    """One game at one table: the page around one log."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Everyone")
        TABLE = "table", gettext_lazy("The table and its officials")

    # What some queries read along with a match, to spare another query; None where it was not read.
    # `policy.with_part`, `policy.with_ruled` and `selectors.match_for` annotate it.
    seats_json: str | None = None  # its seats as JSON, which `seating.seat` makes into rows
    cached_sides: Sequence[tuple[str, str | None]] | None = None  # `sides`, from `seats_json`
    cached_players: Sequence[uuid.UUID | None] | None = None  # `seated_players`, from `seats_json`
    asked_by: uuid.UUID | None = None  # the player whom `officiated` is about
    officiated: bool = False  # whether `asked_by` is an official of it
    last_act_at: datetime | None = None  # when its last act was recorded, as by `with_last_act`
    ruled: bool | None = None  # whether a higher floor lets anybody rule it
    disputed: bool | None = None  # whether it ever had a scribe or a proposal, up to its next act

    log = models.OneToOneField(Log, primary_key=True, on_delete=models.PROTECT)
    code = models.CharField(max_length=8, unique=True)  # short, no ambiguous letters
    title = models.CharField(max_length=120, blank=True)
    place = models.CharField(max_length=120, blank=True)
    physical = models.BooleanField(default=True)
    sanctioned = models.BooleanField(default=False)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    kept_back = models.BooleanField(  # held or kept to its table by hand, until shown by hand
        default=False, db_default=False, editable=False
    )
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
        """The title in the active language."""
        return titles.worded(self.title)

    @property
    def shown_place(self) -> str:
        """The place in the active language."""
        return titles.worded(self.place)

    def sides(self) -> Sequence[tuple[str, str | None]]:
        """Return the label of each seat and its player's name, None for nobody."""
        if self.cached_sides is not None:
            return self.cached_sides
        seats = self.seats.all()
        return [(seat.label, seat.player.name if seat.player else None) for seat in seats]

    def seated_players(self) -> Sequence[uuid.UUID | None]:
        """Return the id of each seat's player, from seat 1 on, None for nobody."""
        if self.cached_players is not None:
            return self.cached_players
        return [seat.player_id for seat in self.seats.all()]

    @property
    def is_nobodys(self) -> bool:
        """Whether it was imported, and nobody who played it is known here."""
        return self.log.imported_version > 0 and all(name is None for _, name in self.sides())

    def named(self, text: str) -> str:
        """Return a text that names sides by label, with players' names in place of labels."""
        sides = self.sides()
        labels = [label for label, _ in sides]
        names = {
            label: isolated(name) if name and labels.count(label) == 1 else label
            for label, name in sides
            if label
        }
        if not names:
            return text
        longest_first = sorted(names, key=len, reverse=True)
        any_label = "|".join(map(re.escape, longest_first))
        return re.sub(rf"(?<!\w)(?:{any_label})(?!\w)", lambda side: names[side[0]], text)


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

    @property
    def who(self) -> str:
        """The name of the player who sits there, or the label where nobody does."""
        return self.player.name if self.player else self.label


class ScribeLease(models.Model):
    """A lease to record a match, on a device; at most one has not ended. No part of the log."""

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
            else gettext("A guest")
        )


class Proposal(models.Model):
    """An act sent by a device that is not the scribe, kept until the table decides."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"  # recorded, as entry `version`
        MERGED = "merged"  # says the same as entry `version`
        DISMISSED = "dismissed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="proposals")
    act_id = models.UUIDField()
    act = models.TextField()  # canonical JSON
    after = models.CharField(max_length=36, blank=True)  # as sent: a version or an act's id
    since = models.PositiveIntegerField(default=0)  # the version on top of which it was meant
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
