"""The people at the table, and their credentials."""

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_noop

from matches.models.base import NameField, uuid7


class Player(models.Model):
    """A person at a table; a guest until a user claims them."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = NameField(max_length=80, erased=gettext_noop("Erased player"))
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    invited_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="guests"
    )
    claimed_by = models.ForeignKey(  # of a guest: the account's player that took it over
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="claimed"
    )
    language = models.CharField(max_length=8, blank=True)  # of letters to them, where it is known
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="player_created")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("matches:player-detail", args=[self.pk])


class Claim(models.Model):
    """A link by which an account takes over a guest, and the result.

    `moved` holds the keys of the rows that were the guest's, by "app.Model.field"; `dropped` those
    the account had already, as JSON, to be restored when the claim is undone.
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
    """An API key: a program acts as its owner, with some of their rights.

    The key itself is shown once and never stored; `digest` is its SHA-256.
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
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name
