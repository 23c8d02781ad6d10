"""Small helpers for matplotlib charts in two languages."""

import contextlib

_CJK_FAMILIES = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Heiti SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK JP",  # the collection file answers to this name; its glyphs cover Chinese
    "Noto Serif CJK SC",
    "Noto Serif CJK JP",
    "Arial Unicode MS",
)
# Okabe and Ito's colours, told apart by every kind of colour vision; the lines differ in form too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
STYLES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def cjk_font():
    """Return the name of an installed font with Chinese glyphs, or None.

    Returns:
        str that matplotlib knows as a font family, or None.
    """
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((family for family in _CJK_FAMILIES if family in installed), None)


def chart_words(language, announce=print):
    """Return a function that picks the words of a chart in a language that can be drawn.

    Matplotlib draws a box for every character its font lacks. So Chinese words are used only
    where a Chinese font is installed; elsewhere the chart is in English and a line says so.

    Args:
        language: "zh" or "en", what the reader reads.
        announce: callable that gets the one-line note, if there is one.

    Returns:
        A callable (zh, en) -> str.
    """
    if language != "zh":
        return lambda zh, en: en
    family = cjk_font()
    if family is None:
        announce(
            "没有找到中文字体，图中的文字改用英文。(No Chinese font found: labels in English.)"
        )
        return lambda zh, en: en
    import matplotlib

    families = [name for name in matplotlib.rcParams["font.sans-serif"] if name != family]
    matplotlib.rcParams["font.sans-serif"] = [family, *families]
    matplotlib.rcParams["font.family"] = "sans-serif"
    matplotlib.rcParams["axes.unicode_minus"] = False  # some Chinese fonts lack that sign
    return lambda zh, en: zh


@contextlib.contextmanager
def chart(columns=1, width=3.6, height=2.9):
    """Open a row of axes in the course's style, and show it at the end.

    Args:
        columns: int, how many axes.
        width: float, inches of one of them.
        height: float, inches.

    Yields:
        list of matplotlib axes.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, columns, figsize=(width * columns, height), squeeze=False)
    for axis in axes[0]:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.25)
    yield list(axes[0])
    figure.tight_layout()
    plt.show()
    plt.close(figure)
