"""Requests of a page that wait until a test lets them go on, as over a slow network."""

from typing import Any

from playwright.sync_api import Route


class Held:
    """Holds back what a page asks for at an address."""

    def __init__(self, page: Any, address: Any, times: int | None = None) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route), times=times)

    def next(self) -> Route:
        """Return the first that waits, once there is one."""
        while not self.routes:
            self.page.wait_for_timeout(20)
        return self.routes.pop(0)
