"""lab9-clusters's peer in torch."""

import torch
from torch_race import peer

ROWS, COLUMNS = 8192, 16384

peer(
    "lab9-clusters",
    "a row of 64 KiB into 8192 rows",
    "torch copy_ of an expanded row",
    (ROWS + 1) * COLUMNS * 4,
    lambda: [
        torch.zeros(ROWS, COLUMNS, dtype=torch.int32, device="cuda"),
        torch.zeros(COLUMNS, dtype=torch.int32, device="cuda"),
    ],
    lambda matrix, row: matrix.copy_(row.expand(ROWS, COLUMNS)),
)
