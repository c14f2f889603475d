"""What the libraries of accounts put into the admin and nobody there needs to see."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin

admin.site.unregister([Authenticator, UserSession])  # secrets, and from where people come
