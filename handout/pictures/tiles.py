"""Lab 4, part tile-index: where a tile lies in the matrix, in global memory and in shared memory."""

from canvas import TIMES, WIDTH, Canvas
from solution import FLOAT_BYTES, LAB4, constant

TILE = constant(LAB4, "TILE")
HEIGHT = constant(LAB4, "HEIGHT")
COLUMNS = constant(LAB4, "WIDTH")
STRIDE = COLUMNS * FLOAT_BYTES
BOX_ROW = TILE * FLOAT_BYTES

# The tile in the pictures: not on the diagonal, so that swapped coordinates are another tile.
C0, C1 = TILE, 0


def in_tile(row: int, column: int) -> bool:
    return C1 <= row < C1 + TILE and C0 <= column < C0 + TILE


def draw_matrix() -> str:
    cell, left, top = 43.0, 70.0, 92.0
    canvas = Canvas(
        top + HEIGHT * cell + 62,
        "The matrix and its tiles",
        f"A {HEIGHT} by {COLUMNS} matrix of {TILE} by {TILE} tiles. The tile at c0 = {C0}, c1 = {C1} is the one that "
        f"begins at column {C0} and row {C1}; with the coordinates swapped it is the tile below the first one.",
    )
    right, bottom = left + COLUMNS * cell, top + HEIGHT * cell
    canvas.text(12, 22, f"An {HEIGHT} {TIMES} {COLUMNS} matrix of {TILE} {TIMES} {TILE} tiles", size=15, bold=True)
    canvas.text(left, 48, "c0: column", bold=True)
    canvas.arrow((left + 84, 48), (right, 48), "engine")
    canvas.text(12, top - 14, "c1:", bold=True)
    canvas.text(12, top + 4, "row", bold=True)
    canvas.arrow((24, top + 18), (24, bottom), "engine")
    for column in range(0, COLUMNS, TILE):
        canvas.text(left + (column + 0.5) * cell, top - 14, str(column), anchor="middle", style="code")
    for row in range(0, HEIGHT, TILE):
        canvas.text(left - 12, top + (row + 0.5) * cell, str(row), anchor="end", style="code")
    for row in range(HEIGHT):
        for column in range(COLUMNS):
            swapped = in_tile(column, row)
            role = "engine" if in_tile(row, column) else "wrong" if swapped else "plain"
            x, y = left + column * cell, top + row * cell
            canvas.label(x + 1, y + 1, cell - 2, cell - 2, role, str(row * COLUMNS + column), size=13)
    for at in range(0, HEIGHT + 1, TILE):
        canvas.line([(left, top + at * cell), (right, top + at * cell)], width=2.5)
    for at in range(0, COLUMNS + 1, TILE):
        canvas.line([(left + at * cell, top), (left + at * cell, bottom)], width=2.5)
    canvas.text(left, bottom + 22, f"the tile at (c0, c1) = ({C0}, {C1})", style="as-engine", bold=True)
    canvas.text(left, bottom + 42, f"what you get for ({C1}, {C0}): row before column", style="as-wrong", bold=True)
    return canvas.svg()


def draw_memory() -> str:
    row_height, top = 32.0, 92.0
    left, global_width = 52.0, 240.0
    unit = global_width / COLUMNS
    shared_left = WIDTH - 12 - TILE * unit
    bottom = top + HEIGHT * row_height
    canvas = Canvas(
        bottom + 54,
        "The same tile in global and in shared memory",
        f"In global memory the tile's rows are {STRIDE} bytes apart and {BOX_ROW} bytes long; in shared memory they "
        "follow one another without gaps.",
    )
    canvas.text(12, 22, f"The tile at ({C0}, {C1}) in memory", size=15, bold=True)
    canvas.text(left, 48, "global memory", bold=True)
    canvas.text(left, 68, f"stride {STRIDE} bytes, size {COLUMNS} {TIMES} {HEIGHT}", size=12, style="quiet")
    canvas.text(shared_left, 48, "shared memory", bold=True)
    canvas.text(shared_left, 68, f"box {TILE} {TIMES} {TILE}, {TILE * BOX_ROW} bytes", size=12, style="quiet")
    for row in range(HEIGHT):
        y = top + row * row_height
        canvas.text(left - 8, y + row_height / 2, f"+{row * STRIDE}", size=12, anchor="end", style="code quiet")
        for column in range(COLUMNS):
            role = "engine" if in_tile(row, column) else "plain"
            canvas.label(
                left + column * unit + 1, y + 2, unit - 2, row_height - 4, role, str(row * COLUMNS + column), size=12
            )
    for row in range(TILE):
        y = top + row * row_height
        middle = y + row_height / 2
        for column in range(TILE):
            value = (C1 + row) * COLUMNS + C0 + column
            canvas.label(
                shared_left + column * unit + 1, y + 2, unit - 2, row_height - 4, "engine", str(value), size=12
            )
        canvas.arrow((left + global_width + 3, middle), (shared_left - 33, middle), "engine")
        canvas.text(shared_left - 5, middle, f"+{row * BOX_ROW}", size=12, anchor="end", style="code quiet")
    canvas.text(
        12, bottom + 18, "The numbers at the left are byte offsets. The tensor map holds the stride;", size=12.5
    )
    canvas.text(12, bottom + 36, "the tile's rows follow one another without gaps.", size=12.5)
    return canvas.svg()
