"""The words of the term page in both languages: (Chinese, English), as format strings."""

from __future__ import annotations

from autograder.classroom.progress_words import WORDS as PROGRESS

# What both pages say in the same words.
SHARED = (
    "as_of",
    "gap",
    "fact_students",
    "fact_notebooks",
    "fact_core",
    "fact_concerns",
    "nav_concerns",
    "no_gradebook",
    "col_notebook",
    "concerns_title",
    "concerns_none",
    "concerns_more",
)
WORDS: dict[str, tuple[str, str]] = {
    **{key: PROGRESS[key] for key in SHARED},
    "term": ("整个学期", "The whole term"),
    "nav_weeks": ("得分", "Points"),
    "nav_items": ("各题", "Exercises"),
    "nav_lasting": ("错误的变化", "Mistakes over time"),
    "nav_late": ("迟交", "Late work"),
    "nav_alike": ("相似的答案", "Answers alike"),
    "weeks_title": ("得分的分布", "Points over the weeks"),
    "weeks_lede": (
        "每个笔记本一条曲线：必做题的得分率（0 到 100%）在全班怎样分布，竖线是中位数。",
        "One curve a notebook: how the share of core points (0 to 100%) is spread over the class; "
        "the upright line is the median.",
    ),
    "astable": ("用表格看", "The same as a table"),
    "col_count": ("人数", "Students"),
    "col_q1": ("下四分位", "Lower quartile"),
    "col_median": ("中位数", "Median"),
    "col_q3": ("上四分位", "Upper quartile"),
    "items_title": ("每道题有多难、能不能区分", "How hard each exercise is, and what it tells"),
    "items_lede": (
        "得分率是作答者的平均。区分度是该题得分率与本学期其余必做题平均得分率的相关系数，"
        "满 {n} 人作答才计算；低于 0.2 的值得看看题目本身是否有问题。没作答的不计入。",
        "The mean is over those who answered. Discrimination is the correlation of an exercise "
        "with the mean share of all other core exercises of the term, from {n} answers on; below "
        "0.2 the exercise itself deserves a look. Blank answers are left out.",
    ),
    "col_exercise": ("题目", "Exercise"),
    "col_answers": ("作答", "Answers"),
    "col_blank": ("未作答", "Blank"),
    "col_mean": ("得分率", "Mean"),
    "col_disc": ("区分度", "Discrimination"),
    "lasting_title": ("哪些错误消失了，哪些还在", "Which mistakes were cured, which last"),
    "lasting_lede": (
        "只列不止一个笔记本能看出来的错误。“改掉了”：犯过，但在自己最后一个能看出这种错误的笔记本里"
        "没有再犯；“还在犯”：至少在两个笔记本里犯过，最后一个也没有避免。",
        "Only mistakes that more than one notebook can show. “Cured”: made, but not in the last "
        "of the student's notebooks that can show it; “lasting”: made in two notebooks at least, "
        "the last one included.",
    ),
    "lasting_none": ("目前没有这样的错误。", "There is none so far."),
    "col_made": ("犯过", "Made by"),
    "col_cured": ("改掉了", "Cured"),
    "col_lasting": ("还在犯", "Lasting"),
    "concerns_lede": (
        "规则只有四条：该交的没有交；最近三次必做题平均不到六成；最近一次比之前平均低三成以上；"
        "同一种错误在几个笔记本里重复出现。这只是线索，不是结论。",
        "By four plain rules: something due is missing; less than 60% of the core over the last "
        "three notebooks; the last one 30 points below what came before; the same mistake in "
        "several notebooks. A reason to look, never a verdict.",
    ),
    "late_title": ("迟交与缺交", "Late and missing work"),
    "late_lede": (
        "“迟交”按每个人自己的截止时间算，已计入延期；宽限天数用得上的不扣分。",
        "“Late” is after each student's own deadline, extensions counted; what grace days cover "
        "costs nothing.",
    ),
    "col_late": ("迟交", "Late"),
    "col_penalised": ("因此扣分", "Cost points"),
    "col_taken": ("共扣", "Points taken"),
    "col_missing": ("没交", "Missing"),
    "alike_title": ("相似的答案", "Answers alike"),
    "alike_lede": (
        "这里列出答案在**少见之处**相同的两个人：同样少见的错误，或者去掉名字、字符串和排版后同样少见的"
        "代码结构（参考答案的写法不算）。相似不等于抄袭：两个人可能一起讨论过，看过同一份资料，或者只是"
        "想到了一处。请先看代码，再和两个人分别聊聊。按学号排列，不分先后。",
        "Pairs whose answers agree in **unusual** things: the same rare mistakes, or the same rare "
        "structure of code once names, strings and formatting are set aside (the reference's own "
        "form never counts). Alike isn't copied: two people may have talked it over, read the same "
        "page, or had the same idea. Look at the code first, then have a friendly word with each "
        "of them. In the order of ids; it is no ranking.",
    ),
    "alike_how": (
        "“偶然”一栏：模拟了 {classes} 个像这样的班，每个人各自独立作答，学生的水平、题目的难度、"
        "各种错误和写法的频率都和本班一样；这里写的是，其中有多大比例的班，最相像的一对也达到这种程度。"
        "只列出不超过 1% 的。模拟不知道谁和谁一起上辅导、看同一本书，实际的偶然性比这大。",
        "“By chance”: {classes} classes like this one were simulated in which everybody works "
        "alone, with the same students, exercises, and frequencies of mistakes and forms; it is "
        "the part of them whose most similar pair was as alike as this. Shown up to 1%. The "
        "simulation doesn't know who shares a tutor or a book, so real chances are larger.",
    ),
    "alike_none": (
        "没有哪两个人相似到在这样的班里难以用偶然解释。",
        "No two are more alike than chance explains in a class like this.",
    ),
    "alike_few": (
        "只有 {n} 人可以比较；人太少，说不上什么是少见的。",
        "Only {n} students could be compared: too few to call anything unusual.",
    ),
    "col_pair": ("两个人", "The two"),
    "col_shared": ("相同之处（括号里是全班有多少人如此）", "What both have (how many in class)"),
    "col_chance": ("偶然", "By chance"),
    "at_most": ("不超过 {p}", "at most {p}"),
    "kind_named": ("同样的错误：", "the same mistake: "),
    "kind_unnamed": ("同样的错误结果", "the same wrong output"),
    "kind_structure": ("同样的代码结构", "the same structure of code"),
    "among": ("（{n}/{of}）", " ({n} of {of})"),
    "more_shared": ("另有 {n} 处", "{n} more"),
    "footer": (
        "本页由 autograder term 生成，不含脚本，也不从网络加载任何内容。页内有学生姓名，请妥善"
        "保管。",
        "Made by autograder term. The page has no scripts and loads nothing. It names students: "
        "keep it private.",
    ),
}


def words(lang: str) -> dict[str, str]:
    """The words of one language.

    Args:
        lang: "zh" or "en".
    """
    return {key: pair[lang != "zh"].replace("**", "") for key, pair in WORDS.items()}
