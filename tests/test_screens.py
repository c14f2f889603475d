"""The screens: no page type is left out."""

from tests import screens
from tests.browser.pages import PAGES


def test_every_page_type_has_its_screen() -> None:
    shot = {name.partition(",")[0] for name in screens.PAGES}
    assert PAGES.keys() - shot == set()
