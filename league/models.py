"""Who plays whom and what it counts: leagues, seasons, circuits, tournaments, venues.

A tournament is one log under the desk's ruleset; what happened there is in that log alone. Rows
marked as projected are made from it by a follower and hold no more than the public may know.
"""

from datetime import date
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext, gettext_lazy

from characters.models import Audience as CharacterAudience
from characters.models import Character
from matches.models import Log, Match, Player, uuid7


def told_day(when: str) -> str:
    """Return a day, month or year as `2110-05-31` says it, in words; what is none as it is."""
    try:
        day = date.fromisoformat((when + "-01-01")[:10])
    except ValueError:
        return when
    return date_format(day, {4: "Y", 7: "F Y"}.get(len(when), gettext("j F Y")))


# -- where and under whom ---------------------------------------------------------------------


class Venue(models.Model):
    """A place where tournaments are played; `about` is its first text, for all to read."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    region = models.CharField(max_length=80, blank=True)
    about = models.TextField(max_length=4000, blank=True)
    lore = models.TextField(max_length=4000, blank=True)
    keeper = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="venues"
    )

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:venue-detail", args=[self.slug])


class Wording(models.Model):
    """The words of a text about a place. One that says `when` tells of an event."""

    class Audience(models.TextChoices):
        PUBLIC = CharacterAudience.PUBLIC.value, gettext_lazy("Everyone")
        PLAYERS = CharacterAudience.PLAYERS.value, gettext_lazy("Players")
        ORGANISERS = "organisers", gettext_lazy("Organisers")

    class Calendar(models.TextChoices):
        STORY = "story", gettext_lazy("The story's")
        REAL = "real", gettext_lazy("Ours")

    title = models.CharField(max_length=120)
    text = models.TextField(max_length=4000)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    when = models.CharField(max_length=10, blank=True)  # "2110", "2110-05" or "2110-05-31"
    calendar = models.CharField(max_length=5, choices=Calendar, default=Calendar.STORY)
    version = models.PositiveIntegerField(default=1)
    is_removed = models.BooleanField("taken away", default=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def day(self) -> str:
        """When it happened, in words: 31 May 2110."""
        return told_day(self.when)


class PlaceText(Wording):
    """What a league's organisers tell of a place of the stories; without a league, the site."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    place = models.SlugField(max_length=60)
    league = models.ForeignKey(
        "League", null=True, blank=True, on_delete=models.CASCADE, related_name="place_texts"
    )

    class Meta:
        ordering = ["place", "id"]

    def get_absolute_url(self) -> str:
        return f"{reverse('league:lore-detail', args=[self.place])}#text-{self.pk}"


class PlaceTextVersion(Wording):
    """A text about a place as it was kept once: by whom, when. Only added to."""

    of = models.ForeignKey(PlaceText, on_delete=models.CASCADE, related_name="versions")
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["of", "version"], name="text_version")]


class League(models.Model):
    """Who plays a game together under the same house rules."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40, default="zg")
    about = models.TextField(max_length=4000, blank=True)
    house_rules = models.TextField(max_length=4000, blank=True)
    venue = models.ForeignKey(
        Venue, null=True, blank=True, on_delete=models.SET_NULL, related_name="leagues"
    )
    is_open = models.BooleanField(default=True)  # anybody may join
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:league-detail", args=[self.slug])


class Role(models.TextChoices):
    """What one is in a league, or at one tournament."""

    ORGANISER = "organiser", gettext_lazy("Organiser")
    JUDGE = "judge", gettext_lazy("zMarshal")
    SCOREKEEPER = "scorekeeper", gettext_lazy("Scorekeeper")
    PLAYER = "player", gettext_lazy("Player")


class Membership(models.Model):
    """A player's role in a league; with a tournament, for that one alone."""

    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.CASCADE, related_name="members"
    )
    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.CASCADE, related_name="staff"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role, default=Role.PLAYER)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["role", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(league=None) ^ Q(tournament=None), name="membership_of_one"
            ),
            models.UniqueConstraint(
                fields=["league", "player", "role"],
                condition=Q(tournament=None),
                name="role_in_league",
                violation_error_message=gettext_lazy("They have this role here already."),
            ),
            models.UniqueConstraint(
                fields=["tournament", "player", "role"],
                condition=Q(league=None),
                name="role_at_tournament",
                violation_error_message=gettext_lazy("They have this role here already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_role_display()}"


class RoleChange(models.Model):
    """A role that was given or taken: by whom, when. Only added to."""

    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.CASCADE, related_name="role_changes"
    )
    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.CASCADE, related_name="role_changes"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="role_changes")
    role = models.CharField(max_length=12, choices=Role)
    given = models.BooleanField()
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_role_display()} {'given' if self.given else 'taken'}"


class Krewe(models.Model):
    """A team of a league, which enters tournaments as one."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="krewes")
    name = models.CharField(max_length=80)
    captain = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="captained")
    players = models.ManyToManyField(Player, blank=True, related_name="krewes")

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["league", "name"], name="krewe_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:krewe-detail", args=[self.pk])


# -- seasons and circuits ---------------------------------------------------------------------


class Season(models.Model):
    """A league's dated run. `previous` is the one it was rolled over from."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=80)
    starts_on = models.DateField()
    ends_on = models.DateField()
    about = models.TextField(max_length=4000, blank=True)
    previous = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="following"
    )

    class Meta:
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "name"], name="season_name"),
            models.CheckConstraint(
                condition=Q(ends_on__gte=models.F("starts_on")),
                name="season_dates",
                violation_error_message=gettext_lazy(
                    "A season ends on the day it begins, or later."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:season-detail", args=[self.pk])


class Division(models.Model):
    """A level of a season; 1 is the highest. So many go `up` and `down` at its end."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    level = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=80)
    up = models.PositiveSmallIntegerField(default=0)
    down = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["season", "level"]
        constraints = [models.UniqueConstraint(fields=["season", "level"], name="division_level")]

    def __str__(self) -> str:
        return self.name


class DivisionPlayer(models.Model):
    """Who plays in a division. Whoever is not `active` is left out before any go up or down."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="divisions")
    seed = models.PositiveSmallIntegerField(default=0)  # place brought along, for ties
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ["division", "seed", "id"]
        constraints = [
            models.UniqueConstraint(fields=["division", "player"], name="player_in_division")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.division}"


class Circuit(models.Model):
    """Tournaments whose points add up to a final.

    `points` are those for the first, second … place, as JSON; the best `best` tournaments
    count, 0 for all. `direct` places a qualifier gives, `by_ranking` more by points. A place of
    one already in goes to the next of that tournament, or else to the ranking.
    """

    class PassDown(models.TextChoices):
        TOURNAMENT = "tournament", gettext_lazy("To the next of that tournament")
        RANKING = "ranking", gettext_lazy("To the ranking")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="circuits")
    name = models.CharField(max_length=80)
    about = models.TextField(max_length=2000, blank=True)
    points = models.JSONField(default=list)
    best = models.PositiveSmallIntegerField(default=0)
    direct = models.PositiveSmallIntegerField(default=0)
    by_ranking = models.PositiveSmallIntegerField(default=0)
    pass_down = models.CharField(max_length=12, choices=PassDown, default=PassDown.TOURNAMENT)
    final = models.OneToOneField(
        "Tournament", null=True, blank=True, on_delete=models.SET_NULL, related_name="final_of"
    )

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["season", "name"], name="circuit_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:circuit-detail", args=[self.pk])


class Qualifier(models.Model):
    """A tournament of a circuit. `tier` multiplies its points."""

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="qualifiers")
    tournament = models.ForeignKey(
        "Tournament", on_delete=models.PROTECT, related_name="qualifiers"
    )
    order = models.PositiveSmallIntegerField(default=1)
    tier = models.PositiveSmallIntegerField(default=1)
    direct = models.PositiveSmallIntegerField(null=True, blank=True)  # None: the circuit's

    class Meta:
        ordering = ["circuit", "order", "id"]
        constraints = [
            models.UniqueConstraint(fields=["circuit", "tournament"], name="qualifier_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament} for {self.circuit}"


class Invitation(models.Model):
    """What became of a place in a final, as it was said: never changed, only followed by another.

    A `replacement` takes the place of who declined, ahead of the ranking.
    """

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", gettext_lazy("Comes")
        DECLINED = "declined", gettext_lazy("Does not come")

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations")
    answer = models.CharField(max_length=10, choices=Answer)
    replacement = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    said_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    said_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_answer_display()}"


# -- tournaments ------------------------------------------------------------------------------


class Tournament(models.Model):
    """One competition: the page around one desk's log."""

    just_opened = False  # true on what opening returns, where that call opened it; never stored

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
    """A stage as it is planned: what `stage-started` will say, as JSON.

    `cut`: so many of the stage before play it, 0 for all. `advance` is the same in words.
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
        """Return its name, else what it is in the reader's language."""
        kind = self.settings.get("format", "")
        if not self.name and self.cut and kind.endswith("elimination"):
            return gettext("Final bracket")
        return self.name or str(FORMATS.get(kind, ""))


class Entry(models.Model):
    """Who takes part: a player, with a character or not, or a krewe, and the deck they bring.

    Its id is the `ref` in the log. `number`, `status`, `checked_in` and `place` are projected.
    """

    just_entered = False  # true on what entering returns, where that call did it; never stored

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
    label = models.CharField(max_length=80, blank=True)  # as the log has it
    deck = models.TextField(blank=True)  # canonical JSON
    deck_text = models.TextField(blank=True)  # the list it was read from, as it was typed
    deck_problems = models.JSONField(default=list)
    deck_at = models.DateTimeField(null=True, blank=True)
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
    def name(self) -> str:
        """What pages call them."""
        if self.krewe:
            return self.krewe.name
        if self.character:
            return self.character.name
        if self.player:
            return self.player.name
        return self.label or (
            gettext("Entrant {number}").format(number=self.number)
            if self.number
            else gettext("An entrant")
        )


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
    """A table of a published round, or a bye (table 0), with its result. Projected."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    table = models.PositiveSmallIntegerField()
    entries = models.ManyToManyField(Entry, through="PairingSeat", related_name="pairings")
    slot = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=10, blank=True)
    changed = models.BooleanField(default=False)
    corrected = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["round", "table", "id"]

    def __str__(self) -> str:
        return gettext("Table {table}").format(table=self.table) if self.table else "Bye"


class PairingSeat(models.Model):
    """Who sits where at a table, and what came of it for them. Projected."""

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
    """A row of a table as it was written down: after a round, or at the close (round 0). Projected.

    `points` and `tiebreaks` are exact, as texts: "7", "2/3".
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


class TableMatch(models.Model):
    """A match played at a table of a round. `players` are the entrants it was opened for.

    `reported`: the result the desk was last told by it, as JSON.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="matches")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    players = models.CharField(max_length=60)  # "3-8"
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
    """What a place wins: money, a piece of gear as one line, or both. Given once, by the ledger.

    `entry` is who was given all of it; `shares` say what everybody was.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="prizes")
    place = models.PositiveSmallIntegerField()
    amount = models.PositiveIntegerField(default=0)
    line = models.CharField(max_length=200, blank=True)
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="prizes"
    )
    given_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-tournament_id", "place", "id"]

    def __str__(self) -> str:
        return self.line or f"{self.amount}"


class PrizeShare(models.Model):
    """What an entry was given of a prize."""

    prize = models.ForeignKey(Prize, on_delete=models.CASCADE, related_name="shares")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="won")
    amount = models.PositiveIntegerField(default=0)
    line = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["prize", "id"]
        constraints = [models.UniqueConstraint(fields=["prize", "entry"], name="share_once")]

    def __str__(self) -> str:
        return f"{self.entry}: {self.line or self.amount}"


# -- the disciplinary record ------------------------------------------------------------------


class Penalty(models.Model):
    """A penalty from a desk's log, kept for its league across tournaments. Projected."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="penalties")
    version = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="penalties")
    infraction = models.CharField(max_length=20)
    penalty = models.CharField(max_length=20)
    demerits = models.PositiveSmallIntegerField(default=0)
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["-given_at", "-id"]
        verbose_name_plural = "penalties"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="penalty_once")
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.infraction}"


class Sanction(models.Model):
    """Who may not enter a league's tournaments, from when and until when.

    A ban ends; an exile has no end but being lifted.
    """

    class Kind(models.TextChoices):
        BAN = "ban", gettext_lazy("Banned")
        EXILE = "exile", gettext_lazy("Exiled")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="sanctions")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.BAN)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    reason = models.TextField(max_length=2000)
    given_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    lifted_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-starts_on", "-id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"

    def holds_on(self, day: Any) -> bool:
        """Tell whether it keeps a player out on a day."""
        over = self.ends_on is not None and self.ends_on < day
        lifted = self.lifted_on is not None and self.lifted_on <= day
        return self.starts_on <= day and not over and not lifted


# -- how players are told -----------------------------------------------------------------------


class Telling(models.Model):
    """How a player is told of their pairings. `calendar` numbers their calendar's address.

    Another number makes the address before it void; there is none at 0 or below.
    """

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="telling"
    )
    letters = models.BooleanField(default=True)
    calendar = models.IntegerField(default=0)

    def __str__(self) -> str:
        return gettext("How {player} is told").format(player=self.player)


class PairingLetter(models.Model):
    """What a player is to be told of a round by letter, and what of it was done.

    `wanted` and `settled` are digests, of where they sit now and of what they were last told;
    nothing is wanted of a round that is not published any more.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="letters")
    round = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="letters")
    wanted = models.CharField(max_length=64, blank=True)
    settled = models.CharField(max_length=64, blank=True)
    published_at = models.DateTimeField()
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-published_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "player"], name="letter_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, round {self.round}: to {self.player}"


# -- webhooks -----------------------------------------------------------------------------------


class Webhook(models.Model):
    """An address that is told what happens in a league; `events` are the kinds it wants.

    `secret` and the one before it, which signs too until `previous_until`, are sealed. An address
    that just failed rests until `resting_until`.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=400)
    events = models.JSONField(default=list)
    secret = models.TextField()
    previous = models.TextField(blank=True)
    previous_until = models.DateTimeField(null=True, blank=True)
    is_on = models.BooleanField(default=True)
    off_why = models.CharField(max_length=200, blank=True)
    resting_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["league", "id"]

    def __str__(self) -> str:
        return self.url

    def get_absolute_url(self) -> str:
        return reverse("league:webhook-detail", args=[self.pk])


class Happening(models.Model):
    """Something the public knows of a log, as webhooks tell it. Projected.

    One that changes, or `stands` no more, goes on under another `serial`. No name is in `data`.
    """

    log = models.ForeignKey(Log, on_delete=models.CASCADE, related_name="happenings")
    kind = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(default=0)
    table = models.PositiveSmallIntegerField(default=0)
    serial = models.PositiveIntegerField(default=1)
    stands = models.BooleanField(default=True)
    digest = models.CharField(max_length=64)
    data = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["log_id", "round", "table", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["log", "kind", "round", "table"], name="happening_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.serial}"


class Delivery(models.Model):
    """One message to a webhook, the same `id` however often it is sent."""

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        DELIVERED = "delivered", gettext_lazy("Delivered")
        HELD = "held", gettext_lazy("Held back")  # what it says is not public at the moment
        REPLACED = "replaced", gettext_lazy("No longer so")  # another message says how it is
        DEAD = "dead", gettext_lazy("Given up")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    happening = models.ForeignKey(
        Happening, null=True, blank=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    serial = models.PositiveIntegerField(default=1)  # of what happened
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    at = models.DateTimeField()  # when it happened
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["due_at"], condition=Q(status="waiting"), name="delivery_waiting")
        ]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "happening", "serial"], name="delivery_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.webhook}"


class Attempt(models.Model):
    """One try to deliver: what was answered, None when that is not known, or why nothing was."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    began_at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S}: {self.status or self.error}"


# -- ratings ----------------------------------------------------------------------------------


class RatingPool(models.Model):
    """Those rated against one another: a game in a league, or in no league."""

    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.CASCADE, related_name="rating_pools"
    )
    game = models.CharField(max_length=40)

    class Meta:
        ordering = ["game", "id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "game"], name="pool_of_league"),
            models.UniqueConstraint(
                fields=["game"], condition=Q(league=None), name="pool_of_no_league"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league or 'No league'}: {self.game}"


class RatedTable(models.Model):
    """A table that is rated: who sat there, and their places. Projected.

    `result` is a list of a player's id and a place, as JSON.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="tables")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rated")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    played_at = models.DateTimeField()
    result = models.JSONField()

    class Meta:
        ordering = ["played_at", "tournament", "round", "table"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "table"], name="rated_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: round {self.round}, table {self.table}"


class Rating(models.Model):
    """How strong somebody is in a pool: `mu`, and how unsure that is, `sigma`. Projected."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.FloatField()  # mu - 3 sigma: what somebody is worth almost surely
    played = models.PositiveIntegerField()
    provisional = models.BooleanField(default=True)

    class Meta:
        ordering = ["pool", "-shown", "id"]
        constraints = [models.UniqueConstraint(fields=["pool", "player"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.shown:.1f}"


class RatingStep(models.Model):
    """What a rating was after a table. Projected."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="steps")
    table = models.ForeignKey(RatedTable, on_delete=models.CASCADE, related_name="steps")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="rating_steps")
    place = models.PositiveSmallIntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        ordering = ["table", "place", "id"]
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="step_once")]

    def __str__(self) -> str:
        return f"{self.player} after {self.table}"


class RatingRevision(models.Model):
    """Ratings computed anew because the past changed: by which log, and who moved how far.

    `changes` is a list of player, old and new `mu` and `sigma`, as JSON; None for none.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="revisions")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="rating_revisions"
    )
    version = models.PositiveIntegerField()  # of the tournament's log
    tables = models.PositiveIntegerField()  # rated again
    changes = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.tournament} at {self.version}"
