import gzip
import random

import pytest

from bert_keras.text.corpora import plain_text
from bert_keras.text.corpora.archives import CorpusError


def write(path, text, *, encoding="utf-8"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def joined(pieces):
    """Documents as lists of paragraphs, with the pieces of each put together again."""
    whole = []
    for piece in pieces:
        if piece.continues:
            whole[-1].extend(piece.paragraphs)
        else:
            whole.append(list(piece.paragraphs))
    return whole


def test_an_empty_line_ends_a_document(tmp_path):
    path = write(
        tmp_path / "a.txt", "\ufeff一\r\n 二 \r\n\r\n  \r\nthree\u2028still three\n\n\nfour"
    )
    found = list(plain_text.documents(path))
    assert [d.paragraphs for d in found] == [("一", "二"), ("three\u2028still three",), ("four",)]
    assert not any(d.continues for d in found)
    content = path.read_bytes()
    assert [content[d.start :][:3] for d in found] == [b"\xef\xbb\xbf", b"thr", b"fou"]


def test_long_documents_come_in_pieces(tmp_path):
    path = write(tmp_path / "a.txt", "a\nb\nc\nd\n\ne\nf\n\ng\n")
    pieces = list(plain_text.documents(path, maximum_paragraphs=2))
    assert [(d.paragraphs, d.continues) for d in pieces] == [
        (("a", "b"), False),
        (("c", "d"), True),
        (("e", "f"), False),
        (("g",), False),
    ]


def test_files_of_a_folder_and_of_a_pattern(tmp_path):
    for name in ("b.txt", "sub/a.txt", ".hidden/c.txt", "notes.md", "sub/deep/d.txt"):
        write(tmp_path / name, name)
    (tmp_path / "sub/z.txt.gz").write_bytes(gzip.compress("压缩".encode()))

    def names(path):
        return [p.relative_to(tmp_path).as_posix() for p in plain_text.files(path)]

    assert names(tmp_path) == ["b.txt", "sub/a.txt", "sub/deep/d.txt", "sub/z.txt.gz"]
    assert names(tmp_path / "sub" / "*.txt*") == ["sub/a.txt", "sub/z.txt.gz"]
    assert names(str(tmp_path / "**" / "d.txt")) == ["sub/deep/d.txt"]
    assert names(tmp_path / "notes.md") == ["notes.md"]
    text = [d.paragraphs[0] for d in plain_text.documents(tmp_path)]
    assert text == ["b.txt", "sub/a.txt", "sub/deep/d.txt", "压缩"]


@pytest.mark.parametrize("seed", range(12))
def test_blocks_hold_the_same_documents(tmp_path, seed):
    rng = random.Random(seed)
    newline = "\r\n" if seed % 2 else "\n"
    lines = []
    for _ in range(rng.randrange(1, 120)):
        lines.append(
            "" if rng.random() < 0.05 * seed else rng.choice(("好", "x y")) * rng.randrange(9)
        )
    write(tmp_path / "a.txt", newline.join(lines))
    write(tmp_path / "b.txt", newline.join(lines[::-1]) + newline)
    expected = joined(plain_text.documents(tmp_path))
    for size in (1, 7, 40, 200, 10**6):
        cut = plain_text.blocks(tmp_path, size)
        assert joined(d for b in cut for d in plain_text.read_block(b)) == expected, size
        for path in plain_text.files(tmp_path):
            ends = [(b.start, b.stop) for b in cut if b.path == path]
            bounds = [0, *(stop for _, stop in ends)]
            assert [start for start, _ in ends] == bounds[:-1]
            assert bounds[-1] == path.stat().st_size
        if size == 10**6:
            assert len(cut) == sum(p.stat().st_size > 0 for p in plain_text.files(tmp_path))


def test_blocks_are_near_the_wanted_size(tmp_path):
    write(tmp_path / "a.txt", "\n".join(["0123456789"] * 9 + [""]) * 1000)
    sizes = [b.stop - b.start for b in plain_text.blocks(tmp_path, 5000)]
    assert len(sizes) > 15 and max(sizes) < 5000 + 120
    write(tmp_path / "a.txt", "0123456789\n" * 9000)  # no document ever ends
    cut = plain_text.blocks(tmp_path, 5000)
    assert [b.continues for b in cut] == [False] + [True] * (len(cut) - 1)
    assert max(b.stop - b.start for b in cut) < 5000 + 30


def test_a_gzipped_file_is_one_block(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("一\n\n二\n".encode() * 50))
    (block,) = plain_text.blocks(path, 10)
    assert list(plain_text.read_block(block)) == list(plain_text.documents(path))
    assert len(list(plain_text.documents(path))) == 51


def test_bad_utf8_names_file_and_line_in_every_block(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"good\n\n" * 50 + b"bad \xff\n" + b"good\n" * 50)
    expected = r"a\.txt, line 101: byte 0xff is not UTF-8"
    with pytest.raises(CorpusError, match=expected) as caught:
        list(plain_text.documents(path))
    assert "\n" not in str(caught.value)
    block = next(b for b in plain_text.blocks(path, 20) if b.start <= 304 < b.stop)
    assert block.start > 0
    with pytest.raises(CorpusError, match=expected):
        list(plain_text.read_block(block))


def test_other_encodings_are_recognised(tmp_path):
    path = write(tmp_path / "a.txt", "中文", encoding="utf-16")
    with pytest.raises(CorpusError, match="line 1: it looks like UTF-16"):
        list(plain_text.documents(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [(gzip.compress(b"text\n" * 999, mtime=0)[:-9], "cannot read"), (b"not gzip", "cannot read")],
)
def test_damaged_gzip(tmp_path, content, message):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        list(plain_text.documents(path))


def test_a_text_without_lines_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_text, "MAXIMUM_LINE", 100)
    path = write(tmp_path / "a.txt", "short\n" + "x" * 200)
    with pytest.raises(CorpusError, match="the line at byte 6 is longer than"):
        list(plain_text.documents(path))


def test_nothing_to_read(tmp_path):
    with pytest.raises(CorpusError, match="there is no file or folder"):
        plain_text.files(tmp_path / "none")
    with pytest.raises(CorpusError, match="has no files that end in"):
        plain_text.files(tmp_path)
    with pytest.raises(CorpusError, match="the pattern"):
        plain_text.files(tmp_path / "*.txt")
    with pytest.raises(ValueError, match="size is 0"):
        plain_text.blocks(tmp_path, 0)
