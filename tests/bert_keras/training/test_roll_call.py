"""Processes meet, part, and notice when one is gone: without Keras, so in no time."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from bert_keras.training.roll_call import DistributionError, RollCall

# A process that meets the others and then does what it is told.
PROCESS = """
import sys, time
from bert_keras.training import roll_call
address, number, count, grace, then = sys.argv[1:]
roll_call.GRACE_SECONDS = float(grace)
line = roll_call.RollCall(address, int(number), int(count), 60.0)
print("met", flush=True)
if then == "block":  # as in a collective operation
    time.sleep(600)
elif then == "notice":
    print(line.noticed(30.0), flush=True)
    line.end(orderly=False)
elif then == "part":
    time.sleep(0.2 * int(number))
    line.end(orderly=True)
"""


@pytest.fixture
def address():
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return f"127.0.0.1:{port}"


@pytest.fixture
def meet(address):
    """Start one process for each word, see them meet, and end them all at last."""
    running = []

    def start(*words, grace=0.2):
        for number, word in enumerate(words):
            arguments = [address, str(number), str(len(words)), str(grace), word]
            command = [sys.executable, "-c", PROCESS, *arguments]
            pipe = subprocess.PIPE
            running.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True))
        for process in running:
            assert process.stdout.readline() == "met\n", process.stderr.read()
        return running

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("victim", [0, 2])
def test_the_blocked_others_end_with_one_line(meet, victim):
    running = meet("block", "block", "block")
    os.kill(running[victim].pid, signal.SIGKILL)
    since = time.monotonic()
    for number, process in enumerate(running):
        if number == victim:
            continue
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 2
        # A process that ends because of the victim takes its own line down as well.
        assert errors.startswith("bert-keras: process ") and errors.count("\n") == 1
        assert "of 3 is gone" in errors and "--resume" in errors
    assert time.monotonic() - since < 30


def test_one_that_is_not_blocked_can_say_it_itself(meet):
    first, second = meet("notice", "block", grace=60)
    second.kill()
    said, errors = first.communicate(timeout=60)
    assert said.startswith("process 1 of 2 is gone") and errors == ""
    # Nothing that a runtime does at the end may keep it waiting: it leaves at once.
    assert first.returncode == 2


def test_an_error_in_one_ends_the_others(meet):
    first, _ = meet("block", "end without a goodbye")
    _, errors = first.communicate(timeout=60)
    assert first.returncode == 2 and "process 1 of 2 is gone" in errors


def test_parting_is_no_loss(meet):
    for process in meet("part", "part", "part"):
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0 and errors == ""


def test_who_does_not_come_is_named(address):
    with pytest.raises(DistributionError, match=r"process 1 of 3 did not report .* 0\.3 s"):
        RollCall(address, 0, 3, 0.3)


def test_nobody_to_report_to(address):
    with pytest.raises(DistributionError, match="process 1 found no process 0 at 127"):
        RollCall(address, 1, 2, 0.3)


def test_two_of_the_same_number(address):
    failures = []

    def report(number):
        try:
            RollCall(address, number, 2, 20.0).end(orderly=True)
        except DistributionError as error:
            failures.append(str(error))

    threads = [threading.Thread(target=report, args=(number,)) for number in (0, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(failures) == 2
    assert any("calls itself 5 of 2" in failure for failure in failures)
    assert any("refused process 5" in failure for failure in failures)


@pytest.mark.parametrize("wrong", ["10.0.0.1", ":8476", "host:port"])
def test_addresses(wrong):
    with pytest.raises(DistributionError, match="must be host:port"):
        RollCall(wrong, 1, 2, 0.3)


def test_a_taken_port(address):
    port = int(address.rpartition(":")[2])
    with (
        socket.create_server(("127.0.0.1", port + 1)),
        pytest.raises(DistributionError, match=f"can't listen on port {port + 1}"),
    ):
        RollCall(address, 0, 2, 0.3)
