"""The numbers a game is played by: a profile, and options that override it.

ZX 0.1  The sources disagree or are silent in a few numbers; a profile names them all.
"""

from typing import Literal

import msgspec

from rules.zx.acts import Options

OPEN_HAND, LIFE, START_RESOURCES, HAND_LIMIT = 4, 4, 2, 6


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """`charge_limit` is None for no limit; `bounces`: any excess goes straight to the trash."""

    draw: int
    first_draw: int
    charge_limit: int | None
    bounces: bool
    mandatory: bool


PROFILES: dict[Literal["zx-seed", "zx-official", "zx-2012"], Terms] = {
    "zx-seed": Terms(draw=1, first_draw=1, charge_limit=None, bounces=False, mandatory=False),
    "zx-2012": Terms(draw=1, first_draw=1, charge_limit=None, bounces=False, mandatory=False),
    "zx-official": Terms(draw=2, first_draw=0, charge_limit=4, bounces=False, mandatory=True),
}


def terms_of(options: Options) -> Terms:
    """Return the numbers of a profile, with the overrides of the options."""
    terms = PROFILES[options.profile]
    limit = terms.charge_limit
    if options.charge_limit != "profile":
        limit = 4 if options.charge_limit == "4" else None
    return Terms(
        draw=terms.draw if options.draw == "profile" else int(options.draw),
        first_draw=terms.first_draw if options.first_draw == "profile" else int(options.first_draw),
        charge_limit=limit,
        bounces=options.overflow == "bounce",
        mandatory=terms.mandatory
        if options.keywords == "profile"
        else options.keywords == "mandatory",
    )
