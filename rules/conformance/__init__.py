"""The conformance kit: does a ruleset keep the laws of the core? For any game, by anybody.

    from rules.conformance import conform

    for finding in conform(Nim()):
        assert not finding.broken, finding

`python -m rules conform nim.ruleset:Nim` prints the same, and how much of the game was reached.
The laws are in `laws`, one function each; `cases` plays the matches they look at, `generator`
makes acts, most of them against the rules, from their types alone.
"""

from collections.abc import Iterator
from functools import wraps

import msgspec

from rules.conformance import laws
from rules.conformance.cases import Cases, cases_for, codes_reached, own_codes
from rules.ruleset import Act, Consequence, Ruleset, event_type

LEAST_SECRETS = 20
"""A game with secrets must yield at least this many pairs of states that differ in a secret."""


class Finding(msgspec.Struct, frozen=True):
    """The result of checking one law: `promise` is its first line, `broken` how it is violated."""

    law: str
    promise: str
    broken: str = ""

    def __str__(self) -> str:
        return f"{self.law}: {self.broken or 'kept'}"


def conform(ruleset: Ruleset, cases: Cases | None = None) -> Iterator[Finding]:
    """Check every law and yield a finding for each.

    `cases` may be a larger set than `cases_for`'s.
    """
    tried = cases or cases_for(ruleset)
    for law in (*laws.LAWS, _hides_secrets):
        promise = (law.__doc__ or "").strip().partition("\n")[0]
        try:
            law(tried)
        except AssertionError as error:
            yield Finding(law.__name__, promise, str(error) or "it is broken")
        except Exception as error:  # a law may run into a violation of another
            yield Finding(law.__name__, promise, f"raises {error!r}")
        else:
            yield Finding(law.__name__, promise)


@wraps(laws.nobody_sees_what_is_hidden)
def _hides_secrets(cases: Cases) -> None:
    pairs = laws.nobody_sees_what_is_hidden(cases)
    if cases.ruleset.secretive:
        assert pairs >= LEAST_SECRETS, f"only {pairs} pairs of states differ in a secret"


def unreached(cases: Cases) -> list[str]:
    """Return the codes and event types of a ruleset that never occurred in its cases."""
    ruleset = cases.ruleset
    known: tuple[type[Act | Consequence], ...] = (*ruleset.acts, *ruleset.consequences)
    kinds = {event_type(kind) for kind in known}
    return sorted((own_codes(ruleset) | kinds) - set(codes_reached(cases)))


__all__ = ["Cases", "Finding", "cases_for", "codes_reached", "conform", "unreached"]
