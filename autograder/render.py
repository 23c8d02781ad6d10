"""The result of a check as HTML: small, self-contained, legible in light and dark themes."""

from html import escape

from autograder.messages import Text
from autograder.results import ALL_PASSED, BLANK, ExerciseResult

# JupyterLab defines these variables; elsewhere the fallbacks are readable on white and on black.
_STYLE = (
    "font-family:var(--jp-content-font-family,system-ui,sans-serif);line-height:1.55;"
    "border-left:4px solid {edge};padding:.35em .9em;margin:.3em 0;max-width:60em"
)
_EDGE = {True: "#1a7f5a", False: "#b35900"}
_MUTED = "opacity:.75"

_HINT = Text("提示 {n}", "Hint {n}")


def result_html(result: ExerciseResult, lang: str) -> str:
    """One result as an HTML fragment; everything in it is escaped.

    Args:
        result: what judging found, as it is shown (`ExerciseResult.as_shown`).
        lang: `"zh"` or `"en"`.
    """
    score = f"{result.score:g} / {result.max_score:g}"
    title = f"<b>{escape(result.id)}</b> &nbsp; {score}"
    if result.blank:
        told = result.cases[0].detail or BLANK
        body = f"<div>{escape(told[lang])}</div>" + _diagnosis(result, lang)
    elif result.full:
        title += f" &nbsp; ✓ {escape(ALL_PASSED[lang])}"
        body = _cases(result, lang, "○") + _diagnosis(result, lang)
    else:
        body = _cases(result, lang) + _diagnosis(result, lang) + _hints(result, lang)
    style = _STYLE.format(edge=_EDGE[result.full])
    return f'<div style="{style}"><div>{title}</div>{body}</div>'


def _cases(result, lang, marks="✓✗○"):
    rows = []
    for case in result.cases:
        if case.mark not in marks:
            continue
        color = {"✓": _EDGE[True], "✗": _EDGE[False]}.get(case.mark, "inherit")
        row = (
            f'<div><span style="color:{color};font-weight:bold">{case.mark}</span> '
            f"{escape(case.title[lang])} "
            f'<span style="{_MUTED}">({escape(case.worth[lang])})</span></div>'
        )
        if case.detail:
            row += f'<div style="margin-left:1.4em">{escape(case.detail[lang])}</div>'
        rows.append(row)
    return "".join(rows)


def _diagnosis(result, lang):
    if not result.diagnosis:
        return ""
    sentences = "".join(f"<div>{escape(text[lang])}</div>" for text in result.diagnosis)
    return f'<div style="margin-top:.5em;font-weight:600">→ {sentences}</div>'.replace(
        "→ <div>", "<div>→ ", 1
    )


def _hints(result, lang):
    return "".join(
        f"<details><summary>{escape(_HINT.format(n=n)[lang])}</summary>"
        f'<div style="margin-left:1.4em">{escape(text[lang])}</div></details>'
        for n, text in enumerate(result.hints, start=1)
    )
