"""Verify logs and the feed of all of them."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, F, Max, Min, Sum

from matches import heads
from matches.configured import functions
from matches.models import Event, FeedHead, Log, Publication
from matches.verify import Report, remember_rules, verify


class Command(BaseCommand):
    help = "Recompute chains, decisions, digests and draws; ends with status 1 if any log is bad."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="CODE", help="of matches; all logs if none")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify the matches named, or every log."""
        logs = list(self._logs([code.upper() for code in options["codes"]]))
        reports = [self._report(name, log) for name, log in logs]
        bad = sum(not (report.ok or report.unverified) for report in reports)
        unverified = sum(report.unverified for report in reports)
        entries = sum(report.entries for report in reports)
        draws = sum(report.draws_checked for report in reports)
        self.stdout.write(
            f"{len(reports)} logs, {entries} entries, {bad} bad, {draws} draws checked"
        )
        if unverified:
            self.stdout.write(
                f"{unverified} unverified: nothing was altered, but a draft of their rules changed"
            )
        flaws = self._outside()
        if bad:
            raise CommandError(f"{bad} of {len(reports)} logs do not hold")
        if flaws:
            raise CommandError(f"the heads kept outside tell of {flaws} that is wrong")
        if not options["codes"]:
            require_whole_feed()
            self._require_books()

    def _outside(self) -> int:
        """Report what the heads kept outside contradict beyond single logs; return how much."""
        outside = heads.read()
        for flaw in outside.flaws:
            self.stdout.write(self.style.ERROR(f"heads: {flaw}"))
        gone = heads.gone()
        for head in gone:
            known = f"the signed heads know {head.version} entries of it"
            self.stdout.write(self.style.ERROR(f"{head.log}: entry 1, gone: {known}"))
        if not outside.files:
            self.stdout.write("no heads are kept outside: a cut tail would not show")
        else:
            self.stdout.write(f"compared with {outside.files} files of heads kept outside")
        return len(outside.flaws) + len(gone)

    def _logs(self, codes: list[str]) -> Iterator[tuple[str, Log]]:
        logs = Log.objects.select_related("match").order_by("pk")
        if codes:
            known = {log.match.code: log for log in logs.filter(match__code__in=codes)}
            if missing := [code for code in codes if code not in known]:
                raise CommandError(f"there is no match {', '.join(missing)}")
            logs_named = [known[code] for code in codes]
        else:
            logs_named = list(logs)
        for log in logs_named:
            yield (log.match.code if hasattr(log, "match") else str(log.pk)), log

    def _require_books(self) -> None:
        """Check the books of higher floors. Raises: CommandError."""
        found = [problem for problems in functions("VERIFIERS") for problem in problems()]
        for problem in found:
            self.stdout.write(self.style.ERROR(problem))
        if found:
            raise CommandError(f"{len(found)} problems beside the logs")

    def _report(self, name: str, log: Log) -> Report:
        report = verify(log)
        if report.ok:
            remember_rules(log)
        else:
            problem = f"entry {report.first_bad}, {report.problem}: {report.detail}"
            style = self.style.WARNING if report.unverified else self.style.ERROR
            self.stdout.write(style(f"{name}: {problem}"))
        return report


def require_whole_feed() -> None:
    """Require that entries, and their later publications, have every position up to the head."""
    head = FeedHead.objects.get().position
    acts = Event.objects.filter(ordinal=0)
    found = acts.aggregate(first=Min("position"), last=Max("position"), count=Count("position"))
    later = Publication.objects.aggregate(
        first=Min("position"), last=Max("end"), count=Sum(F("end") - F("position") + 1)
    )
    first = min(found["first"] or 1, later["first"] or head)
    last = max(found["last"] or 0, later["last"] or 0)
    count = found["count"] + (later["count"] or 0)
    if (first if head else 1, last, count) != (1, head, head):
        raise CommandError(f"the feed has a gap: {count} entries, its head is {head}")
