"""lab7-warp-scheduler's peer in torch."""

import torch
from torch_race import peer

BYTES = 512 << 20

peer(
    "lab7-warp-scheduler",
    "y = a x + y, 512 MiB each",
    "torch add_",
    3 * BYTES,
    lambda: [torch.zeros(BYTES // 4, device="cuda") for _ in range(2)],
    lambda x, y: y.add_(x, alpha=0.5),
)
