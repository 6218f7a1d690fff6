"""handout/reference/grades.schema.json, made from the rows of grades.py: `make schema` writes it.

A field's description is the text that stands below it.
"""

import ast
import inspect
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from tmagrade.basics.paths import HERE
from tmagrade.outputs.grades import SCHEMA, GradesFile

SCHEMA_FILE = HERE.root / "handout/reference/grades.schema.json"


class _Rows(GenerateJsonSchema):
    """What is written: there is no field that no row has, and every one that is not left out on purpose."""

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        made = super().dataclass_schema(schema)
        texts = {name: text for kind in reversed(schema["cls"].__mro__) for name, text in _texts_below_fields(kind)}
        for field in schema["schema"]["fields"]:
            name = field.get("serialization_alias", field["name"])
            if field["name"] in texts and name in made["properties"]:
                made["properties"][name]["description"] = texts[field["name"]]
        del made["title"]
        return {"description": _on_one_line(made.pop("description"))} | made | {"additionalProperties": False}

    def field_is_required(self, field: Any, total: bool) -> bool:
        return field.get("serialization_exclude_if") is None

    def field_title_should_be_set(self, schema: object) -> bool:
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def sort(self, value: dict[str, Any], parent_key: str | None = None) -> dict[str, Any]:
        return value

    def ser_schema(self, schema: object) -> None:
        """A whole number of points is written without a point, and is a number all the same."""


def _texts_below_fields(kind: type) -> Iterator[tuple[str, str]]:
    if "__dataclass_fields__" not in kind.__dict__:
        return
    [made] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(made, ast.ClassDef)
    for field, below in pairwise(made.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            yield field.target.id, _on_one_line(ast.literal_eval(below.value))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def schema_text() -> str:
    made = TypeAdapter(GradesFile).json_schema(mode="serialization", schema_generator=_Rows)
    head = {"$schema": _Rows.schema_dialect, "$id": f"urn:tma-labs:grades:{SCHEMA}", "title": "grades.json"}
    types = {"$defs": dict(sorted(made.pop("$defs").items()))}
    return _lines(head | made | types) + "\n"


def _lines(value: Any, indent: str = "") -> str:
    """A line for each field."""
    if not isinstance(value, dict) or not value.keys() & {"properties", "$defs"}:
        return json.dumps(value, ensure_ascii=False)
    rows = []
    for name, child in value.items():
        text = json.dumps(child, ensure_ascii=False)
        if name in ("properties", "$defs"):
            inner = (f"{indent}  {json.dumps(key)}: {_lines(one, indent + '  ')}" for key, one in child.items())
            text = "{\n" + ",\n".join(inner) + f"\n{indent} }}"
        rows.append(f"{indent} {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
