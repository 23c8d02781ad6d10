"""What every hand-made SVG is made of: a line of text, its width, and the frame around all of it.

The words are drawn by the reader's own fonts, so Chinese never turns into boxes.
"""

import dataclasses
import unicodedata
from xml.sax.saxutils import escape

FONTS = (
    "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', sans-serif"
)
INK, GREY = "#1a1a1a", "#666666"


@dataclasses.dataclass(frozen=True)
class Picture:
    """An SVG that a notebook shows and a file can keep.

    Attributes:
        svg: str, the whole SVG document.
        summary: str, what a screen reader and a text-only page say instead.
    """

    svg: str
    summary: str

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return self.summary

    def save(self, path):
        """Write the SVG to a file.

        Args:
            path: the file to write.
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def text_width(text, size=13):
    """Estimate the width of a line of text.

    Args:
        text: str; Chinese characters count as one em, most others as a little over half.
        size: float, the font size in pixels.

    Returns:
        float, pixels.
    """
    ems = sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.58 for c in text)
    return ems * size


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
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.3g}" text-anchor="{anchor}" '
        f'fill="{colour}"{weight}>{escape(str(text))}</text>'
    )


def svg_picture(elements, width, height, summary, defs=""):
    """Frame SVG elements: a white ground, fonts for both languages, and words for screen readers.

    Args:
        elements: list of str.
        width, height: float, pixels.
        summary: str, what the picture says.
        defs: str, elements that others refer to, such as arrow heads.

    Returns:
        `Picture`.
    """
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" style="max-width:100%;height:auto" '
        f'font-family="{FONTS}"><title>{escape(summary)}</title>{defs}'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(elements)}</svg>'
    )
    return Picture(svg, summary)
