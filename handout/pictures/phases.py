"""Guide: a barrier's counts over time: the barrier of stage 0 of lab 3's ring, through two phases."""

from dataclasses import dataclass

from canvas import WIDTH, Canvas
from solution import INT_BYTES, LAB3, constant

BYTES = constant(LAB3, "STAGE_INTS") * INT_BYTES
LEFT, TOP, PITCH, ROW = 12, 82, 35, 27
PARITY, PENDING, TX, WAIT0, WAIT1 = 220, 266, 317, 373, 433  # the columns' middles


@dataclass
class Barrier:
    """An mbarrier: PTX ISA, "Contents of the mbarrier object"."""

    expected: int = 1
    pending: int = 1
    tx_count: int = 0
    phase: int = 0

    def change(self, arrivals: int, tx: int) -> None:
        self.pending -= arrivals
        self.tx_count += tx
        if self.pending == 0 and self.tx_count == 0:
            self.pending = self.expected
            self.phase += 1

    def wait_returns(self, parity: int) -> bool:
        return self.phase % 2 != parity


# What happens, and by how much it changes arrivals and bytes. The engine's bytes come in pieces; two halves here.
LAP = [
    ("expect_bytes_and_arrive", 1, BYTES),
    (f"engine: {BYTES // 2} bytes", 0, -(BYTES // 2)),
    (f"engine: {BYTES - BYTES // 2} bytes", 0, -(BYTES - BYTES // 2)),
]


def draw() -> str:
    events = [("init_barrier(&full[0], 1)", 0, 0), *LAP, *LAP]
    bottom = TOP + len(events) * PITCH
    canvas = Canvas(
        bottom + 56,
        "An mbarrier through two phases",
        f"Each phase ends when its one arrival has come and its {BYTES} bytes have landed; then the parity flips "
        "and the counts start again.",
    )
    canvas.text(LEFT, 22, "One mbarrier, two phases", size=15, bold=True)
    for x, first, second in [
        (PARITY, "", "parity"),
        (PENDING, "arrivals", "missing"),
        (TX, "tx-", "count"),
        (WAIT0, "wait", "(bar, 0)"),
        (WAIT1, "wait", "(bar, 1)"),
    ]:
        canvas.text(x, 46, first, size=12, anchor="middle", style="quiet")
        canvas.text(x, 62, second, size=12, anchor="middle", style="quiet")
    barrier = Barrier()
    for i, (what, arrivals, tx) in enumerate(events):
        before = barrier.phase
        barrier.change(arrivals, tx)
        y = TOP + i * PITCH
        middle = y + ROW / 2
        if barrier.phase != before:
            canvas.line([(LEFT, y - 4), (WIDTH - 12, y - 4)], role="sync", dashed=True)
        engine = what.startswith("engine")
        canvas.text(LEFT, middle, what, size=12, style="as-engine" if engine else "code")
        canvas.label(
            PARITY - 14, y, 28, ROW, "sync" if barrier.phase % 2 else "plain", str(barrier.phase % 2), style="code"
        )
        canvas.text(PENDING, middle, str(barrier.pending), anchor="middle", style="code")
        canvas.text(TX, middle, str(barrier.tx_count), anchor="middle", style="code")
        for x, parity in ((WAIT0, 0), (WAIT1, 1)):
            returns = barrier.wait_returns(parity)
            canvas.label(
                x - 27, y, 54, ROW, "thread" if returns else "wait", "returns" if returns else "waits", size=12
            )
    canvas.text(
        LEFT, bottom + 12, "Dashed green: a phase ends. No arrival is missing and the tx-count is 0,", size=12.5
    )
    canvas.text(
        LEFT, bottom + 30, "so the parity flips and the next phase begins with the same arrival count.", size=12.5
    )
    return canvas.svg()
