"""Who may know and do what with characters: the matrix of `characters/policy.py`."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from characters import campaigns, cards, policy, services
from characters.models import Card, CardSet, Character, Loadout, Move, Section
from matches.actors import NOBODY, Actor
from matches.errors import NotAllowed
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

STRANGERS = {"visitor", "stranger", "friend", "rival"}
"""`friend` is named by the owner, `rival` plays in another campaign."""
OFFICIALS = {"official", "host", "site"}
EVERYBODY = {*STRANGERS, "player", *OFFICIALS, "owner"}
KNOW = {
    "public": EVERYBODY,
    "players": {"player", *OFFICIALS, "owner"},
    "officials": {*OFFICIALS, "owner"},
    "owner": {"owner"},
    "named": {"friend", "owner"},
}


class World:
    """A campaign with a character for each audience, whose notes and gear have the same one."""

    def __init__(self) -> None:
        self.who = factories.cast(EVERYBODY)
        self.campaign = campaigns.create(by=self.who["host"], name="Belt")
        self.campaign.officials.add(self.who["official"].player)
        other = campaigns.create(by=self.who["stranger"], name="Rim")
        for who, campaign in (("player", self.campaign), ("rival", other)):
            self.character(who, campaign=campaign)
        self.of = {each: self.character("owner", campaign=self.campaign) for each in KNOW}
        friend = self.who["friend"].player
        for audience, each in self.of.items():
            Character.objects.filter(pk=each.pk).update(audience=audience)
            each.refresh_from_db()
            each.sections.update(audience=audience)
            each.named.add(friend)
            for section in each.sections.all():
                section.named.add(friend)
        self.card = cards.add(
            by=self.who["owner"], game="zg", data={"name": "Hook", "slot": "Claw"}, card_set="Own"
        )
        Card.objects.filter(pk=self.card.pk).update(shared=False)
        self.card.refresh_from_db()
        owner = self.who["owner"].player
        self.empty = CardSet.objects.create(game="zg", name="Empty", owner=owner)

    def character(self, who: str, **fields: Any) -> Character:
        made = services.paste(by=self.who[who], text="Name: Una\nNotes:\nRusty.")
        Character.objects.filter(pk=made.pk).update(**fields)
        made.refresh_from_db()
        return made

    def loadout(self, audience: str, *, shared: bool) -> Loadout:
        return Loadout(character=self.of[audience], shared=shared)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with factories.built_once(World, django_db_blocker) as found:
        yield found


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize("audience", KNOW)
def test_sheets_lists_and_single_parts_agree_on_who_knows(
    world: World, audience: str, who: str
) -> None:
    actor, character = world.who[who], world.of[audience]
    eyes, notes = policy.eyes_of(actor, character), character.sections.get(kind="notes")
    told = {
        "the character": policy.knows_character(eyes, character),
        "its part": policy.knows_part(eyes, character, "notes"),
        "all its parts": policy.sections_for(eyes, character).filter(pk=notes.pk).exists(),
        "its gear": policy.knows_part(eyes, character, "gear"),
        "the list": policy.visible_characters(actor).filter(pk=character.pk).exists(),
        "all parts": policy.visible_sections(actor, "notes").filter(pk=notes.pk).exists(),
        "all with a part": policy.characters_showing(actor, "notes").contains(character),
    }
    assert told == dict.fromkeys(told, who in KNOW[audience])


def test_a_part_is_in_the_list_of_those_who_see_its_character_too(world: World) -> None:
    Section.objects.filter(character=world.of["owner"]).update(audience="public")
    shown = policy.visible_sections(NOBODY, "notes").filter(character=world.of["owner"])
    assert shown.exists()
    assert not policy.characters_showing(NOBODY, "notes").contains(world.of["owner"])
    assert not policy.may_field(world.who["stranger"], world.loadout("owner", shared=True))


def _awards(actor: Actor, character: Character) -> bool:
    try:
        policy.require_award(actor, character)
    except NotAllowed:
        return False
    return True


May = Callable[[Actor, World], bool]


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize(
    ("may", "allowed"),
    [
        pytest.param(lambda a, w: policy.may_edit(a, w.of["public"]), {"owner"}, id="edit"),
        pytest.param(
            lambda a, w: policy.may_record(a, w.of["public"]),
            {"owner", *OFFICIALS},
            id="keep-the-books",
        ),
        pytest.param(lambda a, w: _awards(a, w.of["public"]), {"owner", *OFFICIALS}, id="award"),
        pytest.param(lambda a, w: policy.may_run(a, w.campaign), OFFICIALS, id="run-the-campaign"),
        pytest.param(
            lambda a, w: policy.may_name_officials(a, w.campaign),
            {"host", "site"},
            id="name-officials",
        ),
        pytest.param(lambda a, w: policy.may_keep_sets(a), {"site"}, id="keep-sets"),
        pytest.param(lambda a, w: policy.may_place(a), {"site"}, id="place"),
        pytest.param(
            lambda a, w: policy.may_answer_move(a, Move(to=w.who["friend"].player)),
            {"friend"},
            id="answer-for-oneself",
        ),
        pytest.param(
            lambda a, w: policy.may_answer_move(a, Move(campaign=w.campaign)),
            OFFICIALS,
            id="answer-for-the-campaign",
        ),
        pytest.param(lambda a, w: policy.may_answer_move(a, Move()), set(), id="answer-no-one"),
        pytest.param(
            lambda a, w: policy.may_edit_card(a, w.card), {"owner", "site"}, id="edit-a-card"
        ),
        pytest.param(
            lambda a, w: policy.may_edit_card(a, Card()), {"site"}, id="edit-a-card-of-the-site"
        ),
        pytest.param(
            lambda a, w: policy.knows_card(a.player_id, w.card), {"owner"}, id="know-a-card"
        ),
        pytest.param(
            lambda a, w: policy.knows_card(a.player_id, Card(shared=False)),
            EVERYBODY,
            id="know-a-card-of-the-site",
        ),
        pytest.param(
            lambda a, w: policy.visible_cards(a).contains(w.card), {"owner"}, id="see-a-card"
        ),
        pytest.param(
            lambda a, w: policy.visible_sets(a).contains(w.card.card_set), {"owner"}, id="see-a-set"
        ),
        pytest.param(
            lambda a, w: policy.visible_sets(a).contains(w.empty), {"owner"}, id="see-an-empty-set"
        ),
        pytest.param(
            lambda a, w: policy.may_field(a, w.loadout("public", shared=False)),
            {"owner", *OFFICIALS},
            id="field",
        ),
        *(
            pytest.param(
                lambda a, w, audience=audience: policy.may_field(
                    a, w.loadout(audience, shared=True)
                ),
                known,
                id=f"field-a-shared-one-{audience}",
            )
            for audience, known in KNOW.items()
        ),
    ],
)
def test_everyone_does_exactly_what_the_matrix_says(
    world: World, may: May, allowed: set[str], who: str
) -> None:
    assert may(world.who[who], world) is (who in allowed)


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_results_are_off_but_for_those_who_keep_the_books(world: World, who: str) -> None:
    actor = world.who[who]
    off = Actor(actor.user, actor.player, results_off=True)
    assert policy.eyes_of(off, world.of["public"]).results_off is (who not in {"owner", *OFFICIALS})
