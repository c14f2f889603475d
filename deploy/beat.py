"""The schedule of periodic tasks, which goes on when the machine's clock is set back."""

from typing import Any

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):
    """Celery's, which alone would wait until the clock has caught up, and run nothing meanwhile."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        ahead = [each for each in self.schedule.values() if each.last_run_at > each.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self._heap = None  # its times were reckoned by the clock as it was
        found: float = super().tick(*args, **kwargs)
        return found
