"""What every debugging drill has: the question for the bug's name, and words for wrong ones."""

from autograder import drills
from autograder.expectations import expect
from autograder.judge import PUBLIC_SEED
from autograder.messages import Text
from autograder.oracles import costs

NOT_THIS_ONE = Text("“{name}”：不是这一个。", "“{name}”: not this one.")
# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里还有名单上的一种毛病：给它和 patient 同一个小输入，看看是不是还一样。",
    "repaired still has one of the bugs in the list: give it and patient the same small input "
    "and see whether they still agree.",
)


def released_bug(drill, student):
    """The key of the bug in front of this student."""
    if student.variant is None:
        return drills.choose(drill.variants, PUBLIC_SEED)
    return drills.resolve(drill.id, student.variant, drill.variants)


def ask_for_the_name(drill):
    """Give a drill its first case, worth one point: `suspect` names the bug."""

    @drill.case(points=1, zh="指出毛病", en="the bug is named")
    def named_the_bug(student, rng):
        """One word out of the list above the cell."""
        name = student.value()
        if not isinstance(name, str):
            expect(name).holds(
                False,
                "suspect 应当是一个字符串：从上面的名单里选一个名字。",
                "suspect should be a string: one of the names in the list above.",
            )
        name = name.strip()
        expect(name).holds(
            name in drill.variants,
            f"名单里没有“{name[:40]}”：请用表格左栏的英文名。",
            f"“{name[:40]}” isn't in the list above: take one of its names.",
        )
        # Which one it is stays untold: anybody could read it off a wrong guess.
        answer = costs.drill_answer(released_bug(drill, student), drill.variants)
        expect(name).equals(answer, otherwise=NOT_THIS_ONE.format(name=name))


def tell_a_wrong_name(drill, hints):
    """Give a drill the misconception that another bug of the list is in the code."""
    drill.misconception(
        "another_bug_named",
        switch=tuple({"suspect": key} for key in drill.variants),
        zh="你指的那个毛病，这段代码里没有。",
        en="The bug that you name isn't in this code.",
        hints=hints,
    )
