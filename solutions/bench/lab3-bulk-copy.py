"""lab3-bulk-copy's peer in torch."""

import torch
from torch_race import peer

BYTES = 512 << 20

peer(
    "lab3-bulk-copy",
    "add one to 512 MiB in place",
    "torch add_",
    2 * BYTES,
    lambda: [torch.zeros(BYTES // 4, dtype=torch.int32, device="cuda")],
    lambda data: data.add_(1),
)
