"""How static files are stored: under names that change with what is in them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

_MODULES = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Our modules import each other by those names too, so that no page mixes two releases."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", _MODULES),
        ("shell.js", _MODULES),
    )
