"""The labeling page in a real browser: tasks are filled in and submitted as a person does it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["BROWSER", "NO_BROWSER", "StudioPage", "open_studio"]

BROWSER = os.environ.get("CURATE_BROWSER") or shutil.which("chromium")
NO_BROWSER = "no chromium here; CURATE_BROWSER names one"

_FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
_SIDES = ("sent_more", "sent_less")


class StudioPage:
    """Somebody who is logged in."""

    def __init__(self, url: str, page: Any) -> None:
        self._url, self._page = url, page

    def open(self, project: int, task: int) -> None:
        """Open a task, and wait until its form is there."""
        self._page.goto(f"{self._url}/projects/{project}/data?task={task}")
        self._page.locator(".room .lsf-choices").first.wait_for(timeout=60_000)
        self._page.get_by_role("button", name="Submit").wait_for()

    def shown(self) -> str:
        """What can be read in the form."""
        return str(self._page.locator(".room").inner_text())

    def texts(self) -> list[str]:
        """What stands in the two text fields."""
        fields = self._page.locator(".target textarea:visible")
        return [fields.nth(number).input_value() for number in range(fields.count())]

    def write(self, side: str, text: str) -> None:
        self._page.locator(".target textarea:visible").nth(_SIDES.index(side)).fill(text)

    def note(self, text: str) -> None:
        self._page.locator(".note input, .note textarea").first.fill(text)

    def choose(self, label: str) -> None:
        """Take the choice that says `label`."""
        self._choice(label).click()

    def is_chosen(self, label: str) -> bool:
        return bool(self._choice(label).locator("input").is_checked())

    def _choice(self, label: str) -> Any:
        return self._page.locator("label.lsf-choice__checkbox:visible", has_text=label).first

    def submit(self) -> None:
        """Submit, and wait until the server has it."""
        with self._page.expect_response(
            lambda answer: answer.request.method == "POST" and "/annotations" in answer.url,
            timeout=120_000,
        ) as answer:
            self._page.get_by_role("button", name="Submit").click()
        assert answer.value.ok, answer.value.status

    def picture(self, path: Any) -> None:
        self._page.screenshot(path=str(path))


@contextmanager
def open_studio(url: str, mail: str, password: str) -> Iterator[StudioPage]:
    """Log in with a fresh browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=_FLAGS)
        try:
            # A service worker would keep the page blank.
            context = browser.new_context(
                viewport={"width": 1280, "height": 800}, service_workers="block"
            )
            page = context.new_page()
            page.goto(f"{url}/user/login/")
            page.fill("[name=email]", mail)
            page.fill("[name=password]", password)
            page.click("button[type=submit]")
            page.wait_for_url(lambda address: "/user/login" not in address)
            yield StudioPage(url, page)
        finally:
            browser.close()
