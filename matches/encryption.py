"""Encryption of secrets in the database, by keys derived from the site's own."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

Unreadable = InvalidToken


def seal(text: str, purpose: str) -> str:
    """Return a text encrypted; it can be decrypted for the same `purpose` only."""
    return _cipher(purpose).encrypt(text.encode()).decode()


def unseal(sealed: str, purpose: str) -> str:
    """Return a text decrypted, with the site's present key or an older one.

    Raises: Unreadable if no key fits.
    """
    return _cipher(purpose).decrypt(sealed.encode()).decode()


def _cipher(purpose: str) -> MultiFernet:
    keys = [str(settings.SECRET_KEY), *map(str, settings.SECRET_KEY_FALLBACKS)]
    digests = (hashlib.sha256(f"{purpose}{key}".encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
