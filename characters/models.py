"""Who fights with what: the catalogue, characters, their gear and the ledger of how it came.

Nobody's holding and no balance is stored: both are sums over the ledger, whose entries are
append-only, in the database too. What an entry says in words stands beside it, in
`LedgerWords`, and can be erased without breaking the books.
"""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy

from matches.models import Match, Player, Seat, uuid7


class Audience(models.TextChoices):
    """Who may know. The owner knows all; each of the first three includes those below it."""

    PUBLIC = "public", gettext_lazy("Everyone")
    PLAYERS = "players", gettext_lazy("Players of the campaign")
    OFFICIALS = "officials", gettext_lazy("Officials of the campaign")
    OWNER = "owner", gettext_lazy("The owner alone")
    NAMED = "named", gettext_lazy("People by name")


# -- the catalogue --------------------------------------------------------------------------


class CardSet(models.Model):
    """Cards that belong together. One without an owner is the site's."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=40)  # "zg"
    name = models.CharField(max_length=80)
    owner = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="card_sets"
    )
    about = models.TextField(blank=True, max_length=2000)

    class Meta:
        ordering = ["game", "name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["game", "name", "owner"], name="card_set_of_owner"),
            models.UniqueConstraint(
                fields=["game", "name"],
                condition=Q(owner=None),
                name="card_set_of_site",
                violation_error_message=gettext_lazy("There is a set of this name already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """A design: what is printed on a card, as its game's ruleset takes it.

    `face` is the card as canonical JSON; what is searched stands in columns of its own.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    card_set = models.ForeignKey(CardSet, on_delete=models.CASCADE, related_name="cards")
    game = models.CharField(max_length=40)
    owner = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="cards"
    )
    shared = models.BooleanField(default=True)
    name = models.CharField(max_length=80)
    slot = models.CharField(max_length=80, blank=True)
    colour = models.CharField(max_length=80, blank=True)
    quality = models.CharField(max_length=80, blank=True)
    cost = models.PositiveIntegerField(null=True, blank=True)
    impulse = models.PositiveIntegerField(null=True, blank=True)
    move = models.PositiveIntegerField(null=True, blank=True)
    range = models.PositiveIntegerField(null=True, blank=True)
    ends = models.CharField(max_length=170, blank=True)  # "R+ G B | G Bo R#"
    dots = models.PositiveSmallIntegerField(default=0)  # known ones, on both ends
    blazes = models.PositiveSmallIntegerField(default=0)
    face = models.TextField()
    invented = models.BooleanField(default=False)  # no source attests it
    revision = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["card_set", "name", "colour"], name="card_in_set")
        ]
        indexes = [
            models.Index(fields=["game", "slot", "colour"], name="card_slot_colour"),
            models.Index(fields=["game", "name"], name="card_name"),
            models.Index(fields=["name", "id"], name="card_order"),
        ]

    def __str__(self) -> str:
        return self.name


# -- campaigns and characters ---------------------------------------------------------------


class Campaign(models.Model):
    """Characters that share a world, and what its officials decided about it."""

    class AfterSlag(models.TextChoices):
        WHOLE = "whole", gettext_lazy("Whole again for the next match")
        REPAIR = "repair", gettext_lazy("Must be repaired")
        ROLL = "roll", gettext_lazy("Roll for it")
        LOST = "lost", gettext_lazy("Lost for good")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40, default="zg")
    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="campaigns")
    officials = models.ManyToManyField(Player, blank=True, related_name="officiated_campaigns")
    after_slag = models.CharField(max_length=10, choices=AfterSlag, default=AfterSlag.WHOLE)
    repair_price = models.PositiveIntegerField(default=10)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Character(models.Model):
    """Someone a player plays: a sheet with a history."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="characters")
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.SET_NULL, related_name="characters"
    )
    name = models.CharField(max_length=200)
    tagline = models.CharField(max_length=200, blank=True)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    named = models.ManyToManyField(Player, blank=True, related_name="shown_characters")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("characters:character-detail", args=[self.pk])


class Portrait(models.Model):
    """A character's picture, written anew by us: no byte of what was sent is kept."""

    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="portrait")
    image = models.BinaryField()  # JPEG
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=16)  # of the image: its address changes with it
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(audience=Audience.NAMED), name="portrait_for_a_group"
            )
        ]

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


class Move(models.Model):
    """A character that is to go to another player, or into a campaign: both sides agree."""

    class Status(models.TextChoices):
        OFFERED = "offered", gettext_lazy("Offered")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="moves")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    to = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="character_offers"
    )
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.CASCADE, related_name="moves"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.OFFERED)
    offered_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(to__isnull=False, campaign__isnull=True)
                | Q(to__isnull=True, campaign__isnull=False),
                name="move_to_one",
            ),
            models.UniqueConstraint(
                fields=["character"],
                condition=Q(status="offered", campaign__isnull=True),
                name="move_to_player_once",
            ),
            models.UniqueConstraint(
                fields=["character"],
                condition=Q(status="offered", to__isnull=True),
                name="move_to_campaign_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.character} to {self.to or self.campaign}: {self.status}"


class Section(models.Model):
    """A part of a sheet and who may know it.

    Goals, gear and money have rows of their own; their section holds the audience alone.
    A mode deck is three lines (primary, secondary, tertiary); maneuvers are one a line.
    """

    class Kind(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Public background (IC)")
        PRIVATE = "private", gettext_lazy("Private background (OOC)")
        MODE_DECK = "mode-deck", gettext_lazy("Mode deck")
        MANEUVERS = "maneuvers", gettext_lazy("Maneuvers")
        GOALS = "goals", gettext_lazy("Goals")
        GEAR = "gear", gettext_lazy("Gear")
        CURRENCY = "currency", gettext_lazy("Hard currency")
        POSSESSIONS = "possessions", gettext_lazy("Possessions")
        LODE = "lode", gettext_lazy("Lode and artifex")
        DIARY = "diary", gettext_lazy("Diary")
        NOTES = "notes", gettext_lazy("Notes")
        UNPARSED = "unparsed", gettext_lazy("Left over")

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="sections")
    kind = models.CharField(max_length=20, choices=Kind)
    text = models.TextField(blank=True)
    audience = models.CharField(max_length=10, choices=Audience)
    named = models.ManyToManyField(Player, blank=True, related_name="shown_sections")

    class Meta:
        ordering = ["character", "id"]
        constraints = [
            models.UniqueConstraint(fields=["character", "kind"], name="section_of_character")
        ]

    def __str__(self) -> str:
        return f"{self.character}: {self.get_kind_display()}"


class Goal(models.Model):
    """Something a character wants; one of them at a time is the current one."""

    class Kind(models.TextChoices):
        CARD = "card", gettext_lazy("Gain a card")
        LODE = "lode", gettext_lazy("Gain a lode")
        SET = "set", gettext_lazy("Collect a set")
        FREE = "free", gettext_lazy("In their own words")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="goals")
    ordinal = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.FREE)
    current = models.BooleanField(default=False)
    reached_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["character", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["character"], condition=Q(current=True), name="one_current_goal"
            )
        ]

    def __str__(self) -> str:
        return self.text


class GearItem(models.Model):
    """One thing, with an identity of its own. Who holds it is the ledger's to say."""

    class Kind(models.TextChoices):
        PIECE = "piece", gettext_lazy("zGear")
        POSSESSION = "possession", gettext_lazy("Possession")
        LODE = "lode", gettext_lazy("Lode")
        ARTIFEX = "artifex", gettext_lazy("Artifex")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    serial = models.CharField(max_length=10, unique=True)  # "ZG-7K2P9Q"
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PIECE)
    name = models.CharField(max_length=200)  # "Helmet", "Ego Lode", "A book of debts"
    quality = models.CharField(max_length=40, blank=True)
    colour = models.CharField(max_length=40, blank=True)
    slot = models.CharField(max_length=80, blank=True)
    card = models.ForeignKey(
        Card, null=True, blank=True, on_delete=models.SET_NULL, related_name="items"
    )
    inside = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="contents"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return " ".join(word for word in (self.quality, self.colour, self.name) if word)


# -- the ledger -----------------------------------------------------------------------------


class LedgerEntry(models.Model):
    """One line of the books: an item or some money goes from one hand to another.

    Append-only; written by `ledger` alone. An act may take several lines, told apart by their
    `ordinal`. A hand that is empty is the world outside: a shop, the ground, the scrap heap.
    Where both hands are one, nothing moves (a repair). `covers` makes it a cover story: it is
    told to its audience in place of the line it covers, and moves nothing.
    """

    just_written = False  # true on what posting returns, where that call wrote it; never stored

    class Method(models.TextChoices):
        ISSUED = "issued"
        BOUGHT = "bought"
        FOUND = "found"
        STOLEN = "stolen"
        WON = "won"
        GIFT = "gift"
        TRADED = "traded"
        LENT = "lent"
        RETURNED = "returned"
        REPAIRED = "repaired"
        SALVAGED = "salvaged"
        CONFISCATED = "confiscated"
        DESTROYED = "destroyed"
        CORRECTED = "corrected"

    class Certainty(models.TextChoices):
        CERTAIN = "certain", gettext_lazy("Certain")
        PROBABLE = "probable", gettext_lazy("Probable")
        CLAIMED = "claimed", gettext_lazy("Claimed")
        DISPUTED = "disputed", gettext_lazy("Disputed")

    act_id = models.UUIDField()
    ordinal = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=12, choices=Method)
    item = models.ForeignKey(GearItem, null=True, on_delete=models.PROTECT, related_name="entries")
    amount = models.PositiveIntegerField(null=True)  # of money that moves
    giver = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="given")
    taker = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="taken")
    price = models.PositiveIntegerField(null=True)  # said of the item; money moves on its own line
    certainty = models.CharField(max_length=10, choices=Certainty, default=Certainty.CERTAIN)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    corrects = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="corrections"
    )
    covers = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="covered")
    happened_on = models.DateField(null=True)
    recorded_at = models.DateTimeField()
    recorded_by = models.UUIDField(null=True)
    request_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(fields=["act_id", "ordinal"], name="ledger_act"),
            models.UniqueConstraint(fields=["corrects"], name="ledger_corrected_once"),
            models.CheckConstraint(
                condition=Q(item__isnull=False, amount__isnull=True)
                | Q(item__isnull=True, amount__isnull=False, amount__gt=0),
                name="ledger_item_or_money",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method}: {self.item or f'c{self.amount}'}"


class LedgerWords(models.Model):
    """What an entry says in words; blanked when it must be forgotten."""

    entry = models.OneToOneField(
        LedgerEntry, primary_key=True, on_delete=models.PROTECT, related_name="words"
    )
    party = models.CharField(max_length=200, blank=True)  # a shop, a person without a sheet
    place = models.CharField(max_length=200, blank=True)
    context = models.CharField(max_length=200, blank=True)
    raw = models.CharField(max_length=200, blank=True)  # the line as it was typed

    def __str__(self) -> str:
        return self.raw or self.party


class Trade(models.Model):
    """An offer of one character to another; the ledger gets its lines when it is accepted."""

    class Status(models.TextChoices):
        OFFERED = "offered", gettext_lazy("Offered")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    by = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="offers")
    to = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="offered")
    method = models.CharField(
        max_length=12, choices=LedgerEntry.Method, default=LedgerEntry.Method.TRADED
    )
    gives = models.ManyToManyField(GearItem, blank=True, related_name="offered_in")
    wants = models.ManyToManyField(GearItem, blank=True, related_name="wanted_in")
    pays = models.PositiveIntegerField(default=0)
    asks = models.PositiveIntegerField(default=0)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    status = models.CharField(max_length=10, choices=Status, default=Status.OFFERED)
    offered_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.by} to {self.to}: {self.status}"


class Favour(models.Model):
    """A favour owed or a grudge borne; it stands in the diaries of both sides.

    Who may read the holder's diary and is of its `audience` knows it; `named` is whoever may
    read the diary.
    """

    class Kind(models.TextChoices):
        FAVOUR = "favour", gettext_lazy("Favour owed")
        GRUDGE = "grudge", gettext_lazy("Grudge")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    holder = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="favours")
    about = models.ForeignKey(
        Character, null=True, blank=True, on_delete=models.SET_NULL, related_name="favours_about"
    )
    who = models.CharField(max_length=200, blank=True)  # somebody without a sheet
    text = models.CharField(max_length=500)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.OWNER)
    told = models.BooleanField(default=False)  # the other side may know
    match = models.CharField(max_length=8, blank=True)  # the code of the match it came from
    since = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text[:60]


class Loadout(models.Model):
    """Gear picked for a deck. Its mode deck is the character's."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="loadouts")
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40, default="zg")
    game_class = models.CharField(max_length=20, default="standard")
    items = models.ManyToManyField(GearItem, blank=True, related_name="loadouts")
    with_modes = models.BooleanField(default=True)
    shared = models.BooleanField(default=False)  # others may field it
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Appearance(models.Model):
    """A character at a seat of a match. Its id is that seat's `ref` in the log.

    What was fielded stands in the log's setup and stays as it was; `FieldedItem` says which
    things those cards were.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="appearance")
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="appearances")
    loadout = models.ForeignKey(
        Loadout, null=True, on_delete=models.SET_NULL, related_name="appearances"
    )
    fielded_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    fielded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-fielded_at", "-id"]

    def __str__(self) -> str:
        return f"{self.character} in {self.seat.match_id}"


class FieldedItem(models.Model):
    """A thing as it was fielded: `card` is what the match calls it, `design` what it then was."""

    appearance = models.ForeignKey(Appearance, on_delete=models.CASCADE, related_name="fielded")
    item = models.ForeignKey(GearItem, on_delete=models.PROTECT, related_name="fielded")
    card = models.CharField(max_length=90)
    design = models.ForeignKey(Card, null=True, on_delete=models.SET_NULL, related_name="fielded")

    class Meta:
        ordering = ["appearance_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["appearance", "card"], name="fielded_card"),
            models.UniqueConstraint(fields=["appearance", "item"], name="fielded_item"),
        ]

    def __str__(self) -> str:
        return self.card


class Deed(models.Model):
    """What a fielded card did in a match, or what befell it, as its own side tells it.

    A follower's row: `at_head` as the log has it now, `public` as far as everyone is shown it.
    `other_…` is the other side; a card of it that no character fielded has its name alone.
    """

    class Kind(models.TextChoices):
        WEAPON = "weapon", gettext_lazy("Attacked with")
        TARGET = "target", gettext_lazy("Was attacked")
        TOOK = "took", gettext_lazy("Slagged another")
        LOST = "lost", gettext_lazy("Was slagged")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deeds")
    version = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    appearance = models.ForeignKey(Appearance, on_delete=models.CASCADE, related_name="deeds")
    item = models.ForeignKey(GearItem, null=True, on_delete=models.CASCADE, related_name="deeds")
    card = models.CharField(max_length=90, blank=True)
    other_seat = models.PositiveSmallIntegerField(null=True)
    other = models.ForeignKey(Appearance, null=True, on_delete=models.CASCADE, related_name="+")
    other_item = models.ForeignKey(GearItem, null=True, on_delete=models.CASCADE, related_name="+")
    other_card = models.CharField(max_length=90, blank=True)
    strikes = models.PositiveSmallIntegerField(default=0)
    blocked = models.PositiveSmallIntegerField(default=0)
    result = models.CharField(max_length=20, blank=True)
    at_head = models.BooleanField(default=False)
    public = models.BooleanField(default=False)

    class Meta:
        ordering = ["-match_id", "version", "id"]
        indexes = [models.Index(fields=["item", "kind"], name="deed_item_kind")]

    def __str__(self) -> str:
        return f"{self.card}: {self.get_kind_display()}"


class Aftermath(models.Model):
    """What a person answered to a question after a match; put aside unless `taken`.

    `act_id` is the act of the ledger that came of it, `favour` the grudge.
    """

    class Kind(models.TextChoices):
        GRUDGE = "grudge"
        REPAIR = "repair"
        GOAL = "goal"

    appearance = models.ForeignKey(Appearance, on_delete=models.CASCADE, related_name="aftermath")
    kind = models.CharField(max_length=10, choices=Kind)
    item = models.ForeignKey(GearItem, null=True, on_delete=models.CASCADE, related_name="+")
    goal = models.ForeignKey(Goal, null=True, on_delete=models.CASCADE, related_name="+")
    taken = models.BooleanField(default=False)
    act_id = models.UUIDField(null=True)
    favour = models.ForeignKey(Favour, null=True, on_delete=models.SET_NULL, related_name="+")
    answered_at = models.DateTimeField(auto_now=True)
    answered_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["appearance_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["appearance", "kind", "item"], name="after_item"),
            models.UniqueConstraint(fields=["appearance", "kind", "goal"], name="after_goal"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {'taken' if self.taken else 'put aside'}"


class Change(models.Model):
    """One change of a sheet: what stood there, what stands there now, and who may know."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="changes")
    what = models.CharField(max_length=40)  # "name", or a kind of section
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    audience = models.CharField(max_length=10, choices=Audience)
    changed_at = models.DateTimeField(auto_now_add=True)
    changed_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.character}: {self.what}"
