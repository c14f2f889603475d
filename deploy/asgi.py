"""ASGI: live streams. Other requests work too, but slower than by WSGI: nginx sends them there."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

site = get_asgi_application()

from django.conf import settings  # noqa: E402 - Django's apps have to be there first
from django.urls import reverse  # noqa: E402

from deploy import limits, probes, stack  # noqa: E402

probes.forget_dead()

from deploy.streaming import Streams  # noqa: E402 - it has a gauge
from matches import guard  # noqa: E402

application = Streams(site, settings.STREAM_SOURCES)

limits.limit()
stack.give_threads_room()
guard.require()
reverse("matches:home")  # imports all routes now, not for the first visitor
