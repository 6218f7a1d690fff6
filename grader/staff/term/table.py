"""A table of comma-separated values in which cells are replaced and everything else stays, byte for byte."""

from collections.abc import Iterator
from dataclasses import dataclass

QUOTE = '"'


@dataclass
class Table:
    """Rows of cells as they are written, quotes and all, and what ends each row."""

    rows: list[list[str]]
    ends: list[str]
    between: str = ","  # or a semicolon, as platforms write where a comma is the decimal point

    @staticmethod
    def of(content: bytes, between: str = "") -> "Table":
        """`between`: what stands between cells; without it, whatever makes more of the first line."""
        text = content.decode("utf-8", "surrogateescape")
        headers = {between: next(_records(text, between), ([], ""))[0] for between in (",", ";")}
        between = between or max(headers, key=lambda one: len(headers[one]))
        records = list(_records(text, between))
        return Table([cells for cells, _ in records], [end for _, end in records], between)

    @property
    def content(self) -> bytes:
        text = "".join(self.between.join(row) + end for row, end in zip(self.rows, self.ends))
        return text.encode("utf-8", "surrogateescape")

    def value(self, row: int, column: int) -> str:
        """What a cell says; empty where the row has no such cell."""
        return value_of(self.rows[row][column]) if column < len(self.rows[row]) else ""

    def header(self) -> list[str]:
        return [self.value(0, column).lstrip("\ufeff") for column in range(len(self.rows[0]))] if self.rows else []

    def put(self, row: int, column: int, value: str) -> None:
        """Writes a cell, unless it says the same already. A row that is too short has empty ones up to there."""
        if self.value(row, column) != value:
            self.rows[row] += [""] * (column + 1 - len(self.rows[row]))
            self.rows[row][column] = written(value)

    def append(self) -> None:
        """One more row, which is empty."""
        end = self.ends[0] or "\n"
        self.ends[-1] = self.ends[-1] or end
        self.rows.append([""])
        self.ends.append(end)


def value_of(cell: str) -> str:
    text = cell.removeprefix("\ufeff")
    if len(text) > 1 and text[0] == text[-1] == QUOTE:
        return text[1:-1].replace(QUOTE * 2, QUOTE)
    return cell


def written(value: str) -> str:
    needs = any(character in value for character in (QUOTE, ",", ";", "\n", "\r"))
    return QUOTE + value.replace(QUOTE, QUOTE * 2) + QUOTE if needs else value


def _records(text: str, between: str) -> Iterator[tuple[list[str], str]]:
    cells: list[str] = []
    begin = index = 0
    is_quoted = False
    while index < len(text):
        character = text[index]
        if character == QUOTE:
            is_quoted = not is_quoted
        elif character == between and not is_quoted:
            cells.append(text[begin:index])
            begin = index + 1
        elif character in "\r\n" and not is_quoted:
            end = "\r\n" if text[index : index + 2] == "\r\n" else character
            yield [*cells, text[begin:index]], end
            index += len(end) - 1
            cells, begin = [], index + 1
        index += 1
    if cells or begin < len(text):
        yield [*cells, text[begin:]], ""
