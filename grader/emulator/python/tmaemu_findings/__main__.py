"""Makes reports of what tmaemu has found in a run: `tmaemu --findings-file=found.jsonl COMMAND`, and then

    tmaemu python -m tmaemu_findings found.jsonl --known known.txt --github --sarif found.sarif --junit found.xml

Ends with 0 where all findings are known or there are none, with 1 where there is a new one, and with 2 where it cannot
say. A line of the list of known findings is a code, a file with or without a line, and the reason:

    # code     file[:line]            why it stays
    data-race  csrc/histogram.cu:88   both warps write the same value
    data-race  third_party/*.cu       told to its authors, https://example.org/issues/12
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from tmaemu_findings.emulator import TMAEMU, mistakes
from tmaemu_findings.findings import UsageError, read_findings
from tmaemu_findings.github import annotation
from tmaemu_findings.junit import junit
from tmaemu_findings.known import Known, Told, read_known
from tmaemu_findings.sarif import sarif

NOTHING_NEW, NEW, CANNOT_SAY = 0, 1, 2


def summary(told: Sequence[Told], listed: Sequence[Known], known_file: Path | None) -> list[str]:
    lines = []
    for each in told:
        known = "" if each.known is None else f" (known: {each.known.reason})"
        lines.append(f"{each.found.place.text}: {each.found.sentence}{known}")
    met = {row for row in listed if any(row.is_it(each.found) for each in told)}
    lines += [
        f"{known_file}:{row.row}: not found in this run: {row.code} {row.file}" for row in listed if row not in met
    ]
    new = sum(each.known is None for each in told)
    lines.append(f"{new} new, {len(told) - new} known")
    return lines


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tmaemu python -m tmaemu_findings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="which tmaemu --findings-file=FILE wrote")
    parser.add_argument("--known", type=Path, metavar="FILE", help="the list of known findings")
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="write SARIF 2.1.0, for code scanning")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit's XML, for whatever shows tests")
    parser.add_argument("--github", action="store_true", help="print annotations for a workflow of GitHub's")
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="FOLDER", help="names of files are told from here (this folder)"
    )
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    asked = arguments(words)
    root = asked.root.resolve()
    try:
        codes = mistakes()
        listed = read_known(asked.known, codes) if asked.known else []
        found = read_findings(asked.files, root)
        told = [Told(each, next((row for row in listed if row.is_it(each)), None)) for each in found]
        if unknown := {each.code for each in found} - codes.keys():
            raise UsageError(f"another tmaemu than {TMAEMU} has found {', '.join(sorted(unknown))}: ask with that one")
        if asked.sarif:
            _write(asked.sarif, json.dumps(sarif(told, codes, root), indent=1, ensure_ascii=False) + "\n")
        if asked.junit:
            _write(asked.junit, ElementTree.tostring(junit(told), "unicode", xml_declaration=True) + "\n")
    except UsageError as error:
        print(f"tmaemu_findings: {error}", file=sys.stderr)
        return CANNOT_SAY
    new = [each.found for each in told if each.known is None]
    if asked.github:
        for each in new:
            print(annotation(each))
    print("\n".join(summary(told, listed, asked.known)))
    return NEW if new else NOTHING_NEW


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8", "replace")
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error


if __name__ == "__main__":
    sys.exit(main())
