from django.apps import AppConfig
from django.db.models.signals import post_migrate, post_save
from django.utils.translation import get_language


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from django.contrib.auth.models import User

        from matches import checks, followers, guard, keys  # noqa: F401 - checks register themselves
        from rules import texts

        texts.speak(get_language)

        post_migrate.connect(guard.after_migrate, sender=self)
        post_save.connect(keys.end_with_password, sender=User)
        followers.followers()  # a bad one stops the start
