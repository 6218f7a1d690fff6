"""lab10-rmsnorm's peers in torch: compiled as two kernels of the model would be, the residual in place."""

import torch
from torch_race import peer

ELEMENTS = 1 << 28
EPS = 1e-5


def add_rms_norm(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    residual.add_(x)
    return torch.nn.functional.rms_norm(residual, (residual.shape[-1],), weight, EPS)


for columns in (1024, 2048, 4096, 5120, 8192, 16384):
    rows = ELEMENTS // columns

    def make(rows: int = rows, columns: int = columns) -> list[torch.Tensor]:
        shapes = ((rows, columns), (rows, columns), (columns,))
        return [torch.zeros(shape, dtype=torch.bfloat16, device="cuda") for shape in shapes]

    case, moved = f"{rows} x {columns}", 4 * 2 * rows * columns
    torch._dynamo.reset()
    peer("lab10-rmsnorm", case, "torch", moved, make, add_rms_norm)
    peer("lab10-rmsnorm", case, "torch.compile", moved, make, torch.compile(add_rms_norm, dynamic=False))
