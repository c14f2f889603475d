"""The rows of the proof: kept in deploy/proof.json, which the site shows, and told in docs."""

import subprocess
from pathlib import Path

import msgspec

from tests.prove.experiment import Experiment, registry

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "deploy" / "proof.json"
PAGE = ROOT / "docs" / "proof.md"

INTRO = """# Proof

What the log promises, and what came of putting it to the proof. Each experiment counts; none
is decided by a clock. Databases are durable: SQLite with WAL and `synchronous=FULL`,
PostgreSQL with `fsync` and `synchronous_commit` on. The *bite* is the same experiment on a
variant that was broken on purpose: it must fail, or the experiment proves nothing.

`make prove` runs them all and writes this page, `make prove ONLY=one-version` runs one.
*Short form*: run with the smaller figures of `make test`.
"""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What one experiment found on one engine. `size`: full or short; `broken`: why not."""

    engine: str
    date: str
    commit: str
    size: str
    asked: str = ""
    found: str = ""
    bite: str = ""
    counts: dict[str, int] = {}
    broken: str = ""


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    section: str
    promise: str
    rows: list[Row] = []


def read() -> dict[str, Promise]:
    if not DATA.exists():
        return {}
    return {each.name: each for each in msgspec.json.decode(DATA.read_bytes(), type=list[Promise])}


def write(fresh: dict[str, list[Row]]) -> None:
    """Put fresh rows beside those of experiments that were not run again."""
    before = read()
    promises = [
        Promise(
            name=each.name,
            section=each.section,
            promise=each.promise,
            rows=_rows(each, fresh.get(each.name, []), before.get(each.name)),
        )
        for each in registry().values()
    ]
    DATA.write_bytes(msgspec.json.format(msgspec.json.encode(promises), indent=1) + b"\n")
    PAGE.write_text(page(promises))


def _rows(experiment: Experiment, fresh: list[Row], before: Promise | None) -> list[Row]:
    kept = {row.engine: row for row in (before.rows if before else [])}
    kept |= {row.engine: row for row in fresh}
    return sorted(kept.values(), key=lambda row: row.engine, reverse=True)


def page(promises: list[Promise]) -> str:
    """Return docs/proof.md: one row a promise."""
    lines = [INTRO]
    section = ""
    for each in promises:
        if not each.rows:
            continue
        if each.section != section:
            section = each.section
            lines += [f"## {section}", "", "| promise | asked | found | bite | run |"]
            lines += ["|---|---|---|---|---|"]
        cells = [
            f"{each.promise} `{each.name}`",
            _by_engine(each, "asked"),
            _by_engine(each, "found"),
            _by_engine(each, "bite"),
            "<br>".join(dict.fromkeys(map(_run, each.rows))),
        ]
        lines.append(f"| {' | '.join(cells)} |")
        if each is promises[-1] or promises[promises.index(each) + 1].section != section:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _by_engine(promise: Promise, field: str) -> str:
    """Tell what the engines have in common once, what differs by engine."""
    told = {row.engine: _cell(row, field) for row in promise.rows}
    if len(set(told.values())) == 1 and len(told) > 1:
        return next(iter(told.values()))
    return "<br>".join(f"{engine}: {text}" for engine, text in told.items() if text)


def _cell(row: Row, field: str) -> str:
    if field == "found" and row.broken:
        return f"**Broken**: {row.broken}"
    text: str = getattr(row, field)
    return text


def _run(row: Row) -> str:
    return f"{row.date}, `{row.commit}`" + (", short form" if row.size == "short" else "")


def commit() -> str:
    """Return the commit at work, with a mark when files differ from it."""
    short = _git("rev-parse", "--short", "HEAD")
    ours = [f":!{path.relative_to(ROOT)}" for path in (DATA, PAGE)]
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *ours)
    return f"{short} with changes" if changed else short


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.strip()
