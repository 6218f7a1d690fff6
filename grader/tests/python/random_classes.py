"""Classes as Hypothesis draws them: who is in them, what each has handed in, in which form, and how it all lies there.

Many are honest. Others crash, hang, break the judge, do not compile, or pack archives that no honest program packs.
"""

import io
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml
from archive_maker import make_tar, make_zip, tar_entry
from hypothesis import strategies as st

from staff.collecting.archives import suffix_of
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import distinct_names, is_junk, lab_named

SOURCES = {"lab3-bulk-copy": "lab3.cu", "lab4-single-tile": "lab4.cu"}

VERDICTS = ["pass", "pass", "fail", "crash", "timeout", "missing", "cheated", "hazard"]
# What a text does besides, as pretended_machine.py reads it.
MISDEEDS = [
    *["#error", "#error at length at length", "cannot be linked", "makes no library", "never compiles"],
    *["judge dies", "judge crashes", "judge is killed", "judge wants memory", "judge hangs", "judge mumbles"],
]


@dataclass(frozen=True)
class HandIn:
    name: str  # of the student, as the class's layout has it
    texts: Mapping[str, str]  # by lab
    form: str  # of FORMS


@dataclass(frozen=True)
class Class:
    layout: str
    hand_ins: tuple[HandIn, ...]  # in the order in which they were made

    def of(self, some: tuple[HandIn, ...]) -> "Class":
        return replace(self, hand_ins=some)

    def safe_names(self) -> dict[str, str]:
        """How the grades call each student."""
        return distinct_names(hand_in.name for hand_in in self.hand_ins)

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        WRITERS[self.layout](folder, self.hand_ins)
        return folder


def classes(known: list[Lab], most: int = 5) -> st.SearchStrategy[Class]:
    def named(layout: str) -> st.SearchStrategy[Class]:
        hand_ins = st.builds(HandIn, NAMES[layout](known), texts_by_lab, st.sampled_from(FORMS[layout]))
        several = st.lists(hand_ins, min_size=1, max_size=most, unique_by=lambda hand_in: hand_in.name)
        return several.map(lambda some: Class(layout, tuple(some)))

    return st.sampled_from(sorted(NAMES)).flatmap(named)


@st.composite
def _text(draw: st.DrawFn) -> str:
    lines = [
        f"{part} {draw(st.sampled_from(['any', 'late', 'early']))} {draw(st.sampled_from(VERDICTS))}"
        for part in draw(st.lists(st.sampled_from(["one-tile", "pipeline", "load"]), max_size=3))
    ]
    if draw(st.integers(0, 3)) == 0:
        lines.append(draw(st.sampled_from(MISDEEDS)))
    # So that some hand in the same, letter for letter, and some not.
    return "\n".join([*lines, f"// {draw(st.integers(0, 3))}"])


texts_by_lab = st.dictionaries(st.sampled_from(sorted(SOURCES)), _text(), min_size=1)


def _plain_names(known: list[Lab]) -> st.SearchStrategy[str]:
    odd = st.sampled_from(
        [
            "ada",
            "ADA",
            "Ada",
            "ben",
            "ada b",
            "ada_b",
            "zoë",
            "zoe\u0308",
            "李雷",
            "a;rm -rf ~",
            "$(id)",
            "-n",
            "--help",
        ]
        + [
            "grades.json",
            "report.html",
            "solutions",
            "con",
            "ada-1",
            "[red]",
            "<b>",
            "%s",
            "a" * 120,
            "\u202eada",
            "\\",
        ]
    )
    letters = st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=["Cs"])
    drawn = st.one_of(odd, st.text(letters, min_size=1, max_size=20))
    return drawn.filter(
        lambda name: not is_junk(name) and lab_named(name, known) is None and suffix_of(name) is None
        and len(name.encode()) < 200
    )  # fmt: skip


def _canvas_names(known: list[Lab]) -> st.SearchStrategy[str]:
    words = st.sampled_from(["ada", "lovelaceada", "ben", "李雷", "zoë", "anon"])
    return st.builds(lambda word, number: f"{word}_{number}", words, st.integers(1, 99999))


def _mail_addresses(known: list[Lab]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(
            ["ada@example.org", "ADA@example.org", "ben@example.org", "../ada", "a/b", "null", "1", "x\ny"]
        ),
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20),
    )


NAMES: dict[str, Callable[[list[Lab]], st.SearchStrategy[str]]] = {
    "plain": _plain_names,
    "canvas": _canvas_names,
    "gradescope": _mail_addresses,
}

HONEST = ["folders", "loose files", "capitals", "zip", "zip of folders", "tar.gz", "archives inside"]
HOSTILE = [
    *[
        "bomb",
        "bomb of bombs",
        "damaged",
        "many entries",
        "deep folders",
        "leaves its folder",
        "link",
        "long description",
    ],
    *["announces little", "not an archive"],
]
FORMS = {
    "plain": [*HONEST, *HONEST, *HOSTILE],
    "canvas": ["loose files", "zip", "zip of folders", "tar.gz", *HOSTILE],
    "gradescope": [*HONEST, *HONEST, *HOSTILE],
}

IN_ARCHIVES = ("zip", "zip of folders", "tar.gz", *HOSTILE)


def _write_hand_in(place: Path, hand_in: HandIn) -> Path:
    """Writes it to the folder `place`, or to an archive of that name; answers which."""
    loose = {SOURCES[lab]: text for lab, text in hand_in.texts.items()}
    folders = {f"{lab}/{SOURCES[lab]}": text for lab, text in hand_in.texts.items()}
    if hand_in.form in IN_ARCHIVES:
        suffix = ".tar.gz" if hand_in.form in ("tar.gz", "link", "long description", "announces little") else ".zip"
        archive = place.with_name(place.name + suffix)
        _pack(archive, hand_in.form, folders if hand_in.form == "zip of folders" else loose)
        return archive
    if hand_in.form == "archives inside":
        for lab, text in hand_in.texts.items():
            make_zip(place / f"{lab}.zip", {SOURCES[lab]: text})
        return place
    capitals = {f"{lab.upper()}/{SOURCES[lab].upper()}": text for lab, text in hand_in.texts.items()}
    for name, text in {"folders": folders, "loose files": loose, "capitals": capitals}[hand_in.form].items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def _pack(archive: Path, form: str, files: dict[str, str]) -> None:
    zeros = bytes(17 << 20)
    if form == "bomb":
        make_zip(archive, files | {f"zeros{index}": zeros[: 16 << 20] for index in range(5)})
    elif form == "bomb of bombs":
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as bomb:
            bomb.writestr("zeros", zeros)
        make_zip(archive, files | {f"inner{index}.zip": inner.getvalue() for index in range(3)})
    elif form == "many entries":
        make_zip(archive, files | {f"{index}.h": "" for index in range(2100)})
    elif form == "deep folders":
        make_zip(archive, files | {"a/" * 40 + "deep.h": ""})
    elif form == "leaves its folder":
        make_zip(archive, files | {"../../../stray.cu": "", "/stray.cu": ""})
    elif form == "link":
        make_tar(archive, files, tar_entry("lab4.cu", tarfile.SYMTYPE, "/etc/passwd"))
    elif form == "long description":
        info = tar_entry("described.h", tarfile.REGTYPE)
        info.pax_headers = {"comment": "1" * 100_000}
        make_tar(archive, files, info)
    elif form == "not an archive":
        archive.write_bytes(b"\x7fELF" + bytes(100))
    else:
        (make_tar if archive.name.endswith(".tar.gz") else make_zip)(archive, files)
        _falsify(archive, form)


def _falsify(archive: Path, form: str) -> None:
    data = bytearray(archive.read_bytes())
    if form == "damaged":
        data[len(data) // 3 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 3)
    if form == "announces little":  # gzip's own note of how much comes out
        data[-4:] = struct.pack("<I", 1)
    archive.write_bytes(data)


def _write_plain(folder: Path, hand_ins: tuple[HandIn, ...]) -> None:
    for hand_in in hand_ins:
        _write_hand_in(folder / hand_in.name, hand_in)


def _write_canvas(folder: Path, hand_ins: tuple[HandIn, ...]) -> None:
    for number, hand_in in enumerate(hand_ins, start=1000):
        if hand_in.form == "loose files":
            for more, (lab, text) in enumerate(sorted(hand_in.texts.items())):
                (folder / f"{hand_in.name}_{10 * number + more}_{SOURCES[lab]}").write_text(text)
        else:
            _write_hand_in(folder / f"{hand_in.name}_{10 * number}_handin", hand_in)


def _write_gradescope(folder: Path, hand_ins: tuple[HandIn, ...]) -> None:
    metadata = {}
    for number, hand_in in enumerate(hand_ins, start=1000):
        written = _write_hand_in(folder / f"submission_{number}", hand_in)
        submitter = {":name": "a student", ":email": hand_in.name}
        metadata[written.name] = {":submitters": [submitter], ":created_at": f"2026-11-01 12:00:0{number % 10}"}
    (folder / "submission_metadata.yml").write_text(yaml.safe_dump(metadata, allow_unicode=True))


WRITERS = {"plain": _write_plain, "canvas": _write_canvas, "gradescope": _write_gradescope}
