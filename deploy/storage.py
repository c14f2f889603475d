"""Storage of static files, under names that contain a hash of their content."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

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
