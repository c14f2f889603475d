"""The games: schemas of what a ruleset takes and draws, and its tools."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

import rules
from matches import canonical, decks
from matches.api import shapes
from matches.api.base import OpenEndpoint
from matches.errors import BadInput, NotFound
from rules import clauses, tools
from rules.ruleset import Misused, Ruleset, event_type, pinned_name


class GamesView(OpenEndpoint):
    @extend_schema(operation_id="games_list", tags=["games"], responses=shapes.Games)
    def get(self, request: Request) -> Response:
        """List the games, each in its newest version."""
        newest = {ruleset.key: rules.get(ruleset.key) for ruleset in rules.RULESETS.values()}
        return Response(shapes.Games([_line(ruleset, request) for ruleset in newest.values()]))


class GameView(OpenEndpoint):
    @extend_schema(operation_id="games_read", tags=["games"], responses=shapes.GameResponse)
    def get(self, request: Request, key: str) -> Response:
        """Get a ruleset in full. `zg` is the newest version, `zg@1` a pinned one."""
        ruleset = ruleset_or_404(key)
        return Response(
            shapes.GameResponse(
                key=ruleset.key,
                name=ruleset.name,
                ruleset=pinned_name(ruleset),
                draft=rules.is_draft(ruleset),
                seats=list(ruleset.seats),
                options=msgspec.json.schema(ruleset.options_type),
                deck=msgspec.json.schema(ruleset.deck_type),
                acts=_schemas(ruleset.acts),
                consequences=_schemas(ruleset.consequences),
                texts=dict(ruleset.texts),
                decks=dict(decks.samples(ruleset)),
                tools={
                    name: msgspec.json.schema(tools.request_type(tool))
                    for name, tool in ruleset.tools.items()
                },
            )
        )


class ClausesView(OpenEndpoint):
    @extend_schema(operation_id="games_clauses", tags=["games"], responses=shapes.Rulebook)
    def get(self, request: Request, key: str) -> Response:
        """Get the clauses that verdicts cite, chapter by chapter."""
        ruleset = ruleset_or_404(key)
        page = reverse("matches:rulebook", args=[ruleset.key], request=request)
        chapters = [
            shapes.ChapterLine(chapter.title, [_clause(each, page) for each in chapter.clauses])
            for chapter in clauses.chapters_of(ruleset.key)
        ]
        return Response(shapes.Rulebook(chapters))


class ToolView(OpenEndpoint):
    of_anyone = True

    @extend_schema(
        operation_id="games_tool",
        tags=["games"],
        request={"application/json": {"type": "object"}},
        responses=OpenApiResponse({"type": "object"}, "What the tool found."),
    )
    def post(self, request: Request, key: str, tool: str) -> Response:
        """Use a tool of a game, such as `compare` of Z-G: the game's `tools` say what it takes."""
        ruleset = ruleset_or_404(key)
        if tool not in ruleset.tools:
            raise NotFound(_no_tool(ruleset, tool), "unknown-tool")
        ask = ruleset.tools[tool]
        sent = canonical.convert(request.data, tools.request_type(ask))
        try:
            return Response(ask(**msgspec.structs.asdict(sent)))
        except ValueError as error:
            where = f"$.{error.field}" if isinstance(error, Misused) else "$"
            raise BadInput("bad-value", str(error), where) from None


def _no_tool(ruleset: Ruleset, tool: str) -> str:
    """Return that a game has no such tool, and which it has."""
    text = gettext("{name} has no tool {tool!a}, only {tools}.")
    if not ruleset.tools:
        text = gettext("{name} has no tools.")
    return text.format(name=ruleset.name, tool=tool, tools=", ".join(sorted(ruleset.tools)))


class CheckDeckView(OpenEndpoint):
    of_anyone = True

    @extend_schema(
        operation_id="games_check_deck",
        tags=["games"],
        request=shapes.DeckRequest,
        responses=shapes.DeckResponse,
    )
    def post(self, request: Request, key: str) -> Response:
        """Check a deck and list all its problems at once."""
        ruleset = ruleset_or_404(key)
        sent = self.body(shapes.DeckRequest)
        options = canonical.convert(sent.options, ruleset.options_type, "$.options")
        if not {"deck", "text"} & set(self.request.data):
            raise BadInput("missing-field", "Send a `deck`, or a list as `text`.", "$.deck")
        if sent.text is not None:
            if sent.deck is not None:
                raise BadInput("twice", "Send a deck or a text, not both.", "$.text")
            return Response(
                list_response(decks.check_list(ruleset, sent.text, options, self.actor))
            )
        deck = canonical.convert(sent.deck, ruleset.deck_type, "$.deck")
        found = [decks.finding_of(ruleset, each) for each in ruleset.check_deck(deck, options)]
        return Response(shapes.DeckResponse(_problems(found)))


def ruleset_or_404(key: str) -> Ruleset:
    try:
        return rules.get(key)
    except KeyError:
        text = gettext("There is no game {name!a}, only {games}.")
        known = ", ".join(rules.RULESETS)
        raise NotFound(text.format(name=key, games=known), "unknown-game") from None


def _line(ruleset: Ruleset, request: Request) -> shapes.GameLine:
    return shapes.GameLine(
        key=ruleset.key,
        name=ruleset.name,
        ruleset=pinned_name(ruleset),
        draft=rules.is_draft(ruleset),
        seats=list(ruleset.seats),
        tools=sorted(ruleset.tools),
        url=reverse("api:game", args=[ruleset.key], request=request),
    )


def _clause(clause: clauses.Clause, page: str) -> shapes.ClauseLine:
    url = f"{page}#{clause.anchor}"
    return shapes.ClauseLine(clause.cited, clause.says, clause.how, clause.why, url)


def _schemas(events: tuple[Any, ...]) -> dict[str, Any]:
    return {event_type(event): msgspec.json.schema(event) for event in events}


def list_response(checked: decks.Checked) -> shapes.DeckResponse:
    lines = [
        shapes.DeckLine(line.line, line.copies, line.card, line.heading, line.known)
        for line in checked.lines
    ]
    return shapes.DeckResponse(_problems(checked.findings), checked.deck, lines)


def _problems(findings: Sequence[decks.Finding]) -> list[shapes.DeckProblem]:
    return [
        shapes.DeckProblem(each.code, each.clause, each.detail, dict(each.params), each.line)
        for each in findings
    ]
