"""Routes: a URL belongs to the highest floor that serves it."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("matches.urls")),
]
