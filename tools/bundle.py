"""Write the course into one folder that installs and runs without a network: `make bundle`.

    python tools/bundle.py [--platform windows|macos|linux] [--machine …] [--python 3.12]

The folder holds the wheels of the lock for one system and one Python, the project with the released
notebooks, the data sets and weights that notebooks fetch on first use, and an installer in plain
Python. `manifest.json` lists every file with its SHA-256; the installer refuses a folder that is
not whole. How it is used: docs/getting-started.md.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from bundle_wheels import EXTRAS, BundleError, Pin, Target, download, needed, target
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent
OFFLINE = ROOT / "tools" / "offline"
# What a student needs nothing of. A teacher's bundle has it all.
TEACHERS_ONLY = (".ci", "solutions", "tests", "tools", "Makefile", ".pre-commit-config.yaml")
# Where no git can tell what belongs to the project.
NEVER = (".git", ".venv", "build", "__pycache__", ".ruff_cache", ".pytest_cache")
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same bundle is the same archive


def project_files(root: Path, teacher: bool = False) -> list[str]:
    """Relative paths of the files of the project that go into a bundle, in order.

    Args:
        root: the project's folder.
        teacher: whether sources with answers, tests and tools are wanted too.

    Raises:
        BundleError: there is no released notebook among them.
    """
    # What is new and not committed belongs to what it was written for.
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others"]
    command += ["--exclude-standard"]
    done = subprocess.run(command, capture_output=True) if (root / ".git").exists() else None
    if done is not None and done.returncode == 0:
        names = [name for name in done.stdout.decode().split("\0") if name]
    else:
        paths = [p.relative_to(root) for p in root.rglob("*") if p.is_file()]
        names = [
            p.as_posix()
            for p in paths
            if not set(p.parts) & set(NEVER)
            and not any(part.endswith(".egg-info") for part in p.parts)
        ]
    names = [name for name in names if (root / name).is_file()]
    if not teacher:
        names = [name for name in names if name.split("/")[0] not in TEACHERS_ONLY]
    if not any(name.startswith("course/") and name.endswith(".ipynb") for name in names):
        raise BundleError("there is no released notebook in course/: run make course")
    return sorted(names)


def archives(root: Path = ROOT) -> list:
    """Every package archive that the library reads data or weights from, by file name.

    Found in the sources: a module that names a new archive needs no second entry here.
    """
    found = {}
    for path in sorted((root / "bert_keras").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
                continue
            if getattr(node.value.func, "id", "") != "Archive":
                continue
            module = ".".join(path.relative_to(root).with_suffix("").parts)
            archive = getattr(importlib.import_module(module), node.targets[0].id)
            found[archive.filename] = archive
    return [found[name] for name in sorted(found)]


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def build(
    out: Path,
    for_target: Target,
    *,
    root: Path = ROOT,
    pins: list[Pin] | None = None,
    data: list[tuple[Path, str]] | None = None,
    wheels: Path | None = None,
    teacher: bool = False,
    extras: tuple[str, ...] = EXTRAS,
) -> Path:
    """Make the folder of a bundle, whole or not at all.

    Args:
        out: folder in which the bundle's folder is made.
        for_target: system, processor and Python.
        root: the project.
        pins: which packages; None is what the project and `extras` need.
        data: files to put into `data` with their licence lines; None is all that the library can
            fetch, from the cache where they lie there.
        wheels: folder with wheels that were fetched before; None is one beside the bundle.
        teacher: whether sources with answers, tests and tools come along.
        extras: extras of pyproject.toml.

    Returns:
        Path of the folder. A former one of the same name is replaced.

    Raises:
        BundleError: something is missing; the message says what to do.
    """
    lock = (root / "requirements.lock").read_text(encoding="utf-8")
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    version = version["project"]["version"]
    name = f"bert-course-{version}-{for_target.name}" + ("-teacher" if teacher else "")
    if pins is None:
        pins = needed(root / "pyproject.toml", lock, for_target, extras)
    out.mkdir(parents=True, exist_ok=True)
    fetched = wheels or out / f"wheels-{for_target.name}"
    download(pins, for_target, fetched)
    if data is None:
        from bert_keras.text.corpora.archives import fetch

        data = [(fetch(archive), archive.licence) for archive in archives(root)]
    with tempfile.TemporaryDirectory(prefix=".bundle-", dir=out) as scratch:
        folder = Path(scratch) / name
        (folder / "data").mkdir(parents=True)
        for relative in project_files(root, teacher):
            put(root / relative, folder / "project" / relative)
        lines = []
        for pin in pins:
            wheel = wheel_of(fetched, pin.name, pin.version)
            put(wheel, folder / "wheels" / wheel.name, link=True)
            lines.append(f"{pin.line} --hash=sha256:{digest(wheel)}\n")
        text = "".join(lines)
        (folder / "requirements.txt").write_text(text, encoding="utf-8", newline="\n")
        for path, _ in data:
            put(path, folder / "data" / path.name)
        write_instructions(folder, for_target, [licence for _, licence in data])
        write_manifest(folder, for_target, version)
        final = out / name
        shutil.rmtree(final, ignore_errors=True)
        os.replace(folder, final)
    return final


def put(source: Path, place: Path, link: bool = False) -> None:
    """Copy a file, or link it: wheels are large, and the folder that they come from is ours."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if link:
        try:
            os.link(source, place)
            return
        except OSError:  # another disk, or a file system without links
            pass
    shutil.copyfile(source, place)


def wheel_of(folder: Path, package: str, version: str) -> Path:
    """The one wheel of a package in a folder.

    Raises:
        BundleError: there is none, or several.
    """
    found = []
    for path in folder.glob("*.whl"):
        name, its_version, _, _ = parse_wheel_filename(path.name)
        if name == package and str(its_version) == version:
            found.append(path)
    if len(found) != 1:
        names = ", ".join(sorted(path.name for path in found)) or "none"
        raise BundleError(f"{folder} must hold one wheel of {package} {version}; it has: {names}")
    return found[0]


def write_instructions(folder: Path, for_target: Target, licences: list[str]) -> None:
    """Put the installer, the starters and the page of instructions in both languages there."""
    megabytes = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6
    words = {
        "@SYSTEM@": {"linux": "Linux", "macos": "macOS", "windows": "Windows"}[for_target.system],
        "@MACHINE@": for_target.machine,
        "@PYTHON@": for_target.python,
        "@WHEELS@": str(len(list((folder / "wheels").glob("*.whl")))),
        "@MEGABYTES@": f"{megabytes:.0f}",
        "@LICENCES@": "\n".join(f"- {line}" for line in licences),
    }
    for path in sorted(OFFLINE.iterdir()):
        if not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8")
        for mark, word in words.items():
            text = text.replace(mark, word)
        if path.suffix == ".txt" and for_target.system == "windows":
            # Notepad before Windows 11 takes a file without this mark for the local encoding.
            text = "\ufeff" + text.replace("\n", "\r\n")
        place = folder / path.name
        place.write_bytes(text.encode("utf-8"))
        if path.suffix == ".sh":
            place.chmod(0o755)


def write_manifest(folder: Path, for_target: Target, version: str) -> None:
    """List every file of the folder with its size and digest."""
    files = {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": digest(path),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    members = [
        len(name)
        for path in (folder / "wheels").glob("*.whl")
        for name in zipfile.ZipFile(path).namelist()
    ]
    manifest = {
        "version": version,
        "target": {
            "system": for_target.system,
            "machine": for_target.machine,
            "python": for_target.python,
        },
        "longest_member": max(members, default=0),
        # What an environment was made from: another bundle installs anew.
        "stamp": files["requirements.txt"]["sha256"],
        "files": files,
    }
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8", newline="\n")


def pack(folder: Path) -> Path:
    """Write `<folder>.zip`; the same folder gives the same bytes."""
    path = folder.with_name(folder.name + ".zip")
    part = path.with_name(f".{path.name}.part")
    with zipfile.ZipFile(part, "w") as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o100755 if file.suffix == ".sh" else 0o100644) << 16
            packed = file.suffix in (".whl", ".gz")
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            with file.open("rb") as source, archive.open(entry, "w") as place:
                shutil.copyfileobj(source, place, 1 << 20)
    os.replace(part, path)
    return path


def main(argv: list[str] | None = None) -> int:
    """Make a bundle; returns 0, or 2 where it cannot be made."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--platform", help="windows, macos or linux; default: this one")
    parser.add_argument("--machine", help="x86_64, arm64 (macOS) or aarch64 (Linux)")
    parser.add_argument("--python", help="3.11, 3.12 or 3.13; default: this one")
    parser.add_argument("--teacher", action="store_true", help="with solutions, tests and tools")
    parser.add_argument("--extra", action="append", default=[], help="one more of pyproject.toml")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bundle")
    parser.add_argument("--no-zip", action="store_true", help="the folder only")
    args = parser.parse_args(argv)
    from bert_keras.errors import UserError

    try:
        chosen = target(args.platform, args.machine, args.python)
        extras = (*EXTRAS, *args.extra)
        folder = build(args.out, chosen, teacher=args.teacher, extras=extras)
        made = [folder] if args.no_zip else [folder, pack(folder)]
    except (BundleError, UserError, OSError) as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 2
    files = [p for p in folder.rglob("*") if p.is_file()]
    size = sum(p.stat().st_size for p in files) / 1e6
    print(f"{len(files)} files, {size:.0f} MB, for {chosen.name}")
    for path in made:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
