"""The screenshots cover every page type."""

from tests import screens
from tests.browser.pages import PAGES


def test_every_page_type_has_its_screen() -> None:
    shot = {name.partition(",")[0] for name in screens.PAGES}
    assert PAGES.keys() - shot == set()


def test_the_docs_show_page_types_that_are_there() -> None:
    assert set(screens.SHOWN) <= screens.PAGES.keys()
    assert len(screens.SHOWN) >= 12
