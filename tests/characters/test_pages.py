"""Pages of characters: what owners change, what others see, and that nothing private leaks."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.html import escape

from characters import campaigns, cards, ledger, moving, services
from characters.hints import HINTS
from characters.models import Campaign, Card, Change, Character, LedgerEntry, Section, Trade
from characters.services import Circumstances, Recording, TradeOffer
from matches import services as people
from matches.actors import Actor
from matches.errors import BadInput
from tests import factories
from tests.characters.sheets import SHEET, tells
from tests.factories import client_of
from tests.html import squeezed

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_the_owner_sees_all_and_others_what_is_public(owner: Actor, oriel: Character) -> None:
    url = oriel.get_absolute_url()
    mine, others = (client_of(who).get(url).content.decode() for who in (owner, None))
    for text in ("She is quick", "Superior Red Frontgear", "Nereid Lode", "Quartz Lode"):
        assert text in mine
        assert text in others
    for text in ("Born on a supply barge", "c12", "stolen", "Halder Voss", "Name and portrait"):
        assert tells(mine, text)
        assert not tells(others, text)
    assert '<div class="measure stack tight"><p>Born on' in mine  # its paragraphs are apart
    as_public = client_of(owner).get(f"{url}?as=public").content.decode()
    assert "Born on a supply barge" not in as_public
    assert "Name and portrait" not in as_public


def test_what_a_sheet_leads_to_is_folded_but_for_the_most_used(
    owner: Actor, oriel: Character
) -> None:
    page = squeezed(client_of(owner).get(oriel.get_absolute_url()))
    head = page.split('<header class="head">')[1].split("</header>")[0]
    plain, folded = (
        re.findall(r'class="btn"\s+href="([^"]*)"', part) for part in head.split("<details")
    )
    url = oriel.get_absolute_url()
    assert plain == [f"{url}loadouts/", f"{url}record/"]
    assert {f"{url}ledger/", f"{url}offers/", f"{url}history/", f"{url}edit/"} < set(folded)


def test_an_empty_sheet_tells_its_owner_what_goes_where_and_readers_only_that(
    owner: Actor,
) -> None:
    una = services.create(by=owner, name="Una")
    url = una.get_absolute_url()
    mine, others = (client_of(who).get(url).content.decode() for who in (owner, None))
    for kind, hint in HINTS.items():
        assert escape(str(hint)) in mine, kind
        assert f'id="part-{kind}"' in mine, kind
    assert f"{url}ledger/?new=possession#enter" in mine
    assert 'id="enter"' in client_of(owner).get(f"{url}ledger/").content.decode()
    assert 'id="part-' not in others
    assert "Still empty: Public background (IC), Mode deck, Maneuvers, Goals, Gear" in others
    assert "Diary" not in others  # it is hidden, so nobody else learns that it is empty
    assert 'id="part-unparsed"' not in mine


def test_more_is_entered_where_the_sheet_shows_what_there_is(
    owner: Actor, oriel: Character
) -> None:
    url = oriel.get_absolute_url()
    mine, others = (client_of(who).get(url).content.decode() for who in (owner, None))
    for kind in ("piece", "lode", "possession"):
        assert f"{url}ledger/?new={kind}#enter" in mine
    assert "#enter" not in others


def test_a_player_leads_to_their_characters_that_one_may_know(
    owner: Actor, oriel: Character
) -> None:
    loner = factories.actor("loner")
    services.create(by=loner, name="Una", audience="owner")
    link = re.compile(r'href="(/characters/\?q=[^"]*)"')
    page = client_of().get(f"/players/{owner.player_id}/").content.decode()
    [theirs] = link.findall(page)
    assert oriel.get_absolute_url() in client_of().get(theirs).content.decode()
    alone = f"/players/{loner.player_id}/"
    shown = [link.search(client_of(who).get(alone).content.decode()) for who in (None, loner)]
    assert [each is not None for each in shown] == [False, True]


def test_one_looks_with_the_eyes_of_those_who_know_less(owner: Actor, oriel: Character) -> None:
    url = oriel.get_absolute_url()
    assert client_of().get(f"{url}?as=owner").status_code == 403
    assert client_of(factories.actor()).get(f"{url}?as=officials").status_code == 403
    assert client_of(owner).get(f"{url}?as=officials").status_code == 200
    assert client_of(owner).get(f"{url}?as=nobody").status_code == 400


def test_a_pasted_line_is_told_by_the_names_the_sheet_has(owner: Actor) -> None:
    text = "Character: Oriel\n\nWords:\n\nBackground, Public:\nQuick.\n\nGoals:\nRest"
    page = client_of(owner).post("/characters/paste/", {"text": text}).content.decode()
    chips = re.findall(r'<span class="chip[^"]*">([^<]+)</span>', page.partition('id="lines"')[2])
    assert set(chips) == {"Name", "Heading", "Public background (IC)", "Goals", "Left over"}


def test_a_goal_of_who_was_erased_is_not_shown_as_reached(owner: Actor, oriel: Character) -> None:
    assert owner.player is not None
    people.erase(by=owner, player=owner.player)
    assert "1 of 1" not in client_of().get(oriel.get_absolute_url()).content.decode()


def test_a_hidden_character_is_not_there(owner: Actor, oriel: Character) -> None:
    services.edit(by=owner, character=oriel, audience="owner")
    stranger = client_of(factories.actor())
    for tail in ("", "ledger/", "sheet.txt", "history/", "edit/", "sections/public/", "offers/"):
        assert stranger.get(f"{oriel.get_absolute_url()}{tail}").status_code == 404
    found = stranger.get("/characters/?q=Oriel").content.decode()
    assert "Oriel" not in re.sub('value="(/characters/\\?q=)?Oriel"', "", found)
    item = ledger.items_of(oriel)[0]
    for tail in ("", "tag/"):
        assert stranger.get(f"/items/{item.serial}/{tail}").status_code == 404
    as_public = client_of(owner).get(f"{oriel.get_absolute_url()}?as=public")
    assert "does not exist" in as_public.content.decode()


def test_the_list_has_ones_own_first(owner: Actor, oriel: Character) -> None:
    stranger = services.create(by=factories.actor(), name="Una")
    mine, others = (squeezed(client_of(who).get("/characters/")) for who in (owner, None))
    una, own = (f'class="who" href="/characters/{pk}/"' for pk in (stranger.pk, oriel.pk))
    assert mine.index('id="yours"') < mine.index(own) < mine.index(una)
    assert 'id="yours"' not in others
    assert others.index(una) < others.index(own)
    assert 'href="/characters/">my characters<' in squeezed(client_of(owner).get("/me/"))


def test_a_section_is_changed_with_or_without_javascript(owner: Actor, oriel: Character) -> None:
    client, url = client_of(owner), f"{oriel.get_absolute_url()}sections/public/"
    said = {"text": "New words.\r\nAnd more.", "audience": "players", "named": ""}
    assert client.get(url).status_code == 200
    kept = client.post(url, said)
    assert kept.headers["Location"] == f"{oriel.get_absolute_url()}#public"
    section = oriel.sections.get(kind="public")
    assert (section.text, section.audience) == ("New words.\nAnd more.", "players")
    part = client.post(url, {**said, "text": "Newer."}, headers={"HX-Request": "true"})
    assert part.content.decode().startswith('<section id="part-public"')
    assert "Newer." in part.content.decode()
    assert [change.after for change in Change.objects.filter(what="public")] == [
        "Newer.",
        "New words.\nAnd more.",
    ]


@pytest.mark.parametrize("swap", [{}, {"HX-Request": "true"}])
def test_everyone_reads_a_private_text_after_it_was_shown_once_more(
    owner: Actor, oriel: Character, swap: dict[str, str]
) -> None:
    client, url = client_of(owner), f"{oriel.get_absolute_url()}sections/private/"
    said = {"text": 'Paid "twice".', "audience": "public", "named": ""}
    asked = client.post(url, said, headers=swap)
    assert asked.status_code == 200
    assert "Everyone will read this" in asked.text
    assert 'name="text" value="Paid &quot;twice&quot;."' in asked.text
    assert oriel.sections.get(kind="private").audience == "owner"
    assert client.post(url, {**said, "confirmed": "1"}).status_code == 302
    section = oriel.sections.get(kind="private")
    assert (section.text, section.audience) == (said["text"], "public")
    assert client.post(url, {**said, "text": "Once."}).status_code == 302  # nothing new is shown


@pytest.mark.parametrize("kind", Section.Kind.values)
def test_every_section_changes_in_place(owner: Actor, oriel: Character, kind: str) -> None:
    client, url = client_of(owner), f"{oriel.get_absolute_url()}sections/{kind}/"
    swap = {"HX-Request": "true"}
    assert client.get(url, headers=swap).content.decode().lstrip().startswith("<section")
    said = {"text": "One\nTwo", "audience": "officials"}
    part = client.post(url, said, headers=swap)
    assert part.status_code == 200, part.content
    assert f'id="part-{kind}"' in part.content.decode()
    assert oriel.sections.get(kind=kind).audience == "officials"


def test_what_can_not_be_kept_is_said(owner: Actor, oriel: Character) -> None:
    client, url = client_of(owner), oriel.get_absolute_url()
    for kind, said in [
        ("public", {"text": "x", "audience": "the dog"}),
        ("public", {"text": "a\0b", "audience": "public"}),
        ("public", {"text": "x", "audience": "named", "named": "nobody at all"}),
        ("mode-deck", {"text": "1\n2\n3\n4", "audience": "public"}),
    ]:
        assert client.post(f"{url}sections/{kind}/", said).status_code == 400
    assert client.get(f"{url}sections/tail/").status_code == 404
    assert client_of(factories.actor()).post(f"{url}sections/public/", {}).status_code == 403
    assert not Change.objects.exists()


def test_a_character_is_kept_as_its_form_says_in_one_step_or_not_at_all(owner: Actor) -> None:
    hidden = {"name": "Una", "audience": "owner", "act_id": str(uuid4())}
    assert client_of(owner).post("/characters/new/", hidden).status_code == 302
    una = Character.objects.get()
    assert una.audience == "owner"
    assert not Change.objects.exists(), "it was public until its audience was set"
    with pytest.raises(BadInput, match="no audience"):
        services.edit(by=owner, character=una, name="Ulla", audience="named")
    una.refresh_from_db()
    assert una.name == "Una"


def test_people_by_name_see_what_they_are_named_for(owner: Actor, oriel: Character) -> None:
    friend, other = factories.actor("friend"), factories.actor()
    url = f"{oriel.get_absolute_url()}sections/private/"
    said = {"text": "Only for a friend.", "audience": "named", "named": "FRIEND"}
    assert client_of(owner).post(url, said).status_code == 302
    seen = [
        "Only for a friend." in client_of(who).get(oriel.get_absolute_url()).content.decode()
        for who in (friend, other, owner, None)
    ]
    assert seen == [True, False, True, False]


def test_goals_are_added_chosen_reached_and_removed(owner: Actor, oriel: Character) -> None:
    client, url = client_of(owner), f"{oriel.get_absolute_url()}goals/"
    client.post(url, {"text": "Sleep"})
    goal = oriel.goals.get(text="Sleep")
    first = oriel.goals.first()
    assert first
    for each in (first, goal):
        client.post(f"{url}{each.pk}/", {"do": "current"})
    assert [g.text for g in oriel.goals.filter(current=True)] == ["Sleep"]
    part = client.post(f"{url}{goal.pk}/", {"do": "reached"}, headers={"HX-Request": "true"})
    assert "reached" in part.content.decode()
    goal.refresh_from_db()
    assert (goal.current, goal.reached_at is not None) == (False, True)
    client.post(f"{url}{goal.pk}/", {"do": "remove"})
    assert not oriel.goals.filter(text="Sleep").exists()
    assert client.post(f"{url}{first.pk}/", {"do": "dance"}).status_code == 400
    assert client.post(url, {"text": ""}).status_code == 400
    assert client.post(f"{url}{uuid4()}/", {"do": "remove"}).status_code == 404
    assert (
        client_of(factories.actor()).post(f"{url}{first.pk}/", {"do": "remove"}).status_code == 403
    )


def test_the_current_goal_comes_first(owner: Actor, oriel: Character) -> None:
    last = oriel.goals.last()
    assert last
    services.edit_goal(by=owner, goal=last, current=True)
    page = client_of().get(oriel.get_absolute_url()).content.decode()
    first = page.split('<section id="part-goals"')[1].split("<li")[1]
    assert last.text in first
    assert "current" in first


def test_a_sheet_tells_the_last_changes_of_its_money_to_who_keeps_it(
    owner: Actor, oriel: Character
) -> None:
    for price in (1, 2, 3, 4):
        what = Recording("bought", line=f"Basic Red Claw (c{price} @ Pit Stop)")
        services.record(by=owner, character=oriel, act_id=uuid4(), what=what)
    found = Recording("found", line="Basic Red Feet (found, a gutter)")
    services.record(by=owner, character=oriel, act_id=uuid4(), what=found)
    url = oriel.get_absolute_url()
    page = client_of(owner).get(url).content.decode()
    told = page.split('<section id="part-currency"')[1].split("</section>")[0]
    paid = [f"Bought Basic Red Claw for c{price}, Pit Stop" for price in (4, 3, 2)]
    assert [line for line in paid if line in told] == paid
    assert told.count("<li") == 3
    assert "Pit Stop" not in told.replace(paid[0], "").replace(paid[1], "").replace(paid[2], "")
    for reader in (client_of(), client_of(factories.actor())):
        assert "Bought Basic Red Claw" not in reader.get(url).content.decode()
    part = client_of(owner).post(
        f"{url}sections/currency/", {"audience": "players"}, headers={"HX-Request": "true"}
    )
    assert paid[0] in part.content.decode()


def test_a_diary_leads_to_whom_and_by_itself_to_the_match_it_is_about(
    owner: Actor, oriel: Character
) -> None:
    foe, hidden = (services.create(by=owner, name=name) for name in ("Marr", "Nobody"))
    services.edit(by=owner, character=hidden, audience="owner")
    match = factories.match()
    for about in (foe, hidden):
        services.add_favour(
            by=owner, character=oriel, kind="grudge", text="Bad spin", about=about, match=match.code
        )
    page = client_of(owner).get(oriel.get_absolute_url()).content.decode()
    diary = page.split('<section id="part-diary"')[1].split("</section>")[0]
    assert f'href="{foe.get_absolute_url()}"' in diary
    assert hidden.get_absolute_url() not in diary
    assert match.code not in diary  # it may be seen no more
    kept = client_of(owner).get(f"{oriel.get_absolute_url()}diary/").content.decode()
    assert kept.count(f'href="{match.get_absolute_url()}"') == 2


def test_the_books_are_kept_on_their_page(owner: Actor, oriel: Character) -> None:
    client, url = client_of(owner), f"{oriel.get_absolute_url()}ledger/"
    said = {"act_id": str(uuid4()), "way": "bought", "line": "Basic Red Claw (c5 @ Pit Stop)"}
    for _ in range(2):
        assert client.post(url, said).status_code == 302
    page = client.get(url).content.decode()
    assert page.count("<span>Bought Basic Red Claw for c5, Pit Stop</span>") == 1
    assert "leaves c7" in page
    assert "Paid c5" not in page
    assert 'href="#enter"' in page
    assert page.count('<option value="Pit Stop"></option>') == 1
    assert "came to Oriel Tamsin, and it is claimed" in page
    unclear = {"act_id": str(uuid4()), "way": "bought", "line": "Basic Red Claw (found, a gutter)"}
    assert "The line says otherwise how it came" in client.post(url, unclear).content.decode()
    broke = client.post(
        url, {"act_id": str(uuid4()), "way": "bought", "line": "Basic Red Claw (c50)"}
    )
    assert broke.status_code == 400
    assert "would be c-43" in broke.content.decode()
    unread = {"act_id": str(uuid4()), "way": "found", "line": "A book"}
    assert "(at $" not in client.post(url, unread).content.decode()
    book = {**unread, "act_id": str(uuid4()), "kind": "possession"}
    assert client.post(url, book).status_code == 302
    assert "Found A book" in client.get(url).content.decode()
    assert 'value="lode" selected' in client.get(f"{url}?new=lode").content.decode()
    entry = LedgerEntry.objects.get(item__name="Claw")
    undone = client.post(f"{url}{entry.pk}/undo/")
    assert undone.status_code == 302
    assert ledger.balance(oriel) == 12
    assert client.get(f"{url}?method=corrected&q=claw").content.decode().count("Undone") >= 1
    dated = {"way": "found", "line": "Basic Red Feet", "happened_on": "2025-01-02"}
    assert client.post(url, {**dated, "act_id": str(uuid4())}).status_code == 302
    assert ">2 Jan 2025</time>" in client.get(url).content.decode()
    assert "Found Basic Red Feet" not in client.get(f"{url}?since=2025-01-03").content.decode()
    stranger = client_of(factories.actor())
    assert stranger.post(url, {**said, "act_id": str(uuid4())}).status_code == 403
    assert stranger.post(f"{url}{entry.pk}/undo/").status_code == 403
    seen = stranger.get(url).content.decode()
    assert "leaves c" not in seen
    assert "Stole" not in seen


def test_an_offer_is_made_and_taken_on_its_pages(owner: Actor, oriel: Character) -> None:
    other = factories.actor()
    ben = services.paste(by=other, text="Character: Ben")
    item = ledger.items_of(oriel)[0]
    url = f"{oriel.get_absolute_url()}offers/"
    asked = f"{ben.get_absolute_url()}offers/?to={oriel.pk}&amp;wants={item.serial}"
    shown = squeezed(client_of(other).get(f"/items/{item.serial}/"))
    assert f'href="{asked}#new">Make an offer as Ben</a>' in shown
    begun = squeezed(client_of(other).get(asked.replace("&amp;", "&")))
    assert f'name="to" value="Oriel Tamsin · {owner.player}"' in begun
    assert f'name="wants" value="{item.serial}"' in begun
    benno = services.paste(by=other, text="Character: Benno")
    said = {"gives": [item.serial], "way": "gift"}
    for typed, told in (("Bec", "No character is called that"), ("be", "Choose one")):
        asked = squeezed(client_of(owner).post(url, {**said, "to": typed}))
        assert told in asked
    assert f'<option value="{benno.pk}">Benno · {other.player}</option>' in asked
    said["to"] = "ben"  # the whole name of one
    assert client_of(owner).post(url, said).status_code == 302
    trade = Trade.objects.get()
    taker = client_of(other)
    offered = taker.get(f"{ben.get_absolute_url()}offers/").content.decode()
    assert str(item) in offered
    assert f"?to={oriel.pk}&amp;pays=&amp;asks=&amp;wants={item.serial}#new" in offered
    assert client_of(factories.actor()).post(f"/offers/{trade.pk}/").status_code == 404
    assert client_of(owner).post(f"/offers/{trade.pk}/", {"answer": "accept"}).status_code == 403
    assert taker.post(f"/offers/{trade.pk}/", {"answer": "maybe"}).status_code == 400
    assert taker.post(f"/offers/{trade.pk}/", {"answer": "accept"}).status_code == 302
    assert ledger.items_of(ben) == [item]
    assert client_of(owner).post(url, {**said, "gives": []}).status_code == 400
    life = client_of().get(f"/items/{item.serial}/").content.decode()
    assert "Was given Basic Green Helmet, Oriel Tamsin" in life
    people.erase(by=other, player=other.player)
    assert "Make an offer" not in client_of(owner).get(f"/items/{item.serial}/").content.decode()
    assert "Benno" not in client_of(owner).get(url).content.decode()


def test_a_cover_story_is_told_to_those_who_do_not_know_the_truth(
    owner: Actor, oriel: Character
) -> None:
    entry = LedgerEntry.objects.get(method="stolen", item__isnull=False)
    services.cover(
        by=owner,
        entry=entry,
        act_id=uuid4(),
        method="gift",
        circumstances=Circumstances(party="an aunt"),
    )
    assert entry.item is not None
    urls = [
        oriel.get_absolute_url(),
        f"{oriel.get_absolute_url()}ledger/",
        f"/items/{entry.item.serial}/",
    ]
    for url in urls:
        seen = client_of().get(url).content.decode()
        seen = seen.replace('<option value="stolen">stolen</option>', "")
        assert "an aunt" in seen
        assert "tole" not in seen
        assert "Halder" not in seen
    true = client_of(owner).get(urls[2]).content.decode()
    assert "Stole" in true
    assert "Halder Voss Issue" in true


# -- query counts ------------------------------------------------------------------------------


def count_queries(client: Client, url: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def test_pages_and_answers_keep_their_query_counts(owner: Actor, oriel: Character) -> None:
    """The most that each asks stands here; with more of everything they ask no more."""
    belt = campaigns.create(by=owner, name="Belt")
    grow(owner, oriel, belt)
    client, one, pk = client_of(owner), oriel.get_absolute_url(), oriel.pk
    item = f"/items/{ledger.items_of(oriel)[0].serial}/"
    card = Card.objects.first()
    assert card is not None
    pinned = {
        "/characters/": 9,
        one: 17,
        f"{one}print/": 15,
        f"{one}pocket/": 15,
        f"{one}ledger/": 20,
        f"{one}diary/": 11,
        f"{one}moves/": 8,
        f"{one}history/": 8,
        f"{one}offers/": 14,
        item: 13,
        "/campaigns/": 6,
        f"/campaigns/{belt.pk}/": 11,
        "/cards/?q=claw": 6,
        f"/cards/{card.pk}/": 8,
        f"/api/v1/characters/{pk}/": 14,
        f"/api/v1/ledger/?character={pk}": 17,
        f"/api/v1/gear/?character={pk}": 14,
        f"/api/v1/favours/?character={pk}": 8,
        "/api/v1/characters/": 6,
        "/api/v1/campaigns/": 4,
        "/api/v1/cards/?q=claw": 4,
    }
    before = {url: count_queries(client, url) for url in pinned}
    assert {url: count for url, count in before.items() if count > pinned[url]} == {}
    for _ in range(4):
        grow(owner, oriel, belt)
    assert {url: count_queries(client, url) for url in pinned} == before


def grow(owner: Actor, oriel: Character, belt: Campaign) -> None:
    """Add one more of all that these pages show."""
    another = services.paste(by=owner, text=SHEET)
    moving.ask_to_join(by=owner, character=another, campaign=belt)
    won = Recording("won", line="2 x Basic Red Feet (won)")
    services.record(by=owner, character=oriel, act_id=uuid4(), what=won)
    services.add_goal(by=owner, character=oriel, text="Rest")
    services.add_favour(
        by=owner, character=oriel, kind="grudge", text="A bad spin", about=another, told=True
    )
    item = ledger.items_of(oriel)[-1]
    gift = TradeOffer(gives=[item.serial], method="gift")
    services.offer(by=owner, character=oriel, to=another, what=gift)
    name = f"Claw {Card.objects.count()}"
    cards.add(by=owner, game="zg", data={"name": name, "slot": "Claw", "a": "R G B"}, shared=True)
