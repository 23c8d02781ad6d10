"""The words of the progress page in both languages: (Chinese, English), as format strings."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "progress": ("学期进度", "Progress of the term"),
    "as_of": ("截至 {time}（{clock}）", "as of {time} ({clock})"),
    "fact_students": ("名学生", "students"),
    "fact_notebooks": ("个笔记本已批改", "notebooks graded"),
    "fact_core": ("必做题平均得分率", "of the core, on average"),
    "fact_concerns": ("人可能需要帮助", "may need help"),
    "nav_concerns": ("谁需要帮助", "Who needs help"),
    "nav_notebooks": ("各笔记本", "Notebooks"),
    "nav_mistakes": ("反复出现的错误", "Mistakes over time"),
    "nav_students": ("学生一览", "Students"),
    "concerns_title": ("可能需要您关心的学生", "Who may need a word from you"),
    "concerns_lede": (
        "按几条简单的规则列出：该交的没有交；最近三次必做题平均不到六成；最近一次比之前平均低三成"
        "以上；同一种错误在几个笔记本里重复出现。这只是线索，不是结论。",
        "By a few plain rules: something due is missing; less than 60% of the core over the last "
        "three notebooks; the last one 30 points below what came before; the same mistake in "
        "several notebooks. A reason to look, never a verdict.",
    ),
    "concerns_none": ("按这些规则，目前没有。", "Nobody, by these rules."),
    "concerns_more": ("另有 {n} 人", "{n} more"),
    "notebooks_title": ("各笔记本", "Notebook by notebook"),
    "notebooks_lede": (
        "交了多少、得了多少，以及每次最多人犯的错。详情见各自的班级报告（autograder report）。",
        "Who handed in, what they got, and the most shared mistakes of each. The details are on "
        "the class page of each (autograder report).",
    ),
    "col_notebook": ("笔记本", "Notebook"),
    "col_due": ("截止时间", "Due"),
    "col_handed": ("已交", "Handed in"),
    "col_median": ("必做题中位数", "Core, median"),
    "col_mistakes": ("最多人犯的错", "Most shared mistakes"),
    "not_graded": ("还没批改", "not graded yet"),
    "people": ("{n} 人", "{n}"),
    "one_of": ("以下之一：", "one of: "),
    "or": ("或者", "or "),
    "returning_title": ("反复出现的错误", "Mistakes that come back"),
    "returning_lede": (
        "同名的错误在几个笔记本里各有多少人犯。数字没有变小的，值得再讲一遍。",
        "How many students made a mistake of one name in each notebook. Where the number doesn't "
        "fall, it deserves another lesson.",
    ),
    "returning_none": (
        "还没有一种错误在几个笔记本里重复出现。",
        "No mistake has come back in another notebook yet.",
    ),
    "students_title": ("学生一览", "Students"),
    "students_lede": (
        "每格是最终得分（含人工评分和迟交扣分），底色越重，必做题失分越多；“…”已交未批，“–”没交，"
        "“!”该交而没交，“✎”等您批改。",
        "Final points, with points by hand and late penalties; the stronger the tint, the more of "
        "the core was lost. “…”: handed in, not graded; “–”: not handed in; “!”: due and "
        "not handed in; “✎”: waits for you.",
    ),
    "col_student": ("学生", "Student"),
    "col_total": ("合计", "Total"),
    "max": ("满分", "most"),
    "no_gradebook": (
        "没有读到成绩册，这里只有自动评分：",
        "The gradebook could not be read; these are the automatic points only: ",
    ),
    "footer": (
        "本页由 autograder progress 生成，不含脚本，也不从网络加载任何内容。页内有学生姓名，请妥善"
        "保管。",
        "Made by autograder progress. The page has no scripts and loads nothing. It names "
        "students: keep it private.",
    ),
    "late_mark": ("迟", "late"),
    "gap": ("", " "),  # between two sentences
}


def words(lang: str) -> dict[str, str]:
    """The words of one language."""
    return {key: pair[lang != "zh"] for key, pair in WORDS.items()}
