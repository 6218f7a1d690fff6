"""FlashMLA's own set-up with those of its sources that its tests on sm_90 need: all of them take hours of one core.

cd FlashMLA && python flash_mla_build.py
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import torch.utils.cpp_extension as extension

NEEDED = [
    "csrc/api/api.cpp",
    "csrc/smxx/decode/get_decoding_sched_meta/get_decoding_sched_meta.cu",
    "csrc/smxx/decode/combine/combine.cu",
    "csrc/sm90/decode/dense/instantiations/bf16.cu",
    "csrc/sm90/prefill/sparse/fwd.cu",
    "csrc/sm90/prefill/sparse/instantiations/phase1_k512_topklen.cu",
    "csrc/sm90/decode/sparse_fp8/instantiations/v32_persistent_h64.cu",
]

# api.cpp takes the addresses of two functions of sm_100, which a linker wants to know. All others it only calls.
TENSORS = "N2at6TensorE" + 7 * "S0_"
NOWHERE = [f"_Z22FMHACutlassSM100FwdRun{TENSORS}ifiib", f"_Z22FMHACutlassSM100BwdRun{TENSORS}{4 * 'S0_'}ifiib"]
LINKED = ["-Wl,-z,lazy", *(f"-Wl,--defsym={name}=0" for name in NOWHERE)]

whole = extension.CUDAExtension


def part(name: str, sources: list[str], **others: Any) -> Any:
    missing = set(NEEDED) - set(sources)
    if missing:
        sys.exit(f"FlashMLA's setup.py names no {', '.join(sorted(missing))}")
    return whole(name, NEEDED, extra_link_args=LINKED, **others)


def main() -> None:
    extension.CUDAExtension = part
    sys.path.insert(0, str(Path.cwd()))
    sys.argv = ["setup.py", "build_ext", "--inplace"]
    runpy.run_path("setup.py", run_name="__main__")


if __name__ == "__main__":
    main()
