"""Annotations of GitHub's workflows: commands that a step prints."""

from __future__ import annotations

from tmaemu_findings.findings import Found


def annotation(found: Found) -> str:
    """A command of GitHub's workflows, which shows the finding at its line of a change."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def value(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    words = [f"title={value(found.code)}"]
    if found.place.file:
        words += [f"file={value(found.place.file)}", f"line={found.place.line}"]
        words += [f"col={found.place.column}"] if found.place.column else []
    return f"::error {','.join(words)}::{data(found.whole_text)}"
