"""The rows of the proof, stored in deploy/proof.json, which the site shows, and in the docs."""

import subprocess
from itertools import groupby

import msgspec

from deploy import proof
from deploy.proof import DATA, Promise, Row
from tests.prove.experiment import registry

ROOT = DATA.parent.parent
PAGE = ROOT / "docs" / "proof.md"

INTRO = """# Proof

What the log promises, and the results of testing it. Each experiment counts; none depends on a
clock. Databases are durable: SQLite with WAL and `synchronous=FULL`, PostgreSQL with `fsync` and
`synchronous_commit` on. The *bite* is the same experiment on a variant that was broken on
purpose: it must fail, or the experiment proves nothing.

`make prove` runs all experiments and writes this page, `make prove ONLY=one-version` runs one.
*Short form*: run with the smaller figures of `make test`.

Not tested: an error, or a power failure, at each single write and fsync of a database's files. We
rely on SQLite and PostgreSQL there, whose developers test it. Here processes are killed at any
point, and a full disk and a locked database are reported as such. Nor is every line mutated in
turn: of 660 random mutations of the rules the tests caught 83 %, and 93 % with tests added for what
they had missed; of 539 of the log, the desk, leagues and characters 74 %, and with tests added for
who may see and do what in leagues and characters 94 % of those. Most of the others change nothing
that is decided.
"""
HEADER = (
    "| promise | experiment | result | bite: broken on purpose | run |",
    "|---|---|---|---|---|",
)


def write(fresh: dict[str, list[Row]]) -> None:
    """Write fresh rows, and keep those of experiments that were not run."""
    before = {each.name: each for each in proof.read()}
    promises = [
        Promise(
            name=each.name,
            section=each.section,
            promise=each.promise,
            rows=_rows(fresh.get(each.name, []), before.get(each.name)),
        )
        for each in registry().values()
    ]
    DATA.write_bytes(msgspec.json.format(msgspec.json.encode(promises), indent=1) + b"\n")
    PAGE.write_text(page(promises))


def _rows(fresh: list[Row], before: Promise | None) -> tuple[Row, ...]:
    kept = {row.engine: row for row in (*(before.rows if before else ()), *fresh)}
    return tuple(sorted(kept.values(), key=lambda row: row.engine, reverse=True))


def page(promises: list[Promise]) -> str:
    """Return docs/proof.md, with one row for each promise."""
    parts = [INTRO]
    tried = [promise for promise in promises if promise.rows]
    for section, group in groupby(tried, lambda each: each.section):
        lines = [f"## {section}", "", *HEADER, *map(_line, group), ""]
        parts.append("\n".join(lines))
    return "\n".join(parts)


def _line(promise: Promise) -> str:
    cells = [
        f"{promise.promise} `{promise.name}`",
        _told(promise.asked),
        _told(promise.found),
        _told(promise.bites),
        "<br>".join(dict.fromkeys(map(_run, promise.rows))),
    ]
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _told(texts: list[tuple[str, str]]) -> str:
    return "<br>".join(f"{engine}: {text}" if engine else text for engine, text in texts if text)


def _run(row: Row) -> str:
    return f"{row.date}, `{row.commit}`" + (", short form" if row.size == "short" else "")


def commit() -> str:
    """Return the current commit, marked if the working tree differs from it."""
    short = _git("rev-parse", "--short", "HEAD")
    ours = [f":!{path.relative_to(ROOT)}" for path in (DATA, PAGE)]
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *ours)
    return f"{short} with changes" if changed else short


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.strip()
