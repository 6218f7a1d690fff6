"""lab6-memcpy's peer in torch."""

import torch
from torch_race import peer

BYTES = 512 << 20

peer(
    "lab6-memcpy",
    "copy 512 MiB",
    "torch copy_",
    2 * BYTES,
    lambda: [torch.zeros(BYTES // 2, dtype=torch.bfloat16, device="cuda") for _ in range(2)],
    lambda dest, src: dest.copy_(src),
)
