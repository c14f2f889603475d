"""The site's settings with a data directory of this test run.

Real processes started by tests get the same directory but use `deploy.settings` itself.
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

INSTALLED_APPS += ["tests"]  # brings a `flush` that can empty append-only tables
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True  # else each client scans all collected static files
(_data / "static").mkdir()

# A file rather than memory, so that threads and processes share it.
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(_data / "test.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": "test_zgxl"}
    DATABASES["default"]["OPTIONS"]["pool"]["max_size"] = 20  # for sixteen concurrent writers
    WEB_ROLE = services.WEB_ROLE  # the role in DATABASE_URL owns the tables
