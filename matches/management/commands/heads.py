"""Write the signed heads of all logs to a directory outside the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches import heads


class Command(BaseCommand):
    help = "Write the heads that moved since the last file, signed, into HEADS_DIR."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--whole", action="store_true", help="write the heads of all logs")
        parser.add_argument("--key", action="store_true", help="only print the public key")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write a file and print its digest, for whoever keeps a copy."""
        try:
            if options["key"]:
                self.stdout.write(heads.private_key().public_key().public_bytes_raw().hex())
                return
            written = heads.write(whole=options["whole"])
        except (OSError, ValueError) as error:
            raise CommandError(f"no heads were written: {error}") from error
        self.stdout.write(f"{heads.directory() / written.name}: {written.heads} heads")
        self.stdout.write(f"SHA-256 {written.digest}")
        self.stdout.write(f"public key {heads.public_key()}")
        if written.refused:
            named = ", ".join(map(str, written.refused))
            raise CommandError(f"not what an older file says, see `manage.py verify`: {named}")
