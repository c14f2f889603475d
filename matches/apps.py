from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from matches import followers, triggers

        post_migrate.connect(triggers.after_migrate, sender=self)
        followers.followers()  # a bad one stops the start
