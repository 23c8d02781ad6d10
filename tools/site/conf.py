"""Sphinx's settings of both editions; tools/site/make_site.py says which."""

import inspect
import json
import os
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Stars and bars, but not stars around what is to be stressed.
_SIGNS = re.compile(r"(\*\w[^*\n]*\w\*(?!\w))|([|*])")

project = "BERT from scratch"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx-mathjax-offline",
]
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
exclude_patterns = []
nb_execution_mode = "off"
nb_render_text_lexer = "none"
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
suppress_warnings = [
    "mystnb.unknown_mime_type",
    "myst.header",  # notebooks skip levels of headings
    "misc.highlighting_failure",  # code that a student has yet to complete
    "ref.python",  # names of attributes, which many classes share
]
# A word in single backticks of a docstring is code.
default_role = "code"
autodoc_typehints = "none"
autodoc_inherit_docstrings = False  # Keras's own are written for another program
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
# What is returned is told in sentences, in which a colon doesn't set off a type.
napoleon_custom_sections = [
    ("Call arguments", "params_style"),
    ("Returns", "notes_style"),
    ("Yields", "notes_style"),
    ("Reference", "notes_style"),
]

html_theme = "furo"
html_title = project
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def _language(app, pagename, templatename, context, doctree):
    """Where the other edition has this page, or its front page."""
    here = "zh" if app.config.language == "zh_CN" else "en"
    other = "en" if here == "zh" else "zh"
    pages = json.loads((Path(app.srcdir).parent / "pages.json").read_text(encoding="utf-8"))
    page = pagename if pagename in pages[other] else "index"
    up = "../" * (pagename.count("/") + 1)
    context["other_language"] = f"{up}{other}/{page}.html"
    context["other_language_code"] = "zh-CN" if other == "zh" else "en"
    context["other_language_name"] = "中文" if other == "zh" else "English"


def _plain(app, what, name, obj, options, lines):
    """Docstrings are plain text: bars and stars are just that, and what is set in after a colon and
    an empty line is code."""
    made, prose, code = [], [], None
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if code is not None and line.strip() and indent <= code:
            code = None
        if code is not None or line.lstrip().startswith(">>>"):
            made += [*_marked(prose), line]
            prose = []
            continue
        after = lines[number + 1 : number + 3]
        deeper = len(after) == 2 and len(after[1]) - len(after[1].lstrip()) > indent
        if line.endswith(":") and deeper and not after[0].strip():
            code, line = indent, f"{line}:"
        prose.append(line)
    lines[:] = [*made, *_marked(prose)]


def _marked(lines):
    """Prose in reStructuredText: every second part between backticks is code."""
    if not lines:
        return []
    parts = "\n".join(lines).split("`")
    parts[::2] = [_SIGNS.sub(lambda m: m[1] or f"\\{m[2]}", part) for part in parts[::2]]
    for place in range(2, len(parts), 2):  # a letter right behind code, as in a plural
        if parts[place][:1].isalnum():
            parts[place] = f"\\ {parts[place]}"
    return "`".join(parts).split("\n")


def _signature(app, what, name, obj, options, signature, returns):
    """What a class is made with: Keras hides it behind `*args, **kwargs`."""
    if what != "class" or signature != "(*args, **kwargs)":
        return None
    given = inspect.signature(obj.__init__)
    kept = [part for place, part in given.parameters.items() if place != "self"]
    return str(given.replace(parameters=kept)), returns


def setup(app):
    app.connect("autodoc-process-signature", _signature)
    # Before napoleon, which has priority 500 and writes marks of its own.
    app.connect("autodoc-process-docstring", _plain, priority=400)
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    app.connect("html-page-context", _language)
