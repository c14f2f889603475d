"""A minimal DRF project: the baseline for the web server.

It has no middleware, accounts or permissions, and uses the same database and the same server:
`GET /rows/1/` reads a row, `POST /rows/` adds one. PostgreSQL is reached as Django does it, through
a pool that checks each connection by a query.
"""

from typing import Any

import django
from django.conf import settings

from deploy.settings import DATABASES

if DATABASES["default"]["ENGINE"] == "deploy.postgresql":
    DATABASES["default"] |= {
        "ENGINE": "django.db.backends.postgresql",
        "CONN_HEALTH_CHECKS": True,
    }

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES=DATABASES,
    INSTALLED_APPS=["rest_framework"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, serializers  # noqa: E402


class Row(models.Model):  # noqa: DJ008
    id = models.BigAutoField(primary_key=True)
    seat = models.IntegerField()
    points = models.IntegerField()

    class Meta:
        app_label = "bench"


class RowSerializer(serializers.ModelSerializer[Any]):
    class Meta:
        model = Row
        fields = ["id", "seat", "points"]


class Rows(generics.CreateAPIView[Any], generics.RetrieveAPIView[Any]):
    queryset = Row.objects.all()
    serializer_class = RowSerializer


urlpatterns = [path("rows/", Rows.as_view()), path("rows/<int:pk>/", Rows.as_view())]

with connection.schema_editor() as editor:
    editor.create_model(Row)
connection.close()
application = get_wsgi_application()
