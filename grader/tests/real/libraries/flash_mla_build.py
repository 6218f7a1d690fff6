"""Builds of FlashMLA what its dense decoding in bf16 needs, with the options of its setup.py, as flash_mla/cuda.so.

cd FlashMLA && python flash_mla_build.py        Everything else in it takes hours of one core, and stays undefined.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from torch.utils.cpp_extension import load

SOURCES = [
    "api/api.cpp",
    "smxx/decode/get_decoding_sched_meta/get_decoding_sched_meta.cu",
    "smxx/decode/combine/combine.cu",
    "sm90/decode/dense/instantiations/bf16.cu",
]
INCLUDED = [".", "kerutils/include", "sm90", "cutlass/include", "cutlass/tools/util/include"]
COMMON = ["-O3", "-std=c++20", "-DNDEBUG", "-Wno-deprecated-declarations", "-DFLASH_MLA_DISABLE_FP16"]
OF_NVCC = """
-D_USE_MATH_DEFINES -U__CUDA_NO_HALF_OPERATORS__ -U__CUDA_NO_HALF_CONVERSIONS__ -U__CUDA_NO_HALF2_OPERATORS__
-U__CUDA_NO_BFLOAT16_CONVERSIONS__ --expt-relaxed-constexpr --expt-extended-lambda --use_fast_math
-lineinfo --source-in-ptx
"""


def main() -> None:
    sys.setdlopenflags(os.RTLD_LAZY)  # it loads what it has built
    csrc = Path("csrc").resolve()
    load(
        "cuda",
        [str(csrc / name) for name in SOURCES],
        extra_cflags=COMMON,
        extra_cuda_cflags=[*COMMON, *OF_NVCC.split()],
        extra_include_paths=[str(csrc / name) for name in INCLUDED],
        build_directory=str(Path("flash_mla").resolve()),
    )


if __name__ == "__main__":
    main()
