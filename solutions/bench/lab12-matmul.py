"""lab12-matmul's peer in torch, which calls cuBLAS."""

import torch
from torch_race import peer

for m, n, k in (
    (4096, 4096, 4096),
    (8192, 8192, 8192),
    (8192, 8192, 512),
    (5000, 4000, 3000),
    (2048, 2048, 2048),
):

    def make(m: int = m, n: int = n, k: int = k) -> list[torch.Tensor]:
        a, b = (torch.randn(rows, k, dtype=torch.bfloat16, device="cuda") for rows in (m, n))
        return [a, b, torch.empty(n, m, dtype=torch.bfloat16, device="cuda")]

    peer(
        "lab12-matmul",
        f"{m} x {n} x {k}",
        "torch matmul",
        2 * m * n * k,
        make,
        lambda a, b, c: torch.matmul(b, a.t(), out=c),
        of_unit=1e12,
    )
