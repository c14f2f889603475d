"""`manage.py migrate`, by the owner of the tables if OWNER_DATABASE_URL names one."""

from django.core.management.base import CommandParser
from django.core.management.commands import migrate

from matches.append_only import owner_alias


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database=owner_alias())
