"""The words of the class page in both languages.

Each entry is (Chinese, English). Sentences with numbers are format strings, so that each language
keeps its own word order.
"""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "report": ("班级报告", "Class report"),
    "graded_on": ("批改日期 {day}", "graded on {day}"),
    "nav_first": ("先讲什么", "What first"),
    "nav_scores": ("成绩分布", "Scores"),
    "nav_items": ("各题难度", "Exercises"),
    "nav_students": ("学生一览", "Students"),
    "nav_unnamed": ("未能归类", "Not named"),
    "nav_trouble": ("异常与修复", "Incidents"),
    "nav_written": ("文字题", "Written"),
    "ask": ("课上可以这样问：", "A question to ask: "),
    "as_table": ("用表格看", "as a table"),
    "scores_late": (
        "有 {n} 份迟交，其中 {penalised} 份按规定扣了分。",
        "{n} came late; {penalised} of them lose points for it.",
    ),
    "items_discrimination": (
        "“区分度”是本题得分与其余必做题总分的相关系数：低于 0.2（标 ▾）说明这道题分不出掌握得好坏，"
        "值得看一看题目本身。",
        "“Tells apart” is the correlation of an exercise with the points of all other core "
        "exercises: below 0.2 (marked ▾) it doesn't tell strong from weak, and the exercise itself "
        "deserves a look.",
    ),
    "items_too_few": (
        "交作业的人数到 {n} 以后，这里还会给出各题的区分度。",
        "From {n} submissions on, this also says how well each exercise tells people apart.",
    ),
    "disc_low": ("区分度低", "tells little apart"),
    "col_discrimination": ("区分度", "Tells apart"),
    "item_mistakes": ("认出的错误", "Mistakes recognised"),
    "written_title": ("文字题", "Written question"),
    "written_waiting": ("等着您批改：", "Waiting for you: "),
    "col_by_hand": ("人工", "By hand"),
    "col_penalty": ("迟交", "Late"),
    "col_final": ("最终", "Final"),
    "students_by_hand": (
        "“人工”是您在成绩册里另给的分数。",
        "“By hand” is what you added or took off in the gradebook.",
    ),
    "students_penalty": (
        "“迟交”是按班级规定扣的分，最终得分已经扣除。",
        "“Late” is the penalty that the class sets; the final points have it taken off.",
    ),
    "late_title": ("迟交与延期", "Late work"),
    "late_none": ("本次没有人迟交。", "Nobody was late."),
    "col_due": ("截止时间", "Due"),
    "col_handed_in": ("提交时间", "Handed in"),
    "no_gradebook": (
        "没有读到成绩册，这里只有自动评分：",
        "The gradebook could not be read; these are the automatic points only: ",
    ),
    "fact_students": ("份作业", "submissions"),
    "fact_median": ("必做部分中位数，满分 {max}", "median of the core, out of {max}"),
    "fact_full": ("人必做全对", "with every core point"),
    "fact_look": ("份请您过目", "to look at yourself"),
    "first_title": ("先讲什么", "What to talk about first"),
    "first_lede": (
        "按人数从多到少排列。每一条都不是猜出来的：学生算出的结果，与“犯这个错会算出的结果”"
        "逐个数值吻合。",
        "Most shared mistake first. Each was recognised, not guessed: the student's output "
        "matched, number for number, what that mistake would produce.",
    ),
    "first_none": (
        "这一次没有认出任何具体的误解。",
        "No particular misconception was recognised this time.",
    ),
    "of_class": ("共 {n} 人", "of {n}"),
    "or": ("或者", "or"),
    "one_of": ("以下错误之一，结果相同，分辨不出是哪个", "one of these; their outputs are equal"),
    "follows": ("可能由前面某题的错误引起：", "may follow from an earlier exercise: "),
    "together_all": ("同一题里还有别的错误", "with another mistake in the same exercise"),
    "together": ("同一题里还有别的错误：", "and another mistake in the same exercise: "),
    "more_people": ("其余 {n} 人", "{n} more"),
    "more_lessons": ("其余 {n} 条", "{n} more"),
    "stretch": ("选做", "stretch"),
    "core": ("必做", "core"),
    "scores_title": ("成绩分布", "Scores"),
    "scores_lede": (
        "必做部分满分 {max} 分。半数同学在 {q1} 到 {q3} 分之间，中位数 {median}，平均 {mean}。",
        "The core is worth {max} points. Half of the class lies between {q1} and {q3}; "
        "median {median}, mean {mean}.",
    ),
    "scores_stretch": (
        "选做题另计，共 {max} 分，平均得 {mean} 分。",
        "Stretch exercises count on top: {max} points, {mean} on average.",
    ),
    "hist_alt": ("必做得分直方图：{bins}", "Histogram of core scores: {bins}"),
    "hist_bin": ("{low}–{high} 分 {n} 人", "{low}–{high}: {n}"),
    "hist_x": ("必做得分", "core points"),
    "items_title": ("各题难度", "How hard each exercise was"),
    "items_lede": (
        "按笔记本中的顺序。展开一道题，可以看到每个测试点有多少人通过。",
        "In the order of the notebook. Open an exercise to see how many passed each case.",
    ),
    "col_exercise": ("题目", "Exercise"),
    "col_points": ("分值", "Points"),
    "col_outcome": ("作答情况", "Outcome"),
    "col_mean": ("得分率", "Mean"),
    "col_full": ("全对", "Full"),
    "col_student": ("学生", "Student"),
    "col_core": ("必做", "Core"),
    "col_stretch": ("选做", "Stretch"),
    "col_total": ("总分", "Total"),
    "legend_full": ("全对", "full marks"),
    "legend_part": ("部分得分", "part"),
    "legend_zero": ("零分", "none"),
    "legend_blank": ("未作答", "left blank"),
    "bar_alt": (
        "全对 {full} 人，部分得分 {part} 人，零分 {zero} 人，未作答 {blank} 人",
        "full marks {full}, part {part}, none {zero}, blank {blank}",
    ),
    "cases_of": ("{n} 个测试点", "{n} cases"),
    "passed": ("{k}/{n} 人通过", "{k} of {n} passed"),
    "points_n": ("{n} 分", "{n} pts"),
    "students_title": ("学生一览", "Students"),
    "students_lede": (
        "每格是该题得分，底色越重失分越多；“+”表示选做，“–”表示未作答，“⚠”表示运行中出过问题。",
        "Points per exercise; the stronger the tint, the more was lost. "
        "“+”: stretch, “–”: left blank, “⚠”: something went wrong while it ran.",
    ),
    "unnamed_title": ("未能归类的错误", "Wrong, and not named"),
    "unnamed_lede": (
        "这些答案不对，但与任何一种已知错误都不吻合。程序只说得出它违反了什么；原因请您看一眼代码。",
        "These answers are wrong and match no mistake we know. All that can be said is what they "
        "violate; the reason needs your eyes.",
    ),
    "unnamed_none": (
        "没有。每个答错的人都得到了具体的说明。",
        "None. Everyone who was wrong was told why.",
    ),
    "example": ("例如", "for example"),
    "status_value": ("数值不对", "the numbers differ"),
    "status_shape": ("形状不对", "the shape differs"),
    "status_dtype": ("dtype 不对", "the dtype differs"),
    "status_structure": ("返回值的结构不对", "the return value has another structure"),
    "status_nonfinite": ("出现了 NaN 或无穷大", "NaN or infinity came out"),
    "status_error": ("运行时报错", "an error was raised"),
    "status_cell": ("这一格没能运行", "the cell did not run"),
    "status_missing": ("没有定义要求的名字", "the required name is not defined"),
    "status_signature": ("参数与要求不符", "the parameters are not those asked for"),
    "status_blank": ("未作答", "left blank"),
    "status_other": ("没有通过", "it did not pass"),
    "kind_timeout": ("运行超时，已终止", "ran out of time and was stopped"),
    "kind_memory": ("内存超限，已终止", "used too much memory and was stopped"),
    "kind_disk": ("写入磁盘太多，已终止", "wrote too much to the disk and was stopped"),
    "kind_died": ("进程意外退出", "its process ended unexpectedly"),
    "kind_bad_reply": ("返回的结果无法读取", "sent back something unreadable"),
    "kind_forbidden": ("直接用了不许用的函数", "called a function it may not use"),
    "kind_defect": ("评测程序自身出错，请报告", "the check itself failed; please report it"),
    "kind_other": ("运行异常", "went wrong"),
    "trouble_title": ("异常与修复", "Incidents and repairs"),
    "trouble_lede": (
        "出问题的测试点只影响它自己的分数，其余照常批改；修复不扣分。",
        "An incident costs only the case it happened in; everything else was graded as usual. "
        "Repairs cost nothing.",
    ),
    "trouble_none": ("没有异常，也没有需要修复的文件。", "No incidents, nothing to repair."),
    "col_what": ("发生了什么", "What happened"),
    "col_where": ("哪里", "Where"),
    "ungraded": ("尚未批改", "Not graded yet"),
    "unreadable": ("结果文件读不出来，请重新批改", "Result file cannot be read; grade again"),
    "whole": ("整份作业", "whole notebook"),
    "footer": (
        "本页由 autograder report 生成，不含脚本，也不从网络加载任何内容；学生写的文字一律只作文字"
        "显示。页内有学生姓名，请妥善保管。",
        "Made by autograder report. The page has no scripts and loads nothing; whatever students "
        "wrote is shown as text only. It names students: keep it private.",
    ),
    "sep": ("、", ", "),
    "gap": ("", " "),  # between two sentences
}


def words(lang: str) -> dict[str, str]:
    """Return the page's words in one language.

    Args:
        lang: "zh" or "en".

    Returns:
        A format string for every key of `WORDS`.
    """
    index = 0 if lang == "zh" else 1
    return {key: pair[index] for key, pair in WORDS.items()}
