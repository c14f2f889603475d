"""ASGI: live streams."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_asgi_application()

from matches import guard  # noqa: E402 - Django's apps have to be there first

guard.require()
