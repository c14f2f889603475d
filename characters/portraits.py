"""Portraits: whatever picture is uploaded, only a small re-encoded JPEG is stored.

The type is determined from the bytes, not from the name. Nothing of the file itself is kept: no
location, no date, no colour profile, no second frame. It is stored in the database with the sheet,
so that it is backed up and erased with it.
"""

import hashlib
import struct
from io import BytesIO

from django.db import transaction
from django.utils.translation import gettext
from PIL import ExifTags, Image

from characters import policy
from characters.editing import note
from characters.locking import owned
from characters.models import Audience, Character, Portrait
from characters.policy import Eyes
from matches.actors import Actor
from matches.errors import BadInput, NotFound, TooLarge

MAX_BYTES = 5_000_000
MAX_PIXELS = 40_000_000
MAX_SIDE = 20_000  # pixels; decoding takes time per row as well as per pixel
SIDE = 640  # pixels of the longer side
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Transposes that set a picture upright, by the `Orientation` of its Exif data."""


def put(
    *, by: Actor, character: Character, data: bytes | None = None, audience: str = ""
) -> Portrait:
    """Set a character's portrait, or change who may see the present one.

    Raises: BadInput for what is not a picture, TooLarge, NotFound if there is none yet.
    """
    policy.require_edit(by, character)
    if audience and (audience not in Audience or audience == Audience.NAMED):
        raise BadInput("bad-audience", gettext("A portrait is for a group."), "$.audience")
    with transaction.atomic():
        owned(by, character)
        portrait = Portrait.objects.filter(character=character).first()
        if data is None and portrait is None:
            raise NotFound(gettext("There is no portrait."), "no-portrait")
        portrait = portrait or Portrait(character=character)
        before = portrait.audience if portrait.pk else ""
        if data is not None:
            _draw(portrait, data)
            note(by, character, "portrait", "", f"new, {portrait}", Audience.OWNER)
        portrait.audience = audience or portrait.audience
        note(by, character, "portrait audience", before, portrait.audience, Audience.OWNER)
        portrait.save()
    return portrait


def remove(*, by: Actor, character: Character) -> None:
    """Delete a character's portrait permanently."""
    policy.require_edit(by, character)
    with transaction.atomic():
        owned(by, character)
        gone, _ = Portrait.objects.filter(character=character).delete()
        if gone:
            note(by, character, "portrait", "there", "removed", Audience.OWNER)


def portrait_for(character: Character, eyes: Eyes) -> Portrait | None:
    """Return a character's portrait, if it is visible in a view."""
    portrait: Portrait | None = getattr(character, "portrait", None)
    return portrait if portrait and policy.knows(eyes, portrait.audience) else None


def _draw(portrait: Portrait, data: bytes) -> None:
    """Re-encode a picture into a portrait. Raises: BadInput, TooLarge."""
    image = _read(data)
    out = BytesIO()
    image.save(out, "JPEG", quality=QUALITY, optimize=True)
    portrait.image = out.getvalue()
    portrait.width, portrait.height = image.size
    portrait.digest = hashlib.sha256(portrait.image).hexdigest()[:16]


def _read(data: bytes) -> Image.Image:
    if len(data) > MAX_BYTES:
        raise TooLarge(
            "too-large",
            gettext("A picture has at most {MAX_BYTES:,} bytes.").format(MAX_BYTES=MAX_BYTES),
            "$.image",
        )
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS or max(image.size) > MAX_SIDE:
                detail = gettext(
                    "A picture has at most {MAX_PIXELS:,} dots, {MAX_SIDE:,} on a side."
                ).format(MAX_PIXELS=MAX_PIXELS, MAX_SIDE=MAX_SIDE)
                raise TooLarge("too-large", detail, "$.image")
            return _small(image)
    except (OSError, ValueError, SyntaxError, struct.error, EOFError, Image.DecompressionBombError):
        detail = gettext("This is not a picture we can read: JPEG, PNG, WebP or GIF.")
        raise BadInput("not-a-picture", detail, "$.image") from None


def _small(image: Image.Image) -> Image.Image:
    """Return a picture upright, on white, scaled down to the size of a portrait."""
    image.draft("RGB", (2 * SIDE, 2 * SIDE))
    image.thumbnail((SIDE, SIDE))
    turn = TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    upright = image if turn is None else image.transpose(turn)
    if upright.mode.startswith("I"):  # grey of 16 bits, which conversion cuts off at 255
        upright = upright.convert("I").point(lambda grey: grey / 256).convert("L")
    shown = upright.convert("RGBA")
    ground = Image.new("RGBA", shown.size, "white")
    return Image.alpha_composite(ground, shown).convert("RGB")
