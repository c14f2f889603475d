"""Authentication for programs, and players."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from matches import keys
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.models import Key, Match, Player
from tests import factories
from tests.api.client import Api, opening, problem

pytestmark = pytest.mark.django_db


def credentials(name: str, password: str = factories.PASSWORD) -> dict[str, str]:
    return {"username": name, "password": password}


def test_name_and_password_give_a_token_that_signs_in() -> None:
    factories.user("ada")
    token = Api().post("token/", credentials("ada")).json()["token"]
    assert Api(authorization=f"Token {token}").get("players/").status_code == 200


def test_signing_in_again_leaves_the_first_sign_in_be() -> None:
    factories.user("ada")
    for token in [Api().post("token/", credentials("ada")).json()["token"] for _ in range(2)]:
        assert Api(authorization=f"Token {token}").get("players/").status_code == 200


def test_of_many_sign_ins_the_oldest_ends() -> None:
    user = factories.user("ada")
    issued = [keys.make_by_password(user) for _ in range(keys.LIMIT + 1)]
    assert [keys.find(key) is not None for key in issued] == [False] + [True] * keys.LIMIT


def test_a_new_password_ends_the_sign_ins_by_the_old_one_and_no_other_key() -> None:
    user = factories.user("ada")
    made, given = keys.make(user, name="A board", scopes=[]), keys.make_by_password(user)
    user.first_name = "Ada"
    user.save()
    assert user.check_password("wrong") is False
    assert keys.find(given) is not None
    user.set_password("another long one")
    user.save()
    assert (keys.find(given), keys.find(made) is not None) == (None, True)


def test_a_sign_in_by_password_is_listed_and_ended_by_its_owner() -> None:
    user = factories.user("ada")
    given = keys.make_by_password(user)
    client = factories.signed_in(user)
    assert "<strong>Password</strong>" in client.get("/me/keys/").content.decode()
    client.post(f"/me/keys/{Key.objects.get().pk}/end/")
    assert keys.find(given) is None


def test_a_key_writes_where_it_may_and_reads_everywhere() -> None:
    user = factories.user("ada")
    key = keys.make(user, name="A board", scopes=["characters"])
    board = Api(authorization=f"Token {key}")
    assert board.get("matches/").status_code == 200
    told = board.get().json()
    assert (told["you"]["id"], told["scopes"]) == (str(user.player.pk), ["characters"])
    problem(board.post("matches/", opening()), 403, "key-scope")
    ends = {"attack": "R G B", "target": "R G B"}
    assert board.post("games/zg/compare/", ends).status_code == 200
    assert board.post("games/zg/check-deck/", {"deck": {"cards": []}}).status_code == 200
    assert not Match.objects.exists()
    assert board.post("campaigns/", {"name": "Rim"}).status_code == 201


def test_a_key_is_handed_no_seat_by_which_it_could_write() -> None:
    user = factories.user("ada")
    match = factories.match(by=Actor(user, user.player))
    for scopes, status in ((["characters", "league"], 403), (["matches"], 200)):
        board = Api(authorization=f"Token {keys.make(user, name='A board', scopes=scopes)}")
        assert board.get(f"matches/{match.code}/").status_code == 200
        assert board.get(f"matches/{match.code}/seats/").status_code == status


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"name": "", "scopes": []}, "bad-length"),
        ({"name": "x", "scopes": ["admin"]}, "unknown-scope"),
    ],
)
def test_a_key_nobody_can_make_is_refused(said: dict[str, Any], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        keys.make(factories.user(), **said)
    assert refused.value.code == code
    assert not Key.objects.exists()


def test_at_some_number_of_keys_one_has_to_go_first() -> None:
    user = factories.user()
    for _ in range(keys.LIMIT):
        keys.make(user, name="x", scopes=[])
    with pytest.raises(Conflict):
        keys.make(user, name="x", scopes=[])


@pytest.mark.parametrize(
    "wrong", [credentials("ada", "guess"), credentials("nobody")], ids=["password", "name"]
)
def test_a_wrong_password_and_an_unknown_name_are_answered_alike(wrong: dict[str, str]) -> None:
    factories.user("ada")
    problem(Api().post("token/", wrong), 400, "wrong-credentials")


def test_one_made_inactive_gets_no_token() -> None:
    user = factories.user("ada")
    user.is_active = False
    user.save()
    problem(Api().post("token/", credentials("ada")), 400, "wrong-credentials")


def test_too_many_wrong_passwords_lock_the_account_for_a_while(settings: Any) -> None:
    settings.AXES_COOLOFF_TIME = timedelta(seconds=1790)
    factories.user("ada")
    for _ in range(settings.AXES_FAILURE_LIMIT):
        last = Api().post("token/", credentials("ada", "guess"))
    problem(last, 429, "locked-out")
    again = Api().post("token/", credentials("ada"))
    detail = problem(again, 429, "locked-out")["detail"]
    assert detail == "Too many wrong passwords. Wait 30 minutes, then try again."
    assert again.headers["Retry-After"] == "1790"


def test_players_are_listed_newest_first() -> None:
    ada, ben = factories.actor(), factories.actor()
    told = Api(ada).get("players/").json()
    assert [row["id"] for row in told["results"]] == [str(ben.player_id), str(ada.player_id)]


def test_players_are_found_by_a_part_of_their_name() -> None:
    ada = factories.actor("lovelace")
    factories.actor("babbage")
    told = Api(ada).get("players/", name="LOVE").json()
    assert [row["name"] for row in told["results"]] == ["lovelace"]


def test_a_guest_is_a_player_without_an_account() -> None:
    answer = Api(factories.user()).post("players/", {"name": "Ada"})
    told = answer.json()
    assert answer.status_code == 201
    assert (told["name"], told["guest"]) == ("Ada", True)
    assert answer.headers["Location"] == told["url"]
    found = Api(factories.user()).get(f"players/{told['id']}/").json()
    known = ("records", "games", "spins", "form", "rivals", "ratings")
    known += ("characters", "cards", "trophies")
    assert found == told | {name: [] for name in known}
    problem(Api().get(f"players/{told['id']}/"), 404, "no-such-player")  # sits nowhere yet


def test_one_renames_oneself() -> None:
    ada = factories.actor()
    answer = Api(ada).patch(f"players/{ada.player_id}/", {"name": "Countess"})
    assert answer.json()["name"] == "Countess"
    assert Player.objects.get(pk=ada.player_id).name == "Countess"


@pytest.mark.parametrize(
    ("name", "code"), [("Ve\vga", "control-character"), ("Ve\nga", "not-a-line")]
)
def test_nobody_is_called_by_control_characters(name: str, code: str) -> None:
    by = factories.actor()
    assert by.player is not None
    problem(Api(by).patch(f"players/{by.player.pk}/", {"name": name}), 400, code)


def test_one_renames_the_guests_one_brought() -> None:
    host = Api(factories.user())
    guest = host.post("players/", {"name": "Ada"}).json()
    assert host.patch(f"players/{guest['id']}/", {"name": "Ida"}).json()["name"] == "Ida"


def test_one_does_not_rename_others() -> None:
    ada, ben = factories.actor(), factories.actor()
    answer = Api(ben).patch(f"players/{ada.player_id}/", {"name": "Nobody"})
    problem(answer, 403, "not-allowed")


def test_a_player_who_is_not_there_is_404() -> None:
    problem(Api().get(f"players/{uuid4()}/"), 404, "no-such-player")
