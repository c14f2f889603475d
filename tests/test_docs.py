"""Links in the documents lead somewhere, and the list of decisions names every decision."""

import re
from pathlib import Path

import pytest
from django.conf import settings

BASE = Path(settings.BASE_DIR)
DECISIONS = BASE / "docs" / "adr"
DOCUMENTS = [BASE / "README.md", *sorted((BASE / "docs").rglob("*.md"))]
LINK = re.compile(r'\]\(([^)\s]+)\)|src="([^"]+)"')
NAMED = re.compile(r"`([a-z_]+)\.([A-Za-z_]+)[`(]")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    headings = HEADING.findall(document.read_text("utf-8"))
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(BASE)))
def test_every_link_leads_somewhere(document: Path) -> None:
    for link in ("".join(each) for each in LINK.findall(document.read_text("utf-8"))):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        there = (document.parent / path).resolve() if path else document
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


def test_the_list_of_decisions_names_every_one_by_its_title() -> None:
    listed = re.findall(r"^- \[(.+)\]\((.+)\)$", (DECISIONS / "README.md").read_text(), re.M)
    titles = [
        (HEADING.findall(path.read_text("utf-8"))[0], path.name) for path in DECISIONS.glob("0*.md")
    ]
    assert sorted(listed) == sorted(titles)


def test_the_functions_that_the_desk_s_document_names_are_there() -> None:
    text = (BASE / "docs" / "desk.md").read_text("utf-8")
    modules = {path.stem: path.read_text("utf-8") for path in (BASE / "rules/desk").rglob("*.py")}
    named = [(module, name) for module, name in NAMED.findall(text) if module in modules]
    assert len(named) > 5
    for module, name in named:
        assert re.search(rf"^(?:def|class) {name}\b", modules[module], re.MULTILINE), name


@pytest.mark.parametrize("app", ["matches", "characters", "league"])
def test_the_map_names_every_module_once(app: str) -> None:
    text = (BASE / "docs" / "development.md").read_text("utf-8")
    table = text.partition(f"| in `{app}/` | modules |")[2].partition("\n\n")[0]
    modules = {path.stem for path in (BASE / app).glob("[!_]*.py")}
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(modules)
