from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, post_save
from django.utils.translation import get_language


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from django.contrib.auth.models import User

        from matches import (
            checks,  # noqa: F401 - checks register themselves
            followers,
            guard,
            keys,
            lookups,
            sqlite_text,
        )
        from rules import texts

        texts.speak(get_language)

        lookups.register()
        connection_created.connect(sqlite_text.prepare)
        post_migrate.connect(guard.put_back, sender=self)
        post_save.connect(keys.end_with_password, sender=User)
        followers.followers()  # a bad one stops the start
