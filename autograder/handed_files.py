"""Opens handed-in files and turns their bytes into text, whatever they were saved in."""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path

from autograder.repairs import Repair, repair

# Pictures in the outputs of an honest notebook can be many megabytes; a class has many notebooks.
MAX_FILE = 50 * 2**20
SAMPLE = 2**20

MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# A notebook begins with ASCII; where its zeros are tells width and byte order.
ZEROS = {
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}
# Characters and punctuation of Chinese texts, full-width forms included.
CHINESE = re.compile("[·×\u2010-\u2026\u3000-\u9fff\uff00-\uffff]")


def read_bytes(path: Path) -> tuple[bytes | None, list[Repair]]:
    """Reads a submitted file without following links, up to the size limit.

    Args:
        path: The file.

    Returns:
        The bytes, or None with the repair that says why there are none.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        # Looked at before it is opened: opening a device can already do something.
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None, [repair("not_a_file")]
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None, [repair("missing")]
    except (OSError, ValueError):
        return None, [repair("not_a_file")]
    with os.fdopen(descriptor, "rb") as file:
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                return None, [repair("not_a_file")]
            if about.st_size > MAX_FILE:
                return None, [repair("too_large")]
            data = file.read(MAX_FILE + 1)
        except OSError:
            return None, [repair("unreadable")]
    return (data, []) if len(data) <= MAX_FILE else (None, [repair("too_large")])


def decode(data: bytes) -> tuple[str, str]:
    """Finds the encoding of a text file; the last resort, Latin-1, fits any bytes.

    Returns:
        The text and the encoding's name; broken characters have become U+FFFD.
    """
    for mark, name in MARKS.items():
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), f"{name.upper()} (BOM)"
    name = ZEROS.get(tuple(byte == 0 for byte in data[:4]), "")
    if name:
        return data.decode(name, "replace"), name.upper()
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.end == len(data):
            return data[: error.start].decode("utf-8"), "UTF-8"  # cut inside a character
    if _mostly_utf8(data):
        return data.decode("utf-8", "replace"), "UTF-8"
    return _local(data)


def _mostly_utf8(data: bytes) -> bool:
    """Whether bytes above 127 nearly always form UTF-8 characters: then a few of them are broken.

    Text in another encoding forms such characters by accident only.
    """
    text = data[:SAMPLE].decode("utf-8", "replace")
    foreign = sum(char > "\x7f" for char in text)
    broken = text.count("\ufffd")
    return foreign > 0 and broken <= 0.1 * foreign


def _local(data: bytes) -> tuple[str, str]:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError as error:
        # A file that was cut inside a character is no less Chinese for that.
        if error.end < len(data) or not error.start:
            return data.decode("latin-1"), "Latin-1"
        data = data[: error.start]
        text = data.decode("gb18030")
    foreign = [char for char in text[:SAMPLE] if char > "\x7f"]
    usual = [char for char in foreign if CHINESE.match(char)]
    # In GBK common characters take two bytes above 127; Latin-1 accents stand alone in ASCII.
    pairs = re.findall(rb"[\x80-\xff]+", data[:SAMPLE])
    even = sum(len(run) % 2 == 0 for run in pairs)
    if len(usual) > 0.9 * len(foreign) and even > 0.8 * len(pairs):
        return text, "GB18030"
    return data.decode("latin-1"), "Latin-1"
