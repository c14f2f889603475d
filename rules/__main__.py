"""The rules on the command line, without a site: `python -m rules --help`.

Exit status: 0 success; 1 a replay differs, a certificate does not hold or a law is broken; 2 bad
input.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Union

import msgspec

import rules
from rules import bots, certificate, conformance, flags, notation, otherwise, replay, texts, tools
from rules.conformance import laws
from rules.ruleset import Consequence, Ruleset, event_type, pinned_name

FETCH_AGAIN = "Fetch it again once the site has signed its heads, as it does every night."


class UsageError(ValueError):
    """The input cannot be read."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    given, rest = _parser().parse_known_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # unencodable output is not an input error
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        if rest and given.run is not _replay:
            raise UsageError(f"there is no {rest[0]}")
        given.rest = rest
        return int(given.run(given))
    except BrokenPipeError:
        # The reader closed the pipe; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except RecursionError:
        problem = _in_file(given, "nested too deeply")
    except OSError as error:
        problem = ": ".join(filter(None, (error.filename, error.strerror)))
    except UsageError as error:
        problem = str(error)
    except ValueError as error:  # the errors of notation, replay and msgspec are ValueErrors
        problem = _in_file(given, str(error))
    print(f"python -m rules {given.command}: {problem}", file=sys.stderr)
    return 2


def _in_file(given: argparse.Namespace, problem: str) -> str:
    return f"{given.file}: {problem}" if "file" in given else problem


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rules", description="The rules core.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    judge = commands.add_parser("judge", help="the verdict on an act and its consequences")
    judge.add_argument("game", choices=_games(), metavar="GAME")
    judge.add_argument("file", help="JSON of setup, acts (so far) and act; - is standard input")
    judge.set_defaults(run=_judge)

    playout = commands.add_parser("playout", help="a whole match played by bots, in notation")
    games = playout.add_subparsers(dest="game", required=True, metavar="GAME")
    for name, ruleset in _games().items():
        game = games.add_parser(name, help=ruleset.name)
        game.add_argument("--seed", default="1", help="the same seed, the same match")
        game.add_argument("--keen", action="store_true", help="bots that play to win")
        game.add_argument("--seats", type=int, metavar="N", help="how many play")
        flags.add_fields(game, ruleset.options_type)
        game.set_defaults(run=_playout)

    again = commands.add_parser(
        "replay",
        help="fold a match and compare its digests; under other options tell what would change",
        epilog="Any option of the game may be given after the file: --strikes card_tests",
    )
    again.add_argument("file", help="a match in notation; - is standard input")
    again.add_argument("--stamp", action="store_true", help="print it with its digests instead")
    again.set_defaults(run=_replay)

    proof = commands.add_parser("verify", help="prove a match's certificate: chain, acts, result")
    proof.add_argument("file", help="a certificate (JSON); - is standard input")
    proof.add_argument(
        "--key", type=_key, metavar="HEX", help="require that this key signed all of it"
    )
    proof.add_argument("--json", action="store_true", help="print JSON")
    proof.set_defaults(run=_verify)

    conform = commands.add_parser("conform", help="whether a ruleset keeps every law of the core")
    conform.add_argument("game", help="a game here, or one of your own as module:Class")
    conform.add_argument("--matches", type=int, default=12, metavar="N", help="play so many")
    conform.set_defaults(run=_conform)

    for name, of_games in _tools().items():
        if len(of_games) == 1:
            _add_tool(commands, name, *of_games.values())
        else:  # several games have one of this name
            shared = commands.add_parser(name, help=f"of one game: {', '.join(of_games)}")
            keys = shared.add_subparsers(dest="game", required=True, metavar="GAME")
            for key, tool in of_games.items():
                _add_tool(keys, key, tool)
    return parser


def _add_tool(commands: Any, name: str, tool: tools.Tool) -> None:
    about = (tool.__doc__ or "").partition("\n")[0]
    command = commands.add_parser(name, help=about, description=about)
    command.add_argument("--json", action="store_true", help="print JSON")
    flags.add_tool(command, tool)
    command.set_defaults(run=_tool, tool=tool)


def _games() -> dict[str, Ruleset]:
    """Return every ruleset by its pinned name, and the newest version of each game by its key."""
    return _newest() | rules.RULESETS


def _newest() -> dict[str, Ruleset]:
    return {ruleset.key: rules.get(ruleset.key) for ruleset in rules.RULESETS.values()}


def _tools() -> dict[str, dict[str, tools.Tool]]:
    """Return the tools of the newest versions by name, and of each name by game."""
    found: dict[str, dict[str, tools.Tool]] = {}
    for key, ruleset in _newest().items():
        for name, tool in ruleset.tools.items():
            found.setdefault(name, {})[key] = tool
    return found


def _text(file: str) -> str:
    if file == "-" and sys.stdin is None:
        raise UsageError("standard input is closed")
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 at byte {error.start + 1}") from error


# -- commands -------------------------------------------------------------------------


def _judge(given: argparse.Namespace) -> int:
    ruleset = rules.get(given.game)
    setup, acts, act = _question(ruleset, _text(given.file))
    timeline = replay.Timeline(ruleset)
    for before in (setup, *acts):
        timeline.add(*replay.entry_after(ruleset, timeline, before, irregular=True))
    verdict = replay.judge(ruleset, timeline, act)
    consequences: tuple[Consequence, ...] = ()
    if verdict.call != "impossible":
        entry, _ = replay.entry_after(ruleset, timeline, act, irregular=True)
        consequences = entry.consequences
    _print_json({"verdict": verdict, "consequences": consequences})
    return 0


def _question(ruleset: Ruleset, text: str) -> tuple[Any, tuple[Any, ...], Any]:
    """Read the setup, the acts so far and the act to judge."""
    act: Any = Union[(*ruleset.acts, *notation.LOG_ACTS)]
    kind = msgspec.defstruct(
        "Question",
        [("setup", ruleset.opened), ("act", act), ("acts", tuple[act, ...], ())],
        forbid_unknown_fields=True,
    )
    plain = msgspec.json.decode(text)
    if isinstance(plain, dict) and isinstance(plain.get("setup"), dict):
        plain["setup"].setdefault("ruleset", pinned_name(ruleset))
    question: Any = msgspec.convert(plain, kind)
    return question.setup, question.acts, question.act


def _playout(given: argparse.Namespace) -> int:
    ruleset = rules.get(given.game)
    if given.seats is not None and given.seats not in ruleset.seats:
        first, last = ruleset.seats[0], ruleset.seats[-1]
        raise UsageError(f"{given.seats} seats: {ruleset.name} is for {first} to {last}")
    options = flags.of_fields(given, ruleset.options_type)
    setup = bots.sample_setup(ruleset, given.seed, seats=given.seats, options=options)
    timeline = bots.playout(ruleset, setup, given.seed, keen=given.keen)
    print(notation.write_match(ruleset, timeline.entries, digests=True, comments=True), end="")
    return 0


def _replay(given: argparse.Namespace) -> int:
    text = _text(given.file)
    script = notation.read_match(text, rules.get)
    if given.stamp:
        timeline = notation.play(notation.without_digests(script))
        print(notation.stamp(text, script, timeline.entries), end="")
        return 0
    try:
        timeline = notation.play(script)
    except notation.NotationError as error:
        print(f"{given.file}: {error}", file=sys.stderr)
        return 1
    if given.rest:
        return _readjudicate(timeline, given.rest)
    compared = sum("digest" in line.expected for line in script.lines)
    print(f"{len(timeline)} entries, {compared} digests compared, all agree")
    print(f"{timeline.entries[-1].digest}  {script.ruleset.headline(timeline.head.state)}")
    return 0


def _key(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError(f"{text[:80]!a} is no public key: 64 hex digits")
    return text.lower()


def _verify(given: argparse.Namespace) -> int:
    found = certificate.read(_text(given.file))
    finding = certificate.verify(found, given.key or "")
    if given.json:
        _print_json(finding)
    elif not finding.ok:
        print(_flaw_text(finding), file=sys.stderr)
    else:
        drawn = ", draws" if finding.draws_checked else ""
        print(
            f"{finding.entries} entries, {finding.events} events: chain, acts, states{drawn} hold"
        )
        print(f"{finding.ruleset}, log {finding.log}: {_printed(finding.headline)}")
        print(f"head {found.version} {found.hash}")
        print(_signed_text(found))
    return 0 if finding.ok else 1


def _printed(text: str) -> str:
    """Escape everything a terminal could take for a control sequence or a line break."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _flaw_text(finding: certificate.Finding) -> str:
    where = f"from entry {finding.first_bad} on ({finding.problem}): {finding.detail}"
    if finding.problem != "unsigned":
        return f"it does not hold, {where}"
    return f"it is whole, but not signed {where}. {FETCH_AGAIN}"


def _signed_text(found: certificate.Certificate) -> str:
    signed = found.signed
    if signed is None:
        return f"not signed: nothing here says that the whole log was not made up. {FETCH_AGAIN}"
    text = f"signed up to entry {signed.version} at {signed.time} with the key {signed.key}"
    if signed.version == found.version:
        return text
    rest = f"not signed from entry {signed.version + 1} on: anybody may have made that up"
    return f"{text}\n{rest}. {FETCH_AGAIN}"


def _conform(given: argparse.Namespace) -> int:
    if given.matches < 1:
        raise UsageError(f"{given.matches} matches show nothing: play one at least")
    try:
        ruleset = laws.ruleset_from(given.game)
    except (ImportError, AttributeError, KeyError, TypeError) as error:
        raise UsageError(f"there is no ruleset {given.game!r}") from error
    try:
        cases = conformance.cases_for(ruleset, matches=given.matches, wild=given.matches)
    except Exception as error:  # the ruleset cannot even be played; it may raise anything
        print(f"BROKEN  It can be played by its offers.\n        raises {error!r}")
        return 1
    broken = 0
    for finding in conformance.conform(ruleset, cases):
        broken += bool(finding.broken)
        print(f"{'BROKEN' if finding.broken else 'kept':6}  {finding.promise}")
        if finding.broken:
            print(f"        {finding.broken}")
    matches, acts = len(cases.timelines), len(cases.tries)
    print(f"{matches} matches, {acts} acts tried at their states")
    if left := conformance.unreached(cases):
        print(f"never reached: {', '.join(left)}")
    return 1 if broken else 0


def _readjudicate(timeline: replay.Timeline, rest: Sequence[str]) -> int:
    """Report, act by act, what would have been different under other options."""
    ruleset, setup = timeline.ruleset, timeline.setup
    parser = argparse.ArgumentParser(prog="python -m rules replay FILE", add_help=False)
    flags.add_fields(parser, ruleset.options_type)
    changed = flags.of_fields(parser.parse_args(rest), ruleset.options_type)
    plain = msgspec.to_builtins(setup.options) | changed
    found = otherwise.readjudicate(timeline, msgspec.convert(plain, ruleset.options_type))
    names = texts.names_of(setup)
    for change in found.changes:
        print(f"{change.version} {ruleset.tell(change.act, change.states[0])}")
        for word, verdict, events in zip(("was", "now"), change.calls, change.events, strict=True):
            results = [texts.of_finding(ruleset.texts, verdict, names)] if verdict.code else []
            results += [event_type(event) for event in events]
            print(f"    {word}: {', '.join(results) or 'nothing'}")
    print(f"{len(found.changes)} of {found.asked} acts would have gone otherwise")
    for word, state in (("was", timeline.head.state), ("now", found.state)):
        print(f"{word}: {ruleset.headline(state)}")
    return 0


def _tool(given: argparse.Namespace) -> int:
    answer = tools.call(given.tool, flags.of_tool(given, given.tool))
    if given.json:
        _print_json(answer)
    else:
        print("\n".join(_lines(answer)))
    return 0


def _print_json(answer: Any) -> None:
    is_plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print(json.dumps(msgspec.to_builtins(answer), ensure_ascii=is_plain))


def _lines(answer: Any) -> list[str]:
    """Format plain data for reading: one line per value, list items below their name."""
    lines = []
    for name, value in answer.items() if isinstance(answer, dict) else [("answer", answer)]:
        if isinstance(value, list | tuple):
            lines.append(f"{name}:")
            lines += [f"  {_flat(each)}" for each in value]
        else:
            lines.append(f"{name}: {_flat(value)}")
    return lines


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_flat(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_flat, value))
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
