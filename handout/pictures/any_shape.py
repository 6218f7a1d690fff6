"""Lab 8, part any-shape: a matrix whose rows do not begin at multiples of 16 bytes, as four that do."""

from canvas import WIDTH, Canvas

VECTOR = 4  # floats in 16 bytes, and so many maps
COLUMNS, ROWS = 7, 8
SHOWN_MAP = 1

LABEL, TOP, CELL, PITCH = 56.0, 84.0, 24.0, 30.0


def shift_of(row: int) -> int:
    """How many floats before the row its map begins: what is left of the row's address, counted in vectors."""
    return row * COLUMNS % VECTOR


def draw() -> str:
    bottom = TOP + ROWS * PITCH
    vectors = max(-(-(shift_of(row) + COLUMNS) // VECTOR) for row in range(ROWS))
    canvas = Canvas(
        bottom + 92,
        "One matrix, four maps",
        f"Rows of {COLUMNS} floats, drawn where they lie between multiples of 16 bytes. Every fourth row begins at the "
        "same place, so rows 1 and 5 share a map, which begins 3 floats before row 1.",
    )
    canvas.text(12, 22, f"Rows of {COLUMNS} floats ({COLUMNS * 4} bytes), each where it lies", size=15, bold=True)
    for vector in range(vectors + 1):
        x = LABEL + vector * VECTOR * CELL
        canvas.line([(x, TOP - 8), (x, bottom)], width=1.5, dashed=True)
    canvas.text(LABEL, TOP - 20, "multiples of 16 bytes", size=12, style="quiet")
    right = LABEL + vectors * VECTOR * CELL + 12
    canvas.text(right, TOP - 20, "map", size=12, style="quiet")
    canvas.text(right + 40, TOP - 20, "shift", size=12, style="quiet")
    for row in range(ROWS):
        y, shift = TOP + row * PITCH, shift_of(row)
        loaded = row % VECTOR == SHOWN_MAP
        canvas.text(12, y + CELL / 2, f"row {row}", size=12.5)
        for column in range(-shift, COLUMNS):
            x = LABEL + (shift + column) * CELL
            if column >= 0:
                role = "engine" if loaded else "plain"
                canvas.label(x, y, CELL - 1, CELL - 1, role, str(column), size=12, style="code")
            elif loaded:
                canvas.box(x, y, CELL - 1, CELL - 1, "wait", dashed=True)
        canvas.text(right + 8, y + CELL / 2, str(row % VECTOR), size=12.5, style="code")
        canvas.text(right + 48, y + CELL / 2, str(shift), size=12.5, style="code")
    stride = VECTOR * COLUMNS * 4
    canvas.text(
        12,
        bottom + 18,
        f"Orange: the rows of map {SHOWN_MAP}, {VECTOR} rows or {stride} bytes apart, which is",
        size=12.5,
    )
    canvas.text(12, bottom + 36, "a multiple of 16. Gray: the end of the row before, which the map", size=12.5)
    canvas.text(12, bottom + 54, "loads as well, because it must begin at a multiple of 16 bytes:", size=12.5)
    canvas.text(12, bottom + 72, "so column c of the matrix is column c + shift of the map.", size=12.5)
    assert right + 70 <= WIDTH
    return canvas.svg()
