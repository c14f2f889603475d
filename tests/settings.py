"""The site's settings over a data directory of the run's own.

Real processes started by tests get the same directory and run `deploy.settings` itself.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_data = Path(tempfile.mkdtemp(prefix="zgxl-"))
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["DATA"] = str(_data)

from deploy.settings import *  # noqa: E402, F403
from deploy.settings import DATABASES, INSTALLED_APPS, STORAGES, WEB_ROLE  # noqa: E402
from tests import services  # noqa: E402

INSTALLED_APPS += ["tests"]  # a `flush` that may empty append-only tables
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True  # else each client reads all static files that were collected
(_data / "static").mkdir()

# A file, for threads and processes to share.
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(_data / "test.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": "test_zgxl"}
    DATABASES["default"]["OPTIONS"]["pool"]["max_size"] = 20  # sixteen writers at once
    WEB_ROLE = services.WEB_ROLE  # who DATABASE_URL names owns the tables
