from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import get_language


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from matches import checks, followers, guard  # noqa: F401 - checks register themselves
        from rules import texts

        texts.speak(get_language)

        post_migrate.connect(guard.after_migrate, sender=self)
        followers.followers()  # a bad one stops the start
