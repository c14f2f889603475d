"""How a program says who it is."""

from django.contrib.auth.models import User
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from matches import keys
from matches.models import Key


class KeyAuthentication(TokenAuthentication):
    """Signs in by a key, sent as `Authorization: Token …`."""

    def authenticate_credentials(self, key: str) -> tuple[User, Key]:
        found = keys.find(key)
        if found is None or not found.user.is_active:
            raise AuthenticationFailed("This token is not valid, or no longer.")
        return found.user, found
