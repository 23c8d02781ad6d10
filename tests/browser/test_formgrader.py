"""nbgrader's Formgrader on a class that we graded: our numbers, and people's points stay."""

import csv
import sys

import pytest
from class_in_browser import autograder, grade
from lab_kit import ROOT, running_lab

sys.path.insert(0, str(ROOT / "tools"))

import demo_class

pytestmark = pytest.mark.release

NOTEBOOK = demo_class.NOTEBOOK
WRITER, OTHER = "s01-perfect", "s03-last-link"
STUDENTS = (WRITER, OTHER, "s04-blind-to-self", "s08-blank")
CHECK, WRITTEN = "check_selective_mask", f"written_{NOTEBOOK}"
COMMENT = "Good experiment. What would you do if accuracy fell by 1 %?"


def table(page):
    """Student → points and maximum, as Formgrader's list of submissions shows them."""
    page.locator("#main-table .score", has_text="/").first.wait_for()
    rows = page.locator("#main-table tr")
    found = {}
    for n in range(rows.count()):
        score = rows.nth(n).locator(".score").inner_text()
        found[rows.nth(n).locator(".student-id").inner_text()] = tuple(
            float(part) for part in score.split("/")
        )
    return found


def class_page(screen, course):
    """Student → final points, as the class page and its CSV show them; both must agree."""
    autograder("report", NOTEBOOK, "--course", course)
    with open(course / "reports" / "grades.csv", encoding="utf-8-sig") as file:
        written = {row["student"]: float(row["final"]) for row in csv.DictReader(file)}
    screen.page.goto((course / f"reports/{NOTEBOOK}.html").as_uri())
    rows = screen.page.locator("#students tbody tr")
    shown = {}
    for n in range(rows.count()):
        cells = rows.nth(n).locator("th, td").all_inner_texts()
        shown[cells[0].split()[0]] = float(cells[-1].split("/")[0])
    assert shown == written
    return written


def save(screen, field, value):
    """Type into one of Formgrader's fields and leave it; it saves then."""
    field.fill(value)
    with screen.page.expect_response(lambda answer: answer.request.method == "PUT"):
        field.blur()


def test_scores_manual_grades_and_feedback(tmp_path, home, screen_of):
    course = tmp_path / "class"
    autograder("init-class", course, "--lang", "en", "--notebook", NOTEBOOK)
    chosen = [one for one in demo_class.submissions() if one.id in STUDENTS]
    demo_class.hand_in(chosen, course)
    for student in STUDENTS:  # as nbgrader's `collect` leaves them
        folder = course / "submitted" / student / NOTEBOOK
        (folder / "timestamp.txt").write_text("2026-09-01 12:00:00.000000 UTC")
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    with open(course / "nbgrader_config.py", "a") as config:
        config.write(f"\nc.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    expected = {one.id: one.expected for one in chosen}
    scores = grade(NOTEBOOK, course)
    assert {who: sum(points.values()) for who, points in scores.items()} == expected

    with running_lab(course, home) as lab:
        screen = screen_of(lab, viewport={"width": 1280, "height": 900})
        page = screen.page
        page.goto(lab.at("formgrader/manage_assignments"))
        row = page.locator("#main-table tr", has_text=NOTEBOOK)
        row.wait_for()
        assert row.locator(".num-submissions").inner_text() == str(len(STUDENTS))
        screen.shot("formgrader_assignments")

        submissions = lab.at(f"formgrader/manage_submissions/{NOTEBOOK}")
        page.goto(submissions)
        assert table(page) == {who: (points, 40.0) for who, points in expected.items()}
        assert page.get_by_text("needs", exact=False).count() == 0
        screen.shot("formgrader_submissions")

        # By hand: points and a comment for the written answer, and a case that is forgiven.
        open_submission(screen, WRITER)
        answer = page.locator(".panel", has=page.locator(f"#{WRITTEN}")).last
        answer.scroll_into_view_if_needed()
        assert demo_class.WRITTEN["en"][:40] in answer.inner_text()
        # nbgrader counts extra credit only beside points, and this cell has none by itself.
        save(screen, page.locator(f"#{WRITTEN}"), "0")
        save(screen, page.locator(f"#{WRITTEN}_extra_credit"), "3")
        save(screen, answer.locator("textarea.comment"), COMMENT)
        screen.shot("formgrader_written")
        open_submission(screen, OTHER)
        lost = expected_of(chosen, OTHER)
        cell = page.locator(f"#{CHECK}")
        assert float(cell.get_attribute("placeholder")) == lost
        cell.scroll_into_view_if_needed()
        save(screen, cell, str(lost + 1))
        screen.shot("formgrader_check_by_hand")
        by_hand = expected | {WRITER: expected[WRITER] + 3, OTHER: expected[OTHER] + 1}
        page.goto(submissions)
        assert {who: points for who, (points, _) in table(page).items()} == by_hand
        assert class_page(screen, course) == by_hand
        screen.shot("formgrader_class_page", page.locator("#students"))

        # Grading once more keeps what people did.
        assert grade(NOTEBOOK, course) == scores
        autograder("grade", NOTEBOOK, "--course", course, "--fresh")
        page.goto(submissions)
        assert {who: points for who, (points, _) in table(page).items()} == by_hand
        open_submission(screen, WRITER)
        field = page.locator(f"#{WRITTEN}_extra_credit")
        page.wait_for_function("it => it.value !== ''", arg=field.element_handle())
        assert float(field.input_value()) == 3
        assert class_page(screen, course) == by_hand

        # Feedback: ours, handed out by Formgrader's button.
        autograder("feedback", NOTEBOOK, "--course", course)
        made = course / f"feedback/{WRITER}/{NOTEBOOK}/{NOTEBOOK}.html"
        assert COMMENT in made.read_text("utf-8") and "43" in made.read_text("utf-8")
        page.goto(submissions)
        row = page.locator("#main-table tr", has_text=WRITER)
        row.locator(".release-feedback a").click()
        page.get_by_text("Successfully released feedback").wait_for()
        screen.shot("formgrader_released")
        (released,) = (tmp_path / "exchange").rglob("*.html")
        assert released.read_bytes() == made.read_bytes()
        page.goto(made.as_uri())
        screen.shot("formgrader_feedback")
        # nbgrader's page asks a public server for MathJax, and misses it: see docs/browser.md.
        assert all("mathjax" in url.lower() for url in screen.abroad)
        assert all("MathJax" in error for error in screen.errors)


def expected_of(chosen, student):
    """The points of the exercise of `CHECK`, as `demo_class` works them out."""
    (one,) = [one for one in chosen if one.id == student]
    return one.expected_by_exercise[CHECK.removeprefix("check_")]


def open_submission(screen, student):
    """Open a submission in Formgrader's grading view and wait until it has its grades."""
    page = screen.page
    page.goto(screen.lab.at(f"formgrader/manage_students/{student}/{NOTEBOOK}"))
    link = page.locator("#main-table a", has_text=NOTEBOOK).first
    link.wait_for()
    with page.expect_response(lambda answer: "/api/grades" in answer.url):
        link.click()
    page.locator(f"#{WRITTEN}").wait_for()
    page.wait_for_function("formgrader.grades.loaded && formgrader.comments.loaded")
