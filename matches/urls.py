"""Pages of the log."""

from django.urls import URLPattern

app_name = "matches"

urlpatterns: list[URLPattern] = []
