"""FlashMLA's own tests, as they stand in its tests/, for a few small sizes and with no measurement of time.

cd FlashMLA/tests && tmaemu python -m tmaemu_torch flash_mla_small.py dense_decoding ...
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import torch

sys.path += [str(Path.cwd()), str(Path.cwd().parent)]
sys.setdlopenflags(os.RTLD_LAZY)  # what flash_mla_build.py leaves out stays undefined


def dense_decoding(given: Any) -> None:
    """One block of keys, and several; rows that end within one; queries that several CTAs share, and combine."""
    # requests, rows of Q and of K, whether their lengths differ, causal, no key at all, heads of Q and of K
    for requests, q, k, is_varlen, is_causal, has_none, q_heads, k_heads in [
        (1, 1, 20, False, False, False, 64, 1),
        (2, 2, 140, True, True, False, 9, 3),
        (2, 1, 200, True, False, False, 128, 1),
        (1, 1, 1000, False, False, False, 16, 1),
        (4, 2, 140, True, True, True, 3, 1),
    ]:
        case = given.TestParam(requests, q, k, is_varlen, is_causal, False, has_none, h_q=q_heads, h_kv=k_heads)
        given.test_flash_mla(case)


def sparse_prefill(given: Any) -> None:
    for q, k, topk, all_invalid in [(3, 592, 128, False), (2, 95, 128, False), (2, 128, 256, True)]:
        settings = {"h_q": 64, "d_qk": 512, "num_runs": 0, "have_attn_sink": True, "have_topk_length": True}
        assert given.run_test(given.TestParam(q, k, topk, is_all_indices_invalid=all_invalid, **settings))


def sparse_decoding(given: Any) -> None:
    # requests, rows of Q and of K, how many of those, the rows of a block, whether there are none
    for requests, q, k, topk, block, has_none in [
        (2, 1, 512, 64, 64, False),
        (2, 3, 512, 64, 61, True),
        (1, 1, 1024, 576, 2, False),
    ]:
        case = given.RawTestParam(
            requests, 64, q, 1, k, True, topk, have_zero_seqlen_k=has_none, block_size=block, d_qk=576, num_runs=0
        )
        assert given.test_flash_mla(case.to_test_param()).is_correct


TESTS = {function.__name__: function for function in (dense_decoding, sparse_prefill, sparse_decoding)}


def main() -> None:
    torch.set_default_dtype(torch.bfloat16)
    torch.set_default_device("cuda:0")
    for name in sys.argv[1:]:
        TESTS[name](importlib.import_module(f"test_flash_mla_{name}"))
        torch.cuda.synchronize()
    print(f"passed: {' '.join(sys.argv[1:])}")


if __name__ == "__main__":
    main()
