"""Sentences in both languages, and how the reader's language is found."""

import json
import locale
import os
import sys
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("zh", "en")
LANGUAGE_VARIABLE = "BERT_COURSE_LANG"


@dataclass(frozen=True)
class Text:
    """One message in Chinese and in English.

    Args:
        zh: the sentence in Simplified Chinese.
        en: the same in English.
    """

    zh: str
    en: str

    def __getitem__(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en

    def format(self, **values) -> "Text":
        """Fill both sentences; a `Text` among the values is filled in its own language."""

        def one(lang):
            filled = {k: v[lang] if isinstance(v, Text) else v for k, v in values.items()}
            return self[lang].format(**filled)

        return Text(one("zh"), one("en"))

    def to_json(self) -> dict:
        return {"zh": self.zh, "en": self.en}

    @classmethod
    def from_json(cls, data: dict) -> "Text":
        return cls(data["zh"], data["en"])


def show(text: str) -> None:
    """Print a text; what the console's encoding lacks is written as an escape.

    A notebook and a terminal take every character. Where output goes into a file or a pipe on
    Windows, Python encodes it as the system does, and cp1252 has no Chinese.
    """
    try:
        print(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        print(text.encode(encoding, "backslashreplace").decode(encoding))


def language() -> str:
    """The language to speak to this reader in.

    Looks at the environment variable `BERT_COURSE_LANG`, then at the metadata of the notebook
    that is running, then at the system's locale.

    Returns:
        `"zh"` or `"en"`.
    """
    named = os.environ.get(LANGUAGE_VARIABLE, "").strip().lower()[:2]
    if named in LANGUAGES:
        return named
    return _notebook_language() or _locale_language()


def for_reader(zh: str, en: str) -> str:
    """A text for whoever reads it here, such as that of an error that answers run into.

    Args:
        zh: it in Chinese.
        en: it in English.

    Returns:
        One of them.
    """
    return Text(zh, en)[language()]


def _notebook_language() -> str | None:
    """The edition of the running notebook, where the front end tells which file that is."""
    session = os.environ.get("JPY_SESSION_NAME", "")
    candidates = [Path(session)] if session.endswith(".ipynb") else []
    # Without a front end (nbgrader, nbclient) a released notebook runs in its own folder.
    candidates += sorted(Path.cwd().glob("*.ipynb"))[:2]
    for path in candidates:
        try:
            with open(path, encoding="utf-8") as file:
                lang = json.load(file)["metadata"]["course"]["lang"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if lang in LANGUAGES:
            return lang
    return None


def _locale_language() -> str:
    name = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"
