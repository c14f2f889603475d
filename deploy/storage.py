"""Storage of static files, under names that contain a hash of their content."""

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
