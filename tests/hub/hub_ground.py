"""A real JupyterHub on loopback with users of its own, and nothing of it left afterwards.

The hub runs in namespaces: its accounts exist only there (a passwd of their own lies over the
machine's), and all of its processes end with the first of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import ordinary_user
from tornado.httpclient import HTTPRequest
from tornado.ioloop import IOLoop
from tornado.websocket import websocket_connect

ROOT = Path(__file__).resolve().parents[2]
FIRST_ID = 60101  # no account of the machine has such a number
PATIENCE = 240  # seconds, also on a busy machine

# "$@": how many pairs follow, pairs of a closed folder and a tree to show in it, then the folder
# with passwd and group, then the command. As in tests/ordinary_user.py.
_SCRIPT = """
set -eu
pairs=$1; shift
for number in $(seq 1 "$pairs"); do
  closed=$1 tree=$2; shift 2
  exec 9<"$tree"
  mount -t tmpfs -o mode=755,size=1m tmpfs "$closed"
  mkdir -p "$tree"
  mount -c --bind /proc/self/fd/9 "$tree"
  exec 9<&-
done
accounts=$1; shift
mount --bind "$accounts/passwd" /etc/passwd
mount --bind "$accounts/group" /etc/group
exec "$@"
"""


def why_not() -> str:
    """Why no hub can be run here; "" where it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs Linux and root: a hub starts servers for other users"
    for program in (Path(sys.prefix) / "bin" / "jupyterhub", "unshare", "mount"):
        if not shutil.which(str(program)):
            return f"there is no {program}: pip install -e .[hub]"
    if not proxy():
        return "there is no configurable-http-proxy: npm install configurable-http-proxy"
    trees = ordinary_user._hidden_trees()
    if len({closed for closed, _ in trees}) < len(trees):
        return "two trees in one folder that only root may enter"
    return ""


def proxy() -> str | None:
    """The proxy's program: on the path, or installed by npm into build/hub."""
    own = ROOT / "build" / "hub" / "node_modules" / ".bin" / "configurable-http-proxy"
    return shutil.which("configurable-http-proxy") or (str(own) if own.exists() else None)


class Hub:
    """A hub that runs.

    Attributes:
        homes: folder of the users' homes.
        exchange: nbgrader's exchange.
    """

    def __init__(self, folder: Path, users: Sequence[str], instructor: str, course: str):
        self.folder, self.homes = folder, folder / "homes"
        self.exchange, self.course = folder / "exchange", course
        self.users, self.instructor = list(users), instructor
        self.token, self.port = secrets.token_hex(16), _free_port()
        self.transcript: list[str] = []

    def command(self) -> list[str]:
        """What starts the hub."""
        accounts = self.folder / "accounts"
        accounts.mkdir()
        self.exchange.mkdir()
        self.exchange.chmod(0o777)
        passwd, group = (Path(f"/etc/{name}").read_text("utf-8") for name in ("passwd", "group"))
        for number, user in enumerate(self.users, FIRST_ID):
            home = self.homes / user
            home.mkdir(parents=True)
            os.chown(home, number, number)
            home.chmod(0o700)
            passwd += f"{user}:x:{number}:{number}::{home}:/bin/bash\n"
            group += f"{user}:x:{number}:\n"
        (accounts / "passwd").write_text(passwd, encoding="utf-8")
        (accounts / "group").write_text(group, encoding="utf-8")
        config = self.folder / "config.py"
        config.write_text(
            f"load_subconfig({str(ROOT / 'tools' / 'hub' / 'jupyterhub_config.py')!r})\n"
            "c.JupyterHub.authenticator_class = 'dummy'\n"
            f"c.JupyterHub.hub_port = {_free_port()}\n"
            f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{_free_port()}'\n"
            f"c.ConfigurableHTTPProxy.command = [{proxy()!r}]\n"
            f"c.JupyterHub.services = [{{'name': 'term', 'api_token': {self.token!r}}}]\n"
            "c.JupyterHub.load_roles = [{'name': 'term', 'services': ['term'], 'scopes': "
            "['admin:users', 'admin:servers', 'access:servers']}]\n",
            encoding="utf-8",
        )
        pairs = [str(part) for pair in ordinary_user._hidden_trees() for part in pair]
        outer = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        inner = ["sh", "-c", _SCRIPT, "sh", str(len(pairs) // 2), *pairs, str(accounts)]
        return [
            *outer,
            *inner,
            str(Path(sys.prefix) / "bin" / "jupyterhub"),
            "--config",
            str(config),
        ]

    def environment(self) -> dict[str, str]:
        """Of the hub's process."""
        return {
            **os.environ,
            "BERT_HUB_URL": f"http://127.0.0.1:{self.port}",
            "BERT_INSTRUCTORS": self.instructor,
            "BERT_EXCHANGE": str(self.exchange),
            "BERT_COURSE": self.course,
        }

    def ask(self, method: str, path: str, body: Any = None, form: dict | None = None) -> Any:
        """One request, with the token of a service that may go everywhere.

        Args:
            method: "GET", "POST", "PUT", …
            path: behind the hub's address.
            body: JSON values to send.
            form: values of a form to send instead.

        Returns:
            The JSON values of the reply; None for an empty one.
        """
        data = json.dumps(body).encode() if body is not None else None
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=data,
            method=method,
            headers={"Authorization": f"token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            text = reply.read().decode("utf-8")
        return json.loads(text) if text.strip() else None

    def start_server(self, user: str) -> None:
        """Add a user, start their server and wait for it."""
        with contextlib.suppress(urllib.error.HTTPError):
            self.ask("POST", f"/hub/api/users/{user}")
        self.ask("POST", f"/hub/api/users/{user}/server", {})
        wait(lambda: self.ask("GET", f"/hub/api/users/{user}")["servers"].get("", {}).get("ready"))

    def run(self, user: str, command: str) -> str:
        """Run a command in a terminal of a user's server.

        Args:
            user: whose.
            command: one line for the shell.

        Returns:
            What it printed.
        """
        out = self.homes / user / f"said-{len(self.transcript)}.txt"
        name = self.ask("POST", f"/user/{user}/api/terminals", {})["name"]
        line = f"({command}) > {out} 2>&1; echo rc $? >> {out}; mv {out} {out}.done\r"

        async def type_it():
            url = f"ws://127.0.0.1:{self.port}/user/{user}/terminals/websocket/{name}"
            request = HTTPRequest(url, headers={"Authorization": f"token {self.token}"})
            connection = await websocket_connect(request)
            await connection.read_message()
            await connection.write_message(json.dumps(["stdin", line]))
            return connection

        IOLoop().run_sync(type_it, timeout=PATIENCE)
        done = Path(f"{out}.done")
        wait(done.exists)
        said = done.read_text(encoding="utf-8")
        self.transcript.append(f"{user}$ {command}\n{said}")
        return said


@contextlib.contextmanager
def hub(users: Sequence[str], instructor: str, course: str) -> Iterator[Hub]:
    """A hub for the length of the block.

    Args:
        users: their names, the instructor's too.
        instructor: who has Formgrader.
        course: the course's id.

    Yields:
        `Hub`; its API answers.
    """
    folder = Path(tempfile.mkdtemp(prefix="hub-"))
    folder.chmod(0o755)
    made = Hub(folder, users, instructor, course)
    log = (folder / "hub.log").open("wb")
    process = subprocess.Popen(
        made.command(), cwd=folder, env=made.environment(), stdout=log, stderr=subprocess.STDOUT
    )
    try:
        wait(lambda: process.poll() is not None or _answers(made))
        if process.poll() is not None:
            raise RuntimeError((folder / "hub.log").read_text("utf-8")[-3000:])
        yield made
    finally:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


def wait(ready) -> None:
    """Wait until something is true.

    Raises:
        TimeoutError: it takes too long.
    """
    end = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError("the hub takes too long")
        time.sleep(0.3)


def _answers(made: Hub) -> bool:
    try:
        return bool(made.ask("GET", "/hub/api/"))
    except (OSError, urllib.error.HTTPError):
        return False


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
