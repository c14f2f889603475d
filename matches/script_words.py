"""Texts of the site's scripts, translated: each page carries those its scripts need.

Scripts look texts up by their English, `word("Copied")`; an English page carries none.
"""

from django.utils.translation import get_language, gettext, gettext_noop

EVERY_PAGE = (
    gettext_noop("A name, or a code"),
    gettext_noop("Copied"),
    gettext_noop("It could not be copied. It is selected: copy it by hand."),
    gettext_noop("No network: nothing was sent. Try it again."),
    gettext_noop("Search"),
    gettext_noop("The site could not do that now. Try it again."),
    gettext_noop("{time} your time"),
)

MOMENTS = (
    gettext_noop("Link copied"),
    gettext_noop("Meanwhile: {said}"),
    gettext_noop("{at} of {last}"),
)

WALL = (gettext_noop("Go on"), gettext_noop("Stay here"), gettext_noop("Time"))

DRAWS = (
    gettext_noop("Computed again in this browser: the secret is not the promised one."),
    gettext_noop("Computed again in this browser: the secret is the promised one."),
    gettext_noop("This browser computes it again only over a secure connection (https)."),
    gettext_noop("{n} of {all} draws agree."),
    gettext_noop("✓ agrees"),
    gettext_noop("✗ differs: {value}"),
)

LOGGER = (
    gettext_noop("Against whom?"),
    gettext_noop("An end has three dots, as {end}."),
    gettext_noop("All {n} acts you logged are kept and will be sent."),
    gettext_noop("Another phone is the scribe."),
    gettext_noop("Choose a foe first."),
    gettext_noop("Choose a card first."),
    gettext_noop("Choose {n} cards first."),
    gettext_noop("Drop it"),
    gettext_noop("Drop it and the {n} after it"),
    gettext_noop("Entering them needs the network."),
    gettext_noop("Go on as them"),
    gettext_noop("I have a seat’s link"),
    gettext_noop("It stood: log it anyway"),
    gettext_noop("It will be judged when it is sent."),
    gettext_noop("Kept as a proposal."),
    gettext_noop("Log it after that"),
    gettext_noop("Log it in my name"),
    gettext_noop("No network."),
    gettext_noop("Not recorded: {act}"),
    gettext_noop("Nothing waits to be sent."),
    gettext_noop("Nothing was drawn."),
    gettext_noop("Review"),
    gettext_noop("Review {n}"),
    gettext_noop("Send as proposals"),
    gettext_noop("Send it again"),
    gettext_noop("Sending has stopped: review {n}"),
    gettext_noop("Sign in"),
    gettext_noop("Sign in again"),
    gettext_noop("Someone else is signed in here by now."),
    gettext_noop("Someone else logged meanwhile."),
    gettext_noop("Spin on the table and tap what it shows."),
    gettext_noop("Take off {card}."),
    gettext_noop("Take over"),
    gettext_noop("Taken back:"),
    gettext_noop("Taken back: {act}"),
    gettext_noop("Tap it again"),
    gettext_noop("Tap it again:"),
    gettext_noop("That did not work."),
    gettext_noop("That is taken back once there is a network."),
    gettext_noop("That needs the network."),
    gettext_noop("That was not recorded."),
    gettext_noop("The act you logged is kept and will be sent."),
    gettext_noop("The board of entry {version}, and what was logged here since."),
    gettext_noop("The board of this match is not on this phone yet."),
    gettext_noop(
        "The first was refused. Those after it stay on this phone and are sent once you decide "
        "about it."
    ),
    gettext_noop("The site cannot spin now."),
    gettext_noop("The site draws…"),
    gettext_noop("This phone could not write that down."),
    gettext_noop("Those dots are not known."),
    gettext_noop("Time!"),
    gettext_noop("Undo: {act}"),
    gettext_noop(
        "What you log on this page is not recorded in their name: it waits on this phone."
    ),
    gettext_noop("What you tap next takes its place."),
    gettext_noop("You are signed out, or signed in as someone else."),
    gettext_noop("again"),
    gettext_noop("nothing is kept"),
    gettext_noop("offline"),
    gettext_noop("pulse {n} of {all}"),
    gettext_noop("slagged"),
    gettext_noop("stopped"),
    gettext_noop("{attack} on {target}: {text}"),
    gettext_noop("{card} may not attack now."),
    gettext_noop("{n} act after it waits until you decide."),
    gettext_noop("{n} act waits on this phone until you are back."),
    gettext_noop("{n} acts after it wait until you decide."),
    gettext_noop("{n} acts sent."),
    gettext_noop("{n} acts wait on this phone until you are back."),
    gettext_noop("{n} kept as proposals."),
    gettext_noop("{n} match"),
    gettext_noop("{n} matches"),
    gettext_noop("{n} not sent"),
    gettext_noop("{n} strike"),
    gettext_noop("{n} strikes"),
    gettext_noop("{what}: choose {n} first."),
)

SCRIPTS = {
    "shell": EVERY_PAGE,
    "match": (*EVERY_PAGE, *MOMENTS),
    "wall": (*EVERY_PAGE, *WALL),
    "fair": (*EVERY_PAGE, *DRAWS),
    "logger": (*EVERY_PAGE, *LOGGER),
}


def of(page: str) -> dict[str, str]:
    """Return the texts of a page's scripts in the active language; none in English."""
    if (get_language() or "en").split("-")[0] == "en":
        return {}
    return {text: gettext(text) for text in SCRIPTS[page]}
