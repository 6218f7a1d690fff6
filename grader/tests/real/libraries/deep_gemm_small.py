"""Test functions of DeepGEMM's own, as they stand in its tests/, for small sizes: its generators enumerate less.

cd DeepGEMM/tests && tmaemu python -m tmaemu_torch deep_gemm_small.py test_bf16.test_gemm ...
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

sys.path.append(str(Path.cwd()))
given: Any = importlib.import_module("generators")

K, MN = given.MajorTypeAB.KMajor, given.MajorTypeAB.MNMajor
BF16, FP8 = torch.bfloat16, torch.float8_e4m3fn


def normal(dtype: torch.dtype) -> Iterator[tuple[Any, ...]]:
    """Each layout and each type of a result: one tile, several, and edges that a tile reaches over."""
    (kind,) = given.get_kernel_types(dtype)
    config = given.QuantConfig()
    yield kind, config, 128, 256, 512, K, K, False, BF16
    yield kind, config, 77, 576, 384, K, K, False, BF16
    if dtype == BF16:
        yield kind, config, 128, 256, 256, K, K, True, BF16
        yield kind, config, 128, 256, 256, K, K, False, torch.float
        yield kind, config, 256, 128, 192, K, MN, False, BF16
        yield kind, config, 256, 128, 192, MN, MN, True, torch.float
    else:
        yield given.KernelType.Kernel1D1D, config, 128, 256, 512, K, K, True, torch.float


def m_grouped_contiguous(dtype: torch.dtype) -> Iterator[tuple[Any, ...]]:
    (kind,) = given.get_kernel_types(dtype)
    for psum in (True, False):
        yield kind, given.QuantConfig(), 3, 100, 256, 256, K, K, psum, False


def m_grouped_masked(dtype: torch.dtype) -> Iterator[tuple[Any, ...]]:
    (kind,) = given.get_kernel_types(dtype)
    for psum in (True, False):
        yield kind, given.QuantConfig(), 3, 256, 90, 256, 256, psum


def k_grouped_contiguous(dtype: torch.dtype) -> Iterator[tuple[Any, ...]]:
    given.set_mk_alignment_for_contiguous_layout(128)
    major = K if dtype == FP8 else MN
    yield 3, 128, 256, major, major, [200, 100, 256], [256, 128, 256], 185, 128, 128, False


def mqa_logits(name: str, cases: object) -> list[tuple[Any, ...]]:
    if name == "prefill":
        # FP4, logits, weights, compressed, clean, rows of Q and of KV, heads, their size, all columns
        return [(False, logits, torch.float, False, True, 64, 128, 32, 64, True) for logits in (BF16, torch.float)]
    # lengths, FP4, logits, weights, block, 2D lengths, clean, batch, next, tokens, heads, their size, KV's mean
    return [(False, False, torch.float, torch.float, 64, True, False, 3, 1, 1, 32, 128, 150)]


SMALL = {
    "enumerate_normal": normal,
    "enumerate_m_grouped_contiguous": m_grouped_contiguous,
    "enumerate_m_grouped_masked": m_grouped_masked,
    "enumerate_k_grouped_contiguous": k_grouped_contiguous,
    "sample_mqa_cases": mqa_logits,
}


def main() -> None:
    passed = 0
    for called in sys.argv[1:]:
        module_name, _, function = called.partition(".")
        module = importlib.import_module(module_name)
        for name, smaller in SMALL.items():
            if hasattr(module, name):
                setattr(module, name, smaller)
        torch.manual_seed(0)
        random.seed(0)
        getattr(module, function)()
        torch.cuda.synchronize()
        passed += 1
    print(f"passed: {passed} of {len(sys.argv) - 1}")


if __name__ == "__main__":
    main()
