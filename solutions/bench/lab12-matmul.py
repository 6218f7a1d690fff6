"""lab12-matmul against torch, which calls cuBLAS: in turns, in one process. Measured alone, torch has a chip that
nobody has heated, and came out up to a tenth too fast."""

import ctypes
import functools
from pathlib import Path

import torch
from torch_race import race

BUILT = Path(__file__).resolve().parents[2] / "build/bench"
solution = ctypes.CDLL(str(BUILT / "matmul_library.so")).multiply


def multiply(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> None:
    solution(a.shape[0], b.shape[0], a.shape[1], *(ctypes.c_void_p(matrix.data_ptr()) for matrix in (a, b, c)))


def made(m: int, n: int, k: int) -> list[torch.Tensor]:
    a, b = (torch.randn(rows, k, dtype=torch.bfloat16, device="cuda") for rows in (m, n))
    return [a, b, torch.empty(n, m, dtype=torch.bfloat16, device="cuda")]


for m, n, k in (
    (4096, 4096, 4096),
    (8192, 8192, 8192),
    (8192, 8192, 512),
    (5000, 4000, 3000),
    (2048, 2048, 2048),
):
    race(
        "lab12-matmul",
        f"{m} x {n} x {k}, in turns with torch",
        {
            ("solution", "h100_matmul"): multiply,
            ("peer", "torch matmul"): lambda a, b, c: torch.matmul(b, a.t(), out=c),
        },
        2 * m * n * k,
        functools.partial(made, m, n, k),
        target=("best peer", 1.00),
        unit=("TFLOP/s", 1e12),
    )
