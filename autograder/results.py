"""What judging an answer yields, and the accidents that can befall it on the way."""

from dataclasses import dataclass, field, replace

from autograder.messages import Text


class StudentError(Exception):
    """The student's code raised; only its description travels, never the exception itself.

    Args:
        type: name of the exception's class.
        message: its text, shortened.
        where: the student's line it came from, or `""`.
        about: facts about that line; see `scene`.
    """

    def __init__(self, type: str, message: str = "", where: str = "", about: tuple[str, ...] = ()):
        super().__init__(f"{type}: {message}" if message else type)
        self.type, self.message, self.where, self.about = type, message, where, about


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
        "运行超时，已被终止：检查循环能否结束，或者是不是试了太多种可能。",
        "It ran out of time and was stopped: check that every loop can end, and that it doesn't "
        "try too many ways.",
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


ALL_PASSED = Text("全部通过", "All passed")
REMINDER = Text("只是提醒，不扣分", "a reminder, costs nothing")
AS_ABOVE = Text("同上。", "As above.")
# Where something else was told in between.
AS_IN = Text("同“{title}”那一项。", "As in “{title}”.")
SAME_ERROR = Text("同样的错误。", "The same error.")
SAME_ERROR_AS = Text("和“{title}”那一项同样的错误。", "The same error as in “{title}”.")
OF_MISTAKE = Text("（第 {n} 个错误）{hint}", "(Mistake {n}) {hint}")
# What a missing name or a broken cell elsewhere makes of a case.
FOLLOWING = ("error", "missing", "blank")


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
        error: the exception and its text in one line, where the student's code raised one.
    """

    name: str
    title: Text
    points: float
    max_points: float
    status: str
    detail: Text | None = None
    error: str = ""

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    @property
    def mark(self) -> str:
        """A sign for it; what costs nothing is never crossed out."""
        return "✓" if self.passed else "✗" if self.max_points else "○"

    @property
    def worth(self) -> Text:
        """Its points in words."""
        if not self.max_points:
            return REMINDER
        points = f"{self.points:g}/{self.max_points:g}"
        return Text(points, points)

    def to_json(self) -> dict:
        return {
            "name": self.name,
            "title": self.title.to_json(),
            "points": self.points,
            "max_points": self.max_points,
            "status": self.status,
            "detail": self.detail and self.detail.to_json(),
            **({"error": self.error} if self.error else {}),
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
        certainty: `exact` (one mistake), `pair` (two or three together), `one_of` (several predict
            the same output), `partial` (explains most of the failing cases) or `""`.
        properties: names of the properties that the answer violates.
        incidents: kinds of the incidents, in the order in which they happened.
        diagnosis: what the student is told: about `named`, and else about `properties`.
        hints: a ladder of hints; the first says least.
        located: the sentences of `properties`, whether or not a mistake is named.
        ladders: the hints by the name of the mistake that they belong to.
        follows: the exercise that this result is a consequence of, or `""`.
        cause: what it is a consequence of, in a sentence.
    """

    id: str
    cases: list[CaseResult]
    named: list[str] = field(default_factory=list)
    certainty: str = ""
    properties: list[str] = field(default_factory=list)
    incidents: list[str] = field(default_factory=list)
    diagnosis: list[Text] = field(default_factory=list)
    hints: list[Text] = field(default_factory=list)
    located: list[Text] = field(default_factory=list)
    ladders: dict[str, list[Text]] = field(default_factory=dict)
    follows: str = ""
    cause: Text | None = None

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
    def full(self) -> bool:
        """Whether all that counts has passed; a reminder without points may still be open."""
        return all(case.passed for case in self.cases if case.max_points)

    @property
    def only_errors(self) -> bool:
        """Whether everything that counts raised an error, so that no result was seen."""
        return all(case.status == "error" for case in self.cases if case.max_points)

    @property
    def blank(self) -> bool:
        return bool(self.cases) and all(case.status == "blank" for case in self.cases)

    def message(self, lang: str) -> str:
        """The whole result as plain text, hints left out (they are asked for one by one)."""
        lines = [f"{self.id}: {self.score:g}/{self.max_score:g}"]
        if self.full:
            lines[0] += f" ✓ {ALL_PASSED[lang]}"
        if self.blank:
            return "\n".join([lines[0], (self.cause or self.cases[0].detail or BLANK)[lang]])
        for case, detail in self.told_cases():
            lines.append(f"  {case.mark} {case.title[lang]} ({case.worth[lang]})")
            if detail:
                lines.append(f"      {detail[lang]}")
        lines += [f"  → {text[lang]}" for text in self.told()]
        return "\n".join(lines)

    def told_cases(self) -> list[tuple[CaseResult, Text | None]]:
        """The cases, each with what is still to be said about it.

        A follow-on error reads the same in every case: it is said once and referred to after
        that, and not said at all where it is the consequence of something that is said elsewhere.
        """
        first, last, found = {}, None, []
        for case in self.cases:
            told = case.detail
            if told in first and told != SAME_ERROR:  # that one is a reference already
                told = AS_ABOVE if told == last else AS_IN.format(title=first[told])
            if self.follows and case.status in FOLLOWING:
                told = None
            if self.cause and case.status == "missing":  # of course: its cell did not run
                told = None
            if case.detail is not None:
                first.setdefault(case.detail, case.title)
                last = case.detail
            found.append((case, told))
        return found

    def told(self) -> list[Text]:
        """Below the cases: the cause if it lies elsewhere; what the mistake is, or where to look.

        Where a mistake has a name, what it does to the result would only distract from it.
        """
        return [*([self.cause] if self.cause else []), *self.diagnosis]

    def as_shown(self) -> "ExerciseResult":
        """A copy to be laid out: every case with what is still to be said, all else in order.

        `diagnosis` is then all that stands below the cases; hints say which mistake they belong to.
        """
        hints = list(dict.fromkeys(self.hints))
        if len(self.ladders) > 1:
            hints = self._numbered_hints()
        return replace(
            self,
            cases=[replace(case, detail=detail) for case, detail in self.told_cases()],
            diagnosis=self.told(),
            hints=hints,
            located=[],
            cause=None,
            follows="",
        )

    def _numbered_hints(self) -> list[Text]:
        """Hints of several mistakes, each with the mistake's number; what all of them say, once."""
        ladders = [list(dict.fromkeys(hints)) for hints in self.ladders.values()]
        shared = [hint for hint in ladders[0] if all(hint in hints for hints in ladders)]
        found = list(shared)
        for n, ladder in enumerate(ladders, start=1):
            own = [hint for hint in ladder if hint not in shared]
            found += [OF_MISTAKE.format(n=n, hint=hint) for hint in own]
        return found

    def ladder(self) -> list[tuple[str, list[Text]]]:
        """The rungs, from what says least to what says most; the answer is on none of them.

        Returns:
            Pairs of a rung (`differs`, `property`, `mistake`, `hint 1`, `hint 2`, …) and what
            stands on it; rungs with nothing on them are left out. With two mistakes at once a
            rung holds the hints of both, in the order of `named`.
        """
        rungs = [
            ("differs", [d for c, d in self.told_cases() if d == c.detail != SAME_ERROR and d]),
            ("property", self.located),
            ("mistake", self.diagnosis if self.named else []),
        ]
        highest = max((len(hints) for hints in self.ladders.values()), default=0)
        for n in range(highest):
            hints = [ladder[n] for ladder in self.ladders.values() if n < len(ladder)]
            rungs.append((f"hint {n + 1}", list(dict.fromkeys(hints))))
        return [(name, texts) for name, texts in rungs if texts]

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
            "located": [text.to_json() for text in self.located],
            "ladders": {n: [t.to_json() for t in hints] for n, hints in self.ladders.items()},
            "follows": self.follows,
            "cause": self.cause and self.cause.to_json(),
            "cases": [case.to_json() for case in self.cases],
        }

    @classmethod
    def from_json(cls, data: dict) -> "ExerciseResult":
        plain = {k: data[k] for k in ("id", "named", "certainty", "properties", "incidents")}
        return cls(
            cases=[CaseResult.from_json(case) for case in data["cases"]],
            diagnosis=[Text.from_json(text) for text in data["diagnosis"]],
            hints=[Text.from_json(text) for text in data["hints"]],
            located=[Text.from_json(text) for text in data.get("located", ())],
            ladders={
                name: [Text.from_json(text) for text in hints]
                for name, hints in data.get("ladders", {}).items()
            },
            follows=data.get("follows", ""),
            cause=Text.from_json(data["cause"]) if data.get("cause") else None,
            **plain,
        )


BLANK = Text(
    "还有空着的地方：把 YOUR CODE HERE 连同它下面的 raise 那一行换成你的代码。如果已经写了，"
    "看看那个单元格有没有红色的报错；改好后重新运行它，再来检查。",
    "Something is still blank: put your code in place of YOUR CODE HERE and of the raise below it. "
    "If you have written some, see whether that cell shows an error in red; mend it, run it again, "
    "then check.",
)
