"""WSGI: pages and the API."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()

from matches import guard  # noqa: E402 - Django's apps have to be there first

guard.require()
