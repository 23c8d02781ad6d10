"""A real Dask cluster on this machine: TLS only, with certificates that are made here."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

PRELOAD = Path(__file__).with_name("tiny_command.py")


def make_certificates(folder):
    """A key and a certificate that is its own authority; returns the paths of both."""
    from distributed.security import Security

    made = Security.temporary()
    paths = folder / "key.pem", folder / "cert.pem"
    for path, text in zip(paths, (made.tls_scheduler_key, made.tls_scheduler_cert), strict=True):
        path.write_text(text)
        path.chmod(0o600)
    return paths


class LocalCluster:
    """Scheduler and workers as processes of their own; `workers` are theirs, to be killed."""

    def __init__(self, folder, count=2):
        self.folder = folder
        self.key, self.cert = make_certificates(folder)
        self._tls = ["--tls-ca-file", self.cert, "--tls-cert", self.cert, "--tls-key", self.key]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tls://127.0.0.1:{port}"
        where = ["--host", "127.0.0.1", "--port", str(port), "--protocol", "tls"]
        self.processes, self.workers = [], []
        self._start("dask_scheduler", *where)
        for _ in range(count):
            self.workers.append(self.add_worker())

    def add_worker(self):
        """Starts one more worker, without a nanny: killing it is killing it."""
        options = ["--nthreads", "1", "--no-nanny", "--local-directory", self.folder]
        return self._start("dask_worker", self.address, *options, "--preload", PRELOAD)

    def _start(self, program, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard"]
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        with open(self.folder / f"{program}.log", "ab") as log:
            process = subprocess.Popen(
                [*command, *map(str, [*arguments, *self._tls])],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    @property
    def options(self):
        """What `Cluster.parse` takes."""
        return self.address, self.cert, self.key, self.cert

    @property
    def arguments(self):
        """The same for the command line."""
        files = ["--cluster-cert", self.cert, "--cluster-key", self.key, "--cluster-ca", self.cert]
        return ["--cluster", self.address, *files]

    def close(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 20
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, deadline - time.monotonic()))
            if process.poll() is None:
                process.kill()
                process.wait()
