"""What belongs in each part of a sheet, shown to its owner while the part is empty."""

from django.utils.translation import gettext_lazy

from characters.models import Section

Kind = Section.Kind

HINTS = {
    Kind.PUBLIC: gettext_lazy("What everybody knows of this character, told as in the story."),
    Kind.PRIVATE: gettext_lazy("What you know and others do not: plans, secrets, where it leads."),
    Kind.MODE_DECK: gettext_lazy("Up to three design cards: primary, secondary and tertiary."),
    Kind.MANEUVERS: gettext_lazy("The maneuvers this character has learnt, one a line."),
    Kind.GOALS: gettext_lazy(
        "What this character strives for: “Win 3 matches”, “Nereid Lode”, or any words."
    ),
    Kind.GEAR: gettext_lazy(
        "zGear this character has. Enter in the books what was found, bought or given."
    ),
    Kind.LODE: gettext_lazy("Lodes and the artifex in them, entered in the books."),
    Kind.POSSESSIONS: gettext_lazy("Any other thing this character has, entered in the books."),
    Kind.DIARY: gettext_lazy("What happened day by day, and who owes whom."),
    Kind.NOTES: gettext_lazy("Whatever you do not want to forget."),
}
