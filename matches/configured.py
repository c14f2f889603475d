"""What settings name by dotted paths: functions, and objects of classes, each made once."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string


def functions(setting: str) -> list[Callable[..., Any]]:
    """Return the functions in a setting."""
    return [import_string(path) for path in getattr(settings, setting)]


def instances(setting: str, kind: type) -> tuple[Any, ...]:
    """Return an instance of each class in a setting. Raises: ImproperlyConfigured."""
    return tuple(_instance(setting, path, kind) for path in getattr(settings, setting))


@cache
def _instance(setting: str, path: str, kind: type) -> Any:
    try:
        found = import_string(path)
    except ImportError as error:
        raise ImproperlyConfigured(f"{setting} names {path!r}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, kind)):
        raise ImproperlyConfigured(f"{setting} names {path!r}, which is no {kind.__name__}")
    return found()
