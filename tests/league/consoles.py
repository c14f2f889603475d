"""The console of a tournament, as tests use it."""

from typing import Any
from uuid import uuid4

from league.models import Tournament
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

Form = dict[str, Any]


class Console:
    """The console of a tournament, as an official sees it: its organiser unless another is named.

    Texts are on one line, without the HTML between them.
    """

    def __init__(self, cup: Tournament, by: Any = None) -> None:
        self.cup, self.url = cup, f"/tournaments/{cup.code}/console/"
        self.client = signed_in((by or desks.organiser(cup)).user)

    def page(self, url: str = "") -> str:
        return squeezed(self.client.get(url or self.url))

    def post(self, status: int = 302, url: str = "", **form: Any) -> str:
        """Send a form and return the page that answers, the console once it was taken."""
        answer = self.client.post(url or self.url, {"act_id": str(uuid4()), **form})
        assert answer.status_code == status, squeezed(answer)[-3000:]
        return self.page() if status == 302 else squeezed(answer)


def swiss(players: int = 4, **settings: Any) -> Tournament:
    """Return a Swiss of single matches whose first round is published."""
    cup = desks.tournament()
    desks.entered(cup, players)
    desks.start(cup, **settings)
    desks.paired(cup)
    return cup
