"""Storage of static files, under names that contain a hash of their content."""

from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

IGNORED = ["redoc"]  # files of a package that we do not use
_MODULES = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Our modules import each other by those names too, so that no page mixes two releases."""

    manifest_strict = False  # a process of the release before may need a file that this one dropped
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", _MODULES),
        ("shell.js", _MODULES),
    )

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        """Return the name with its hash. Raises: ValueError that says how to collect the file."""
        try:
            return str(super().hashed_name(name, content, filename))
        except ValueError as error:
            raise ValueError(f"{error} `manage.py collectstatic` puts it there.") from error


def missing() -> str:
    """Return a static file of this release that pages cannot name or browsers not get, or ""."""
    if settings.DEBUG or not isinstance(staticfiles_storage, HashedFiles):
        return ""  # they are served from where they are
    return next((name for name in _names() if not _is_there(name)), "")


@cache
def _names() -> tuple[str, ...]:
    return tuple(name for finder in get_finders() for name, _ in finder.list(IGNORED))


def _is_there(name: str) -> bool:
    files: Any = staticfiles_storage
    try:
        return bool(files.exists(files.stored_name(name)))
    except ValueError:  # it was not collected
        return False
