"""FlashMLA's own test of dense decoding, as it stands in its tests/, for small sizes: bf16, and no measurement of time.

cd FlashMLA/tests && tmaemu python -m tmaemu_torch flash_mla_small.py
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import torch

sys.path += [str(Path.cwd()), str(Path.cwd().parent)]
sys.setdlopenflags(os.RTLD_LAZY)  # what flash_mla_build.py has left out stays undefined
given: Any = importlib.import_module("test_flash_mla_dense_decoding")

# Requests, rows of Q, of K, whether their lengths differ, causal, heads of Q and of K.
CASES = [
    (1, 1, 20, False, False, 64, 1),
    (2, 2, 140, True, True, 9, 3),
    (2, 1, 200, True, False, 128, 1),
]


def main() -> None:
    torch.set_default_dtype(torch.bfloat16)
    torch.set_default_device(torch.device("cuda:0"))
    for requests, q, k, is_varlen, is_causal, q_heads, k_heads in CASES:
        case = given.TestParam(requests, q, k, is_varlen, is_causal, test_performance=False, h_q=q_heads, h_kv=k_heads)
        given.test_flash_mla(case)
    torch.cuda.synchronize()
    print(f"passed: {len(CASES)} cases")


if __name__ == "__main__":
    main()
