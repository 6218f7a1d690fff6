"""lab5-tensor-ranks' peer in torch: the same stencil, compiled."""

import torch
from torch_race import peer

SIDE = 512


def stencil(dest: torch.Tensor, src: torch.Tensor) -> None:
    padded = torch.nn.functional.pad(src, (1, 1, 1, 1, 1, 1))
    inner = slice(1, -1)
    neighbors = (
        padded[inner, inner, :-2]
        + padded[inner, inner, 2:]
        + padded[inner, :-2, inner]
        + padded[inner, 2:, inner]
        + padded[:-2, inner, inner]
        + padded[2:, inner, inner]
    )
    dest.copy_(neighbors - 6 * src)


peer(
    "lab5-tensor-ranks",
    "stencil, 512 x 512 x 512",
    "torch.compile",
    2 * SIDE**3 * 4,
    lambda: [torch.randn(SIDE, SIDE, SIDE, device="cuda") for _ in range(2)],
    torch.compile(stencil),
)
