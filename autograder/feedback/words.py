"""The words of the feedback page in both languages: (Chinese, English), as format strings."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "feedback": ("作业反馈", "Feedback"),
    "score": ("得分", "Score"),
    "of": ("满分 {max}", "of {max}"),
    "core_part": ("必做 {score}/{max}", "core {score}/{max}"),
    "stretch_part": ("选做 {score}/{max}（额外加分）", "stretch {score}/{max} (on top)"),
    "by_hand_part": ("老师另行评定 {points}", "given by your teacher: {points}"),
    "penalty_part": ("迟交扣分 −{points}", "late penalty: −{points}"),
    "handed_in": ("提交时间 {time}（{clock}）", "handed in {time} ({clock})"),
    "late_rule": ("本班规则：", "The rule: "),
    "late_by": ("比截止时间晚 {time}", "{time} after the due date"),
    "late_free": ("没有因此扣分", "nothing was taken off for it"),
    "days": ("{n} 天", "{n} d"),
    "hours": ("{n} 小时", "{n} h"),
    "minutes": ("{n} 分钟", "{n} min"),
    "pending": (
        "有的部分老师还没有看完，分数可能还会变。",
        "Your teacher has still to look at a part of it; the score may change.",
    ),
    "todo_title": ("先看这里", "Start here"),
    "todo_all": (
        "全部通过，做得好！下面是每道题的细节。",
        "Everything passed. Well done! The details are below.",
    ),
    "todo_lede": (
        "这几道题还没有拿满分。按顺序来：先读说明，自己想一想；卡住了再逐条打开提示。",
        "These exercises are not complete yet. Take them in order: read what is said, think it "
        "over, and open the hints one by one only when you are stuck.",
    ),
    "todo_blank": ("还没有写", "not written yet"),
    "todo_open": ("没有通过 {n} 个检查点", "{n} checks did not pass"),
    "todo_open_one": ("没有通过 1 个检查点", "1 check did not pass"),
    "exercises_title": ("逐题反馈", "Exercise by exercise"),
    "full": ("全部通过", "all passed"),
    "stretch": ("选做", "stretch"),
    "your_code": ("你的代码", "Your code"),
    "cut": (
        "（太长了，后面的没有显示；完整内容在你的笔记本里。）",
        "(Too long to show in full; your notebook has the rest.)",
    ),
    "no_code": ("没有找到这道题的代码。", "There is no code for this exercise."),
    "cell_failed": ("这个单元格没能运行：", "This cell did not run: "),
    "passed": ("通过", "passed"),
    "failed": ("未通过", "not passed"),
    "points": ("{points}/{max} 分", "{points}/{max}"),
    "points_one": ("{points} 分", "{points} pts"),
    "what_happened": ("出了什么错", "What went wrong"),
    "hint": ("提示 {n}", "Hint {n}"),
    "hints_title": ("需要时再打开", "Open only when you need it"),
    "by_hand": ("老师评定的分数：{points}", "Points given by your teacher: {points}"),
    "extra": ("另加 {points}", "extra {points}"),
    "comment": ("老师的评语", "Your teacher says"),
    "written_title": ("你的文字回答", "Your written answer"),
    "written_none": ("这里没有写。", "Nothing was written here."),
    "written_waiting": ("老师还没有看到这里。", "Your teacher has not been here yet."),
    "notes_title": ("关于你的文件", "About your file"),
    "notes_lede": (
        "批改时在你的文件里看到了下面这些情况；凡是修复了的，都不扣分。",
        "This is what we found in your file; whatever was repaired costs nothing.",
    ),
    "more_notes": ("还有 {n} 处", "{n} more"),
    "incident_timeout": (
        "有一个检查点运行超时，被终止了；只影响那一个检查点的分数。",
        "One check ran out of time and was stopped; that costs this check alone.",
    ),
    "incident_memory": (
        "有一个检查点占用内存太多，被终止了；只影响那一个检查点的分数。",
        "One check used too much memory and was stopped; that costs this check alone.",
    ),
    "incident_died": (
        "运行你代码的进程中途退出了；其余检查点照常批改。",
        "The process that ran your code ended on the way; the other checks were graded as usual.",
    ),
    "incident_bad_reply": (
        "有一次返回的结果无法读取；其余检查点照常批改。",
        "One result could not be read; the other checks were graded as usual.",
    ),
    "incident_disk": (
        "有一个检查点写入的文件太多，被终止了；只影响那一个检查点的分数。",
        "One check wrote too much to the disk and was stopped; that costs this check alone.",
    ),
    "incident_defect": (
        "评测程序自身出了错，不是你的问题。请告诉老师。",
        "The check itself failed, which is not your fault. Please tell your teacher.",
    ),
    "incident_other": (
        "有一个检查点运行时出了意外；其余照常批改。",
        "Something went wrong in one check; the others were graded as usual.",
    ),
    "footer": (
        "由 autograder feedback 生成。页面不含脚本，不从网络加载任何内容。",
        "Made by autograder feedback. The page has no scripts and loads nothing from the network.",
    ),
    "colon": ("：", ": "),
    "sep": ("、", ", "),
}


def words(lang: str) -> dict[str, str]:
    """Return the page's words in one language ("zh" or "en")."""
    index = 0 if lang == "zh" else 1
    return {key: pair[index] for key, pair in WORDS.items()}
