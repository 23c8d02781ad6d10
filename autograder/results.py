"""What judging an answer yields, and the accidents that can befall it on the way."""

from dataclasses import dataclass, field

from autograder.messages import Text


class StudentError(Exception):
    """The student's code raised; only its description travels, never the exception itself.

    Args:
        type: name of the exception's class.
        message: its text, shortened.
        where: the student's line it came from, or `""`.
    """

    def __init__(self, type: str, message: str = "", where: str = ""):
        super().__init__(f"{type}: {message}" if message else type)
        self.type, self.message, self.where = type, message, where

    @property
    def blank(self) -> bool:
        return self.type == "NotImplementedError"


class Incident(Exception):
    """The student's process gave no usable answer: the case scores 0 and grading goes on."""

    kind = "incident"
    text = Text("没有得到可用的结果。", "No usable answer came back.")

    def __init__(self, detail: str = ""):
        super().__init__(detail or self.kind)
        self.detail = detail


class StudentTimeout(Incident):
    kind = "timeout"
    text = Text(
        "运行超时，已被终止：检查循环能否结束。",
        "It ran out of time and was stopped: check that every loop can end.",
    )


class StudentMemory(Incident):
    kind = "memory"
    text = Text(
        "内存超出上限：检查是否在不停地分配数组。",
        "It used more memory than it may: look for arrays that keep growing.",
    )


class StudentDied(Incident):
    kind = "died"
    text = Text(
        "运行你代码的进程意外退出了。",
        "The process that ran your code ended unexpectedly.",
    )


class StudentDisk(Incident):
    kind = "disk"
    text = Text(
        "写的文件太多或太大，已被终止。",
        "It wrote more files, or larger ones, than it may, and was stopped.",
    )


class BadReply(Incident):
    kind = "bad_reply"
    text = Text(
        "你的代码返回了无法读取的结果。",
        "What your code sent back could not be read.",
    )


@dataclass
class CaseResult:
    """One case of one exercise.

    Args:
        name: the case's function name.
        title: what it looks at.
        points, max_points: floats.
        status: `passed`, `blank`, `missing`, `signature`, `error`, `structure`, `shape`, `dtype`,
            `nonfinite`, `value`, `forbidden`, or an incident's kind.
        detail: what differs, where and by how much; `None` when it passed.
    """

    name: str
    title: Text
    points: float
    max_points: float
    status: str
    detail: Text | None = None

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    def to_json(self) -> dict:
        return {
            "name": self.name,
            "title": self.title.to_json(),
            "points": self.points,
            "max_points": self.max_points,
            "status": self.status,
            "detail": self.detail and self.detail.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict) -> "CaseResult":
        texts = {"title": Text.from_json(data["title"])}
        texts["detail"] = data["detail"] and Text.from_json(data["detail"])
        return cls(**{**data, **texts})


@dataclass
class ExerciseResult:
    """One exercise of one student.

    Args:
        id: the exercise's id.
        cases: its cases, in order.
        named: names of the misconceptions that explain the answer.
        certainty: `exact` (one mistake), `pair` (two together), `one_of` (several predict the same
            output), `partial` (explains some of the failing cases) or `""`.
        properties: names of the properties that the answer violates.
        incidents: kinds of the incidents, in the order in which they happened.
        diagnosis: the sentences that go with `named` and `properties`.
        hints: a ladder of hints; the first says least.
    """

    id: str
    cases: list[CaseResult]
    named: list[str] = field(default_factory=list)
    certainty: str = ""
    properties: list[str] = field(default_factory=list)
    incidents: list[str] = field(default_factory=list)
    diagnosis: list[Text] = field(default_factory=list)
    hints: list[Text] = field(default_factory=list)

    @property
    def score(self) -> float:
        return float(sum(case.points for case in self.cases))

    @property
    def max_score(self) -> float:
        return float(sum(case.max_points for case in self.cases))

    @property
    def passed(self) -> bool:
        return all(case.passed for case in self.cases)

    @property
    def blank(self) -> bool:
        return bool(self.cases) and all(case.status == "blank" for case in self.cases)

    def message(self, lang: str) -> str:
        """The whole result as plain text, hints left out (they are asked for one by one)."""
        mark = {True: "✓", False: "✗"}
        head = f"{self.id}: {self.score:g}/{self.max_score:g}"
        lines = [head]
        if self.blank:
            return "\n".join([head, BLANK[lang]])
        seen = set()
        for case in self.cases:
            points = f"{case.points:g}/{case.max_points:g}"
            lines.append(f"  {mark[case.passed]} {case.title[lang]} ({points})")
            # A follow-on error reads the same in every case: say it once.
            if case.detail and case.detail not in seen:
                lines.append(f"      {case.detail[lang]}")
                seen.add(case.detail)
        lines += [f"  → {text[lang]}" for text in self.diagnosis]
        return "\n".join(lines)

    def to_json(self) -> dict:
        return {
            "id": self.id,
            "score": self.score,
            "max_score": self.max_score,
            "named": self.named,
            "certainty": self.certainty,
            "properties": self.properties,
            "incidents": self.incidents,
            "diagnosis": [text.to_json() for text in self.diagnosis],
            "hints": [text.to_json() for text in self.hints],
            "cases": [case.to_json() for case in self.cases],
        }

    @classmethod
    def from_json(cls, data: dict) -> "ExerciseResult":
        plain = {k: data[k] for k in ("id", "named", "certainty", "properties", "incidents")}
        return cls(
            cases=[CaseResult.from_json(case) for case in data["cases"]],
            diagnosis=[Text.from_json(text) for text in data["diagnosis"]],
            hints=[Text.from_json(text) for text in data["hints"]],
            **plain,
        )


BLANK = Text(
    "还没有看到你的代码：把 YOUR CODE HERE 换成你的代码。如果已经写了，"
    "看看那个单元格有没有红色的报错；改好后重新运行它，再来检查。",
    "No code of yours here yet: replace YOUR CODE HERE with it. If you have written some, see "
    "whether that cell shows an error in red; mend it, run it again, then check.",
)
