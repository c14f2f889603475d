"""`python -m tests.rulebook`: write the pages of the docs that list a game's clauses and codes.

What a page says is read from the rules themselves: clauses from `clauses.toml`, where they are
kept from the citations in the modules, codes and their clauses from the calls that give them.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import rules
from rules import clauses, texts
from rules.clauses import Clause
from rules.ruleset import Act, Consequence, Ruleset, event_type

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

HOW = {
    "enforced": "the core judges by it, or draws consequences from it",
    "declared": "a player states the fact, the core acts on it",
    "recorded": "it is kept that it happened; what it does nobody knows, so players see to it",
    "told": "nothing at a table hangs on it",
}
GIVES = {"impossible": "impossible", "irregular": "irregular", "Problem": "problem"}
PLAIN = re.compile(r"\{(\w+)\}")


# -- clauses --------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """One clause, and the modules that keep it."""

    clause: Clause
    where: tuple[str, ...]


@cache
def clauses_of(key: str) -> list[Kept]:
    """Return the clauses of a game's rulebook, in its order."""
    package = ROOT / "rules" / key
    sources = {file.name: file.read_text("utf-8") for file in sorted(package.glob("*.py"))}
    found = []
    for clause in (each for chapter in clauses.chapters_of(key) for each in chapter.clauses):
        cited = _citation(clause.name)
        where = tuple(file for file, text in sources.items() if re.search(cited, text))
        found.append(Kept(clause, where))
    return found


def _citation(name: str) -> str:
    chapter, row = name.partition(" ")[::2]
    if row:
        return rf"\bZG {chapter} (?:[\w-]+, )*{row}(?![\w-])"  # also in a list of rows
    game = r"\bZG " if name[0].isdecimal() else r"\b"
    return rf"{game}{re.escape(name)}(?!\d)"


def clauses_page(ruleset: Ruleset) -> str:
    found = clauses_of(ruleset.key)
    counts = {how: sum(each.clause.how == how for each in found) for how in HOW}
    lines = [
        f"# {ruleset.name}: every clause, and how the core keeps it",
        "",
        "Made by `python -m tests.rulebook`; a test fails when it is out of date. Of each clause",
        "how the core keeps it, in which module, and where it keeps less than all, why.",
        "",
        *(f"- **{how}**, {counts[how]}: {HOW[how]}." for how in HOW),
        "",
        "| clause | says | kept | where | why no more |",
        "|---|---|---|---|---|",
    ]
    for clause, files in ((each.clause, each.where) for each in found):
        where = " ".join(
            f"[{file.removesuffix('.py')}](../rules/{ruleset.key}/{file})"
            for file in files
            if clause.how != "told"
        )
        lines.append(f"| {clause.name} | {clause.says} | {clause.how} | {where} | {clause.why} |")
    return "\n".join([*lines, ""])


# -- codes ----------------------------------------------------------------------------


@dataclass
class Code:
    """A code of a verdict or a problem: what calls it gives, and by which clauses."""

    calls: set[str] = field(default_factory=set)
    clauses: set[str] = field(default_factory=set)


@cache
def codes_of(key: str) -> dict[str, Code]:
    """Return the codes that a game's modules give, each with its clauses."""
    found: defaultdict[str, Code] = defaultdict(Code)
    for file in sorted((ROOT / "rules" / key).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                _read(node, found)
    return dict(found)


def _read(call: ast.Call, found: defaultdict[str, Code]) -> None:
    assert isinstance(call.func, ast.Name)
    given = GIVES.get(call.func.id)
    codes = list(_words(call.args[0])) if given and call.args else []
    for code in codes:
        found[code].calls.add(given or "")
        found[code].clauses.update(_words(call.args[1]) if len(call.args) > 1 else ())


def _words(node: ast.expr) -> Iterator[str]:
    """Yield the words an argument may be; of a condition both."""
    if isinstance(node, ast.IfExp):
        yield from _words(node.body)
        yield from _words(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


def codes_page(ruleset: Ruleset) -> str:
    tables = texts.tables(f"rules.{ruleset.key}")
    found = codes_of(ruleset.key)
    lines = [
        f"# {ruleset.name}: every code",
        "",
        "Made by `python -m tests.rulebook`; a test fails when it is out of date. Codes are",
        "permanent: programs may hang on them. Each is produced by a test.",
        "",
        "## Verdicts",
        "",
        "*Irregular* is against the rules, but it has a meaning and may have stood; *impossible*",
        "has none. The API answers 409 and 422.",
        "",
        "| code | call | clause | says |",
        "|---|---|---|---|",
        *_rows(tables["verdicts"], found),
        "",
        "## Problems of a deck or a setup",
        "",
        "| code | call | clause | says |",
        "|---|---|---|---|",
        *_rows(tables["problems"], found),
        "",
        "## Outcomes",
        "",
        "| code | says |",
        "|---|---|",
        *(f"| `{code}` | {_plain(said)} |" for code, said in tables["outcomes"].items()),
        "",
        "## Acts: what people record",
        "",
        "| type | what it is |",
        "|---|---|",
        *_kinds(ruleset.acts),
        "",
        "## Consequences: what the rules make of it",
        "",
        "| type | what it is |",
        "|---|---|",
        *_kinds(ruleset.consequences),
    ]
    return "\n".join([*lines, ""])


def _rows(said: dict[str, str] | object, found: dict[str, Code]) -> Iterator[str]:
    assert isinstance(said, dict)
    for name, text in said.items():
        code = found.get(name, Code())
        calls = ", ".join(sorted(code.calls))
        yield f"| `{name}` | {calls} | {', '.join(sorted(code.clauses))} | {_plain(text)} |"


def _kinds(kinds: tuple[type[Act], ...] | tuple[type[Consequence], ...]) -> Iterator[str]:
    for kind in kinds:
        about = re.sub(r"\s+", " ", (kind.__doc__ or "").strip())
        yield f"| `{event_type(kind)}` | {about if not about.startswith(kind.__name__) else ''} |"


def _plain(text: str) -> str:
    return PLAIN.sub(r"*\1*", text).replace("|", "\\|")


# -- writing --------------------------------------------------------------------------


PAGES: dict[Path, Callable[[], str]] = {
    DOCS / "zg-clauses.md": lambda: clauses_page(rules.get("zg")),
    DOCS / "zg-codes.md": lambda: codes_page(rules.get("zg")),
}
"""Every page, by its file."""


def main() -> None:
    for file, page in PAGES.items():
        file.write_text(page(), "utf-8")
        print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
