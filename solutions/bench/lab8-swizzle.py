"""lab8-swizzle's peers in torch."""

import torch
from torch_race import peer

for name, dtype in (("float", torch.float32), ("bf16", torch.bfloat16)):
    for rows, columns in ((16384, 16384), (32768, 32768), (8191, 12345)):

        def make(rows: int = rows, columns: int = columns, dtype: torch.dtype = dtype) -> list[torch.Tensor]:
            return [torch.zeros(shape, dtype=dtype, device="cuda") for shape in ((rows, columns), (columns, rows))]

        size = torch.finfo(dtype).bits // 8 * rows * columns
        case = f"transpose {name} {rows} x {columns}"
        peer("lab8-swizzle", case, "torch copy_", 2 * size, make, lambda src, dest: dest.copy_(src.t()))
        compiled = torch.compile(lambda src: src.t().contiguous(), dynamic=False)
        peer("lab8-swizzle", case, "torch.compile", 2 * size, make, lambda src, dest, call=compiled: call(src))
