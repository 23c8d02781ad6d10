"""JupyterLab on the loopback in a folder of its own, and a page of a real browser that shows it.

The browser is the system's `chromium` (Playwright downloads none), the JupyterLab that of the
running Python. Everything lives in a temporary folder, settings included, and ends by its own id.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "build" / "browser"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A laptop needs a tenth of it; a machine that trains and tests beside this one may not.
PATIENCE = 240  # seconds
HERE = re.compile(r"(https?|wss?)://127\.0\.0\.1[:/]|(data|blob|about|file):")


def missing() -> str:
    """Return why no browser can be driven here, in words, or ""."""
    if importlib.util.find_spec("playwright") is None:
        return "Playwright is not installed: pip install -e '.[browser]'"
    if browser() is None:
        return f"none of {', '.join(BROWSERS)} is on PATH (Debian: apt install chromium)"
    return ""


def browser() -> str | None:
    """Return the path of the browser, or None."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """A running JupyterLab.

    Attributes:
        url: str, where it listens, without a slash at the end.
        root: Path, the folder that it shows.
    """

    def __init__(self, url: str, token: str, root: Path, process: subprocess.Popen, log: Path):
        self.url, self.token, self.root, self.process, self.log = url, token, root, process, log

    def at(self, path: str) -> str:
        """Return the address of a page of the server, with what lets one in."""
        return f"{self.url}/{path}{'&' if '?' in path else '?'}token={self.token}"


@contextlib.contextmanager
def running_lab(root: Path, home: Path, *, theme: str = "JupyterLab Light"):
    """Start JupyterLab on `root` as the product's environment has it, and end it afterwards.

    Args:
        root: the folder to show.
        home: a folder for settings, the signatures of trusted notebooks, run-time files.
        theme: JupyterLab's name of the theme.

    Yields:
        `Lab`.
    """
    folders = {name: home / name.lower() for name in ("CONFIG", "DATA", "RUNTIME")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    settings = {
        # The first start asks whether to fetch news from the internet; a student says no.
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        # All cells are on the page, also those outside the window: a test finds them again.
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/themes": {"theme": theme},
    }
    for name, values in settings.items():
        path = folders["CONFIG"] / f"lab/user-settings/@jupyterlab/{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "BERT_COURSE"))},
        **{f"JUPYTER_{name}_DIR": str(folder) for name, folder in folders.items()},
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "PYTHONPATH": str(ROOT),
    }
    port, token, log = free_port(), secrets.token_hex(16), home / "lab.log"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"]
    command += ["--ServerApp.port_retries=0", f"--ServerApp.root_dir={root}"]
    command += [f"--IdentityProvider.token={token}"]
    with open(log, "wb") as said:
        process = subprocess.Popen(command, cwd=root, env=environment, stdout=said, stderr=said)
    lab = Lab(f"http://127.0.0.1:{port}", token, root, process, log)
    try:
        _wait(lab)
        yield lab
    finally:
        process.terminate()  # the server ends its kernels
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(lab: Lab) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(lab.at("api/status"), timeout=5).close()
            return
        if lab.process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"JupyterLab did not start:\n{lab.log.read_text()[-3000:]}")
        time.sleep(0.1)


class Screen:
    """A page of the browser that shows JupyterLab, with the moves of somebody who works in it.

    Attributes:
        page: Playwright's page.
        abroad: list of str, addresses outside the loopback that the page asked for.
        errors: list of str, what scripts raised.
    """

    def __init__(self, page, lab: Lab):
        self.page, self.lab = page, lab
        self.abroad: list[str] = []
        self.errors: list[str] = []
        page.set_default_timeout(1000 * PATIENCE)
        page.route(lambda url: not HERE.match(url), self._refuse)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _refuse(self, route) -> None:
        """What is not on this machine can't be had, as on a laptop without a network."""
        self.abroad.append(route.request.url)
        route.abort()

    def open(self, path: str) -> None:
        """Open a file as a double click on it does, and wait until its kernel is idle."""
        self.page.goto(self.lab.at(f"lab/tree/{path}?reset"))
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        self.idle()

    def idle(self) -> None:
        """Wait until nothing runs."""
        self.page.locator("#jp-bottom-panel, #jp-main-statusbar").get_by_text("| Idle").wait_for()

    def cell(self, text: str):
        """Scroll to the code cell whose source holds `text` and return it."""
        source = self.page.locator(".jp-InputArea-editor", has_text=text)
        found = self.page.locator(".jp-Notebook .jp-CodeCell").filter(has=source).first
        found.scroll_into_view_if_needed()
        return found

    def run(self, text: str):
        """Run the cell whose source holds `text` with Ctrl+Enter; returns it when it is done."""
        cell = self.cell(text)
        prompt = cell.locator(".jp-InputPrompt").first
        before, pressed, end = prompt.inner_text(), 0.0, time.monotonic() + PATIENCE
        while prompt.inner_text() in (before, "[*]:"):
            # While a kernel still connects JupyterLab may swallow it: one presses again.
            if prompt.inner_text() == before and time.monotonic() > pressed + 15:
                cell.locator(".cm-line").first.click()
                self.page.keyboard.press("Control+Enter")
                pressed = time.monotonic()
            if time.monotonic() > end:
                self.shot("failed")
                raise AssertionError(f"the cell with {text!r} did not end: {prompt.inner_text()}")
            self.page.wait_for_timeout(50)
        self.idle()
        return cell

    def replace_line(self, cell_text: str, line: str, new: str) -> None:
        """Click on a line of a cell and type another in its place, key by key."""
        place = self.cell(cell_text).locator(".cm-line", has_text=line).last
        place.click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Shift+Home")
        self.page.keyboard.type(new)

    def save(self, name: str) -> None:
        """Save with Ctrl+S and wait until the file has been written."""
        path, end = self.lab.root / name, time.monotonic() + PATIENCE
        before = path.stat().st_mtime_ns
        self.page.keyboard.press("Control+s")
        while path.stat().st_mtime_ns == before:
            if time.monotonic() > end:
                self.shot("failed")
                raise AssertionError(f"{name} was not saved")
            self.page.wait_for_timeout(100)
        self.page.wait_for_timeout(1000)  # the server may write twice

    def shot(self, name: str, element=None) -> None:
        """Keep a picture in build/browser/."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        (element or self.page).screenshot(path=SHOTS / f"{name}.png")
