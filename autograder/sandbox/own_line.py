"""Messages between our own processes: one JSON object, after its length in four bytes."""

from __future__ import annotations

import json
import socket
import struct


def packed(message: dict) -> tuple[bytes, bytes]:
    """Length and content, as they are sent."""
    content = json.dumps(message).encode()
    return struct.pack(">I", len(content)), content


def send_json(target: socket.socket, message: dict) -> None:
    """Sends one message."""
    target.sendall(b"".join(packed(message)))


def receive_json(source: socket.socket) -> dict:
    """One length-prefixed JSON message from our own processes."""
    parts = []
    for count in (4, None):
        size = count if count is not None else struct.unpack(">I", parts[0])[0]
        data = bytearray()
        while len(data) < size:
            part = source.recv(size - len(data))
            if not part:
                raise ConnectionError("closed")
            data += part
        parts.append(bytes(data))
    return json.loads(parts[1])
