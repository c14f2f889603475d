"""Lists of acts: each is recorded, and answered, as if it had been sent alone."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext

from matches.errors import Refused, TooLarge, answered, within
from matches.faults import refusal_of
from matches.log import Receipt

ActArguments = Mapping[str, Any]

logger = logging.getLogger(__name__)


def record_each(
    acts: Sequence[ActArguments | Refused], most: int, record: Callable[..., Receipt]
) -> list[Receipt | Refused]:
    """Record acts one by one and return a result for each; a refusal does not stop the next.

    An item may be a refusal already. A fault of the database or the disk stops the list: it is the
    result of that act and all after it, and what was recorded before stays. Raises: TooLarge; the
    fault, if it is that of the first act.
    """
    if len(acts) > most:
        raise TooLarge(
            "too-many", gettext("At most {MAX_ACTS} acts at once.").format(MAX_ACTS=most)
        )
    results: list[Receipt | Refused] = []
    for place, act in enumerate(acts):
        try:
            results.append(answered(partial(_record_at, place, act, record)))
        except Exception as fault:
            refused = refusal_of(fault)
            if refused is None or not results:
                raise
            logger.exception("After %d of %d acts at once", place, len(acts))
            return results + [refused] * (len(acts) - place)
    return results


def _record_at(place: int, act: ActArguments | Refused, record: Callable[..., Receipt]) -> Receipt:
    if isinstance(act, Refused):
        raise act
    with within(f"$[{place}]"):
        return record(**act)
