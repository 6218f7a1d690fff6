"""SARIF 2.1.0 (OASIS), as code scanning reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tmaemu_findings.emulator import version
from tmaemu_findings.findings import Place
from tmaemu_findings.known import Told


def sarif(told: Sequence[Told], mistakes: Mapping[str, str], root: Path) -> dict[str, Any]:
    """What is known is there as suppressed."""
    rules = sorted({each.found.code for each in told})
    driver = {
        "name": "tmaemu",
        "version": version(),
        "rules": [
            {
                "id": code,
                "shortDescription": {"text": mistakes[code]},
                "fullDescription": {"text": mistakes[code]},
                "help": {"text": f"tmaemu --explain {code}"},
                "defaultConfiguration": {"level": "error"},
            }
            for code in rules
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"ROOT": {"uri": root.as_uri().rstrip("/") + "/"}},
        "results": [_result(each, rules.index(each.found.code)) for each in told],
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _result(told: Told, rule: int) -> dict[str, Any]:
    found = told.found
    help_text = f"\n{found.help}" if found.help else ""
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": found.message + help_text},
        "locations": [_location(found.place)],
        "suppressions": [],
    }
    if found.notes:
        result["relatedLocations"] = [
            _location(note.place) | {"id": number, "message": {"text": note.message}}
            for number, note in enumerate(found.notes, 1)
        ]
    if told.known is not None:
        result["suppressions"] = [{"kind": "external", "justification": told.known.reason}]
    return result


def _location(place: Place) -> dict[str, Any]:
    if not place.file:
        return {"logicalLocations": [{"name": place.text, "kind": "function"}]}
    if place.file.startswith("/"):
        artifact = {"uri": Path(place.file).as_uri()}
    else:
        artifact = {"uri": _uri(place.file), "uriBaseId": "ROOT"}
    region = {"startLine": max(place.line, 1)} | ({"startColumn": place.column} if place.column else {})
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _uri(file: str) -> str:
    """Of a path below the root: as_uri() would know only whole ones."""
    return (Path("/") / file).as_uri().removeprefix("file:///")
