"""`manage.py demo`: load the demo and print who may sign in."""

from typing import Any

from django.core.management.base import BaseCommand

from deploy import demo


class Command(BaseCommand):
    help = "Load the demo: people, and matches played by bots. A second run adds nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        logins = demo.load()
        self.stdout.write("Sign in as:")
        for login, password in logins.items():
            self.stdout.write(f"{login}: {password}")
