"""Unpacking what strangers packed: nothing leaves the folder, nothing but files and folders comes out, limits hold."""

import gzip
import struct
import tarfile
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from archive_maker import make_tar, make_zip, tar_entry, zip_link

from staff.collecting.archives import STUDENT, BadArchive, Limits, unpack
from tmagrade.submissions.staging import MAX_OTHER_FILE_BYTES


def unpacked(archive: Path, limits: Limits = STUDENT, *, strict: bool = True) -> tuple[dict[str, str], list[str]]:
    """The files that came out, with their texts, and the lines about what did not."""
    folder = archive.parent / "out"
    folder.mkdir()
    left_out = unpack(archive, folder, limits, strict=strict)
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}, left_out


@pytest.mark.parametrize("name", ["jane.zip", "jane.tar.gz", "jane.tgz", "jane.tar"])
def test_files_come_out_as_they_went_in(tmp_path: Path, name: str) -> None:
    make = make_zip if name.endswith(".zip") else make_tar
    files = {"lab3/lab3.cu": "kernel", "lab3/empty.cuh": ""}
    assert unpacked(make(tmp_path / name, files)) == (files, [])


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_the_first_bytes_decide_what_kind_an_archive_is(tmp_path: Path, make: type) -> None:
    other = {make_zip: "jane.tar.gz", make_tar: "jane.tgz"}[make]
    made = make(tmp_path / other, {"lab3.cu": ""})
    assert unpacked(made.rename(tmp_path / "jane.zip"))[0] == {"lab3.cu": ""}


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize(
    "name", ["../out.cu", "lab3/../../out.cu", "..\\out.cu", "/tmp/out.cu", "\\out.cu", "C:\\out.cu", "c:out.cu", ".."]
)
def test_an_archive_with_a_path_that_leaves_its_folder_is_refused(tmp_path: Path, make: type, name: str) -> None:
    archive = make(tmp_path / "jane.zip", {name: "harm"})
    with pytest.raises(BadArchive, match=r"leaves its folder|absolute path"):
        unpacked(archive)
    assert not (tmp_path / "out.cu").exists()


def test_backslashes_separate_folders_as_some_windows_programs_write_them(tmp_path: Path) -> None:
    assert unpacked(make_zip(tmp_path / "jane.zip", {"lab3\\lab3.cu": ""}))[0] == {"lab3/lab3.cu": ""}


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        *((tarfile.SYMTYPE, "a link"), (tarfile.LNKTYPE, "a link")),
        *((tarfile.FIFOTYPE, "no ordinary file"), (tarfile.CHRTYPE, "no ordinary file")),
        *((tarfile.BLKTYPE, "no ordinary file"), (tarfile.GNUTYPE_SPARSE, "no ordinary file")),
    ],
)
def test_of_a_tar_archive_only_files_and_folders_come_out(tmp_path: Path, kind: bytes, what: str) -> None:
    archive = make_tar(tmp_path / "jane.tgz", {"lab3.cu": ""}, tar_entry("odd", kind, "/etc/passwd"))
    assert unpacked(archive) == ({"lab3.cu": ""}, [f"odd: {what}"])
    assert list((tmp_path / "out").iterdir()) == [tmp_path / "out/lab3.cu"]


def test_of_a_zip_archive_links_do_not_come_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "jane.zip", "w") as archive:
        archive.writestr(zip_link("odd"), "/etc/passwd")
    assert unpacked(tmp_path / "jane.zip") == ({}, ["odd: a link"])


def test_a_file_cannot_be_written_through_a_link_packed_before_it(tmp_path: Path) -> None:
    link = tar_entry("way", tarfile.SYMTYPE, str(tmp_path))
    archive = make_tar(tmp_path / "first.tar", {}, link)
    with tarfile.open(archive, "a") as more:
        more.addfile(tarfile.TarInfo("way/out.cu"))
    assert unpacked(archive)[0] == {"way/out.cu": ""}
    assert not (tmp_path / "out.cu").exists()


def test_what_desktops_leave_behind_does_not_come_out(tmp_path: Path) -> None:
    junk = {"__MACOSX/._lab3.cu": "", ".DS_Store": "", "lab3/.git/config": "", "Thumbs.db": ""}
    assert unpacked(make_zip(tmp_path / "jane.zip", junk | {"lab3.cu": ""})) == ({"lab3.cu": ""}, [])


def test_of_two_files_of_one_name_the_later_counts(tmp_path: Path) -> None:
    archive = make_tar(tmp_path / "jane.tar", {"lab3.cu": "old"})
    with tarfile.open(archive, "a") as more:
        (tmp_path / "new").write_text("new")
        more.add(tmp_path / "new", "./lab3.cu")
    assert unpacked(archive)[0] == {"lab3.cu": "new"}


def test_names_that_differ_in_capitals_are_two_files(tmp_path: Path) -> None:
    files = {"Lab3.cu": "one", "lab3.cu": "two"}
    assert unpacked(make_zip(tmp_path / "jane.zip", files))[0] == files


@pytest.mark.parametrize("names", [("lab3", "lab3/lab3.cu"), ("lab3/lab3.cu", "lab3")])
def test_a_name_that_is_both_a_file_and_a_folder_is_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    with pytest.raises(BadArchive, match="lab3 is both a file and a folder"):
        unpacked(make_zip(tmp_path / "jane.zip", dict.fromkeys(names, "")))


def test_characters_that_no_compiler_should_read_are_replaced_in_names(tmp_path: Path) -> None:
    archive = make_tar(tmp_path / "jane.tar", {'a\x1b[31m"\n.cu': "", "b\udcff\u202e.cu": ""})
    assert set(unpacked(archive)[0]) == {"a_[31m__.cu", "b__.cu"}


@pytest.mark.parametrize("name", ["x" * 300, "/".join(["folder"] * 200)])
def test_a_name_that_is_too_long_is_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadArchive, match="a name that is too long: "):
        unpacked(make_tar(tmp_path / "jane.tar", {name: ""}))


SMALL = Limits(packed_bytes=1 << 20, bytes=200_000, files=10, file_bytes=100_000)


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_a_file_that_is_too_large_is_refused(tmp_path: Path, make: type) -> None:
    archive = make(tmp_path / "jane.zip", {"zeros.cu": bytes(100_001)})
    assert archive.stat().st_size < 1000
    with pytest.raises(BadArchive, match=r"zeros\.cu is larger than"):
        unpacked(archive, SMALL)


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_files_that_are_too_large_together_are_refused(tmp_path: Path, make: type) -> None:
    with pytest.raises(BadArchive, match=r"unpacks to (more than|too much)"):
        unpacked(make(tmp_path / "jane.zip", {f"{index}.h": bytes(90_000) for index in range(3)}), SMALL)


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_what_no_compiler_reads_counts_for_nothing_whatever_its_size(tmp_path: Path, make: type) -> None:
    limits = replace(SMALL, bytes=3, passed_over_bytes=10 << 20, other_bytes=MAX_OTHER_FILE_BYTES + 3)
    files = {
        "a.gch": bytes(MAX_OTHER_FILE_BYTES + 1),
        "b.o": "\0" * MAX_OTHER_FILE_BYTES,
        "c.o": "four",
        "d.txt": "txt",
        "lab3.cu": "cu!",
    }
    found, left_out = unpacked(make(tmp_path / "jane.zip", files), limits)
    assert found == {name: files[name] for name in ("b.o", "d.txt", "lab3.cu")}
    assert left_out == [f"{name}: large, and nothing that a compiler reads" for name in ("a.gch", "c.o")]


def test_what_a_tar_archive_hides_in_files_that_are_left_out_counts_too(tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match="unpacks to too much"):
        unpacked(make_tar(tmp_path / "jane.tgz", {".hidden": bytes(10_000_000)}), SMALL)


def test_a_size_that_is_announced_is_not_believed(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "jane.zip", {"zeros": bytes(150_000)})
    announced, lie = (150_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    archive.write_bytes(archive.read_bytes().replace(announced, lie))
    with pytest.raises(BadArchive):
        unpacked(archive, SMALL)
    assert not (tmp_path / "out/zeros").exists()


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_too_many_entries_are_refused(tmp_path: Path, make: type) -> None:
    with pytest.raises(BadArchive, match="more than 10 entries"):
        unpacked(make(tmp_path / "jane.zip", {str(index): "" for index in range(11)}), SMALL)


def test_an_archive_that_is_too_large_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "jane.zip").write_bytes(bytes(2 << 20))
    with pytest.raises(BadArchive, match="the archive is larger than 1 MiB"):
        unpacked(tmp_path / "jane.zip", SMALL)


@pytest.mark.parametrize("entries", [1_000, 1_000_000])
def test_a_long_list_of_entries_is_not_read(tmp_path: Path, entries: int) -> None:
    listed = struct.pack("<4s42x", b"PK\1\2") * entries
    end = struct.pack("<4s8xII2x", b"PK\5\6", len(listed), 0)
    (tmp_path / "jane.zip").write_bytes(listed + end)
    tracemalloc.start()
    try:
        with pytest.raises(BadArchive, match="more than 10 entries" if entries == 1_000 else "list of entries is too"):
            unpacked(tmp_path / "jane.zip", replace(SMALL, packed_bytes=1 << 30))
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("sizes", [(1 << 20,), (8192,) * 20])
def test_a_tar_archive_that_says_much_of_its_entries_is_refused(
    tmp_path: Path, kind: bytes, sizes: tuple[int, ...]
) -> None:
    """tarfile would look through these digits for an hour, or finds by itself that they say nothing."""
    with gzip.open(tmp_path / "jane.tgz", "wb") as packed:
        for size in sizes:
            entry = tar_entry("x", kind)
            entry.size = size
            packed.write(entry.tobuf(tarfile.GNU_FORMAT) + b"1" * size)
        packed.write(tar_entry("lab3.cu", tarfile.REGTYPE).tobuf() + bytes(1024))
    with pytest.raises(BadArchive, match=r"says too much of its entries|invalid header"):
        unpacked(tmp_path / "jane.tgz", replace(STUDENT, files=100))


def test_names_and_attributes_in_pax_headers_are_no_harm(tmp_path: Path) -> None:
    name = "lab3/" + "ö" * 80 + ".cu"
    with tarfile.open(tmp_path / "jane.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo(name)
        info.pax_headers = {"LIBARCHIVE.xattr.com.apple.provenance": "x" * 4000}
        archive.addfile(info)
    assert unpacked(tmp_path / "jane.tar") == ({name: ""}, [])


def test_an_encrypted_archive_is_refused_in_words(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "jane.zip", {"lab3.cu": "kernel"})
    content = bytearray(archive.read_bytes())
    content[6] |= 1  # the flag in the entry's own header,
    content[content.index(b"PK\1\2") + 8] |= 1  # and in the directory
    archive.write_bytes(content)
    with pytest.raises(BadArchive, match="the archive is encrypted"):
        unpacked(archive)


def test_an_unusual_compression_is_refused_in_words(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "jane.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("lab3.cu", "kernel")
    with pytest.raises(BadArchive, match="compressed in an unusual way"):
        unpacked(tmp_path / "jane.zip")


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\3\4 and no more", b"\x1f\x8b", gzip.compress(b"x" * 600, mtime=0), b"Rar!"]
)
def test_a_damaged_archive_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "jane.zip").write_bytes(content)
    with pytest.raises(BadArchive, match=r"the archive is damaged: |neither a \.zip nor a \.tar\.gz"):
        unpacked(tmp_path / "jane.zip")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_an_archive_damaged_anywhere_is_unpacked_or_refused_in_words(tmp_path: Path, make: type) -> None:
    whole = make(tmp_path / "jane.zip", {"lab3/lab3.cu": "kernel" * 40, "lab3/notes.txt": "text"}).read_bytes()
    for index in range(len(whole)):
        for content in (whole[:index], whole[:index] + bytes([whole[index] ^ 0xFF]) + whole[index + 1 :]):
            folder = tmp_path / f"{index}-{len(content)}"
            folder.mkdir()
            (folder / "jane.zip").write_bytes(content)
            try:
                unpack(folder / "jane.zip", folder, STUDENT, strict=True)
            except BadArchive as bad:
                assert str(bad)


def test_in_a_download_of_a_class_one_bad_entry_costs_only_itself(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "class.zip", {"../evil.zip": "", "jane.zip": "hers", "zeros": bytes(100_001)})
    files, left_out = unpacked(archive, SMALL, strict=False)
    assert files == {"jane.zip": "hers"}
    assert left_out == [
        "../evil.zip: the archive has a path that leaves its folder: ../evil.zip",
        "zeros: zeros is larger than 0 MiB",
    ]
