"""The two ends of every hand-made SVG: a line of text, and the frame around all of it."""

from xml.sax.saxutils import escape

from bert_keras.analysis.attention import Picture

FONTS = (
    "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', sans-serif"
)
INK, GREY = "#1a1a1a", "#666666"


def svg_text(x, y, text, size=13, anchor="middle", colour=INK, bold=False):
    """One line of text as an SVG element.

    Args:
        x, y: float, where its anchor stands, y on the base line.
        text: what to write; anything with a str.
        size: float, the font size in pixels.
        anchor: "start", "middle" or "end".
        colour: str.
        bold: bool.

    Returns:
        str.
    """
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}"{weight}>{escape(str(text))}</text>'
    )


def svg_picture(elements, width, height, summary):
    """Frame SVG elements: a white ground, fonts for both languages, and words for screen readers.

    Args:
        elements: list of str.
        width, height: float, pixels.
        summary: str, what the picture says.

    Returns:
        `Picture`.
    """
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" style="max-width:100%;height:auto" '
        f'font-family="{FONTS}"><title>{escape(summary)}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(elements)}</svg>'
    )
    return Picture(svg, summary)
