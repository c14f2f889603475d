"""A tournament, and its rows.

A tournament is one log under the desk's ruleset, which alone says what happened there. Rows marked
as projected are made from it by a follower and hold no more than the public may know.
"""

from typing import Any

from django.core.validators import MaxValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

import rules
from characters.models import Character, GearItem
from league.models.leagues import Krewe, League
from league.models.places import Venue
from league.models.seasons import Division, Season
from matches.decks import takes_cards
from matches.models import Log, Match, Player, uuid7, withdrawn

MAX_HOURS = 14 * 24
"""The maximum number of hours before an event at which players can be reminded."""


class Tournament(models.Model):
    """A competition: its page, around its desk's log."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Everyone")
        ENTRANTS = "entrants", gettext_lazy("Who takes part and its officials")

    class Decks(models.TextChoices):
        NONE = "none", gettext_lazy("No decks")
        OPTIONAL = "optional", gettext_lazy("Decks may be registered")
        REQUIRED = "required", gettext_lazy("A legal deck is needed to check in")

    class SharedPrizes(models.TextChoices):
        SPLIT = "split", gettext_lazy("Their money is put together and divided")
        ORDER = "order", gettext_lazy("Each goes by the final order")

    class Enters(models.TextChoices):
        PLAYER = "player", gettext_lazy("Players")
        CHARACTER = "character", gettext_lazy("Characters")
        KREWE = "krewe", gettext_lazy("Krewes")

    log = models.OneToOneField(Log, primary_key=True, on_delete=models.PROTECT)
    code = models.CharField(max_length=8, unique=True)  # short, no ambiguous letters
    title = models.CharField(max_length=120)
    about = models.TextField(max_length=4000, blank=True)
    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments"
    )
    season = models.ForeignKey(
        Season, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )
    division = models.ForeignKey(
        Division, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )
    venue = models.ForeignKey(
        Venue, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )
    ruleset = models.CharField(max_length=40)  # of the game, pinned: "zg@1"
    options = models.TextField(default="{}")  # of the game, canonical JSON
    cost_class = models.CharField(max_length=40, blank=True)  # the class of character or deck
    timezone = models.CharField(max_length=40, default="UTC")
    starts_at = models.DateTimeField(null=True, blank=True)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    enters = models.CharField(max_length=10, choices=Enters, default=Enters.PLAYER)
    decks = models.CharField(max_length=10, choices=Decks, default=Decks.OPTIONAL)
    decks_shown = models.BooleanField("decks are published", default=False)
    sign_up = models.BooleanField(default=True)  # players sign up themselves
    self_report = models.BooleanField(default=True)  # players report their results
    round_minutes = models.PositiveSmallIntegerField(default=0)  # 0: no timer
    remind_hours = models.PositiveSmallIntegerField(  # before it begins and rounds end; 0: never
        default=24, validators=[MaxValueValidator(MAX_HOURS)]
    )
    shared_prizes = models.CharField(
        "prizes of shared places", max_length=10, choices=SharedPrizes, default=SharedPrizes.SPLIT
    )
    opener = models.ForeignKey(
        Player, null=True, on_delete=models.SET_NULL, related_name="opened_tournaments"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)  # projected

    class Meta:
        ordering = ["-created_at", "-log_id"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("league:tournament-detail", args=[self.code])

    @property
    def has_cards(self) -> bool:
        """Return whether its game is played with cards."""
        return takes_cards(rules.get(self.ruleset))

    @property
    def takes_decks(self) -> bool:
        """Return whether decks can be registered."""
        return self.has_cards and self.decks != self.Decks.NONE

    @property
    def needs_decks(self) -> bool:
        """Return whether only entrants with a legal deck may check in."""
        return self.has_cards and self.decks == self.Decks.REQUIRED


FORMATS: dict[str, Any] = {
    "swiss": gettext_lazy("Swiss"),
    "round-robin": gettext_lazy("Round robin"),
    "single-elimination": gettext_lazy("Single elimination"),
    "double-elimination": gettext_lazy("Double elimination"),
    "pods": gettext_lazy("Pods"),
    "pod-elimination": gettext_lazy("Pod cut"),
    "multi-round-robin": gettext_lazy("Multi-player round robin"),
    "ladder": gettext_lazy("Ladder"),
}


class StagePlan(models.Model):
    """A planned stage: the future `stage-started`, as JSON.

    `cut`: how many of the stage before play it, 0 for all.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="plans")
    order = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=80, blank=True)
    settings = models.JSONField(default=dict)
    cut = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["-tournament_id", "order"]
        constraints = [models.UniqueConstraint(fields=["tournament", "order"], name="plan_order")]

    def __str__(self) -> str:
        """Return its name, or else its format in the reader's language."""
        kind = self.settings.get("format", "")
        if not self.name and self.cut and kind.endswith("elimination"):
            return gettext("Final bracket")
        return self.name or str(FORMATS.get(kind, ""))


class Entry(models.Model):
    """A player (with or without a character) or a krewe in a tournament, and their deck.

    Its id is the `ref` in the log. `number`, `status`, `checked_in` and `place` are projected.
    """

    TAKEN_BACK = "taken-back"
    """Status of an entry that no longer counts; the row is kept because the log before names it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    character = models.ForeignKey(
        Character, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    krewe = models.ForeignKey(
        Krewe, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    label = models.CharField(max_length=80, blank=True)  # as in the log
    deck = models.TextField(blank=True)  # canonical JSON
    deck_text = models.TextField(blank=True)  # the list it was read from, as typed
    deck_problems = models.JSONField(default=list)
    deck_at = models.DateTimeField(null=True, blank=True)
    # the character's gear that the deck was made of, in the order of its cards
    pieces = models.ManyToManyField(GearItem, blank=True, related_name="registered_in")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    status = models.CharField(max_length=12, blank=True)
    checked_in = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-tournament_id", "number", "id"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_of_player"),
            models.UniqueConstraint(fields=["tournament", "krewe"], name="entry_of_krewe"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def who(self) -> Krewe | Character | Player | None:
        """Return what gives the entry its name; None if that is erased, or it only has a label."""
        return self.krewe or self.character or self.player

    @property
    def name(self) -> str:
        """Return the name shown on pages."""
        if self.who:
            return self.who.name
        return self.label or (
            gettext("Entrant {number}").format(number=self.number)
            if self.number
            else gettext("An entrant")
        )

    @property
    def people(self) -> list[Player]:
        """Return the people who take part by it: the player, or everybody in the krewe."""
        if self.krewe is not None:
            return [self.krewe.captain, *self.krewe.players.all()]
        return [self.player] if self.player is not None else []

    @property
    def played_by(self) -> str:
        """Return the player's name for an entry named after a character, else ""."""
        return self.player.name if self.player and self.character and not self.krewe else ""


class RoundDate(models.Model):
    """When a round is paired automatically, and its deadline.

    `pairs_at` is None once it was paired; `refused_at` is the version of the log at which pairing
    last failed; `weekly`: the next round is paired a week later, at the time of the `clock` if the
    clocks skip that on the day of this one. It is paired in the name of `set_by`.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="dates")
    round = models.PositiveSmallIntegerField()
    pairs_at = models.DateTimeField(null=True, blank=True, db_index=True)
    weekly = models.BooleanField(default=False)
    clock = models.TimeField(null=True, editable=False)
    deadline = models.DateTimeField(null=True, blank=True, db_index=True)
    set_by = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="dates_set"
    )
    refused_at = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-tournament_id", "round"]
        constraints = [models.UniqueConstraint(fields=["tournament", "round"], name="dates_once")]

    def __str__(self) -> str:
        return gettext("{tournament}, round {round}").format(
            tournament=self.tournament, round=self.round
        )

    @property
    def is_late(self) -> bool:
        """Return whether the time to pair its round has come."""
        return self.pairs_at is not None and self.pairs_at <= timezone.now()

    @property
    def is_overdue(self) -> bool:
        """Return whether the deadline of its round has passed."""
        return self.deadline is not None and self.deadline <= timezone.now()


class Round(models.Model):
    """A published round. Projected."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    stage = models.PositiveSmallIntegerField(default=1)
    by_hand = models.BooleanField(default=False)
    closed = models.BooleanField(default=False)
    digest = models.CharField(max_length=64, blank=True)  # of what it was projected from

    class Meta:
        ordering = ["-tournament_id", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_once")]

    def __str__(self) -> str:
        return f"{self.tournament}: round {self.number}"


class Pairing(models.Model):
    """A table of a published round, or a bye (table 0), with its result. Projected.

    `plays_at` is the time its players agreed on, `asked_at` the newest that some propose.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    table = models.PositiveSmallIntegerField()
    entries = models.ManyToManyField(Entry, through="PairingSeat", related_name="pairings")
    slot = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=10, blank=True)
    changed = models.BooleanField(default=False)
    corrected = models.PositiveSmallIntegerField(default=0)
    plays_at = models.DateTimeField(null=True, blank=True, db_index=True)
    asked_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["round", "table", "id"]

    def __str__(self) -> str:
        return gettext("Table {table}").format(table=self.table) if self.table else gettext("Bye")


class PairingSeat(models.Model):
    """A seat at a table: who sits there, and their score and place. Projected.

    Who was absent has a place behind all others, and no score.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    score = models.IntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pairing", "seat"]

    def __str__(self) -> str:
        return f"{self.entry} at {self.pairing}"


class Standing(models.Model):
    """A row of standings: after a round, or at the close (round 0). Projected.

    `points` and `tiebreaks` are exact, as strings: "7", "2/3".
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="standings")
    round = models.PositiveSmallIntegerField()
    stage = models.PositiveSmallIntegerField(default=1)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="standings")
    place = models.PositiveSmallIntegerField()
    points = models.CharField(max_length=20, blank=True)
    tiebreaks = models.JSONField(default=list)

    class Meta:
        ordering = ["-tournament_id", "round", "place"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "entry"], name="standing_once")
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.entry}"


WITHDRAWN = withdrawn("match__log__")
"""Condition for matches at tables that were withdrawn and no longer count."""


class TableMatch(models.Model):
    """A match played at a table of a round. `players` are the entrants it was opened for.

    `reported`: the result it last reported to the desk, as JSON.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="matches")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    players = models.CharField(max_length=60)  # "3-8", see `league.played.key_of`
    game = models.PositiveSmallIntegerField(default=1)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="table")
    reported = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-tournament_id", "round", "table", "game"]
        verbose_name_plural = "table matches"
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "table", "players", "game"], name="match_of_table"
            )
        ]

    def __str__(self) -> str:
        return gettext("Round {round}, table {table}: {match}").format(
            round=self.round, table=self.table, match=self.match
        )


class Prize(models.Model):
    """A prize of a place: money, a piece of gear as one line, or both.

    It is given once, through the characters' books. `entry` is set if one entrant was given all of
    it; `shares` say who was given what.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="prizes")
    place = models.PositiveSmallIntegerField()
    amount = models.PositiveIntegerField(default=0)
    line = models.CharField(max_length=200, blank=True)
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="prizes"
    )
    given_at = models.DateTimeField(null=True, blank=True)
    act_id = models.UUIDField(null=True, unique=True, editable=False)  # see `matches.once`

    class Meta:
        ordering = ["-tournament_id", "place", "id"]

    def __str__(self) -> str:
        return self.line or f"{self.amount}"


class PrizeShare(models.Model):
    """The part of a prize that an entry was given."""

    prize = models.ForeignKey(Prize, on_delete=models.CASCADE, related_name="shares")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="won")
    amount = models.PositiveIntegerField(default=0)
    line = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["prize", "id"]
        constraints = [models.UniqueConstraint(fields=["prize", "entry"], name="share_once")]

    def __str__(self) -> str:
        return f"{self.entry}: {self.line or self.amount}"
