"""What the shapes of several subjects share."""

from typing import Annotated

from msgspec import Meta

from matches.api.shapes import At, Request

Title = Annotated[str, Meta(min_length=1, max_length=120)]
Short = Annotated[str, Meta(max_length=80)]
EntrantName = Annotated[str, Meta(description="the name of the entrant")]
Text = Annotated[str, Meta(max_length=4000)]
Small = Annotated[int, Meta(ge=0, le=4096)]
StageOrLast = Annotated[
    Annotated[int, Meta(ge=1, le=64)] | None,
    Meta(description="a stage, from 1; by default the last"),
]
Code = Annotated[
    str,
    Meta(max_length=20, pattern=r"^[A-Za-z0-9]*$", description="a code of letters and digits"),
]
Slug = Annotated[
    str,
    Meta(
        max_length=60,
        pattern=r"^[a-z0-9-]*$",
        description="a name as addresses have it: small letters, digits and dashes",
    ),
]


class TournamentQuery(Request):
    tournament: Annotated[Code, Meta(description="whose")]
    at: At = None
