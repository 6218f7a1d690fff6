"""Lab 5, part pad: a box that overhangs, in global memory and in shared memory."""

from canvas import TIMES, WIDTH, Canvas

COLUMNS, ROWS = 12, 5  # of the tensor
BOX_COLUMNS, BOX_ROWS = 8, 4
C0, C1 = -4, -1  # where the box begins

CELL = 26.0
LEFT, TOP = 12 + -C0 * CELL + 8, 96.0  # of the tensor


def is_inside(column: int, row: int) -> bool:
    return 0 <= column < COLUMNS and 0 <= row < ROWS


def draw() -> str:
    tile_top = TOP + ROWS * CELL + 74
    bottom = tile_top + BOX_ROWS * CELL
    canvas = Canvas(
        bottom + 40,
        "A box that overhangs",
        f"A tensor of {COLUMNS} by {ROWS} elements and a box of {BOX_COLUMNS} by {BOX_ROWS} that begins at c0 = {C0}, "
        f"c1 = {C1}. The tile in shared memory holds all of the box; what is outside the tensor is fill.",
    )
    canvas.text(12, 22, f"A box of {BOX_COLUMNS} {TIMES} {BOX_ROWS} at ({C0}, {C1})", size=15, bold=True)
    canvas.text(12, 48, "global memory", bold=True)
    for row in range(min(C1, 0), ROWS):
        for column in range(min(C0, 0), COLUMNS):
            in_box = C0 <= column < C0 + BOX_COLUMNS and C1 <= row < C1 + BOX_ROWS
            if not is_inside(column, row) and not in_box:
                continue
            x, y = LEFT + column * CELL, TOP + row * CELL
            if is_inside(column, row):
                role = "engine" if in_box else "plain"
                canvas.label(x + 1, y + 1, CELL - 2, CELL - 2, role, str(row * COLUMNS + column), size=12)
            else:
                canvas.box(x + 1, y + 1, CELL - 2, CELL - 2, "wait", dashed=True)
    canvas.text(LEFT, TOP + ROWS * CELL + 16, "(0, 0) is the tensor's first element", size=12.5, style="quiet")

    canvas.text(12, tile_top - 22, "the tile in shared memory", bold=True)
    held = 0
    for row in range(BOX_ROWS):
        for column in range(BOX_COLUMNS):
            x, y = 12 + column * CELL, tile_top + row * CELL
            inside = is_inside(C0 + column, C1 + row)
            held += inside
            text = str((C1 + row) * COLUMNS + C0 + column) if inside else "0"
            canvas.label(x + 1, y + 1, CELL - 2, CELL - 2, "engine" if inside else "wait", text, size=12)
    words = 12 + BOX_COLUMNS * CELL + 16
    canvas.text(words, tile_top + 16, f"{held} elements of the tensor", size=12.5, style="as-engine", bold=True)
    canvas.text(words, tile_top + 38, f"{BOX_COLUMNS * BOX_ROWS - held} elements of fill", size=12.5, bold=True)
    canvas.text(words, tile_top + 68, f"the barrier counts all {BOX_COLUMNS * BOX_ROWS}", size=12.5)
    canvas.text(
        12, bottom + 20, "A store from the same place is not allowed: its coordinates are 0 or more.", size=12.5
    )
    assert words < WIDTH
    return canvas.svg()
