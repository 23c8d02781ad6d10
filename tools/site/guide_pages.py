"""The front page of an edition, and its guides: docs/ in English, docs/zh in Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import chapter_pages

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<to>[^)\s]+)\)")
WORDS = {
    "en": {
        "title": "BERT from scratch",
        "lead": "You understand BERT by building it. Each chapter is a notebook: you write the "
        "layers, run `check()`, and are told at once what is wrong and what that mistake is "
        "called. These pages show the notebooks as students get them, without answers, with the "
        "pictures that appear once all is solved.",
        "chapters": "Chapters",
        "guides": "Guides",
        "library": "The library",
        "other": "More guides",
    },
    "zh": {
        "title": "从零搭建 BERT",
        "lead": "自己动手搭一遍，才算真正弄懂 BERT。每一章是一个笔记本：写出各个层，"
        "运行 `check()`，马上就知道错在哪里、这种错误叫什么。这里看到的就是发给学生的笔记本："
        "没有答案，图则是全部做完之后会看到的样子。",
        "chapters": "章节",
        "guides": "指南",
        "library": "代码库（英文）",
        "other": "更多指南（英文）",
    },
}


def write(folder: Path, lang: str, notebooks: Sequence[str]) -> None:
    """Write the front page and the guides.

    Args:
        folder: of the sources of an edition.
        lang: "zh" or "en".
        notebooks: names of those that have a page.
    """
    place = folder / "guides"
    place.mkdir()
    own = ROOT / "docs" / "zh" if lang == "zh" else ROOT / "docs"
    guides = sorted(own.glob("*.md"))
    for path in guides:
        text = path.read_text(encoding="utf-8")
        (place / path.name).write_text(_relinked(text, path, lang), encoding="utf-8")
    (folder / "index.md").write_text(_front(lang, notebooks, guides), encoding="utf-8")


def _front(lang: str, notebooks: Sequence[str], guides: Sequence[Path]) -> str:
    words = WORDS[lang]
    lines = [f"# {words['title']}", "", words["lead"], "", f"## {words['chapters']}", ""]
    pages = [f"chapters/{name}/{name}" for name in notebooks]
    lines += [
        f"- [{_title(name, lang)}]({page}.ipynb)"
        for name, page in zip(notebooks, pages, strict=True)
    ]
    lines += ["", *_tree(words["chapters"], pages)]
    lines += [f"## {words['guides']}", ""]
    lines += [f"- [{_heading(path)}](guides/{path.name})" for path in guides]
    lines += ["", *_tree(words["guides"], [f"guides/{path.stem}" for path in guides])]
    if lang == "en":
        lines += [f"## {words['library']}", "", "[Every public name](reference/index.md).", ""]
        lines += _tree(words["library"], ["reference/index"])
    else:
        there = {path.name for path in guides}
        more = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in there]
        lines += [f"## {words['other']}", ""]
        lines += [f"- {_across(_heading(path), f'guides/{path.stem}', '')}" for path in more]
        lines += [f"- {_across(words['library'], 'reference/index', '')}", ""]
    return "\n".join(lines)


def _tree(caption: str, pages: Sequence[str]) -> list[str]:
    return ["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""]


def _across(text: str, page: str, up: str) -> str:
    """A link from the Chinese edition to a page of the English one."""
    return f'<a href="{up}../en/{page}.html" hreflang="en">{text}</a>'


def _title(name: str, lang: str) -> str:
    first = chapter_pages.released(name, lang).cells[0].source
    return first.split("\n")[0].lstrip("# ")


def _heading(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("\n")[0].lstrip("# ")


def _relinked(text: str, path: Path, lang: str) -> str:
    """Links between guides stay; those to files that have no page become the files' names."""

    def replace(match: re.Match) -> str:
        to, _, anchor = match["to"].partition("#")
        if not to or "://" in to or to.startswith("mailto:"):
            return match[0]
        target = (path.parent / to).resolve()
        if target.parent == path.parent and target.exists():
            return match[0]
        if target.parent == ROOT / "docs" and target.suffix == ".md" and target.exists():
            end = f"#{anchor}" if anchor else ""
            return f'<a href="../../en/guides/{target.stem}.html{end}">{match["text"]}</a>'
        if target.parent == ROOT / "docs" / "zh" and target.exists():
            return f'<a href="../../zh/guides/{target.stem}.html">{match["text"]}</a>'
        return match["text"]

    return LINK.sub(replace, text)
