"""WSGI: pages and the API."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()

from django.urls import reverse  # noqa: E402 - Django's apps have to be there first

from deploy import limits  # noqa: E402
from matches import guard  # noqa: E402

limits.limit()
guard.require()
reverse("matches:home")  # imports all routes now, not for the first visitor
