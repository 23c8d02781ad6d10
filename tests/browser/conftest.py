"""A browser for all tests of this folder; where there is none, they skip and say why."""

from pathlib import Path

import lab_kit
import pytest


@pytest.fixture(scope="session")
def chromium():
    """The running browser; Playwright's own object."""
    reason = lab_kit.missing()
    if reason:
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Root may not use Chromium's own sandbox; the pages are ours.
        browser = playwright.chromium.launch(
            executable_path=lab_kit.browser(), args=["--no-sandbox"], chromium_sandbox=False
        )
        yield browser
        browser.close()


@pytest.fixture
def screen_of(chromium):
    """Opens a page on a `Lab`: `screen_of(lab, **options of a browser context)`."""
    contexts = []

    def open_page(lab, **options):
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        contexts.append(chromium.new_context(**options))
        return lab_kit.Screen(contexts[-1].new_page(), lab)

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def home(tmp_path) -> Path:
    """A folder for what JupyterLab keeps about its user."""
    path = tmp_path / "home"
    path.mkdir()
    return path
