"""Secrets as they lie in the database: encrypted, by keys made of the site's own."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

Unreadable = InvalidToken


def seal(text: str, purpose: str) -> str:
    """Return a text encrypted; only the same `purpose` reads it."""
    return _cipher(purpose).encrypt(text.encode()).decode()


def unseal(sealed: str, purpose: str) -> str:
    """Return a text that was sealed, by the site's key of now or one before it.

    Raises: Unreadable when it was sealed by none of them.
    """
    return _cipher(purpose).decrypt(sealed.encode()).decode()


def _cipher(purpose: str) -> MultiFernet:
    keys = [str(settings.SECRET_KEY), *map(str, settings.SECRET_KEY_FALLBACKS)]
    digests = (hashlib.sha256(f"{purpose}{key}".encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
