"""`make audit`: measure the usability goals over every page type, and write docs/quality.md.

    python -m tests.audit [--dry]

It runs on a separate site with the demo's data; `--dry` prints the page and writes nothing.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests import chromium, services
from tests.audit import goals
from tests.audit.figure import Figure, Pages
from tests.screens import PAGES, Photographer, Site, demo

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "quality.md"

INTRO = """# Quality of use

Page weight, loading times and accessibility, measured by `make audit` over every page type of a
site with the demo's data. The figures are information; goals that do not depend on the machine's
speed are also enforced by tests, which are named below.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--dry", action="store_true", help="print the page, write nothing")
    dry = parser.parse_args().dry
    from playwright.sync_api import sync_playwright

    program = chromium.require()
    os.environ.update(program.environment)
    with demo() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program.path, args=chromium.FLAGS)
        _use(site)
        run, pages = _run(browser.version), Pages()
        figures = list(_measure(browser, site, pages))
        browser.close()
    written = "\n".join([INTRO, run, *_report(figures, pages)])
    if dry:
        print(written)
    else:
        PAGE.write_text(written)
    lost = [each.goal for each in figures if each.met is False]
    print(f"{len(figures)} goals measured, not met: {', '.join(lost) or 'none'}")


def _use(site: Site) -> None:
    """Set up Django in this process on the demo's database."""
    import django

    os.environ |= {
        "DATA": str(site.data),
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # playwright runs an event loop in this thread
    }
    django.setup()


def _measure(browser: Any, site: Site, pages: Pages) -> Iterator[Figure]:
    from tests.audit import answers, held, live, pace, paper
    from tests.audit.eyes import Eyes

    photographer = Photographer(browser, site)
    answers.request_pages(photographer.places, pages)
    print("asked", flush=True)
    yield from answers.weights(pages)
    yield from answers.fragments(photographer.places)
    yield from answers.polls(site.url, photographer.places)
    yield from live.figures(browser, site.url)
    print("followed", flush=True)
    cookies = photographer.scribe.context.cookies()
    yield from pace.figures(browser, site, cookies, pages)
    print("timed", flush=True)
    yield from paper.figures(photographer.scribe, pages)
    eyes = Eyes(photographer, pages)
    for name in PAGES:
        eyes.look_at(name)
    print("looked", flush=True)
    held.look_away(eyes, photographer)
    held.look(eyes, photographer)
    yield from eyes.figures()


def _run(version: str) -> str:
    """Return a line about what is measured and on which machine."""
    from tests.prove import report

    return (
        f"Run on {datetime.now(UTC):%Y-%m-%d} at `{report.commit()}`, Chromium {version}, "
        f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the start.\n"
    )


def _report(figures: list[Figure], pages: Pages) -> Iterator[str]:
    yield "## Measured\n"
    yield "| goal | target | measured | sample | met |\n|---|---|---|---|---|"
    for each in figures:
        met = {True: "yes", False: "**no**", None: ""}[each.met]
        yield _row(each.goal, each.target, each.measured, each.sample, met)
    yield "\nTimings simulate a slow phone: processor slowed down four times, 150 ms, 1.6 Mbit/s."
    yield "\n## Enforced by tests\n"
    yield "| goal | target | test |\n|---|---|---|"
    for goal, target, *tests in goals.TESTED:
        yield _row(goal, target, "<br>".join(f"`{test}`" for test in tests))
    for goal, where in goals.ELSEWHERE:
        yield _row(goal, "", where)
    yield "\n## Left to manual checks\n"
    yield from (f"- {each}" for each in goals.BY_PEOPLE)
    yield "\n## Every page\n"
    yield "Bytes as sent, HTML gzipped; queries of a first and of a repeated request.\n"
    yield "| page | HTML | CSS | JavaScript | queries | repeated | smallest target, px |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, page in pages.items():
        sizes = (page.html, page.css, page.js, page.queries, page.again, page.target)
        yield _row(name, *(f"{size:,.0f}" for size in sizes))
    yield ""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    try:
        main()
    except services.Missing as missing:
        sys.exit(str(missing))
